"""The best argument graph that edge scores allow: connected, acyclic, of the right size, with concepts of texts.

The search is exact. Leave acyclicity out for a moment: for a given set of concepts, the best connected graph of at
most so many edges is a heaviest spanning tree and the best edges besides, since such edge sets are the bases of a
matroid (the graphic one, elongated). This bounds what an acyclic graph of these concepts can be worth. So every
allowed set of concepts waits with its bound; the best is taken first; if its graph leads round in a circle, it
waits again, once without each arc of the circle, with a bound that is no higher. The first graph that comes and
leads nowhere round is the best of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whence.errors import UsageError

Floats = NDArray[np.float64]
Arc = tuple[int, int]
"""From one concept to another, by their places."""

MOST_CONCEPTS = 14
"""Sets of concepts are searched one and all: 16,384 of them."""


@dataclass(frozen=True, slots=True)
class EdgeScores:
    """What edges between concepts are worth; a graph is worth the sum over all ordered pairs."""

    relations: Floats
    """By head, tail and relation. What stands for a concept and itself is not read."""
    none: Floats
    """By head and tail: no edge from the one to the other."""

    @property
    def concepts(self) -> int:
        """How many there are."""
        return len(self.none)

    @property
    def gains(self) -> Floats:
        """What the best relation of each ordered pair is worth over no edge."""
        best: Floats = self.relations.max(axis=2)
        return best - self.none


@dataclass(frozen=True, slots=True)
class GraphLimits:
    """What a graph must be like, besides connected and acyclic (ExplaGraphs, sec. 3)."""

    least_edges: int = 3
    most_edges: int = 8
    texts: tuple[frozenset[int], ...] = ()
    """The concepts that stand in each text."""
    least_of_text: int = 2
    """How many concepts of each text there must be; one may count for several texts."""
    required: frozenset[int] = frozenset()
    """Concepts that must be in the graph. The paper's programme takes all it is given."""


class DecodedEdge(NamedTuple):
    """An edge by the places of its concepts and its relation, and what it is worth over no edge."""

    head: int
    relation: int
    tail: int
    gain: float


@dataclass(frozen=True, slots=True)
class DecodedGraph:
    """A graph and its worth: the sum over all ordered pairs, and over the concepts that are used."""

    edges: tuple[DecodedEdge, ...]
    score: float


def decode(scores: EdgeScores, limits: GraphLimits, concept_scores: Sequence[float] = ()) -> DecodedGraph | None:
    """The graph within the limits that is worth most; None if there is none.

    Concepts that are not required may be left out; a concept's score is what using it is worth, 0 unless given.
    """
    count = _checked(scores)
    worth = np.asarray(concept_scores or [0.0] * count, dtype=np.float64)
    gains = scores.gains
    subsets = _allowed_subsets(count, limits)
    waiting: list[tuple[float, int, int, frozenset[Arc]]] = [
        (-bound, place, place, frozenset())
        for place, bound in enumerate(_bounds(gains, worth, subsets, limits).tolist())
        if bound > -np.inf
    ]
    heapify(waiting)
    members = [tuple(np.flatnonzero(row).tolist()) for row in subsets]
    seen: set[tuple[int, frozenset[Arc]]] = set()
    turn = len(members)  # breaks ties: what waits longer comes first
    while waiting:
        bound, _, place, forbidden = heappop(waiting)
        arcs = _best_connected(gains, members[place], forbidden, limits)
        circle = _circle(arcs)
        if not circle:
            return _decoded(scores, arcs, -bound)
        for arc in circle:
            narrower = place, forbidden | {arc}
            if narrower in seen:
                continue
            seen.add(narrower)
            if found := _best_connected(gains, members[place], narrower[1], limits):
                turn += 1
                value = float(sum(gains[arc] for arc in found) + worth[list(members[place])].sum())
                heappush(waiting, (-value, turn, *narrower))
    return None


def decode_chain(
    scores: EdgeScores, limits: GraphLimits, concept_scores: Sequence[float] = ()
) -> DecodedGraph | None:
    """The best graph within the limits that is one chain; None if there is none.

    Every set of concepts, and which of them the chain ends in: the best chain of each is known from smaller sets.
    """
    count, gains = _checked(scores), scores.gains
    places = np.arange(count)
    gains[places, places] = -np.inf
    best = np.full((2**count, count), -np.inf)
    before = np.zeros((2**count, count), dtype=np.int64)
    best[1 << places, places] = 0.0
    for number in range(1, 2**count - 1):
        following = places[number >> places & 1 == 0]
        ways = best[number][:, None] + gains[:, following]
        longer, last = number | 1 << following, ways.argmax(axis=0)
        best[longer, following], before[longer, following] = ways.max(axis=0), last
    subsets = _allowed_subsets(count, limits)
    subsets = subsets[subsets.sum(axis=1) > limits.least_edges]
    numbers = subsets @ (1 << np.arange(count))
    worth = best[numbers] + (subsets @ np.asarray(concept_scores or [0.0] * count))[:, None]
    if not len(worth):
        return None
    row, last = divmod(int(worth.argmax()), count)
    arcs: list[Arc] = []
    number = int(numbers[row])
    while number & (number - 1):
        first = int(before[number, last])
        arcs.append((first, last))
        number, last = number ^ 1 << last, first
    return _decoded(scores, arcs[::-1], float(worth.max()))


