"""Rules for entailment trees (EntailmentBank, sec. 3-5)."""

from __future__ import annotations

from collections.abc import Iterator

from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.structures.tree import HYPOTHESIS, Claim, Tree, conclusions, leaves, tree_depth

TreeRule = Rule[Claim, Tree]


def _find_no_root(_: Claim, tree: Tree) -> Iterator[Finding]:
    count = conclusions(tree).count(HYPOTHESIS)
    if count != 1:
        yield "", f"{count} steps conclude the hypothesis, one is needed"


def _find_after_root(_: Claim, tree: Tree) -> Iterator[Finding]:
    found = conclusions(tree)
    if HYPOTHESIS in found:
        for number in range(found.index(HYPOTHESIS) + 1, len(found)):
            yield (
                f"/steps/{number}",
                f"the step to {quoted(found[number])} stands after the hypothesis",
            )
    for number, step in enumerate(tree.steps):
        if HYPOTHESIS in step.premises:
            yield f"/steps/{number}", "the hypothesis is used as a premise"


def _find_unused(_: Claim, tree: Tree) -> Iterator[Finding]:
    used = {premise for step in tree.steps for premise in step.premises}
    for number, step in enumerate(tree.steps):
        if step.conclusion != HYPOTHESIS and step.conclusion not in used:
            yield f"/steps/{number}", f"{quoted(step.conclusion)} is concluded but used nowhere"


def _find_cycle(_: Claim, tree: Tree) -> Iterator[Finding]:
    if tree_depth(tree) is None:
        yield "", "a conclusion rests on itself"


def _find_forward(_: Claim, tree: Tree) -> Iterator[Finding]:
    later = list(conclusions(tree))
    for number, step in enumerate(tree.steps):
        for premise in step.premises:
            if premise in later[number:] and premise not in later[:number]:
                yield f"/steps/{number}", f"{quoted(premise)} is used before it is concluded"


def _find_repeated(_: Claim, tree: Tree) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, step in enumerate(tree.steps):
        if step.conclusion in seen and step.conclusion != HYPOTHESIS:
            yield f"/steps/{number}", f"{quoted(step.conclusion)} is concluded twice"
        seen.add(step.conclusion)


def _find_unknown(claim: Claim, tree: Tree) -> Iterator[Finding]:
    known = {sentence.id for sentence in (*claim.context, *tree.sentences)}
    unknown = [leaf for leaf in leaves(tree) if leaf not in known]
    for leaf in unknown:
        if leaf != HYPOTHESIS:
            yield "", f"{quoted(leaf)} is neither a sentence of the context nor a conclusion"
    for number, step in enumerate(tree.steps):
        if step.conclusion in known:
            yield f"/steps/{number}", f"{quoted(step.conclusion)} is a given sentence, not a conclusion"


def _find_no_premise(_: Claim, tree: Tree) -> Iterator[Finding]:
    for number, step in enumerate(tree.steps):
        if not step.premises:
            yield f"/steps/{number}", f"{quoted(step.conclusion)} follows from nothing"


def _find_unworded(_: Claim, tree: Tree) -> Iterator[Finding]:
    for number, step in enumerate(tree.steps):
        if step.conclusion != HYPOTHESIS and not step.text:
            yield f"/steps/{number}", f"{quoted(step.conclusion)} has no text"


PREMISES: TreeRule = Rule("premises", "every step has a premise", _find_no_premise)
ONE_ROOT: TreeRule = Rule("one-root", "one step concludes the hypothesis", _find_no_root)
NOTHING_AFTER: TreeRule = Rule("nothing-after", "nothing follows the hypothesis", _find_after_root)
ALL_USED: TreeRule = Rule("all-used", "every intermediate conclusion is used", _find_unused)
NO_CYCLE: TreeRule = Rule("no-cycle", "no conclusion rests on itself", _find_cycle)
IN_ORDER: TreeRule = Rule("in-order", "a conclusion is used only after it was reached", _find_forward)
ONCE: TreeRule = Rule("concluded-once", "no intermediate is concluded twice", _find_repeated)
KNOWN_IDS: TreeRule = Rule("known-ids", "every id is a given sentence or a conclusion", _find_unknown)
WORDED: TreeRule = Rule("worded", "every intermediate conclusion has a text", _find_unworded)
