"""Checks every explanation of a file against the rules of its task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.checks.rule import Rule, check
from whence.structures.facts import Fact
from whence.structures.results import Example, Problem
from whence.tasks.dataset import AnyDataset, Dataset, Note, Predictions
from whence.tasks.loading import rules_of, unread
from whence.tasks.task import AnyTask


@dataclass(frozen=True, slots=True)
class CheckedItem:
    """One example or prediction: where it stands, and its problems."""

    line: int
    id: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All items that have an explanation, and how many have none."""

    task: str
    protocol: str
    items: tuple[CheckedItem, ...]
    without: int
    notes: tuple[Note, ...]

    @property
    def faulty(self) -> tuple[CheckedItem, ...]:
        """Items with at least one problem."""
        return tuple(item for item in self.items if item.problems)

    @property
    def counts(self) -> Counter[str]:
        """How many problems there are of each rule."""
        return Counter(problem.rule for item in self.items for problem in item.problems)


def check_explanation(
    task: AnyTask, example: Example[Any, Any], explanation: Any, facts: Mapping[str, Fact]
) -> tuple[Problem, ...]:
    """Problems of one explanation of an example, by the official rules."""
    return check(example.inputs, explanation, rules_of(task, "official", Dataset((example,), (1,), facts=facts)))


def check_examples(task: AnyTask, dataset: AnyDataset, protocol: str) -> CheckReport:
    """Checks the gold explanations of examples; where there are several, all of them."""
    rules = rules_of(task, protocol, dataset)
    unreadable = {fault.line: unread("format", fault.error) for fault in dataset.faults}
    items = []
    for example, line in zip(dataset.examples, dataset.lines, strict=True):
        if example.golds or line in unreadable:
            found = [unreadable[line]] if line in unreadable else []
            found += _all_problems(example.inputs, example.golds, rules)
            items.append(CheckedItem(line, example.id, tuple(found)))
    notes = dataset.notes
    repeated = len(dataset.examples) - len({example.id for example in dataset.examples})
    if repeated and not any(note.name == "repeated id" for note in notes):
        notes += (Note("repeated id", repeated, "examples that have the id of an earlier one"),)
    return CheckReport(task.name, protocol, tuple(items), len(dataset.examples) - len(items), notes)


def check_predictions(
    task: AnyTask, predictions: Predictions[Any], gold: AnyDataset, protocol: str
) -> CheckReport:
    """Checks a system's answers; the examples say what they are answers to."""
    rules = rules_of(task, protocol, gold)
    inputs = {example.id: example.inputs for example in gold.examples}
    items = []
    unknown = 0
    for prediction, line in zip(predictions.predictions, predictions.lines, strict=True):
        if prediction.id not in inputs:
            unknown += 1
            continue
        found = list(prediction.problems)
        if prediction.explanation is not None:
            found += check(inputs[prediction.id], prediction.explanation, rules)
        elif not found:
            found = [Problem("format", "", "there is no explanation")]
        items.append(CheckedItem(line, prediction.id, tuple(found)))
    without = len(inputs.keys() - {item.id for item in items})
    notes = predictions.notes
    if unknown:
        notes += (Note("unknown id", unknown, "answers to examples that are not in the gold file, left out"),)
    return CheckReport(task.name, protocol, tuple(items), without, notes)


def _all_problems(inputs: Any, golds: tuple[Any, ...], rules: Sequence[Rule[Any, Any]]) -> Iterator[Problem]:
    for number, gold in enumerate(golds):
        place = f"/golds/{number}" if len(golds) > 1 else ""
        for problem in check(inputs, gold, rules):
            yield Problem(problem.rule, f"{place}{problem.where}", problem.message)
