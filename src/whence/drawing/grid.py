"""Cells in layers: one for every node, for every label, and for every layer that a long link passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from whence.drawing.layers import Arc, layering

NODE_MARGIN, _LINE_MARGIN, LEAST_MARGIN = 12.0, 9.0, 8.0
"""The room to the left and right of nodes, of lines, and of labels."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How far something reaches to the left and right of its place, margins included, and its height."""

    left: float
    right: float
    height: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells by number, nodes first; `chains` are the cells that every arc passes, from its upper end down."""

    cells: tuple[Cell, ...]
    layers: tuple[tuple[int, ...], ...]
    chains: tuple[tuple[int, ...], ...]
    labels: tuple[int | None, ...]

    def neighbours(self) -> tuple[list[list[int]], list[list[int]]]:
        """For every cell its cells in the layer above, and those in the layer below."""
        above: list[list[int]] = [[] for _ in self.cells]
        below: list[list[int]] = [[] for _ in self.cells]
        for chain in self.chains:
            for upper, lower in pairwise(chain):
                above[lower].append(upper)
                below[upper].append(lower)
        return above, below


def build_grid(nodes: Sequence[Cell], arcs: Sequence[Arc], labels: Sequence[tuple[float, float] | None]) -> Grid:
    """The grid of a connected acyclic graph; `labels` are the widths and heights of what is written on arcs."""
    ranks = [2 * layer for layer in layering(len(nodes), arcs)]  # even ranks for nodes, odd ones for labels
    label_ranks = _label_ranks(ranks, arcs, labels)
    used = sorted({*ranks, *(rank for rank in label_ranks if rank is not None)})
    layers: dict[int, list[int]] = {rank: [] for rank in used}
    for node, rank in enumerate(ranks):
        layers[rank].append(node)
    cells = list(nodes)
    chains, label_cells = [], []
    for (upper, lower), label, label_rank in zip(arcs, labels, label_ranks, strict=True):
        passed = [rank for rank in used if ranks[upper] < rank < ranks[lower]]
        numbers = range(len(cells), len(cells) + len(passed))
        for rank, number in zip(passed, numbers, strict=True):
            layers[rank].append(number)
            cells.append(_passed_cell(label if rank == label_rank else None))
        chains.append((upper, *numbers, lower))
        label_cells.append(None if label_rank is None else numbers[passed.index(label_rank)])
    return Grid(tuple(cells), tuple(tuple(layers[rank]) for rank in used), tuple(chains), tuple(label_cells))


def _passed_cell(label: tuple[float, float] | None) -> Cell:
    if label is None:
        return Cell(_LINE_MARGIN, _LINE_MARGIN, 0.0)
    width, height = label
    return Cell(width / 2 + LEAST_MARGIN, width / 2 + LEAST_MARGIN, height)


def _label_ranks(
    ranks: Sequence[int], arcs: Sequence[Arc], labels: Sequence[tuple[float, float] | None]
) -> list[int | None]:
    """The rank of every label: of those that its arc passes the emptiest, and then the most central."""
    load: dict[int, float] = {}
    result: list[int | None] = [None] * len(arcs)
    # Labels of short arcs have no choice, so they come first.
    for number in sorted(range(len(arcs)), key=lambda number: ranks[arcs[number][1]] - ranks[arcs[number][0]]):
        label = labels[number]
        if label is not None:
            top, bottom = (ranks[end] for end in arcs[number])
            rank = min(
                range(top + 1, bottom, 2),
                key=lambda rank: (load.get(rank, 0.0), abs(2 * rank - top - bottom)),
            )
            load[rank] = load.get(rank, 0.0) + label[0]
            result[number] = rank
    return result
