"""The third step of the layered layout: a horizontal place for every cell.

Cells are aligned into upright blocks in four ways, and the four are averaged (Brandes and Köpf 2002): long links
and chains are straight, and a parent is above the middle of its children.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from whence.drawing.ordering import Layers, Neighbours

Extents = Sequence[tuple[float, float]]
"""How far each cell reaches to the left and to the right of its place, margins included."""


def places(layers: Layers, above: Neighbours, below: Neighbours, extents: Extents, inner: set[int]) -> list[float]:
    """The place of every cell; no two of a layer are nearer than their extents. `inner` cells hold no node.

    It is the mean of the middle two of the cell's places in four extreme layouts.
    """
    conflicts = _conflicts(layers, below, inner)
    layouts = []
    for upward in (False, True):
        for leftward in (False, True):
            rows = [row[::-1] if leftward else row for row in (layers[::-1] if upward else layers)]
            sides = [(right, left) for left, right in extents] if leftward else extents
            block = _blocks(rows, below if upward else above, conflicts)
            layout = _compacted(rows, block, sides)
            layouts.append([-x for x in layout] if leftward else layout)
    spans = [(min(layout), max(layout)) for layout in layouts]
    left, right = min(spans, key=lambda span: span[1] - span[0])
    for index, (layout, span) in enumerate(zip(layouts, spans, strict=True)):
        shift = right - span[1] if index % 2 else left - span[0]
        layouts[index] = [x + shift for x in layout]
    return [sum(sorted(four)[1:3]) / 2 for four in zip(*layouts, strict=True)]


def _conflicts(layers: Layers, below: Neighbours, inner: set[int]) -> set[tuple[int, int]]:
    """The pieces of links that cross an inner piece of a long link and must give way to it."""
    found: set[tuple[int, int]] = set()
    for upper, lower in pairwise(layers):
        place = {cell: index for index, cell in enumerate(lower)}
        pieces = [(index, place[low], high, low) for index, high in enumerate(upper) for low in below[high]]
        long = [piece for piece in pieces if piece[2] in inner and piece[3] in inner]
        for top, bottom, high, low in pieces:
            if not (high in inner and low in inner) and any(
                (top - other_top) * (bottom - other_bottom) < 0 for other_top, other_bottom, _, _ in long
            ):
                found |= {(high, low), (low, high)}
    return found


def _blocks(rows: Layers, near: Neighbours, conflicts: set[tuple[int, int]]) -> list[int]:
    """For every cell the first cell of its block: a run of cells each aligned with a median neighbour."""
    block = list(range(len(near)))
    place = {cell: index for row in rows for index, cell in enumerate(row)}
    for row in rows[1:]:
        last = -1
        for cell in row:
            family = sorted(near[cell], key=place.__getitem__)
            middle = len(family) // 2
            for other in family[(len(family) - 1) // 2 : middle + 1]:
                if block[cell] == cell and place[other] > last and (other, cell) not in conflicts:
                    block[cell] = block[other]
                    last = place[other]
    return block


def _compacted(rows: Layers, block: list[int], extents: Extents) -> list[float]:
    """Places as far to the left as blocks allow, and then as near to the right neighbour as they can come."""
    right_of: dict[int, list[tuple[int, float]]] = {first: [] for first in block}
    missing = dict.fromkeys(block, 0)
    for row in rows:
        for left, right in pairwise(row):
            right_of[block[left]].append((block[right], extents[left][1] + extents[right][0]))
            missing[block[right]] += 1
    place = dict.fromkeys(block, 0.0)
    ready = [first for first in right_of if not missing[first]]
    for first in ready:
        for other, distance in right_of[first]:
            place[other] = max(place[other], place[first] + distance)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    for first in reversed(ready):
        if right_of[first]:
            place[first] = min(place[other] - distance for other, distance in right_of[first])
    return [place[first] for first in block]
