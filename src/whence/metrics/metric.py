"""A metric measures one item, then combines all.

Per item a metric keeps a row of statistics; a figure is a function of the sums of these rows. A mean has one
statistic, the value; corpus BLEU has the counts of its n-grams; macro F1 has the cells of its confusion matrix. So
intervals, paired tests and slices are sums over other weights of the same rows, whatever the metric is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Better = Literal["higher", "lower"]


def ratio(sums: Array, counts: Array) -> Array:
    """The mean: the sum of the only statistic over the number of items; NaN of no item."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = sums[:, 0] / counts
    return found


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure: its name in the paper, which way is better, its bounds, where it comes from, what it says."""

    name: str
    better: Better
    bounds: tuple[float, float]
    source: str
    meaning: str
    finish: Callable[[Array, Array], Array] = ratio
    """From sums of statistics (a row a resample) and numbers of items to figures."""
    scale: float = 1.0
    """What the released evaluator multiplies the figure by when it prints it: 100 for percentages."""


@dataclass(frozen=True, slots=True)
class Scores:
    """A metric measured on all items: a row of statistics an item, and whether the item could be measured."""

    metric: Metric
    statistics: Array
    known: NDArray[np.bool_]
    parameters: Mapping[str, str] = field(default_factory=dict)
    """What else the figure depends on, for its signature: a similarity, a threshold."""
    note: str = ""
    """Why items are unknown, where they are."""

    def figure(self) -> float | None:
        """The figure over all known items; None if there is none."""
        return self.figures(np.ones((1, len(self.known))))[0]

    def figures(self, weights: Array) -> list[float | None]:
        """One figure for each row of weights, a weight an item: the number of times the item is counted."""
        if not self.known.any():
            return [None] * len(weights)
        kept = weights * self.known
        found = self.metric.finish(kept @ self.statistics, kept.sum(axis=1))
        return [None if np.isnan(value) else float(value) for value in found]

    def by_item(self) -> list[float | None]:
        """The figure of each item alone."""
        if not self.known.any():
            return [None] * len(self.known)
        found = self.metric.finish(self.statistics, np.ones(len(self.known)))
        return [
            float(value) if known and not np.isnan(value) else None
            for value, known in zip(found, self.known, strict=True)
        ]


def scores(
    metric: Metric,
    values: Sequence[float | bool | None] | Sequence[Sequence[float] | None],
    parameters: Mapping[str, str] | None = None,
    note: str = "",
) -> Scores:
    """Scores from a value an item, or a row of statistics an item; None is unknown."""
    known = np.array([value is not None for value in values], dtype=np.bool_)
    width = next((len(value) for value in values if isinstance(value, Sequence)), 1)
    rows: list[Any] = [
        [0.0] * width if value is None else value if isinstance(value, Sequence) else [value] for value in values
    ]
    statistics = np.array(rows, dtype=np.float64).reshape(len(values), width)
    return Scores(metric, statistics, known, dict(parameters or {}), note)


def unmeasured(metric: Metric, count: int, note: str) -> Scores:
    """A metric that could be measured on no item, and why."""
    return scores(metric, [None] * count, note=note)
