"""The best way to put things together step by step: exact for a few, by beam search for many.

Things are the bits of a number. A step joins two or three sets that have nothing in common; steps that end in
the set of all things make a tree, and its score is the sum of what its steps score. What a step scores may
depend on the sets it joins, and on nothing else of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

Group = tuple[int, ...]
"""The sets that a step joins, the least number first."""
Score = Callable[[Sequence[Group]], Sequence[float]]

EXACT = 6
"""So many things and fewer are put together in the best of all ways."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """A tree as its steps, each after those that it needs, and their scores added."""

    score: float
    steps: tuple[Group, ...]


def best_groupings(
    things: int, score: Score, *, width: int = 15, most: int = 3, wanted: int = 1
) -> list[Grouping]:
    """The best trees over so many things, the best first: all of them looked at if there are few things.

    `most` is the largest number of sets that a step joins, `width` the number of beginnings that are kept.
    """
    if things < 2:
        return []
    search = _exact if things <= EXACT else _beam
    return search(things, _remembered(score), width, most, wanted)


def all_groupings(things: int, most: int = 3) -> list[tuple[Group, ...]]:
    """Every tree over so many things: with up to three parts a step, 4 over three, 25 over four, 220 over five."""
    trees: dict[int, list[tuple[Group, ...]]] = {1 << thing: [()] for thing in range(things)}
    for whole in sorted(range(1, 1 << things), key=int.bit_count):
        if whole.bit_count() > 1:
            trees[whole] = [
                (*(step for part in parts for step in part), group)
                for group in _partitions(whole, most)
                for parts in product(*(trees[part] for part in group))
            ]
    return trees[(1 << things) - 1]


def _remembered(score: Score) -> Score:
    known: dict[Group, float] = {}

    def remembered(groups: Sequence[Group]) -> list[float]:
        fresh = [group for group in dict.fromkeys(groups) if group not in known]
        if fresh:
            known.update(zip(fresh, score(fresh), strict=True))
        return [known[group] for group in groups]

    return remembered


def _exact(things: int, score: Score, _width: int, most: int, wanted: int) -> list[Grouping]:
    """Of every set, from small to large, the best trees over it: any part of a best tree is among its set's
    best."""
    best: dict[int, list[Grouping]] = {1 << thing: [Grouping(0.0, ())] for thing in range(things)}
    wholes = sorted(range(1, 1 << things), key=int.bit_count)
    groups = {whole: list(_partitions(whole, most)) for whole in wholes if whole.bit_count() > 1}
    score([group for found in groups.values() for group in found])
    for whole, found in groups.items():
        made = [
            Grouping(own + sum(part.score for part in parts), (*(s for p in parts for s in p.steps), group))
            for group, own in zip(found, score(found), strict=True)
            for parts in product(*(best[part] for part in group))
        ]
        best[whole] = _ranked(made)[:wanted]
    return best[(1 << things) - 1]


def _partitions(whole: int, most: int) -> Iterator[Group]:
    """The ways to cut a set into two or more parts."""
    lowest = whole & -whole
    rest = whole ^ lowest
    part = rest
    while part:  # every part of the rest but the empty one
        own = whole ^ part
        yield tuple(sorted((own, part)))
        if most > 2:
            for others in _partitions(part, most - 1):
                yield tuple(sorted((own, *others)))
        part = (part - 1) & rest


def _beam(things: int, score: Score, width: int, most: int, wanted: int) -> list[Grouping]:
    """Goes on from the best beginnings, a step at a time; those that are the same but for their order are one."""
    beginnings = [(Grouping(0.0, ()), tuple(1 << thing for thing in range(things)))]
    whole: list[Grouping] = []
    while beginnings:
        further = [
            (tree, sets, group)
            for tree, sets in beginnings
            for size in range(2, min(most, len(sets)) + 1)
            for group in combinations(sorted(sets), size)
        ]
        following: dict[frozenset[Group], tuple[Grouping, tuple[int, ...]]] = {}
        for (tree, sets, group), own in zip(further, score([group for *_, group in further]), strict=True):
            longer = Grouping(tree.score + own, (*tree.steps, group))
            left = (*(one for one in sets if one not in group), sum(group))
            following.setdefault(frozenset(longer.steps), (longer, left))
        whole += [tree for tree, left in following.values() if len(left) == 1]
        going = [(tree, left) for tree, left in following.values() if len(left) > 1]
        beginnings = sorted(going, key=lambda one: (-one[0].score, one[0].steps))[:width]
    return _ranked(whole)[:wanted]


def _ranked(trees: Sequence[Grouping]) -> list[Grouping]:
    """The best first; of equals the one whose steps come first, so that the same is found on every machine."""
    return sorted(trees, key=lambda tree: (-tree.score, tree.steps))
