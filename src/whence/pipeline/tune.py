"""Which settings of a method are best on a split: tried one after another, scored by the task's own figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from whence.errors import UsageError, quoted
from whence.pipeline.explain import explained_scores, explainer
from whence.pipeline.floors import bounds_of
from whence.pipeline.runs import measurements
from whence.progress import Report, unreported
from whence.structures.results import Measurement, Prediction
from whence.tasks import task_named
from whence.tasks.loading import load
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings that were tried, and what they reach."""

    settings: Mapping[str, Any]
    measurements: tuple[Measurement, ...]
    lower: frozenset[str] = frozenset()
    """The metrics of which less is better."""

    def figure(self, name: str) -> float:
        """The figure of that name."""
        for one in self.measurements:
            if one.name == name and one.value is not None:
                return one.value
        known = ", ".join(one.name for one in self.measurements)
        raise UsageError(f"there is no figure {quoted(name)} here; there are {known or 'none'}")


def best_of(trials: Sequence[Trial], by: str) -> Trial:
    """The trial that is best in a metric, the first of equal ones."""
    return max(trials, key=lambda one: -one.figure(by) if by in one.lower else one.figure(by))


def tune(
    task: str,
    method: str,
    where: str,
    given: Mapping[str, Any],
    tried: Mapping[str, Sequence[Any]],
    data: Callable[[], Path],
    report: Report = unreported,
) -> list[Trial]:
    """Every combination of the values to be tried, in order."""
    if not tried:
        raise UsageError("say what is to be tried: --try KEY=VALUE,VALUE,...")
    chosen, dataset = task_named(task), load(task_named(task), where, data)
    if not any(example.golds for example in dataset.examples):
        raise UsageError(f"{where}: the answers are hidden, so nothing can be tuned on it")
    bounds = bounds_of(chosen, dataset, ScoringOptions())
    found = []
    combinations = [dict(zip(tried, values, strict=True)) for values in product(*tried.values())]
    for number, values in enumerate(combinations, 1):
        maker = explainer(task, method, {**given, **values}, Setup(data, dataset.facts))
        explained = maker.explain(dataset.examples)
        answers = [
            Prediction(example.id, one.explanation)
            for example, one in zip(dataset.examples, explained, strict=True)
        ]
        scores = explained_scores(chosen, dataset, answers)
        lower = frozenset(one.metric.name for one in scores if one.metric.better == "lower")
        found.append(Trial(values, measurements(scores, len(answers), bounds), lower))
        report("trying settings", number, len(combinations))
    return found
