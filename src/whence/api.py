"""The Python interface in three functions; everything else is in the layers below."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whence.checks.rule import check as _check
from whence.drawing import Diagram
from whence.errors import UsageError
from whence.structures.facts import Fact
from whence.structures.results import Example, Problem
from whence.tasks import task_named
from whence.tasks.sources import data_folder
from whence.tasks.task import AnyDataset, Dataset, locate, require_read, rules_of
from whence.tasks.task import load as _load

_NO_FACTS: Mapping[str, Fact] = {}


def load(task: str, where: str | Path = "samples") -> AnyDataset:
    """The examples of a task: its samples, a published split such as "dev", or a file.

    Published splits are looked for in the folder that `WHENCE_DATA` names.
    """
    chosen = task_named(task)
    path, _ = locate(chosen, str(where), data_folder)
    return require_read(_load(chosen, str(where), data_folder), path)


def check(
    task: str,
    example: Example[Any, Any],
    explanation: Any = None,
    *,
    protocol: str = "official",
    facts: Mapping[str, Fact] = _NO_FACTS,
) -> tuple[Problem, ...]:
    """Problems of an explanation of the example; without one, of its first gold explanation."""
    if explanation is None and not example.golds:
        raise UsageError(f"{example.id} has no gold explanation to check: hand one in")
    rules = rules_of(task_named(task), protocol, Dataset((example,), (1,), facts=facts))
    return _check(example.inputs, example.golds[0] if explanation is None else explanation, rules)


def draw(
    task: str, example: Example[Any, Any], explanation: Any = None, *, facts: Mapping[str, Fact] = _NO_FACTS
) -> Diagram:
    """The example as a picture, which notebooks show; `whence.drawing.to_svg` and `to_text` write it."""
    if explanation is None and example.golds:
        explanation = example.golds[0]
    return task_named(task).diagram(example.inputs, explanation, facts)
