"""Prices of edges from the linear relaxation of the edit distance, for `DualBound`.

The relaxation has a variable for each row and column (assigned) and for each row edge and column edge (kept). An
edge is kept at most as far as its ends are assigned: for each row edge and column, the pairs of the edge that
start (end) at the column sum to at most the assignment of the edge's start (end) to it; the same with rows and
columns exchanged. The first half is formulation F2 of Lerouge et al. (2017); both halves together are nearly
always tight on trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog  # type: ignore[import-untyped]
from scipy.sparse import coo_array, hstack, kron, vstack  # type: ignore[import-untyped]

from whence.solvers.edit_problem import Array, EditProblem

Edges = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class EdgePrices:
    """Prices of sending the start and the end of each row edge to a column, and of each column edge to a row."""

    row_edges: Edges
    column_edges: Edges
    row_starts: Array
    row_ends: Array
    column_starts: Array
    column_ends: Array
    assigned: Array
    """How far the relaxation assigns each row to each column, from 0 to 1."""


def edge_prices(problem: EditProblem, scale: int, time_limit: float | None) -> EdgePrices | None:
    """Prices in units of 1 / `scale`, rounded and mended so that they are valid; None if time was too short."""
    row_edges = [edge for edge in problem.row_edges if edge[0] != edge[1]]
    column_edges = [edge for edge in problem.column_edges if edge[0] != edge[1]]
    if not row_edges or not column_edges:
        return None
    savings = _pair_savings(problem, row_edges, column_edges)
    answer = linprog(
        -np.concatenate([problem.node_savings.ravel(), savings.ravel()]),
        **_constraints(problem, row_edges, column_edges),
        bounds=(0, None),
        method="highs",
        options={} if time_limit is None else {"time_limit": max(time_limit, 0.001)},
    )
    if answer.status != 0:
        return None
    values = np.ceil(np.maximum(0, -answer.ineqlin.marginals[problem.columns :]) * scale)
    sizes = [len(row_edges) * problem.columns] * 2 + [len(column_edges) * len(problem.rows)] * 2
    row_starts, row_ends, column_starts, column_ends = np.split(values, np.cumsum(sizes)[:3])
    prices = EdgePrices(
        row_edges,
        column_edges,
        row_starts.reshape(-1, problem.columns),
        row_ends.reshape(-1, problem.columns),
        column_starts.reshape(-1, len(problem.rows)),
        column_ends.reshape(-1, len(problem.rows)),
        answer.x[: problem.node_savings.size].reshape(problem.node_savings.shape),
    )
    _mend(prices, scale * savings)
    return prices


def _pair_savings(problem: EditProblem, row_edges: Edges, column_edges: Edges) -> Array:
    starts, ends = (list(side) for side in zip(*column_edges, strict=True))
    return np.array([problem.edge_savings[problem.row_edges[edge]][starts, ends] for edge in row_edges])


def _constraints(problem: EditProblem, row_edges: Edges, column_edges: Edges) -> dict[str, Any]:
    """Each row is assigned once, each column at most once, and pairs of edges only where their ends are."""
    rows, columns = len(problem.rows), problem.columns
    one_row, one_column = np.ones((1, rows)), np.ones((1, columns))
    each_row, each_column = np.eye(rows), np.eye(columns)
    row_edge, column_edge = np.eye(len(row_edges)), np.eye(len(column_edges))
    pairs = len(row_edges) * len(column_edges)
    blocks = [hstack([kron(coo_array(one_row), each_column), coo_array((columns, pairs))])]
    for side in (0, 1):
        at_row = each_row[[edge[side] for edge in row_edges]]
        at_column = each_column[[edge[side] for edge in column_edges]]
        blocks.append(hstack([-kron(coo_array(at_row), each_column), kron(coo_array(row_edge), at_column.T)]))
    for side in (0, 1):
        at_row = each_row[[edge[side] for edge in row_edges]]
        at_column = each_column[[edge[side] for edge in column_edges]]
        # One constraint for each column edge and row: column edges vary slowest, as in `EdgePrices`.
        block = hstack([-kron(coo_array(each_row), at_column), kron(coo_array(at_row.T), column_edge)]).tocsr()
        order = np.arange(rows * len(column_edges)).reshape(rows, -1).T.ravel()
        blocks.append(block[order])
    upper = vstack(blocks).tocsr()
    limits = np.zeros(upper.shape[0])
    limits[:columns] = 1
    once = hstack([kron(coo_array(each_row), one_column), coo_array((rows, pairs))]).tocsr()
    return {"A_ub": upper, "b_ub": limits, "A_eq": once, "b_eq": np.ones(rows)}


def _mend(prices: EdgePrices, savings: Array) -> None:
    """Raise the price of starts wherever the four prices of a pair of edges sum to less than it saves."""
    row_starts, row_ends = _sides(prices.row_edges)
    column_starts, column_ends = _sides(prices.column_edges)
    short = (
        savings
        - prices.row_starts[:, column_starts]
        - prices.row_ends[:, column_ends]
        - prices.column_starts[:, row_starts].T
        - prices.column_ends[:, row_ends].T
    )
    raised = np.zeros_like(prices.row_starts)
    for place, column in enumerate(column_starts):
        raised[:, column] = np.maximum(raised[:, column], short[:, place])
    prices.row_starts[:] += raised


def _sides(edges: Edges) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    both = np.array(edges, dtype=np.intp)
    return both[:, 0], both[:, 1]
