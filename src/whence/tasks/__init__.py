"""The tasks, by name, and what is counted of their data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from whence.errors import UsageError, quoted
from whence.tasks import abduction, argument_graphs, dialogue_triplets, entailment_trees, ranked_facts
from whence.tasks.abduction.statistics import art, atomic
from whence.tasks.argument_graphs.statistics import conceptnet, explagraphs
from whence.tasks.dialogue_triplets.statistics import cider
from whence.tasks.entailment_trees.statistics import challenge300, entailmentbank, eqasc
from whence.tasks.explainers import Method
from whence.tasks.heads import Head
from whence.tasks.ranked_facts.statistics import cosata, worldtree
from whence.tasks.statistics import StatisticsTable
from whence.tasks.task import AnyTask
from whence.tasks.typed import Typed, plain_inputs

if TYPE_CHECKING:
    from whence.tasks.prompting import Prompt

_FOLDERS = (argument_graphs, ranked_facts, dialogue_triplets, abduction, entailment_trees)

TASKS: dict[str, AnyTask] = {task.name: task for folder in _FOLDERS for task in folder.TASKS}

_METHOD_MODULES = ("explainers", "prompted", "thoughts")
"""Where a task's folder has its `METHODS`: its own ways, by asking a language model, from a model's thoughts."""

STATISTICS: dict[str, Callable[[Path], Iterator[StatisticsTable]]] = {
    "explagraphs": explagraphs,
    "worldtree": worldtree,
    "cosata": cosata,
    "cider": cider,
    "art": art,
    "entailmentbank": entailmentbank,
    "conceptnet": conceptnet,
    "atomic": atomic,
    "challenge300": challenge300,
    "eqasc": eqasc,
}


def task_named(name: str) -> AnyTask:
    """The task of that name."""
    if name not in TASKS:
        raise UsageError(f"there is no task '{name}'; there are {', '.join(TASKS)}")
    return TASKS[name]


def heads_of(task: str) -> dict[str, Head]:
    """What models can learn to judge about a task, by name; the first is the task itself where one is."""
    heads: dict[str, tuple[Head, ...]] = getattr(_module(task, "heads"), "HEADS", {})
    return {head.name: head for head in heads.get(task, ())}


def head_named(task: str, name: str) -> Head:
    """The head of that name."""
    found = heads_of(task)
    if name not in found:
        raise UsageError(f"{task} has no head {quoted(name)}; it has {', '.join(found) or 'none'}")
    return found[name]


def methods_of(task: str) -> dict[str, Method]:
    """The ways to make explanations of a task, by name; the first is the usual one."""
    found = (_module(task, name) for name in _METHOD_MODULES)
    methods = (method for module in found if module for method in module.METHODS.get(task, ()))
    return {method.name: method for method in methods}


def method_named(task: str, name: str = "") -> Method:
    """The method of that name; without one, the usual one."""
    found = methods_of(task)
    if not found or (name and name not in found):
        wanted = f" {quoted(name)}" if name else ""
        raise UsageError(f"{task} has no method{wanted} to make explanations; it has {', '.join(found) or 'none'}")
    return found[name] if name else next(iter(found.values()))


def typed_inputs(task: str) -> Typed:
    """How what a user types becomes the inputs of a task."""
    found: dict[str, Typed] = getattr(_module(task, "typed"), "TYPED", {})
    return found.get(task) or plain_inputs(task_named(task).inputs)


def prompt_of(task: str) -> Prompt[Any, Any] | None:
    """How a language model is asked for explanations, where its answers can be read from the inputs alone."""
    found: dict[str, Prompt[Any, Any]] = getattr(_module(task, "prompted"), "PROMPTS", {})
    return found.get(task)


def options_of(task: str) -> Callable[[Any], dict[str, str]] | None:
    """Labels with what they stand for, from the inputs of a task that asks for a choice; None for the others."""
    found: dict[str, Callable[[Any], dict[str, str]]] = getattr(_module(task, "options"), "OPTIONS", {})
    return found.get(task)


def _module(task: str, name: str) -> ModuleType | None:
    """A module of the task's folder, if it has one of that name."""
    whole = f"whence.tasks.{task_named(task).folder.name}.{name}"
    return import_module(whole) if find_spec(whole) is not None else None
