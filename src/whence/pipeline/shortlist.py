"""Shortlists of facts to be rated, from what several rankers put first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import read_json, write_lines
from whence.formats import records
from whence.pipeline.runs import PREDICTIONS, RUN
from whence.structures.facts import Ranking
from whence.tasks import TASKS, task_named
from whence.tasks.loading import load, read_answers
from whence.tasks.statistics import StatisticsTable


def write_shortlists(runs: Sequence[Path], path: Path, most: int, data: Callable[[], Path]) -> StatisticsTable:
    """Writes every question of a split with the facts to be rated, in our own form; and says how many they are."""
    if most < 1:
        raise UsageError(f"a shortlist has at least one fact of each ranker, not {most}")
    abouts = [_about(run) for run in runs]
    for name in ("task", "split"):
        values = {about[name] for about in abouts}
        if len(values) > 1:
            raise UsageError(f"the runs are on different {name}s: {', '.join(sorted(values))}")
    task = task_named(abouts[0]["task"])
    if task.shortlists is None:
        rated = ", ".join(name for name, other in TASKS.items() if other.shortlists is not None)
        raise UsageError(f"{runs[0]} is a run of {quoted(task.name)}; facts are shortlisted for {rated}")
    shortlists = task.shortlists()
    dataset = load(task, abouts[0]["split"], data)
    rankings = []
    for run in runs:
        answers = read_answers(task, run / PREDICTIONS, dataset).predictions
        found = {one.id: one.explanation for one in answers if isinstance(one.explanation, Ranking)}
        if not found:
            raise UsageError(f"{run} has no rankings: take runs of models that rank facts")
        rankings.append(found)
    examples = shortlists.choose(dataset, rankings, most)
    write_lines(path, (records.format_record(example, task.form) for example in examples))
    return shortlists.describe(examples, rankings)


def _about(run: Path) -> dict[str, str]:
    if not (run / RUN).is_file() or not (run / PREDICTIONS).is_file():
        raise MissingDataError(f"{run}: no run there ({RUN}, {PREDICTIONS}); `whence predict` makes one")
    about: dict[str, str] = read_json(run / RUN)
    return about
