"""What an assignment that is begun can still save at most: two bounds of one shape.

A bound keeps a state whose first array says, row by column, what it saves to assign that pair. `after` gives the
state once a pair is assigned. `estimates` gives, for the rows and columns that are left, numbers whose best
assignment is at least what can still be saved. Everything is in units of 1 / `scale`, so that it stays whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from whence.solvers.edit_problem import Array, EditProblem

if TYPE_CHECKING:
    from whence.solvers.edit_prices import EdgePrices

State = tuple[Array, ...]


class Bound(Protocol):
    """What the search asks of a bound."""

    scale: int

    def start(self) -> State:
        """The state before anything is assigned."""
        ...

    def after(self, state: State, row: int, column: int) -> State:
        """The state once the row, the first that is left, is assigned to the column."""
        ...

    def estimates(self, state: State, row: int, free: NDArray[np.intp]) -> Array:
        """Rows from `row` on by free columns: their best assignment is at least what they can still save."""
        ...


class LocalBound:
    """Edges to assigned nodes count in full. Of the other edges, each end counts half of what it can save alone.

    That is the number of edges that a row and a column both have in each direction, and again for each label. Once
    no edge joins two rows that are left, or no edge two columns, nothing is estimated and the bound is exact.
    """

    scale = 2

    def __init__(self, problem: EditProblem) -> None:
        self._savings = 2 * problem.edge_savings
        self._nodes = 2 * problem.node_savings
        features = problem.label_count + 1  # any label, then each label
        rows = len(problem.rows)
        self._later: list[list[tuple[int, int, bool]]] = [[] for _ in range(rows)]
        self._waiting = np.zeros((rows, rows, 2 * features))  # by first row that is left
        for (start, end), label in problem.row_edges.items():
            if start != end:
                first = min(start, end)
                self._later[first].append((max(start, end), label, start == first))
                for feature in (0, label + 1) if label >= 0 else (0,):
                    self._waiting[: first + 1, start, feature] += 1
                    self._waiting[: first + 1, end, features + feature] += 1
        self._open = np.zeros((problem.columns, 2 * features))
        self._around: list[list[tuple[int, int]]] = [[] for _ in range(problem.columns)]
        for (start, end), label in problem.column_edges.items():
            if start != end:
                for feature in (0, label + 1) if label >= 0 else (0,):
                    self._open[start, feature] += 1
                    self._open[end, features + feature] += 1
                    self._around[end].append((start, feature))
                    self._around[start].append((end, features + feature))

    def start(self) -> State:
        """No edge has an assigned end."""
        return self._nodes, self._open

    def after(self, state: State, row: int, column: int) -> State:
        """Edges at the row and the column now count where their other ends go."""
        certain, still_open = state[0].copy(), state[1].copy()
        for other, label, leaving in self._later[row]:
            savings = self._savings[label]
            certain[other] += savings[column] if leaving else savings[:, column]
        for place in self._around[column]:
            still_open[place] -= 1
        return certain, still_open

    def estimates(self, state: State, row: int, free: NDArray[np.intp]) -> Array:
        """What is certain, and what waiting edges of both sides have in common."""
        certain, still_open = state
        common = np.minimum(self._waiting[row, row:, None, :], still_open[free])
        found: Array = certain[row:, free] + common.sum(axis=2)
        return found


class DualBound:
    """The dual of the linear relaxation says how best to share the savings of edges between their ends.

    For each row edge and column there are prices of sending the start and the end of the edge there; for each
    column edge and row the same. Any prices of at least 0, of which the four of a row edge and a column edge sum
    to what that pair saves or more, give a bound. They are rounded up to whole numbers and raised where they
    fall short, so the bound holds whatever the accuracy of the solver that proposed them.
    """

    scale = 2**20

    def __init__(self, problem: EditProblem, prices: EdgePrices) -> None:
        self._savings = self.scale * problem.edge_savings
        self._row_edges = prices.row_edges
        self._column_edges = prices.column_edges
        self._row_starts, self._row_ends = prices.row_starts, prices.row_ends
        self._column_starts, self._column_ends = prices.column_starts, prices.column_ends
        self._later: list[list[tuple[int, int, int, bool]]] = [[] for _ in problem.rows]
        self._nodes = self.scale * problem.node_savings
        for edge, (start, end) in enumerate(self._row_edges):
            first = min(start, end)
            label = problem.row_edges[start, end]
            self._later[first].append((max(start, end), edge, label, start == first))
            self._nodes[start] += self._row_starts[edge]
            self._nodes[end] += self._row_ends[edge]
        self._around: list[list[tuple[int, int, bool]]] = [[] for _ in range(problem.columns)]
        for edge, (start, end) in enumerate(self._column_edges):
            self._around[start].append((end, edge, True))
            self._around[end].append((start, edge, False))
            self._nodes[:, start] += self._column_starts[edge]
            self._nodes[:, end] += self._column_ends[edge]

    def start(self) -> State:
        """Every pair bears all the prices of its two nodes."""
        return (self._nodes,)

    def after(self, state: State, row: int, column: int) -> State:
        """For edges at the row and the column, prices give way to what the edge saves where its other end goes."""
        certain = state[0].copy()
        for other, edge, label, leaving in self._later[row]:
            starts, ends, savings = self._row_starts[edge], self._row_ends[edge], self._savings[label]
            if leaving:
                certain[other] += savings[column] - starts[column] - ends
            else:
                certain[other] += savings[:, column] - ends[column] - starts
        for other, edge, leaving in self._around[column]:
            here, there = self._column_starts[edge], self._column_ends[edge]
            if not leaving:
                here, there = there, here
            certain[:, other] -= here[row] + there
        return (certain,)

    def estimates(self, state: State, row: int, free: NDArray[np.intp]) -> Array:
        """What pairs save and bear."""
        found: Array = state[0][row:, free]
        return found
