"""Figures of the answers that a verifier supports, and how risk grows with coverage.

A system that knows when it does not know is right more often on the answers that it stands by. The curve sorts
answers by their support: what is the figure over the most trusted tenth, fifth, half? In random order it is flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.metrics.metric import Metric, Scores, scores
from whence.structures.results import Measurement
from whence.tasks.scoring import Answers

PARTS = 20
"""The curve has so many points, the last one over all answers."""

COVERAGE = Metric("coverage", "higher", (0, 1), "", "The share of answers that follow, by their verdicts.")


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """The figure over the most trusted share of the answers."""

    coverage: float
    value: float


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """The figure along coverage: of the main metric, or the mean of several; from 0 to 1, higher is better."""

    metrics: tuple[str, ...]
    points: tuple[RiskPoint, ...]
    """In rising order of coverage."""

    @property
    def floor(self) -> float:
        """The figure over all answers, which is that of any share of them in random order."""
        return self.points[-1].value

    def at(self, coverage: float) -> float | None:
        """The figure at a share; None where it is unknown."""
        return next((point.value for point in self.points if abs(point.coverage - coverage) < 1e-9), None)


@dataclass(frozen=True, slots=True)
class Supported:
    """What the verdicts on answers say: how many follow, and the figures of these alone."""

    n: int
    """Answers that follow."""
    coverage: Measurement
    """Their share among all items; an answer without a verdict is not supported."""
    measurements: tuple[Measurement, ...]
    curve: RiskCurve | None
    """None where no main metric is measured."""


def has_verdicts(answers: Answers) -> bool:
    """Whether somebody judged any of the answers."""
    return any(answer is not None and answer.verdict is not None for answer in answers)


def supported_items(answers: Answers) -> NDArray[np.bool_]:
    """Which answers follow."""
    verdicts = [None if answer is None else answer.verdict for answer in answers]
    return np.array([verdict is not None and verdict.is_supported for verdict in verdicts], dtype=np.bool_)


def coverage_scores(answers: Answers) -> Scores:
    """For each item, whether its answer follows."""
    return scores(COVERAGE, [float(one) for one in supported_items(answers)])


def risk_curve(measured: Sequence[Scores], answers: Answers, main: Sequence[str]) -> RiskCurve | None:
    """The figure over the most trusted share of the answers, by share.

    `main` are the metrics whose mean is drawn; without any, the first one that is measured. Answers that are
    trusted equally count in part where the share cuts through them, so the order of a file changes nothing. An
    answer without a verdict is trusted least.
    """
    known = [one for one in measured if one.known.any()]
    chosen = [one for one in known if one.metric.name in main] if main else known[:1]
    if not chosen:
        return None
    shares = [part / PARTS for part in range(1, PARTS + 1)]
    weights = np.array([_weights(_supports(answers), share) for share in shares])
    rows = [[_share(one.metric, figure) for figure in one.figures(weights)] for one in chosen]
    points = []
    for share, values in zip(shares, zip(*rows, strict=True), strict=True):
        figures = [value for value in values if value is not None]
        if len(figures) == len(chosen):
            points.append(RiskPoint(share, sum(figures) / len(figures)))
    return RiskCurve(tuple(one.metric.name for one in chosen), tuple(points)) if points else None


def _supports(answers: Answers) -> NDArray[np.float64]:
    verdicts = [None if answer is None else answer.verdict for answer in answers]
    return np.array([-1.0 if verdict is None else verdict.support for verdict in verdicts])


def _weights(supports: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """How much each item counts among the most trusted share of all."""
    ordered = np.sort(supports)
    higher = len(ordered) - np.searchsorted(ordered, supports, "right")
    equal = np.searchsorted(ordered, supports, "right") - np.searchsorted(ordered, supports, "left")
    weights: NDArray[np.float64] = np.clip((share * len(ordered) - higher) / equal, 0.0, 1.0)
    return weights


def _share(metric: Metric, figure: float | None) -> float | None:
    """A figure from 0 to 1, higher is better: as `whence.judge` gives it."""
    if figure is None:
        return None
    share = min(max(figure / metric.bounds[1], 0.0), 1.0)
    return share if metric.better == "higher" else 1 - share
