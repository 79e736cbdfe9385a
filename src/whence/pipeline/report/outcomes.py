"""How each item came out: missing, unread, and right or wrong by a metric, or low, middle or high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whence.metrics.metric import Scores
from whence.metrics.significance import is_binary
from whence.structures.results import Prediction
from whence.tasks.scoring import Answers

OUTCOMES = ("right", "wrong", "high", "middle", "low", "unknown", "unread", "missing")
"""As filters list them."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A metric that says how items came out: each item's value as printed, and its outcome."""

    name: str
    values: tuple[float | None, ...]
    outcomes: tuple[str, ...]
    lower_is_better: bool
    binary: bool
    """Whether an item is simply right or wrong."""
    right: float
    """The value of an item that is right, if so."""


def judges(scores: Sequence[Scores], answers: Answers) -> tuple[Judge, ...]:
    """Every measured metric, in order."""
    return tuple(_judge(found, answers) for found in scores if found.known.any())


def primary(found: Sequence[Judge]) -> int | None:
    """The place of the first metric in which items are right or wrong, else of the first; None without any."""
    return next((place for place, judge in enumerate(found) if judge.binary), 0 if found else None)


def unjudged(answers: Answers) -> tuple[str, ...]:
    """Outcomes where no metric was measured."""
    return tuple(_outcome(answer, "unknown") for answer in answers)


def terciles(values: Sequence[float | None]) -> tuple[str, ...]:
    """Whether each value is in the low, the middle or the high third; equal values are in the same."""
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return ("unknown",) * len(values)
    low, high = ordered[len(ordered) // 3], ordered[(2 * len(ordered) - 1) // 3]
    return tuple(
        "unknown" if value is None else "low" if value < low else "high" if value > high else "middle"
        for value in values
    )


def _judge(found: Scores, answers: Answers) -> Judge:
    metric, values, binary = found.metric, found.by_item(), is_binary(found)
    lower = metric.better == "lower"
    right = 0.0 if lower else 1.0
    names = tuple(_verdict(value, right) for value in values) if binary else terciles(values)
    outcomes = tuple(_outcome(answer, name) for answer, name in zip(answers, names, strict=True))
    printed = tuple(None if value is None else value * metric.scale for value in values)
    return Judge(metric.name, printed, outcomes, lower, binary, right * metric.scale)


def _verdict(value: float | None, right: float) -> str:
    return "unknown" if value is None else "right" if value == right else "wrong"


def _outcome(answer: Prediction[Any] | None, name: str) -> str:
    if answer is None:
        return "missing"
    return "unread" if answer.explanation is None else name
