"""One explanation, looked at from all sides: drawn, checked, measured, and compared with another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whence.checks.rule import check
from whence.drawing import compare, differences
from whence.errors import MissingDataError
from whence.models.verifier.choice import reader_verifier
from whence.pipeline.report.figures import is_whole
from whence.pipeline.report.markup import number
from whence.pipeline.score import score
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction, Problem
from whence.structures.verdict import Verdict
from whence.tasks.dataset import AnyDataset, Dataset, Predictions
from whence.tasks.loading import rules_of
from whence.tasks.method import Explained
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask
from whence.tasks.verification import verify
from whence.web.drawings import Picture, picture


@dataclass(frozen=True, slots=True)
class Reference:
    """What an explanation is compared with, and what that is called."""

    name: str
    explanations: tuple[Any, ...]
    is_gold: bool
    """Whether figures against it mean something: against what a method made they do not."""


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
    verdict: Verdict | None = None
    """Whether it follows; None where nothing judged it."""
    missing: tuple[str, ...] = ()
    """What keeps it from following."""
    unverified: str = ""
    """Why nothing judged it."""


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
    judged, unverified = _judged(task, Example("shown", inputs), Explained(explanation, facts=facts))
    if task.verification is not None:
        drawn = picture(task.verification().mark(diagram, explanation, judged.parts), "drawn", "Explanation")
    else:
        drawn = picture(diagram, "drawn", "Explanation")
    examined = Examined(
        drawn,
        problems,
        len(rules),
        verdict=judged.verdict,
        missing=judged.missing,
        unverified=unverified,
    )
    if reference is None:
        return examined
    example = Example("shown", inputs, reference.explanations)
    scores = measured(task, example, explanation, facts, options) if reference.is_gold else ()
    others = [task.diagram(inputs, other, facts) for other in reference.explanations]
    nearest = min(others, key=lambda other: len(differences(other, diagram)))
    different = differences(nearest, diagram)
    title = f"Compared with {reference.name}: + only here, − only there, ~ otherwise there"
    marked = picture(compare(nearest, diagram), "drawn-marked", title) if different else None
    return replace(examined, scores=tuple(scores), reference=reference.name, marked=marked, different=different)


def _judged(task: AnyTask, example: Example[Any, Any], explained: Explained) -> tuple[Explained, str]:
    """The explanation with verdicts, or why it has none."""
    if task.verification is None:
        return explained, f"nothing judges explanations of {task.name} yet"
    try:
        return verify(task.verification(), [example], [explained], reader_verifier())[0], ""
    except MissingDataError as error:
        return explained, str(error)


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
