"""How sure a figure is, and whether two systems differ: bootstrap intervals and paired tests over items.

A resample is a row of weights, how often each item was drawn; its figure is a function of weighted sums of
statistics. So all metrics of a run, means or not, are resampled alike and with the same rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.errors import UsageError
from whence.metrics.metric import Array, Scores, ratio

SAMPLES = 2000
LEVEL = 0.95
_CHUNK = 1 << 18
"""Weights drawn at once: two megabytes, which stay in the cache."""
_PRODUCT = 1 << 17
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class PairedResult:
    """How a figure differs from a first system to a second on the items known for both; None where unknown."""

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    """Items known for both."""


def bootstrap_weights(n: int, samples: int = SAMPLES, seed: int = 0) -> Array:
    """A row for each resample: how often each of the items is drawn when n are drawn with replacement."""
    return bootstrap_rows(np.random.default_rng(seed), n, samples)


def bootstrap_rows(generator: np.random.Generator, n: int, samples: int) -> Array:
    """The next so many rows."""
    weights = np.zeros((samples, n))
    step = max(1, _CHUNK // max(n, 1))
    for start in range(0, samples if n else 0, step):
        rows = min(step, samples - start)
        drawn = generator.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
        weights[start : start + rows] = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
    return weights


@dataclass(frozen=True, slots=True)
class Resamples:
    """The same rows, drawn when they are needed: of a million items, all at once would take gigabytes."""

    n: int
    samples: int
    seed: int

    def __len__(self) -> int:
        return self.samples

    def sums(self, columns: Array) -> Array:
        """The weighted sums of columns, a row for each resample."""
        generator = np.random.default_rng(self.seed)
        step = max(1, _HELD // self.n)
        return np.concatenate(
            [
                bootstrap_rows(generator, self.n, min(step, self.samples - start)) @ columns
                for start in range(0, self.samples, step)
            ]
        )


Weights = Array | Resamples
_HELD = 1 << 23
"""Weights that are there at once: 64 megabytes."""
_MOST_HELD = 1 << 25


def resamples(n: int, samples: int = SAMPLES, seed: int = 0) -> Weights:
    """The weights of a run: all at once where they are few."""
    return bootstrap_weights(n, samples, seed) if n * samples <= _MOST_HELD else Resamples(n, samples, seed)


def resampled(scores: Scores, weights: Weights) -> Array:
    """The figure of each resample; NaN where it is unknown because no known item was drawn."""
    return resampled_all([scores], weights)[0]


def resampled_all(found: Sequence[Scores], weights: Weights) -> list[Array]:
    """The same of several metrics; weights that are not there yet are drawn once for all."""
    tables = [
        np.column_stack((np.where(scores.known[:, None], scores.statistics, 0.0), scores.known))
        for scores in found
    ]
    if not isinstance(weights, Resamples):
        all_sums = [_sums(weights, table) for table in tables]
    elif tables:
        ends = np.cumsum([table.shape[1] for table in tables])[:-1]
        all_sums = np.split(weights.sums(np.column_stack(tables)), ends, axis=1)
    else:
        all_sums = []
    return [scores.metric.finish(sums[:, :-1], sums[:, -1]) for scores, sums in zip(found, all_sums, strict=True)]


def _sums(weights: Array, columns: Array) -> Array:
    # Small products stay in one thread: several threads on a busy machine take twenty times as long.
    step = max(32, _PRODUCT // max(columns.size, 1))
    sums = np.empty((len(weights), columns.shape[1]))
    for start in range(0, len(weights), step):
        sums[start : start + step] = weights[start : start + step] @ columns
    return sums


def interval(
    scores: Scores,
    weights: Weights | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> tuple[float | None, float | None]:
    """The percentile bootstrap interval of a figure; unknown if the figure is.

    Hand in the weights of a run to use the same resamples for all its metrics; without, they are drawn here.
    Resamples in which no known item was drawn are left out.
    """
    rows = resamples(len(scores.known), samples, seed) if weights is None else weights
    return percentiles(resampled(scores, rows), level)


def intervals(found: Sequence[Scores], weights: Weights) -> list[tuple[float | None, float | None]]:
    """The intervals of several metrics, over the same resamples."""
    known = [scores for scores in found if scores.known.any()]
    drawn = iter(resampled_all(known, weights))
    return [percentiles(next(drawn)) if scores.known.any() else (None, None) for scores in found]


def percentiles(figures: Array, level: float = LEVEL) -> tuple[float | None, float | None]:
    """Between which two values the middle of the figures lies, unknown ones left out."""
    known = figures[~np.isnan(figures)]
    if not known.size:
        return None, None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired(first: Scores, second: Scores, weights: Weights | None = None, *, level: float = LEVEL) -> PairedResult:
    """The paired bootstrap: second minus first on the same resamples, over the items known for both.

    The interval is the percentile interval of the difference. The two-sided p is that of the shifted method:
    the resampled differences are moved to lie around 0, as if the systems were equal, and p is the share of them
    that are at least as large as the one observed, which is counted among them.
    """
    both = _known_for_both(first, second)
    one, two = replace(first, known=both), replace(second, known=both)
    before, after = one.figure(), two.figure()
    if before is None or after is None:
        return PairedResult(None, None, None, None, int(both.sum()))
    ones, twos = resampled_all((one, two), resamples(len(both)) if weights is None else weights)
    found = twos - ones
    found = found[~np.isnan(found)]
    difference = after - before
    extreme = np.count_nonzero(np.abs(found - difference) >= abs(difference) - _SAME)
    low, high = percentiles(found, level)
    return PairedResult(difference, low, high, (extreme + 1) / (found.size + 1), int(both.sum()))


def is_binary(scores: Scores) -> bool:
    """Whether every known item is simply right or wrong, 1 or 0, and the figure is their mean."""
    values = scores.statistics[scores.known]
    return scores.metric.finish is ratio and values.shape[1] == 1 and bool(np.isin(values, (0.0, 1.0)).all())


def mcnemar(first: Scores, second: Scores) -> float | None:
    """McNemar's exact two-sided p for items that are right or wrong; None if no item is known for both.

    Of the items on which the systems differ, each is right on half if they are equally good.
    """
    if not (is_binary(first) and is_binary(second)):
        raise UsageError(
            f"McNemar's test needs items that are right or wrong, which {first.metric.name} does not have"
        )
    both = _known_for_both(first, second)
    if not both.any():
        return None
    change = second.statistics[both, 0] - first.statistics[both, 0]
    return binomial_test(int((change > 0).sum()), int((change < 0).sum()))


def binomial_test(wins: int, losses: int) -> float:
    """The exact two-sided p of a fair coin falling at least so unevenly."""
    total, fewer = wins + losses, min(wins, losses)
    ways, tail = 1, 1
    for count in range(fewer):
        ways = ways * (total - count) // (count + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << total))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p values that may be compared with one level whatever their number."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for passed, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - passed) * p_values[place]))
        corrected[place] = highest
    return corrected


def _known_for_both(first: Scores, second: Scores) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    if first.metric.name != second.metric.name or len(first.known) != len(second.known):
        raise UsageError(
            f"{first.metric.name} of {len(first.known)} items cannot be compared "
            f"with {second.metric.name} of {len(second.known)}"
        )
    both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = first.known & second.known
    return both
