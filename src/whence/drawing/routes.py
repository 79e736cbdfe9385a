"""The last step of the layered layout: heights of layers, and the way of every link through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from whence.drawing.grid import Grid
from whence.drawing.placed import Point, Stroke

_GAP, _LABEL_GAP = 40.0, 18.0
_STEEPNESS, _MOST_SLANT = 0.2, 44.0
_LEAN, _CORNER = 0.14, 24.0


@dataclass(frozen=True, slots=True)
class Routes:
    """The centres of all cells, the strokes of all arcs from the upper end down, and the centres of labels."""

    centres: tuple[Point, ...]
    strokes: tuple[tuple[Stroke, ...], ...]
    labels: tuple[Point | None, ...]
    height: float


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where things are: cells, the top and bottom of layers, and the layer of every cell."""

    grid: Grid
    centres: tuple[Point, ...]
    ends: tuple[tuple[float, float], ...]
    level: dict[int, int]

    def reach(self, cell: int) -> tuple[float, float]:
        """Where lines end at the top and bottom of a node or label."""
        half = self.grid.cells[cell].height / 2
        return self.centres[cell][1] - half, self.centres[cell][1] + half

    def port(self, cell: int, towards: int) -> float:
        """Where on a node's side the line to another cell begins: a little towards it."""
        place = self.centres[cell][0]
        most = max(0.0, self.grid.cells[cell].left - _CORNER) * 0.7
        return place + max(-most, min(most, (self.centres[towards][0] - place) * _LEAN))


def route(grid: Grid, x: Sequence[float]) -> Routes:
    """The way of every arc: upright within a layer, so that it meets no box, and slanting between layers."""
    level = {cell: number for number, layer in enumerate(grid.layers) for cell in layer}
    top, ends = 0.0, []
    for number, layer in enumerate(grid.layers):
        bottom = top + max(grid.cells[cell].height for cell in layer)
        ends.append((top, bottom))
        top = bottom + _gap(grid, x, level, number)
    centres = tuple((place, sum(ends[level[cell]]) / 2) for cell, place in enumerate(x))
    rows = _Rows(grid, centres, tuple(ends), level)
    return Routes(
        centres,
        tuple(_strokes(rows, chain, label) for chain, label in zip(grid.chains, grid.labels, strict=True)),
        tuple(None if label is None else centres[label] for label in grid.labels),
        ends[-1][1],
    )


def _gap(grid: Grid, x: Sequence[float], level: dict[int, int], number: int) -> float:
    """How far the next layer is: farther where lines go far to the side, so that they do not lie flat."""
    labelled = any(label is not None and level[label] in (number, number + 1) for label in grid.labels)
    slants = [abs(x[a] - x[b]) for chain in grid.chains for a, b in pairwise(chain) if level[a] == number]
    return (_LABEL_GAP if labelled else _GAP) + min(max(slants, default=0.0) * _STEEPNESS, _MOST_SLANT)


def _strokes(rows: _Rows, chain: tuple[int, ...], label: int | None) -> tuple[Stroke, ...]:
    """The way of one arc from the lower side of its first cell to the upper side of its last; a label parts it."""
    place, end = rows.port(chain[0], chain[1]), rows.port(chain[-1], chain[-2])
    strokes = [[(place, rows.reach(chain[0])[1])]]
    for upper, lower in pairwise(chain):
        strokes[-1].append((place, rows.ends[rows.level[upper]][1]))
        place = end if lower == chain[-1] else rows.centres[lower][0]
        strokes[-1].append((place, rows.ends[rows.level[lower]][0]))
        if lower == label:
            over, under = rows.reach(lower)
            strokes[-1].append((place, over))
            strokes.append([(place, under)])
    strokes[-1].append((end, rows.reach(chain[-1])[0]))
    return tuple(without_repeats(stroke) for stroke in strokes)


def without_repeats(points: Sequence[Point]) -> Stroke:
    """The points, each once where several in a row are the same, but for errors of rounding."""
    return (points[0], *(b for a, b in pairwise(points) if abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.01))
