"""Edit distance as a search for the assignment that saves most.

Let the first graph have n nodes and the second m >= n. An edit path assigns some nodes of the first to different
nodes of the second, and deletes and inserts the rest. Against deleting and inserting everything, which costs n +
m + edges, it saves 1 for each assigned pair of nodes (2 if their labels are equal), and 1 for each edge whose
ends are assigned to the ends of an edge (2 if their labels are equal). No saving is negative, so some best path
assigns every node of the smaller graph: the distance is m + edges - (equal labels + savings of edges), where the
search is for the injective map of the n nodes with the greatest savings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from whence.solvers.labelled_graph import LabelledGraph

Array = NDArray[np.float64]
"""Whole numbers as floats, as the assignment solver takes them; all stay far below 2**53, so sums are exact."""

_ONLY_FIRST, _ONLY_SECOND = -1, -2
"""Stand for all edge labels of one graph that the other lacks: they equal nothing."""


@dataclass(frozen=True)
class EditProblem:
    """A smaller graph whose nodes, the rows, are in the order of the search, and a larger one, the columns."""

    rows: tuple[int, ...]
    """The node of the smaller graph that each row stands for."""
    columns: int
    row_edges: Mapping[tuple[int, int], int]
    """Label numbers by (row, row)."""
    column_edges: Mapping[tuple[int, int], int]
    label_count: int
    """How many edge labels both graphs have; these are numbered from 0."""
    same: tuple[tuple[bool, ...], ...]
    """Whether the labels of a row and a column are equal."""
    most: int
    """The distance is this less what an assignment saves."""
    twins: tuple[int, ...]
    """Columns of equal number can change places without changing anything."""

    def saved(self, assignment: Sequence[int]) -> int:
        """What it saves to assign each row to the column given, in equal labels and kept edges."""
        found = sum(row[column] for row, column in zip(self.same, assignment, strict=True))
        for (start, end), label in self.row_edges.items():
            other = self.column_edges.get((assignment[start], assignment[end]))
            if other is not None:
                found += 1 + (other == label)
        return found

    @cached_property
    def edge_savings(self) -> Array:
        """By label of a row edge and by two columns: what the edge saves there. The last is for other labels."""
        found = np.zeros((self.label_count + 1, self.columns, self.columns))
        for (start, end), label in self.column_edges.items():
            found[:, start, end] = 1
            if label >= 0:
                found[label, start, end] = 2
        return found

    @cached_property
    def node_savings(self) -> Array:
        """By row and column: equal labels and, as they concern one node only, edges from a node to itself."""
        found = np.array(self.same, dtype=np.float64)
        for (start, end), label in self.row_edges.items():
            if start == end:
                found[start] += self.edge_savings[label].diagonal()
        return found


def edit_problem(smaller: LabelledGraph, larger: LabelledGraph) -> EditProblem:
    """The problem of two graphs, of which the first has no more nodes than the second."""
    rows = _search_order(smaller)
    row_of = {node: row for row, node in enumerate(rows)}
    first_labels, second_labels = set(smaller.edges.values()), set(larger.edges.values())
    number = {label: index for index, label in enumerate(sorted(first_labels & second_labels))}
    column_edges = {edge: number.get(label, _ONLY_SECOND) for edge, label in larger.edges.items()}
    return EditProblem(
        rows=rows,
        columns=len(larger.nodes),
        row_edges={
            (row_of[start], row_of[end]): number.get(label, _ONLY_FIRST)
            for (start, end), label in smaller.edges.items()
        },
        column_edges=column_edges,
        label_count=len(number),
        same=tuple(tuple(smaller.nodes[node] == label for label in larger.nodes) for node in rows),
        most=len(larger.nodes) + len(smaller.edges) + len(larger.edges),
        twins=_twins(smaller, larger, column_edges),
    )


def _search_order(graph: LabelledGraph) -> tuple[int, ...]:
    """Nodes such that each has as many edges as can be to those before it; busy nodes first."""
    neighbours: list[set[int]] = [set() for _ in graph.nodes]
    for start, end in graph.edges:
        neighbours[start].add(end)
        neighbours[end].add(start)
    joined = [0] * len(graph.nodes)
    left = set(range(len(graph.nodes)))
    order: list[int] = []
    while left:
        node = max(left, key=lambda node: (joined[node], len(neighbours[node]), -node))
        left.remove(node)
        order.append(node)
        for neighbour in neighbours[node]:
            joined[neighbour] += 1
    return tuple(order)


def _twins(smaller: LabelledGraph, larger: LabelledGraph, edges: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    """Columns are twins if like edges join them to the same nodes, and they equal the same labels of rows."""
    around: list[list[tuple[int, int, bool]]] = [[] for _ in larger.nodes]
    for (start, end), label in edges.items():
        around[start].append((end, label, True))
        around[end].append((start, label, False))
    known = set(smaller.nodes)
    kinds: dict[tuple[object, ...], int] = {}
    return tuple(
        kinds.setdefault((label in known, label if label in known else None, frozenset(around[node])), len(kinds))
        for node, label in enumerate(larger.nodes)
    )
