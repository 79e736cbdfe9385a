"""Runs looked at again: their examples, answers and figures, with a value for every item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from whence.errors import UsageError
from whence.metrics.metric import Scores
from whence.pipeline.runs import PREDICTIONS, Run, run_scores
from whence.pipeline.score import Floors, ScoreReport, score, with_contexts
from whence.tasks import head_named, task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import load, read_answers
from whence.tasks.scoring import ScoringOptions

Data = Callable[[], Path]


def subject(run: Run) -> str:
    """What was judged or made: a head by name, or empty for explanations by a method."""
    return str(run.about.get("head", ""))


def answers_task(run: Run) -> bool:
    """Whether the run has answers to its task, and not only verdicts on a part of it."""
    return (run.folder / PREDICTIONS).is_file()


def run_dataset(run: Run, data: Data) -> AnyDataset:
    """The examples that the run is about."""
    task, contexts = task_named(run.about["task"]), run.about.get("contexts")
    dataset = load(task, run.about["split"], data)
    return with_contexts(dataset, load(task, contexts, data)) if contexts else dataset


def run_report(
    run: Run,
    dataset: AnyDataset,
    options: ScoringOptions,
    *,
    by: Sequence[str] = (),
    against: Run | None = None,
    samples: int = 1000,
    floors: Floors = "without models",
) -> ScoreReport:
    """The run scored on its examples, with slices, and compared with another on the same examples."""
    task = task_named(run.about["task"])
    for one in (run, against):
        if one is not None and not answers_task(one):
            raise UsageError(f"{one.folder.name} has verdicts on a part of the task only, no answers to look at")
    answers = read_answers(task, run.folder / PREDICTIONS, dataset)
    others = None if against is None else read_answers(task, against.folder / PREDICTIONS, dataset)
    found = score(
        task, dataset, answers, options, lenient=True, by=by, against=others, samples=samples, floors=floors
    )
    return _only(found, _figures(run) if against is None else _figures(run) or _figures(against))


def _figures(run: Run) -> tuple[str, ...]:
    """The metrics that answers of the run's head are for; empty: all."""
    return head_named(run.about["task"], run.about["head"]).figures if "head" in run.about else ()


def _only(report: ScoreReport, names: Sequence[str]) -> ScoreReport:
    if not names:
        return report
    places = [place for place, found in enumerate(report.scores) if found.metric.name in names]
    return replace(
        report,
        scores=tuple(report.scores[place] for place in places),
        measurements=tuple(report.measurements[place] for place in places),
        comparison=tuple(found for found in report.comparison if found.name in names),
        slices={
            name: tuple(
                replace(part, measurements=tuple(part.measurements[place] for place in places)) for part in parts
            )
            for name, parts in report.slices.items()
        },
        supported=None
        if report.supported is None
        else replace(
            report.supported,
            measurements=tuple(report.supported.measurements[place] for place in places),
        ),
    )


def figures_of(run: Run, dataset: AnyDataset, data: Data, options: ScoringOptions) -> Sequence[Scores]:
    """The figures of any run with a value for every item."""
    return (
        run_report(run, dataset, options, samples=100, floors="none").scores
        if answers_task(run)
        else run_scores(run, data)
    )
