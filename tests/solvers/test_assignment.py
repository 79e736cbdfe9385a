"""The best assignment, beside scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from whence.solvers.assignment import best_assignment


@pytest.mark.parametrize(
    "table, expected",
    [
        ([[1.0, 2.0], [3.0, 0.0]], ([0, 1], [1, 0])),  # by hand: 2 + 3
        ([[1.0], [5.0], [2.0]], ([1], [0])),  # one column, for the best row
        ([[0.0, 7.0, 1.0]], ([0], [1])),
    ],
)
def test_small_tables(table, expected):
    assert best_assignment(np.array(table)) == expected


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_to_assign(shape):
    assert best_assignment(np.zeros(shape)) == ([], [])


@pytest.mark.parametrize("seed", range(200))
def test_equals_scipys_also_where_several_are_equally_good(seed):
    generator = np.random.default_rng(seed)
    shape = tuple(generator.integers(1, 13, 2))  # on both sides of what is solved here
    for table in (generator.random(shape), generator.integers(0, 4, shape) / 10, np.ones(shape)):
        rows, columns = linear_sum_assignment(table, maximize=True)
        assert best_assignment(table.astype(np.float64)) == (rows.tolist(), columns.tolist())
