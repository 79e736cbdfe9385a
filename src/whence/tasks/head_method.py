"""Answers that a head gives, as a method: the usual way to explain where the task itself is a judgement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whence.models.items import Verdict
from whence.models.learners import Judge
from whence.models.trained import Model, bundled, load_model
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.tasks.dataset import Dataset
from whence.tasks.head import Head, Source
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup
from whence.tasks.task import AnyTask

SHOWN = 4
"""How many answers that were not given are told."""

AnyExample = Example[Any, Any]
Tell = Callable[["Asked", Sequence[AnyExample], Sequence[Verdict]], list[tuple[Reason, ...]]]
"""Every answer to each example, the most probable first, and why it is so probable."""


@dataclass(frozen=True, slots=True)
class JudgedSettings:
    """What a user may set."""

    model: str = EMBEDDED
    """A model folder; `embedded` is the small head that ships with this package."""
    form: str = ""
    """How the inputs are put; else as the model learnt them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A head with a model of it: what can be asked about examples at hand."""

    task: AnyTask
    head: Head
    judge: Judge
    form: str
    data: Callable[[], Path]

    def verdicts(self, examples: Sequence[AnyExample], report: Report = unreported) -> list[Verdict]:
        """What the model says of each example."""
        given = Dataset(tuple(examples), tuple(range(1, len(examples) + 1)))
        items = self.head.items(Source(self.task, "", self.data, self.form, given=given))
        return self.judge.judge(items, report)


def asked(task: AnyTask, head: Head, model: str, form: str, setup: Setup) -> Asked:
    """A head with the model in a folder, or with the one that ships with this package."""
    lesson = f"{task.name}/{head.name}"
    found = bundled(lesson) if model == EMBEDDED else load_model(Path(model))
    lesson = found.lesson(task.name, head.name)
    return Asked(task, head, found.judge(lesson), form or form_of(found, lesson), setup.data)


def form_of(model: Model, lesson: str) -> str:
    """How the inputs were put when it learnt."""
    return str(model.card["lessons"][lesson].get("form", ""))


class Judged:
    """The answers of a model, each with what it found less probable."""

    def __init__(self, question: Asked, tell: Tell) -> None:
        self._question, self._tell = question, tell
        self.name = f"{question.head.name} by {question.judge.name}"

    def explain(self, examples: Sequence[AnyExample], report: Report = unreported) -> list[Explained]:
        """The most probable answers."""
        verdicts = self._question.verdicts(examples, report)
        told = self._tell(self._question, examples, verdicts)
        answer = self._question.head.answer
        return [
            Explained(answer(example, verdict) if answer else None, reasons[:1], _others(reasons))
            for example, verdict, reasons in zip(examples, verdicts, told, strict=True)
        ]


def _others(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """The answers that were not given; what is as it is of the one that was given is not said again."""
    return tuple(
        replace(reason, because=tuple(line for line in reason.because if line not in reasons[0].because))
        for reason in reasons[1 : 1 + SHOWN]
    )


def judged_method(task: AnyTask, head: Head, tell: Tell) -> Method:
    """The method that gives a head's answers."""

    def make(settings: JudgedSettings, setup: Setup) -> Judged:
        return Judged(asked(task, head, settings.model, settings.form, setup), tell)

    title = f"{head.title}: what a model finds most probable"
    return Method("judged", title, JudgedSettings, make, {"model": f"{task.name}/{head.name}"})
