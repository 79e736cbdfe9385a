"""How far a predicted tree and gold derive the same, however their steps are cut: `equivalence.f1`.

Each step derives its conclusion from a set of leaves, its bracket. Trees are compared by their brackets, as parses
are, so order and names do not matter. A predicted bracket that gold does not have but that only groups premises of
one gold step is no error: the step was split. Definition, examples, limits: `docs/metrics/tree-equivalence.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from whence.metrics.metric import Metric
from whence.structures.tree import Tree, conclusions, leaves

Bracket = frozenset[str]
Ways = Mapping[Bracket, list[tuple[Bracket, ...]]]
"""For each bracket of a tree, what the premises rest on in every step that derives it."""

EQUIVALENCE_F1 = Metric(
    "equivalence.f1",
    "higher",
    (0, 1),
    "whence",
    "F1 of the sets of leaves that conclusions rest on; steps that are split or reordered are no error",
    scale=100,
)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Numbers of brackets: of both trees, of gold only, wrong ones, and such as only split a gold step."""

    matched: int
    missed: int
    wrong: int
    neutral: int

    @property
    def precision(self) -> float:
        """Matched of matched and wrong; 0 if nothing is matched."""
        return self.matched / (self.matched + self.wrong) if self.matched else 0.0

    @property
    def recall(self) -> float:
        """Matched of gold's brackets; 0 if nothing is matched."""
        return self.matched / (self.matched + self.missed) if self.matched else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.matched / (2 * self.matched + self.wrong + self.missed) if self.matched else 0.0


def equivalence(predicted: Tree, gold: Tree) -> Equivalence:
    """Compares the brackets of two trees on the leaves that both use.

    A leaf that only one of the trees uses costs the step that uses it, and no step above. A bracket that crosses
    gold's costs itself and the gold step whose premises it joins in another way.
    """
    ours, theirs = brackets(predicted), brackets(gold)
    common = frozenset(leaves(predicted)) & frozenset(leaves(gold))
    steps = [[part & common for part in parts] for ways in theirs.values() for parts in ways]
    astray = {
        own for own in (bracket & common for bracket in ours) if not any(_groups(own, parts) for parts in steps)
    }
    derived = {bracket & common for bracket, ways in ours.items() if _grounded(ways, common)}
    wanted = {bracket & common for bracket, ways in theirs.items() if _grounded(ways, common)}
    crossed = {
        bracket & common
        for bracket, ways in theirs.items()
        for parts in ways
        if any(own <= bracket and not any(own <= part for part in parts) for own in astray)
    }
    matched = (wanted & derived) - crossed
    right = [
        bracket & common
        for bracket, ways in ours.items()
        if _grounded(ways, common) and bracket & common not in astray | (wanted & crossed)
    ]
    return Equivalence(
        matched=len(matched),
        missed=len(theirs) - len(matched),
        wrong=len(ours) - len(right),
        neutral=sum(bracket not in matched for bracket in right),
    )


def brackets(tree: Tree) -> Ways:
    """The sets of leaves from which a tree derives something; a single leaf only if the tree has no other."""
    rests_on = _rests_on(tree)
    everything = frozenset(leaves(tree))
    found: dict[Bracket, list[tuple[Bracket, ...]]] = {}
    for step in tree.steps:
        parts = tuple(rests_on[premise] for premise in step.premises)
        bracket = frozenset[str]().union(*parts)
        if len(bracket) != 1 or bracket == everything:
            found.setdefault(bracket, []).append(parts)
    return found


def renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    """The tree with other names for its leaves: their texts, to compare trees over different sentences."""
    concluded = set(conclusions(tree))
    steps = tuple(
        type(step)(
            tuple(premise if premise in concluded else names.get(premise, premise) for premise in step.premises),
            step.conclusion,
            step.text,
        )
        for step in tree.steps
    )
    return Tree(steps)


def _rests_on(tree: Tree) -> dict[str, Bracket]:
    """The leaves of each id, whatever the order of steps; an id that is concluded twice rests on both."""
    found = {leaf: frozenset((leaf,)) for leaf in leaves(tree)} | dict.fromkeys(
        conclusions(tree), frozenset[str]()
    )
    growing = True
    while growing:
        growing = False
        for step in tree.steps:
            larger = found[step.conclusion].union(*(found[premise] for premise in step.premises))
            growing |= larger != found[step.conclusion]
            found[step.conclusion] = larger
    return found


def _grounded(ways: Iterable[tuple[Bracket, ...]], common: Bracket) -> bool:
    """Every premise of the steps rests on a leaf that both trees use."""
    return all(part & common for parts in ways for part in parts)


def _groups(bracket: Bracket, parts: Iterable[Bracket]) -> bool:
    """The bracket is what some premises of one step rest on."""
    return frozenset().union(*(part for part in parts if part <= bracket)) == bracket
