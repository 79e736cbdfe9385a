"""Which questions of one data set are in another, so that no model is evaluated on what it was trained on.

WorldTree and EntailmentBank took their questions from ARC, and their splits cross: EntailmentBank's dev is in
WorldTree's train. ART's two tasks share stories, CIDER's folds share dialogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.tasks.loading import load
from whence.tasks.questions import question_keys
from whence.tasks.registry import TASKS, task_named
from whence.tasks.task import AnyTask

Data = Callable[[], Path]


def linked_tasks(task: AnyTask) -> list[AnyTask]:
    """The task, and all others whose questions come from the same place."""
    if task.questions is None:
        return []
    origin = task.questions.origin
    return [one for one in TASKS.values() if one.questions is not None and one.questions.origin == origin]


def evaluation_splits(task: AnyTask, learnt: str, clear_of: Sequence[str] = ()) -> list[tuple[AnyTask, str]]:
    """The splits that a model which learns from a split of the task must stay clear of.

    All evaluation splits of linked tasks; or those named, `TASK` or `TASK/SPLIT`.
    """
    every = [
        (one, split)
        for one in linked_tasks(task)
        if one.questions is not None
        for split in one.questions.evaluation(learnt)
        if split in one.data.splits
    ]
    if not clear_of:
        return every
    chosen = []
    for name in clear_of:
        other, _, split = name.partition("/")
        if task_named(other) not in linked_tasks(task):
            raise UsageError(f"clear_of: {other} has no questions in common with {task.name}")
        if split and split not in task_named(other).data.splits:
            raise UsageError(f"clear_of: {other} has no split {quoted(split)}")
        chosen += [(task_named(other), split)] if split else [one for one in every if one[0].name == other]
    return chosen


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The questions of a split that models are evaluated on."""

    name: str
    """Such as `entailmentbank-1 dev`."""
    keys: frozenset[str]
    same: tuple[str, ...] = ()
    """Splits of other tasks that have exactly these questions."""


@dataclass(frozen=True, slots=True)
class EvaluationQuestions:
    """What to stay clear of: splits with their questions, and splits that are not here to be looked at."""

    splits: tuple[Evaluated, ...]
    unchecked: tuple[str, ...]

    @property
    def keys(self) -> frozenset[str]:
        """All of the questions."""
        return frozenset().union(*(one.keys for one in self.splits))

    def counts(self, keys: Sequence[str]) -> dict[str, int]:
        """How many of these questions are in each split, where some are."""
        found = {one.name: sum(key in one.keys for key in keys) for one in self.splits}
        return {name: count for name, count in found.items() if count}


Read = Callable[[AnyTask, str], list[str] | None]
"""The questions of a split, one an example; None where it is not here."""


def reader(data: Data) -> Read:
    """Reads every split once."""

    @cache
    def read(name: str, split: str) -> list[str] | None:
        task = task_named(name)
        try:
            return question_keys(task, load(task, split, data))
        except MissingDataError:
            return None

    return lambda task, split: read(task.name, split)


def evaluation_questions(
    task: AnyTask, learnt: str, read: Read, clear_of: Sequence[str] = ()
) -> EvaluationQuestions:
    """The questions that a model which learns from a split must not see; splits with the same ones once."""
    splits: dict[frozenset[str], Evaluated] = {}
    unchecked = []
    for one, split in evaluation_splits(task, learnt, clear_of):
        name, questions = f"{one.name} {split}", read(one, split)
        if questions is None:
            unchecked.append(name)
            continue
        keys = frozenset(questions) - {""}
        before = splits.get(keys)
        splits[keys] = (
            Evaluated(name, keys) if before is None else Evaluated(before.name, keys, (*before.same, name))
        )
    return EvaluationQuestions(tuple(splits.values()), tuple(unchecked))


@dataclass(frozen=True, slots=True)
class Shared:
    """Examples of a split whose questions are in a split that models are evaluated on."""

    learnt: str
    evaluated: str
    items: int
    """Examples of the first with a question of the second."""
    of: int
    """Examples of the first."""
    covered: int
    """Different questions of the second that are in the first, and how many it has."""
    questions: int


def shared_questions(tasks: Sequence[AnyTask], data: Data) -> Iterator[Shared]:
    """Every split of the tasks that is here against all evaluation splits that a model trained on it may meet.

    Splits with the same questions are counted once. Parts of one data set that are evaluated on together, such as
    the test parts of a fold in several tasks, have questions in common by design.
    """
    read = reader(data)
    seen: set[tuple[frozenset[str], frozenset[str], int]] = set()
    for task in tasks:
        if task.questions is None:
            continue
        for split in task.data.splits:
            keys = read(task, split)
            if keys is None:
                continue
            others = [
                (one, other)
                for one, other in evaluation_splits(task, split)
                if (one.source, other) != (task.source, split)
            ]
            for one, other in others:
                questions = frozenset(read(one, other) or ()) - {""}
                mark = (frozenset(keys), questions, len(keys))
                common = questions.intersection(keys)
                if not common or mark in seen:
                    continue
                seen.add(mark)
                items = sum(key in common for key in keys)
                yield Shared(
                    f"{task.name} {split}", f"{one.name} {other}", items, len(keys), len(common), len(questions)
                )
