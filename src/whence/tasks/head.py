"""What models can learn to judge about a task's examples."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.errors import UsageError
from whence.models.items import AnyItem, Shape, TrainingSet, Verdict
from whence.models.measures import TEXTS_COMPARED_BY
from whence.structures.results import Example, Prediction
from whence.tasks.dataset import AnyDataset, Note
from whence.tasks.loading import load
from whence.tasks.questions import without_questions
from whence.tasks.task import AnyTask

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Source:
    """Where items come from: a split or file of a task, read in one form, with one seed."""

    task: AnyTask
    where: str
    folder: Callable[[], Path]
    """The data folder, asked for where it is needed."""
    form: str = ""
    seed: int = 0
    given: AnyDataset | None = None
    """Examples that are at hand already, in the place of a split or file."""
    without: frozenset[str] = frozenset()
    """Questions (`tasks.questions.question_key`) whose examples are left out."""

    def dataset(self) -> AnyDataset:
        """The examples."""
        dataset = self.given or load(self.task, self.where, self.folder)
        return without_questions(self.task, dataset, self.without) if self.without else dataset


@dataclass(frozen=True, slots=True)
class Head:
    """One thing to judge."""

    name: str
    title: str
    shape: Shape
    items: Callable[[Source], Sequence[AnyItem]]
    """The questions, with answers where they are known. Of heads that answer the task: one an example, by id."""
    train: str
    """The split to learn from, and the one that figures are reported on."""
    test: str
    labels: tuple[str, ...] = ()
    """Of a label or of tags."""
    measure: str = "accuracy"
    forms: tuple[str, ...] = ("",)
    """Ways to put the inputs; the first is the usual one."""
    answer: Callable[[Example[Any, Any], Verdict], Any] | None = None
    """From a verdict to the explanation that the task asks for; None where the head is a part of something."""
    figures: tuple[str, ...] = ()
    """Of the task's metrics those that such answers are for; empty: all."""
    examples: Callable[[Source], AnyDataset] | None = Source.dataset
    """The examples that items are made of; None where they are made of something else, such as a word list."""
    documents: Callable[[Source], Mapping[str, str]] | None = None
    """Of a ranking: the texts that are ranked, by id."""
    left_out: Callable[[Source], tuple[Note, ...]] | None = None
    """What in the data no item is made of, counted; None where all of it is used."""

    @property
    def headline(self) -> str:
        """The figure to compare models by."""
        if self.figures:
            return self.figures[0]
        return TEXTS_COMPARED_BY if self.shape == "text" and self.answer is None else self.measure


def predictions(head: Head, dataset: AnyDataset, verdicts: Sequence[Verdict]) -> Iterator[Prediction[Any]]:
    """The task's answers that verdicts amount to."""
    if head.answer is not None:
        for example, verdict in zip(dataset.examples, verdicts, strict=True):
            yield Prediction(example.id, head.answer(example, verdict))


def lesson(
    name: str, head: Head, items: Sequence[AnyItem], *, held_out: float, seed: int, fold: int = 0
) -> TrainingSet:
    """Items with answers, a share of their groups held out: the first so many, or those of another fold."""
    if fold < 0 or held_out * (fold + 1) > 1 + _ROUNDING:
        raise UsageError(f"there is no fold {fold} where {held_out} of the items are held out")
    known = [item for item in items if item.gold is not None]
    groups = sorted({item.group or item.id for item in known})
    random.Random(seed).shuffle(groups)
    ends = [round(len(groups) * held_out * number) for number in (fold, fold + 1)]
    held = set(groups[slice(*ends)])
    train = [item for item in known if (item.group or item.id) not in held]
    dev = [item for item in known if (item.group or item.id) in held]
    return TrainingSet(name, head.shape, head.labels, train, dev, head.measure)
