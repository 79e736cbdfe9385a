"""The second step of the layout: order the cells of every layer so that few links cross."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

Layers = list[list[int]]
"""Cells by number, from the top layer to the bottom one, and from left to right."""
Neighbours = Sequence[Sequence[int]]
"""For every cell the cells of the next layer, on one side, that it is joined to."""

_SWEEPS = 8
_WORK = 500


def ordered(layers: Layers, above: Neighbours, below: Neighbours) -> Layers:
    """The layers in an order with few crossings; none for a tree, whose cells keep their order as given."""
    best = layers
    fewest = crossings(best, below) + 1
    for order in _starts(layers, above, below):
        for sweep in range(_SWEEPS):
            if (count := crossings(order, below)) < fewest:
                best, fewest = order, count
            if not fewest:
                return best
            order = _exchanged(_swept(order, above, below, downward=sweep % 2 == 0), above, below)
    return best


def _starts(layers: Layers, above: Neighbours, below: Neighbours) -> Iterator[Layers]:
    """Orders to improve on: two in which many trees have no crossing, then some at random where cells are few."""
    yield _depth_first(layers, below, above)
    yield _depth_first(layers[::-1], above, below)[::-1]
    chance = Random(0)  # the same every time: equal diagrams must get equal pictures
    for _ in range(_WORK // max(1, len(above))):
        yield [chance.sample(layer, len(layer)) for layer in layers]


def crossings(layers: Layers, below: Neighbours) -> int:
    """How many pairs of links cross."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {cell: index for index, cell in enumerate(lower)}
        seen: list[int] = []
        for cell in upper:
            ends = [place[end] for end in below[cell]]
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _depth_first(layers: Layers, onward: Neighbours, back: Neighbours) -> Layers:
    """Every layer in the order in which a walk along the links, from the first layer, first meets its cells."""
    level = {cell: index for index, layer in enumerate(layers) for cell in layer}
    order: Layers = [[] for _ in layers]
    seen: set[int] = set()
    waiting = [cell for layer in reversed(layers) for cell in reversed(layer)]
    while waiting:
        cell = waiting.pop()
        if cell not in seen:
            seen.add(cell)
            order[level[cell]].append(cell)
            waiting += [*back[cell][::-1], *onward[cell][::-1]]
    return order


def _swept(order: Layers, above: Neighbours, below: Neighbours, *, downward: bool) -> Layers:
    """Every layer sorted by the mean place of the neighbours in the layer visited before."""
    result = [list(layer) for layer in order]
    near = above if downward else below
    rows = result if downward else result[::-1]
    for fixed, row in pairwise(rows):
        place = {cell: (index + 0.5) / len(fixed) for index, cell in enumerate(fixed)}
        own = {cell: (index + 0.5) / len(row) for index, cell in enumerate(row)}
        row.sort(key=lambda cell: _mean([place[n] for n in near[cell]], own[cell]))
    return result


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _exchanged(order: Layers, above: Neighbours, below: Neighbours) -> Layers:
    """Neighbours in a layer change places as long as that removes crossings."""
    result = [list(layer) for layer in order]
    place = {cell: index for layer in result for index, cell in enumerate(layer)}
    improved = True
    while improved:
        improved = False
        for row in result:
            for index in range(len(row) - 1):
                left, right = row[index], row[index + 1]
                if _gain(left, right, above, place) + _gain(left, right, below, place) > 0:
                    row[index], row[index + 1] = right, left
                    place[left], place[right] = index + 1, index
                    improved = True
    return result


def _gain(left: int, right: int, near: Neighbours, place: dict[int, int]) -> int:
    """How many crossings on one side go when two neighbouring cells change places."""
    return sum((place[a] > place[b]) - (place[a] < place[b]) for a in near[left] for b in near[right] if a != b)
