"""The last step of the layered layout: heights of layers, and the way of every link through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from whence.drawing.grid import Grid
from whence.drawing.placed import Point, Stroke

_GAP, _LABEL_GAP = 40.0, 18.0
_STEEPNESS, _MOST_SLANT = 0.2, 44.0
_MOST_LEAN, _HALF_LEAN, _APART, _CORNER = 30.0, 140.0, 11.0, 24.0


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
        tuple(
            _strokes(rows, chain, label, start, end)
            for chain, label, (start, end) in zip(grid.chains, grid.labels, _ports(grid, x), strict=True)
        ),
        tuple(None if label is None else centres[label] for label in grid.labels),
        ends[-1][1],
    )


def _gap(grid: Grid, x: Sequence[float], level: dict[int, int], number: int) -> float:
    """How far the next layer is: farther where lines go far to the side, so that they do not lie flat."""
    labelled = any(label is not None and level[label] in (number, number + 1) for label in grid.labels)
    slants = [abs(x[a] - x[b]) for chain in grid.chains for a, b in pairwise(chain) if level[a] == number]
    return (_LABEL_GAP if labelled else _GAP) + min(max(slants, default=0.0) * _STEEPNESS, _MOST_SLANT)


def _ports(grid: Grid, x: Sequence[float]) -> list[tuple[float, float]]:
    """Where every arc begins and ends on the sides of its nodes."""
    sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}
    for number, chain in enumerate(grid.chains):
        sides.setdefault((chain[0], True), []).append((x[chain[1]] - x[chain[0]], number))
        sides.setdefault((chain[-1], False), []).append((x[chain[-2]] - x[chain[-1]], number))
    ports: dict[tuple[int, bool], float] = {}
    for (cell, lower), lines in sides.items():
        lines.sort()
        leans = _leans([distance for distance, _ in lines], max(0.0, grid.cells[cell].left - _CORNER))
        ports |= {(number, lower): x[cell] + lean for (_, number), lean in zip(lines, leans, strict=True)}
    return [(ports[number, True], ports[number, False]) for number in range(len(grid.chains))]


def _leans(distances: list[float], most: float) -> list[float]:
    """How far from the middle of a side its lines begin: towards where they go, and apart from each other.

    `distances` are to where they go, ascending. The straightest line keeps its place, the others make room.
    """
    leans = [_MOST_LEAN * distance / (abs(distance) + _HALF_LEAN) for distance in distances]
    apart = min(_APART, 2 * most / len(leans))
    straightest = min(range(len(leans)), key=lambda index: abs(leans[index]))
    for index in range(straightest + 1, len(leans)):
        leans[index] = max(leans[index], leans[index - 1] + apart)
    for index in reversed(range(straightest)):
        leans[index] = min(leans[index], leans[index + 1] - apart)
    return [max(-most, min(most, lean)) for lean in leans]


def _strokes(
    rows: _Rows, chain: tuple[int, ...], label: int | None, start: float, end: float
) -> tuple[Stroke, ...]:
    """The way of one arc from the lower side of its first cell to the upper side of its last; a label parts it."""
    place = start
    strokes = [[(start, rows.reach(chain[0])[1])]]
    for upper, lower in pairwise(chain):
        strokes[-1].append((place, rows.ends[rows.level[upper]][1]))
        place = end if lower == chain[-1] else rows.centres[lower][0]
        strokes[-1].append((place, rows.ends[rows.level[lower]][0]))
        if lower == label:
            over, under = rows.reach(lower)
            strokes[-1].append((place, over))
            strokes.append([(place, under)])
    strokes[-1].append((end, rows.reach(chain[-1])[0]))
    return tuple(_without_repeats(stroke) for stroke in strokes)


def _without_repeats(points: Sequence[Point]) -> Stroke:
    """The points, each once where several in a row are the same, but for errors of rounding."""
    return (points[0], *(b for a, b in pairwise(points) if abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.01))
