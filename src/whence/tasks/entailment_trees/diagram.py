"""An entailment tree as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.facts import Fact
from whence.structures.tree import HYPOTHESIS, Claim, Tree, conclusions, leaf_sets, leaves, texts


def diagram(claim: Claim, tree: Tree | None, _: Mapping[str, Fact]) -> Diagram:
    """The hypothesis on top, what it rests on below, given sentences at the ends."""
    rows = (("question", claim.question), ("answer", claim.answer), ("hypothesis", claim.hypothesis))
    caption = tuple((name, text) for name, text in rows if text)
    if tree is None:
        sentences = tuple((sentence.id, sentence.text) for sentence in claim.context)
        return Diagram((), (), caption=(*caption, *sentences), direction="up")
    said = texts(tree, claim)
    concluded = tuple(dict.fromkeys(conclusions(tree)))
    kinds = dict.fromkeys(leaves(tree), "leaf") | dict.fromkeys(concluded, "conclusion")
    kinds |= {HYPOTHESIS: "root"} if HYPOTHESIS in kinds else {}
    keys = _keys(tree, said)
    nodes = tuple(Node(keys[name], said.get(name, name), kind, note=name) for name, kind in kinds.items())
    links = tuple(Link(keys[premise], keys[step.conclusion]) for step in tree.steps for premise in step.premises)
    shown = tuple(row for row in caption if row[0] not in kinds)  # the hypothesis once, not above itself
    return Diagram(nodes, links, caption=shown, direction="up")


def _keys(tree: Tree, said: Mapping[str, str]) -> dict[str, str]:
    """Keys by which nodes of two trees are the same: a leaf by its text, a conclusion by what it rests on.

    Names of intermediates mean nothing across trees, and names of leaves mean nothing across contexts.
    """
    keys: dict[str, str] = {}
    for name in leaves(tree):
        keys[name] = _free(said.get(name, name), name, keys)
    for name, rests_on in leaf_sets(tree).items():
        wanted = HYPOTHESIS if name == HYPOTHESIS else " & ".join(sorted(keys[leaf] for leaf in rests_on))
        keys[name] = _free(wanted, name, keys)
    return keys


def _free(wanted: str, name: str, taken: Mapping[str, str]) -> str:
    return f"{wanted} ({name})" if wanted in taken.values() else wanted
