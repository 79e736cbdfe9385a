"""One explanation, looked at from all sides: drawn, checked, measured, and compared with another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.checks.rule import check
from whence.drawing import compare, differences
from whence.pipeline.report.figures import is_whole
from whence.pipeline.report.markup import number
from whence.pipeline.score import score
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction, Problem
from whence.tasks.dataset import AnyDataset, Dataset, Predictions
from whence.tasks.loading import rules_of
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask
from whence.web.drawings import Picture, picture


@dataclass(frozen=True, slots=True)
class Reference:
    """What an explanation is compared with, and what that is called."""

    name: str
    explanations: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Examined:
    """What there is to see of an explanation."""

    drawn: Picture | None
    problems: tuple[Problem, ...]
    rules: int
    """How many rules it was checked against."""
    scores: tuple[tuple[str, str, str], ...] = ()
    """Name, value, meaning."""
    reference: str = ""
    marked: Picture | None = None
    different: tuple[str, ...] = ()


def examine(
    task: AnyTask,
    inputs: Any,
    explanation: Any,
    facts: Mapping[str, Fact],
    reference: Reference | None,
    options: ScoringOptions,
) -> Examined:
    """Everything about an explanation."""
    dataset: AnyDataset = Dataset((Example("shown", inputs),), (1,), facts=facts)
    rules = rules_of(task, "official", dataset)
    problems = tuple(check(inputs, explanation, rules))
    diagram = task.diagram(inputs, explanation, facts)
    drawn = picture(diagram, "drawn", "Explanation")
    if reference is None:
        return Examined(drawn, problems, len(rules))
    scores = measured(task, Example("shown", inputs, reference.explanations), explanation, facts, options)
    others = [task.diagram(inputs, other, facts) for other in reference.explanations]
    nearest = min(others, key=lambda other: len(differences(other, diagram)))
    different = differences(nearest, diagram)
    title = f"Compared with {reference.name}: + only here, − only there, ~ otherwise there"
    marked = picture(compare(nearest, diagram), "drawn-marked", title) if different else None
    return Examined(drawn, problems, len(rules), tuple(scores), reference.name, marked, different)


def measured(
    task: AnyTask,
    example: Example[Any, Any],
    explanation: Any,
    facts: Mapping[str, Fact],
    options: ScoringOptions,
) -> Sequence[tuple[str, str, str]]:
    """The figures of one explanation, as the task's evaluator has them: name, value and meaning."""
    dataset = Dataset((example,), (1,), facts=facts)
    answers = Predictions((Prediction(example.id, explanation),), (1,))
    found = score(task, dataset, answers, options, samples=1)
    return [
        (one.metric.name, number(value.value, whole=is_whole(one.metric)), one.metric.meaning)
        for one, value in zip(found.scores, found.measurements, strict=True)
        if value.value is not None
    ]
