"""Human correction: automatic figures underestimate, so people judge some items, and that corrects the figure.

The expert-ratings paper compares automatic and manual figures on 50 questions (its Table 6). Prediction-powered
inference (Angelopoulos et al. 2023a; tuned, PPI++: 2023b) carries such judgements over to all items. Both suppose
that the judged items were drawn by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np

from whence.errors import UsageError
from whence.metrics.metric import Array, Metric, Scores
from whence.metrics.significance import LEVEL, paired

Target = Literal["source", "items"]
"""Whose mean is meant: of the source that the items were drawn from, as all other intervals; or of these items."""


@dataclass(frozen=True, slots=True)
class Underestimate:
    """A figure on the judged items as a machine and as people measure it, and manual minus automatic."""

    n: int
    automatic: float
    manual: float
    underestimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A corrected figure for all items with its interval, and what people's judgements alone would give."""

    value: float
    low: float
    high: float
    unclipped: tuple[float, float, float]
    """Value, low and high before they were kept within the bounds of the metric."""
    trust: float
    """How far the automatic values are used: 0 not at all, 1 fully."""
    judged: int
    classical: tuple[float, float, float]
    """Mean of the judgements alone, low and high, before any bounds."""


def underestimate(
    automatic: Sequence[float], human: Mapping[int, float], *, level: float = LEVEL
) -> Underestimate:
    """Automatic, manual and their difference on the judged items, with a bootstrap interval (Table 6).

    `automatic` has a value for every item; `human` maps places in it to what people say.
    """
    machine, people = _judged(automatic, human, least=1)
    mean = Metric("mean", "higher", (-inf, inf), "", "mean over items")
    known = np.ones(len(people), dtype=np.bool_)
    one, two = (Scores(mean, values[:, None], known) for values in (machine, people))
    return underestimate_of(one, two, level=level)


def underestimate_of(automatic: Scores, human: Scores, *, level: float = LEVEL) -> Underestimate:
    """The same for any metric, such as F1 of two means: over the items known for both."""
    both = automatic.known & human.known
    before, after = replace(automatic, known=both).figure(), replace(human, known=both).figure()
    found = paired(automatic, human, level=level)
    if before is None or after is None or found.low is None or found.high is None:
        raise UsageError(f"no item has both an automatic and a human value of {automatic.metric.name}")
    return Underestimate(found.n, before, after, after - before, found.low, found.high)


def prediction_powered(
    automatic: Sequence[float],
    human: Mapping[int, float],
    *,
    level: float = LEVEL,
    tuned: bool = True,
    bounds: tuple[float, float] = (-inf, inf),
    target: Target = "source",
) -> Estimate:
    """The mean that people would give, from automatic values of all items and judgements of some.

    The mean of t * automatic over all items plus the mean of human - t * automatic over the judged ones. The
    trust t is 1; tuned, it is what makes the interval narrowest, between 0 and 1, so that an automatic metric that
    says nothing does no harm. Bounds only cut what lies outside them: they make the estimate no surer.
    """
    machine, people = _judged(automatic, human, least=2)
    everything = np.asarray(automatic, dtype=np.float64)
    trust = _best_trust(machine, people, everything) if tuned else 1.0
    value = trust * float(everything.mean()) + float((people - trust * machine).mean())
    spread = _Spread(float(people.var(ddof=1)), float((people - trust * machine).var(ddof=1)), len(everything))
    reach = _reach(level)
    half = reach * sqrt(spread.of_estimate(len(people), target))
    alone = reach * sqrt(_Spread(spread.human, spread.human, len(everything)).of_estimate(len(people), target))
    unclipped = (value, value - half, value + half)
    kept, low, high = (min(max(figure, bounds[0]), bounds[1]) for figure in unclipped)
    mean = float(people.mean())
    return Estimate(kept, low, high, unclipped, trust, len(people), (mean, mean - alone, mean + alone))


def judgements_needed(
    automatic: Sequence[float],
    human: Mapping[int, float],
    half_width: float = 0.02,
    *,
    level: float = LEVEL,
    target: Target = "source",
) -> int | None:
    """How many judged items in all would give an interval of `half_width` to either side of the tuned estimate.

    None if even judging every item would not: there are too few items to say so much about their source.
    """
    machine, people = _judged(automatic, human, least=2)
    everything = np.asarray(automatic, dtype=np.float64)
    trust = _best_trust(machine, people, everything)
    spread = _Spread(float(people.var(ddof=1)), float((people - trust * machine).var(ddof=1)), len(everything))
    wanted = (half_width / _reach(level)) ** 2
    enough = (count for count in range(2, len(everything) + 1) if spread.of_estimate(count, target) <= wanted)
    return next(enough, None)


@dataclass(frozen=True, slots=True)
class _Spread:
    """Variances of human values and of what the automatic values leave unsaid of them, among so many items."""

    human: float
    rest: float
    items: int

    def of_estimate(self, judged: int, target: Target) -> float:
        """The variance of the estimate: from not judging all items, and from having drawn only these items.

        PPI averages automatic values over unjudged items only, with a trust of t * (1 - judged / items) if ours
        is t: that is the same estimate, and its two variances sum to this one.
        """
        unjudged = (1 - judged / self.items) * self.rest / judged
        return unjudged + (self.human / self.items if target == "source" else 0.0)


def _best_trust(machine: Array, people: Array, everything: Array) -> float:
    """The slope of human on automatic values, kept between 0 and 1 (PPI++)."""
    variance = float(everything.var(ddof=1))
    if not variance:
        return 0.0
    together = float(np.cov(people, machine, ddof=1)[0, 1])
    return min(max(together / variance, 0.0), 1.0)


def _judged(automatic: Sequence[float], human: Mapping[int, float], least: int) -> tuple[Array, Array]:
    """Automatic and human values of the judged items."""
    if len(human) < least:
        raise UsageError(f"correction needs {least} judged items or more, and there are {len(human)}")
    strange = [place for place in human if not 0 <= place < len(automatic)]
    if strange:
        raise UsageError(f"item {strange[0]} was judged, but there are only {len(automatic)} items, from 0")
    places = sorted(human)
    machine = np.array([automatic[place] for place in places], dtype=np.float64)
    return machine, np.array([human[place] for place in places], dtype=np.float64)


def _reach(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
