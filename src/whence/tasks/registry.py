"""The tasks by name, with what other distributions add to them.

Names come from the metadata of installed distributions; a task is imported when it is asked for, alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from whence import plugins
from whence.errors import UsageError, quoted
from whence.metrics.metric import Scores
from whence.tasks.dataset import AnyDataset
from whence.tasks.form_inputs import FormInputs, plain_inputs
from whence.tasks.head import Head
from whence.tasks.method import Method, TaskMethod
from whence.tasks.scoring import Answers, ScoringOptions, TaskMetrics
from whence.tasks.statistics import StatisticsTable
from whence.tasks.task import AnyTask, Task


class TaskRegistry(Mapping[str, AnyTask]):
    """Every task, by name. A task of another distribution that cannot be used is warned about and left out."""

    def __getitem__(self, name: str) -> AnyTask:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        usable = filter(_is_usable, plugins.registered(plugins.TASKS))
        return iter(sorted(usable, key=lambda name: (_load(name).position, name)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in plugins.registered(plugins.TASKS) and _is_usable(str(name))


@cache
def _load(name: str) -> AnyTask:
    entry = plugins.registered(plugins.TASKS).get(name)
    if entry is None:
        raise KeyError(name)
    task: AnyTask = plugins.load(entry, Task)
    if task.name != name:
        raise UsageError(
            f"the plug-in {plugins.TASKS} '{name}' has a task named '{task.name}': make the two equal"
        )
    return task


def _is_usable(name: str) -> bool:
    try:
        _load(name)
    except UsageError as error:
        plugins.warn(str(error))
        return False
    return True


TASKS: Mapping[str, AnyTask] = TaskRegistry()


def task_named(name: str) -> AnyTask:
    """Give the task of that name."""
    if name not in plugins.registered(plugins.TASKS):
        raise UsageError(f"there is no task '{name}'; there are {', '.join(TASKS)}")
    return TASKS[name]


def families() -> dict[str, list[AnyTask]]:
    """Group the tasks by the kind of explanation that they are about, in order."""
    groups: dict[str, list[AnyTask]] = {}
    for task in TASKS.values():
        groups.setdefault(task.family, []).append(task)
    return groups


def heads_of(task: str) -> dict[str, Head]:
    """List what models can learn of a task, by name; the first is the task itself where one is."""
    return {head.name: head for head in task_named(task).heads()}


def head_named(task: str, name: str) -> Head:
    """Give the head of that name."""
    heads = heads_of(task)
    if name not in heads:
        raise UsageError(f"{task} has no head {quoted(name)}; it has {', '.join(heads) or 'none'}")
    return heads[name]


def methods_of(task: str) -> dict[str, Method]:
    """List the methods of a task, by name: its own, of which the first is the usual one, then plug-ins'."""
    methods = {method.name: method for method in task_named(task).methods()}
    for name, added in plugins.load_all(plugins.METHODS, TaskMethod):
        if added.task != task:
            continue
        if added.method.name in methods:
            plugins.warn(f"the plug-in method '{name}' is not used: {task} has a method {added.method.name}")
        else:
            methods[added.method.name] = added.method
    return methods


def method_named(task: str, name: str = "") -> Method:
    """Give the method of that name; without one, the usual one."""
    methods = methods_of(task)
    if not methods or (name and name not in methods):
        wanted = f" {quoted(name)}" if name else ""
        raise UsageError(
            f"{task} has no method{wanted} to make explanations; it has {', '.join(methods) or 'none'}"
        )
    return methods[name] if name else next(iter(methods.values()))


def added_metrics(task: str) -> Sequence[TaskMetrics]:
    """List the metrics that other distributions add to a task."""
    return [added for _, added in plugins.load_all(plugins.METRICS, TaskMetrics) if added.task == task]


def scores_of(task: AnyTask, dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> tuple[Scores, ...]:
    """Measure a task's own metrics, then those that other distributions add."""
    measured = {one.metric.name: one for one in task.scoring().score(dataset, answers, options)}
    for added in added_metrics(task.name):
        for one in added.score(dataset, answers, options):
            if one.metric.name in measured:
                plugins.warn(f"a metric of a plug-in is not used: {task.name} has one named {one.metric.name}")
            else:
                measured[one.metric.name] = one
    return tuple(measured.values())


def form_inputs(task: AnyTask) -> FormInputs:
    """Tell how what a user types becomes the inputs of a task."""
    return plain_inputs(task.inputs) if task.form_inputs is None else task.form_inputs()


def statistics() -> dict[str, Callable[[Path], Iterator[StatisticsTable]]]:
    """List the tables that can be counted, by the name of the data set."""
    return {name: count for task in TASKS.values() for name, count in task.statistics().items()}


def hardened_tasks() -> list[str]:
    """List the tasks whose questions can be hardened."""
    return [name for name, task in TASKS.items() if task.hardening is not None]
