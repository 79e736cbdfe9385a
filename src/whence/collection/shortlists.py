"""Facts that a machine offers for a question: the first ones of rankings, and gold ones that none of them has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whence.collection.configuration import Source
from whence.errors import DataError, UsageError
from whence.files import Json
from whence.structures.facts import Fact, FactSet, Ranking
from whence.structures.results import Example
from whence.tasks import TASKS, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.shortlists import Ranked, Shortlists
from whence.tasks.task import AnyTask


def shortlists(
    source: Source,
    examples: Sequence[Example[Any, Any]],
    facts: Mapping[str, Fact],
    folder: Callable[[], Path],
    rankings: Sequence[Path],
) -> dict[str, list[Json]]:
    """For each question the facts that people look at, with their texts (expert-ratings paper, sec. 4)."""
    task, how = _shortlisting(source)
    questions: list[Example[Any, Any]] = [
        Example(example.id, how.question(example.inputs.question, example.inputs.answer)) for example in examples
    ]
    ranked: list[Ranked]
    if rankings:
        ranked, known = _from_files(task, rankings, questions, facts), facts
    else:
        own, ranked_facts = how.rank(questions, source.shortlist, facts, folder)
        ranked, known = [own], {**facts, **ranked_facts}
    found = {}
    for example in examples:
        golds = [use.id for gold in example.golds if isinstance(gold, FactSet) for use in gold.facts if use.gold]
        first = [fact for ranking in ranked for fact in ranking.get(example.id, ())[: source.shortlist]]
        ids = dict.fromkeys((*first, *golds))
        found[example.id] = [{"id": fact, "text": known[fact].text} for fact in ids if fact in known]
    return found


def _shortlisting(source: Source) -> tuple[AnyTask, Shortlists]:
    """The source's own task where it shortlists facts, else the first one that does."""
    named = [task_named(source.task)] if source.task else []
    for task in (*named, *TASKS.values()):
        if task.shortlists is not None:
            return task, task.shortlists()
    raise UsageError("there is no task that shortlists facts")


def _from_files(
    task: AnyTask, rankings: Sequence[Path], questions: Sequence[Example[Any, Any]], facts: Mapping[str, Fact]
) -> list[Ranked]:
    if not facts:
        raise UsageError("rankings name facts by id: the table store must lie beside the questions")
    dataset = Dataset(tuple(questions), tuple(range(1, len(questions) + 1)))
    by_file: list[Ranked] = []
    for path in rankings:
        predictions = task.data.read_predictions(path, dataset).predictions
        ranked = {one.id: one.explanation.ids for one in predictions if isinstance(one.explanation, Ranking)}
        if not any(ranked.values()):
            raise DataError(path, expected="rankings for these questions", found="none")
        by_file.append(ranked)
    return by_file
