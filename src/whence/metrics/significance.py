"""How sure a figure is, and whether two systems differ: intervals and paired tests over items.

The standard error of a mean is that of its values. Of any other figure it is the spread of the figure over
bootstrap resamples: a resample is a row of weights, how often each item was drawn, and its figure is a function of
weighted sums of statistics. The interval around a figure is Wilson's, for as many right-or-wrong items as would
have this standard error. The design note 021 says why, `docs/lab/coverage.md` how often it holds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import expm1, isfinite, log1p, sqrt
from statistics import NormalDist

import numpy as np

from whence.errors import UsageError
from whence.metrics.metric import Array, Scores, ratio

SAMPLES = 2000
LEVEL = 0.95
_CHUNK = 1 << 18
"""Weights drawn at once: two megabytes, which stay in the cache."""
_PRODUCT = 1 << 17
_SAME = 1e-12
_ALIKE = 1e-6
"""Items that differ by less do not differ: a similarity of a text with itself is .9999999."""
_NORMAL = NormalDist()
_SHARE: tuple[float, float] = (0.0, 1.0)
Interval = tuple[float | None, float | None]
"""Low and high; None where the figure is unknown."""


@dataclass(frozen=True, slots=True)
class PairedResult:
    """How a figure differs from a first system to a second on the items known for both; None where unknown."""

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    """Items known for both."""
    test: str = ""
    """What gave p: McNemar, paired t or randomisation."""
    error: float = 0.0
    """The standard error of the difference."""


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


def resampled_all(found: Sequence[Scores], weights: Weights) -> list[Array]:
    """The figures of each metric, one a resample; NaN where no known item was drawn.

    Weights that are not there yet are drawn once for all metrics.
    """
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
) -> Interval:
    """The interval of a figure; unknown if the figure is.

    Hand in the weights of a run to use the same resamples for all its metrics; without, they are drawn here.
    """
    rows = resamples(len(scores.known), samples, seed) if weights is None else weights
    return intervals([scores], rows, level)[0]


def intervals(found: Sequence[Scores], weights: Weights, level: float = LEVEL) -> list[Interval]:
    """The intervals of several metrics, over the same resamples."""
    return [
        _interval(scores, error, level)
        for scores, error in zip(found, standard_errors(found, weights), strict=True)
    ]


def _interval(scores: Scores, error: float, level: float) -> Interval:
    value, n = scores.figure(), int(scores.known.sum())
    if value is None:
        return None, None
    if is_binary(scores) and scores.metric.bounds == _SHARE:
        return wilson(value, n, _NORMAL.inv_cdf((1 + level) / 2))
    freedom = None if _is_mean(scores) else degrees_of_freedom(influences(scores))
    return interval_around(value, error, n, scores.metric.bounds, level, freedom)


def standard_errors(found: Sequence[Scores], weights: Weights) -> list[float]:
    """The standard error of each figure; 0 where there is no spread to tell it from."""
    errors = [_error_of_mean(scores.statistics[scores.known, 0]) if _is_mean(scores) else 0.0 for scores in found]
    others = [index for index, scores in enumerate(found) if not _is_mean(scores) and scores.known.any()]
    for index, figures in zip(others, resampled_all([found[index] for index in others], weights), strict=True):
        errors[index] = _spread(figures, int(found[index].known.sum()))
    return errors


def _is_mean(scores: Scores) -> bool:
    return scores.metric.finish is ratio and scores.statistics.shape[1] == 1


def _error_of_mean(values: Array) -> float:
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0


def _spread(figures: Array, n: int) -> float:
    """The deviation of resampled figures, unknown ones left out, times what resamples vary less."""
    known = figures[~np.isnan(figures)]
    return float(known.std()) * sqrt(n / (n - 1)) if n > 1 and known.size else 0.0


def influences(scores: Scores) -> Array:
    """How far the figure moves when an item is left out, for each known item; 0 if nothing is left to measure."""
    rows = scores.statistics[scores.known]
    count = len(rows)
    sums = rows.sum(axis=0)
    step = max(1, _PRODUCT // max(rows.shape[1], 1))
    without = np.concatenate(
        [
            scores.metric.finish(sums - some, np.full(len(some), count - 1.0))
            for some in (rows[start : start + step] for start in range(0, count, step))
        ]
    )
    known = without[~np.isnan(without)]
    moved: Array = np.nan_to_num(without - known.mean()) if known.size else np.zeros(count)
    return moved


def degrees_of_freedom(moved: Array) -> float:
    """How many items the standard error rests on, less one, from the influences of all (Satterthwaite 1946).

    A mean over classes of which one has six items is hardly surer than these six let it be, however many items
    the others have. The freedom of a variance v is 2 v² over the variance of its estimate; that is a matter of
    the fourth moment, which few items of much influence raise. At least 1, at most n - 1.
    """
    most = max(len(moved) - 1.0, 1.0)
    squares = moved**2
    total = float(squares.sum())
    varies = float((squares**2).sum()) - total * total / max(len(moved), 1)
    return most if varies <= _SAME * total * total else min(max(2 * total * total / varies, 1.0), most)


def interval_around(
    value: float,
    error: float,
    n: int,
    bounds: tuple[float, float],
    level: float = LEVEL,
    freedom: float | None = None,
) -> tuple[float, float]:
    """The interval of a figure within bounds, from its standard error and the number of items.

    Wilson's, for as many right-or-wrong items as would have this standard error (Korn and Graubard 1998), with the
    quantile of Student's t; its degrees of freedom are n - 1 unless given. Items that do not differ say no more
    than as many right-or-wrong ones would. A figure without bounds has Student's interval.
    """
    low, high = bounds
    freedom = max(n - 1.0, 1.0) if freedom is None else freedom
    if not (isfinite(low) and isfinite(high)):
        reach = _t_quantile(level, freedom) * error
        return value - reach, value + reach
    width = high - low
    share = min(max((value - low) / width, 0.0), 1.0)
    if error <= _ALIKE * width or not 0 < share < 1:
        ends = wilson(share, n, _NORMAL.inv_cdf((1 + level) / 2))
    else:
        ends = wilson(share, share * (1 - share) * (width / error) ** 2, _t_quantile(level, freedom))
    return min(value, low + width * ends[0]), max(value, low + width * ends[1])


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share of n items: all shares that are within z standard errors of their own."""
    whole = n + z * z
    middle = (share * n + z * z / 2) / whole
    half = z * sqrt(share * (1 - share) * n + z * z / 4) / whole
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


