"""Shortlists of facts to be rated, from what several rankers put first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import read_json, write_lines
from whence.formats import records
from whence.pipeline.runs import PREDICTIONS, RUN
from whence.structures.facts import Ranking
from whence.tasks import task_named
from whence.tasks.ranked_facts.shortlists import shortlisted, size_table
from whence.tasks.statistics import StatisticsTable
from whence.tasks.task import load, read_answers

TASK = "worldtree"


def write_shortlists(runs: Sequence[Path], path: Path, most: int, data: Callable[[], Path]) -> StatisticsTable:
    """Writes every question of a split with the facts to be rated, in our own form; and says how many they are."""
    if most < 1:
        raise UsageError(f"a shortlist has at least one fact of each ranker, not {most}")
    abouts = [_about(run) for run in runs]
    splits = {about["split"] for about in abouts}
    if len(splits) > 1:
        raise UsageError(f"the runs are on different splits: {', '.join(sorted(splits))}")
    task = task_named(TASK)
    dataset = load(task, abouts[0]["split"], data)
    rankings = []
    for run in runs:
        answers = read_answers(task, run / PREDICTIONS, dataset).predictions
        found = {one.id: one.explanation for one in answers if isinstance(one.explanation, Ranking)}
        if not found:
            raise UsageError(f"{run} has no rankings: take runs of models that rank facts")
        rankings.append(found)
    examples = shortlisted(dataset, rankings, most)
    write_lines(path, (records.format_record(example, task.form) for example in examples))
    return size_table(examples, rankings)


def _about(run: Path) -> dict[str, str]:
    if not (run / RUN).is_file() or not (run / PREDICTIONS).is_file():
        raise MissingDataError(f"{run}: no run there ({RUN}, {PREDICTIONS}); `whence predict` makes one")
    about: dict[str, str] = read_json(run / RUN)
    if about["task"] != TASK:
        raise UsageError(f"{run} is a run of {quoted(about['task'])}; shortlists are of {TASK}'s facts")
    return about