def decode_connected(scores: EdgeScores) -> DecodedGraph:
    """The best graph that is connected and uses all concepts, whatever else it is: the released programme.

    Every edge that beats no edge is taken; the parts are then joined by the edges that lose least.
    """
    gains = scores.gains
    order = sorted(_ordered_pairs(scores.concepts), key=lambda arc: -gains[arc])
    part = list(range(scores.concepts))
    taken = []
    for head, tail in order:
        if gains[head, tail] > 0 or part[head] != part[tail]:
            taken.append((head, tail))
            old, new = part[tail], part[head]
            part = [new if own == old else own for own in part]
    return _decoded(scores, sorted(taken), float(sum(gains[arc] for arc in taken)))


def _checked(scores: EdgeScores) -> int:
    """How many concepts there are, if there are not too many."""
    if scores.concepts > MOST_CONCEPTS:
        raise UsageError(f"graphs are decoded from {MOST_CONCEPTS} concepts at the most, not {scores.concepts}")
    return scores.concepts


def _decoded(scores: EdgeScores, arcs: Sequence[Arc], gained: float) -> DecodedGraph:
    best, gains = scores.relations.argmax(axis=2), scores.gains
    edges = tuple(DecodedEdge(head, int(best[head, tail]), tail, float(gains[head, tail])) for head, tail in arcs)
    none = sum(float(scores.none[arc]) for arc in _ordered_pairs(scores.concepts))
    return DecodedGraph(edges, none + gained)


def _ordered_pairs(count: int) -> Iterator[Arc]:
    return ((head, tail) for head in range(count) for tail in range(count) if head != tail)


def _allowed_subsets(count: int, limits: GraphLimits) -> NDArray[np.bool_]:
    """A row for each set of concepts that a graph within the limits may have."""
    numbers = np.arange(2**count)
    rows: NDArray[np.bool_] = (numbers[:, None] >> np.arange(count)) & 1 == 1
    sizes = rows.sum(axis=1)
    # n concepts are joined by n - 1 edges at least, and have room for n (n - 1) / 2.
    fits = (sizes - 1 <= limits.most_edges) & (sizes * (sizes - 1) // 2 >= limits.least_edges) & (sizes > 1)
    fits &= rows[:, sorted(limits.required)].all(axis=1)
    for text in limits.texts:
        fits &= rows[:, sorted(text)].sum(axis=1) >= limits.least_of_text
    found: NDArray[np.bool_] = rows[fits]
    return found


def _bounds(gains: Floats, worth: Floats, subsets: NDArray[np.bool_], limits: GraphLimits) -> Floats:
    """What the best connected graph of each set of concepts is worth: Kruskal's algorithm for all sets at once."""
    sizes = subsets.sum(axis=1)
    part: NDArray[Any] = np.tile(np.arange(len(gains), dtype=np.int8), (len(subsets), 1))
    besides, least, room = (
        np.zeros(len(subsets), dtype=np.int64),
        _least_besides(sizes, limits),
        _room(sizes, limits),
    )
    total: Floats = subsets @ worth
    for value, _, (first, second) in _sorted_pairs(gains, range(len(gains)), frozenset()):
        present = subsets[:, first] & subsets[:, second]
        joins = present & (part[:, first] != part[:, second])
        extra = present & ~joins & (besides < (room if value > 0 else least))
        besides += extra
        total[joins | extra] += value
        chosen = part[joins]
        part[joins] = np.where(chosen == chosen[:, [second]], chosen[:, [first]], chosen)
    return total


def _best_connected(
    gains: Floats, members: Sequence[int], forbidden: frozenset[Arc], limits: GraphLimits
) -> list[Arc]:
    """The best connected graph of all these concepts without some arcs, acyclic or not; empty if there is none."""
    size = len(members)
    part = {member: member for member in members}
    tree: list[Arc] = []
    besides: list[Arc] = []
    least, room = _least_besides(size, limits), _room(size, limits)
    for value, arc, (first, second) in _sorted_pairs(gains, members, forbidden):
        if part[first] != part[second]:
            tree.append(arc)
            old, new = part[second], part[first]
            part = {member: new if own == old else own for member, own in part.items()}
        elif len(besides) < (room if value > 0 else least):
            besides.append(arc)
    return sorted(tree + besides) if len(tree) == size - 1 and len(besides) >= least else []


def _least_besides(size: Any, limits: GraphLimits) -> Any:
    """How many edges there must be besides those of a tree."""
    return np.maximum(limits.least_edges - (size - 1), 0)


def _room(size: Any, limits: GraphLimits) -> Any:
    """How many edges there may be besides those of a tree."""
    return limits.most_edges - (size - 1)


def _sorted_pairs(
    gains: Floats, members: Sequence[int], forbidden: frozenset[Arc]
) -> list[tuple[float, Arc, tuple[int, int]]]:
    """Pairs of concepts with the better of their two arcs, the best pair first."""
    found = []
    for first, second in combinations(members, 2):
        arcs = [arc for arc in ((first, second), (second, first)) if arc not in forbidden]
        if arcs:
            best = max(arcs, key=gains.__getitem__)
            found.append((float(gains[best]), best, (first, second)))
    return sorted(found, key=lambda one: -one[0])


def _circle(arcs: Sequence[Arc]) -> list[Arc]:
    """Arcs that lead round; none if nothing does."""
    left = list(arcs)
    while left:
        heads, tails = {head for head, _ in left}, {tail for _, tail in left}
        inner = [arc for arc in left if arc[0] in tails and arc[1] in heads]
        if len(inner) == len(left):
            break
        left = inner
    if not left:
        return []
    leads = dict(left)  # every head has an arc, so following them leads round
    path = [left[0][0]]
    while leads[path[-1]] not in path:
        path.append(leads[path[-1]])
    path = [*path[path.index(leads[path[-1]]) :], leads[path[-1]]]
    return list(pairwise(path))