# Student's t by Wallace's transformation to normal (1959), which can be turned round and needs no scipy: of five
# items the quantile is 0.6% off, of ten 0.1%.


def _t_quantile(level: float, freedom: float) -> float:
    """How many standard errors a two-sided interval reaches."""
    z = _NORMAL.inv_cdf((1 + level) / 2) * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * expm1(z * z / freedom))


def t_test(value: float, error: float, n: int) -> float:
    """Student's two-sided p of a mean of n differences; 1 if the mean is 0."""
    if abs(value) <= _SAME:
        return 1.0
    freedom = max(n - 1, 1)
    # Differences that are all equal are as sure as so many tosses of a coin that fall alike.
    if error <= _SAME:
        return binomial_test(n, 0)
    z = sqrt(freedom * log1p((value / error) ** 2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return 2 * _NORMAL.cdf(-z)


def paired(first: Scores, second: Scores, weights: Weights | None = None, *, level: float = LEVEL) -> PairedResult:
    """How the second system differs from the first, over the items known for both.

    Items that are right or wrong: McNemar's test. Means: the paired t test. Other figures: approximate
    randomisation, as often as there are resamples. The interval is Student's around the difference; the standard
    error is that of the differences of the items, or the spread of the difference over the same resamples.
    """
    both = _known_for_both(first, second)
    one, two = replace(first, known=both), replace(second, known=both)
    before, after, n = one.figure(), two.figure(), int(both.sum())
    if before is None or after is None:
        return PairedResult(None, None, None, None, n)
    rows = resamples(len(both)) if weights is None else weights
    difference = after - before
    mean = _is_mean(one) and _is_mean(two)
    freedom = max(n - 1.0, 1.0)
    if mean:
        error = _error_of_mean(two.statistics[both, 0] - one.statistics[both, 0])
    else:
        ones, twos = resampled_all((one, two), rows)
        error = _spread(twos - ones, n)
        freedom = degrees_of_freedom(influences(two) - influences(one))
    if is_binary(one) and is_binary(two):
        test, p = "McNemar", mcnemar(one, two)
    elif mean:
        test, p = "paired t", t_test(difference, error, n)
    else:
        test, p = "randomisation", randomisation_test(one, two, len(rows))
    low, high = _around_difference(difference, error, n, one.metric.bounds, level, freedom)
    return PairedResult(difference, low, high, p, n, test, error)


def _around_difference(
    difference: float, error: float, n: int, bounds: tuple[float, float], level: float, freedom: float
) -> tuple[float, float]:
    width = bounds[1] - bounds[0]
    if error <= _SAME and isfinite(width):
        # Equal on all n items: Tango's limits for pairs (1998), of which Wilson's for n of n are one half.
        unseen = 1 - wilson(1.0, n, _NORMAL.inv_cdf((1 + level) / 2))[0]
        low, high = difference - unseen * (difference + width), difference + unseen * (width - difference)
    else:
        reach = _t_quantile(level, freedom) * error
        low, high = difference - reach, difference + reach
    return min(max(low, -width), difference), max(min(high, width), difference)


def randomisation_test(first: Scores, second: Scores, times: int = SAMPLES, seed: int = 0) -> float:
    """The share of exchanges after which the systems differ at least as much (Noreen 1989); the given one counts.

    If systems are equally good, it does not matter which of them gave which of the two answers to an item.
    """
    known = _known_for_both(first, second)
    columns = [
        np.column_stack((np.where(known[:, None], scores.statistics, 0.0), known)) for scores in (first, second)
    ]
    change = columns[1] - columns[0]
    totals = [one.sum(axis=0) for one in columns]
    generator = np.random.default_rng(seed)
    step = max(1, _CHUNK // max(len(known), 1))
    moved = np.concatenate(
        [
            generator.integers(2, size=(min(step, times - start), len(known))).astype(np.float64) @ change
            for start in range(0, times, step)
        ]
    )
    ones, twos = np.vstack((totals[0], totals[0] + moved)), np.vstack((totals[1], totals[1] - moved))
    differences = np.abs(
        second.metric.finish(twos[:, :-1], twos[:, -1]) - first.metric.finish(ones[:, :-1], ones[:, -1])
    )
    return float(np.mean(differences[~np.isnan(differences)] >= differences[0] - _SAME))


def is_binary(scores: Scores) -> bool:
    """Whether every known item is simply right or wrong, 1 or 0, and the figure is their mean."""
    values = scores.statistics[scores.known]
    return scores.metric.finish is ratio and values.shape[1] == 1 and bool(np.isin(values, (0.0, 1.0)).all())


def mcnemar(first: Scores, second: Scores) -> float | None:
    """McNemar's two-sided mid-p for items that are right or wrong; None if no item is known for both.

    Of the items on which the systems differ, each is right on half if they are equally good. The exact p rejects
    too seldom where they differ on few items; the mid-p counts the observed outcome by half (Fagerland 2013).
    """
    if not (is_binary(first) and is_binary(second)):
        raise UsageError(
            f"McNemar's test needs items that are right or wrong, which {first.metric.name} does not have"
        )
    both = _known_for_both(first, second)
    if not both.any():
        return None
    change = second.statistics[both, 0] - first.statistics[both, 0]
    return binomial_test(int((change > 0).sum()), int((change < 0).sum()), mid=True)


def binomial_test(wins: int, losses: int, *, mid: bool = False) -> float:
    """The exact two-sided p of a fair coin falling at least so unevenly; mid-p: so unevenly counts by half."""
    total, fewer = wins + losses, min(wins, losses)
    ways, tail = 1, 1
    for count in range(fewer):
        ways = ways * (total - count) // (count + 1)
        tail += ways
    return min(1.0, (2 * tail - ways * mid) / (1 << total))


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
