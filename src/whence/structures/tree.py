"""Entailment trees: steps from premises to a conclusion, up to a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass

HYPOTHESIS = "hypothesis"
"""The id of the last conclusion."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that a tree may use, under its id."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """Premises, by id, that together entail a conclusion; `text` words a conclusion that is not given."""

    premises: tuple[str, ...]
    conclusion: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    """Steps in the order of the proof. A leaf may be used twice, so a tree may be a DAG."""

    steps: tuple[Step, ...]
    sentences: tuple[Sentence, ...] = ()
    """Sentences that the tree brings along; under the same id they stand for those of the context."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a tree explains: the hypothesis, the question and answer it declares, and the sentences at hand."""

    hypothesis: str
    context: tuple[Sentence, ...]
    question: str = ""
    answer: str = ""


def conclusions(tree: Tree) -> tuple[str, ...]:
    """Ids that steps conclude, in order."""
    return tuple(step.conclusion for step in tree.steps)


def leaves(tree: Tree) -> tuple[str, ...]:
    """Ids that are used but not concluded, in order of first use."""
    concluded = set(conclusions(tree))
    used = (premise for step in tree.steps for premise in step.premises)
    return tuple(dict.fromkeys(premise for premise in used if premise not in concluded))


def node_count(tree: Tree) -> int:
    """Leaves and conclusions, each counted once."""
    return len(leaves(tree)) + len(set(conclusions(tree)))


def tree_depth(tree: Tree) -> int | None:
    """Number of steps on the longest way from a leaf to a conclusion; None if a conclusion rests on itself."""
    needs: dict[str, set[str]] = {conclusion: set() for conclusion in conclusions(tree)}
    for step in tree.steps:
        needs[step.conclusion].update(premise for premise in step.premises if premise in needs)
    needed_by: dict[str, list[str]] = {conclusion: [] for conclusion in needs}
    for conclusion, premises in needs.items():
        for premise in premises:
            needed_by[premise].append(conclusion)
    depths = dict.fromkeys(needs, 1)
    missing = {conclusion: len(premises) for conclusion, premises in needs.items()}
    reached = [conclusion for conclusion, count in missing.items() if not count]
    for conclusion in reached:
        for above in needed_by[conclusion]:
            depths[above] = max(depths[above], depths[conclusion] + 1)
            missing[above] -= 1
            if not missing[above]:
                reached.append(above)
    return max(depths.values(), default=0) if len(reached) == len(needs) else None


def leaf_sets(tree: Tree) -> dict[str, frozenset[str]]:
    """The leaves that each conclusion rests on, as far as steps before it say."""
    concluded = set(conclusions(tree))
    found: dict[str, frozenset[str]] = {}
    for step in tree.steps:
        parts = (found.get(p, frozenset()) if p in concluded else frozenset((p,)) for p in step.premises)
        found[step.conclusion] = found.get(step.conclusion, frozenset()).union(*parts)
    return found


def shred(tree: Tree) -> tuple[Tree, ...]:
    """The one-step trees of a tree: the training form of the iterative writer, in order."""
    return tuple(Tree((step,), tree.sentences) for step in tree.steps)


def texts(tree: Tree, claim: Claim) -> dict[str, str]:
    """What each id of the tree says, as far as the claim and the tree say it.

    The hypothesis is the claim's; where it has none, as the tree words it.
    """
    known = {sentence.id: sentence.text for sentence in (*claim.context, *tree.sentences)}
    known |= {step.conclusion: step.text for step in tree.steps if step.text}
    known[HYPOTHESIS] = claim.hypothesis or known.get(HYPOTHESIS, "")
    return known
