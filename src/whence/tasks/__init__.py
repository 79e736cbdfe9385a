"""The tasks, by name, and what is counted of their data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from whence.errors import UsageError
from whence.tasks import abduction, argument_graphs, dialogue_triplets, entailment_trees, ranked_facts
from whence.tasks.abduction.statistics import art, atomic
from whence.tasks.argument_graphs.statistics import conceptnet, explagraphs
from whence.tasks.dialogue_triplets.statistics import cider
from whence.tasks.entailment_trees.statistics import challenge300, entailmentbank, eqasc
from whence.tasks.ranked_facts.statistics import cosata, worldtree
from whence.tasks.statistics import StatisticsTable
from whence.tasks.task import AnyTask

_FOLDERS = (argument_graphs, ranked_facts, dialogue_triplets, abduction, entailment_trees)

TASKS: dict[str, AnyTask] = {task.name: task for folder in _FOLDERS for task in folder.TASKS}

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
