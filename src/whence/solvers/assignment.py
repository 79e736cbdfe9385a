"""The best one-to-one assignment of rows to columns.

Small tables are solved here, by shortest augmenting paths (Crouse 2016), and larger ones by scipy, which does the
same in C. Both give the same assignment, also of several that are equally good; importing scipy for a table of a
few edges would take a thousand times as long as solving it.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

_SMALL = 100
"""Cells up to which Python takes less than a tenth of a millisecond."""


def best_assignment(table: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Rows and the columns assigned to them, so that the cells sum to the most; the shorter side is used up."""
    if table.size > _SMALL:
        from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]  # slow to import

        rows, columns = linear_sum_assignment(table, maximize=True)
        return rows.tolist(), columns.tolist()
    if len(table) <= table.shape[1]:
        return list(range(len(table))), _columns((-table).tolist(), table.shape[1])
    pairs = sorted((row, column) for column, row in enumerate(_columns((-table.T).tolist(), len(table))))
    return [row for row, _ in pairs], [column for _, column in pairs]


def _columns(costs: list[list[float]], width: int) -> list[int]:
    """The column of each row that makes the costs sum to the least; there are at least as many columns as rows."""
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for start in range(len(costs)):
        # The shortest path from the row to a free column, over assigned ones that would be assigned anew.
        distances, came_from = [inf] * width, [-1] * width
        unseen = list(range(width - 1, -1, -1))
        rows, columns = [start], []
        reached, column = 0.0, -1
        while True:
            row = rows[-1]
            nearest, index = inf, -1
            for position, candidate in enumerate(unseen):
                # In this order, as scipy's: of equally good assignments rounding decides.
                distance = reached + costs[row][candidate] - row_prices[row] - column_prices[candidate]
                if distance < distances[candidate]:
                    distances[candidate], came_from[candidate] = distance, row
                distance = distances[candidate]
                if distance < nearest or (distance == nearest and row_of[candidate] < 0):
                    nearest, index = distance, position
            reached, column = nearest, unseen[index]
            unseen[index] = unseen[-1]
            unseen.pop()
            columns.append(column)
            if row_of[column] < 0:
                break
            rows.append(row_of[column])
        row_prices[start] += reached
        for row in rows[1:]:
            row_prices[row] += reached - distances[column_of[row]]
        for seen in columns:
            column_prices[seen] -= reached - distances[seen]
        while column >= 0:
            row_of[column] = row = came_from[column]
            column_of[row], column = column, column_of[row]
    return column_of
