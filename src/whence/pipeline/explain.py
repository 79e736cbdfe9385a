"""Explanations made by a method, of one example or of a split: `run.json -> predictions.jsonl -> scores.json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence import __version__
from whence.errors import DataError, UsageError
from whence.files import dump_json, write_lines, write_text
from whence.formats import records
from whence.metrics.metric import Scores
from whence.metrics.significance import bootstrap_weights, interval
from whence.models.learners import Report, checked_settings, unreported
from whence.pipeline.runs import PREDICTIONS, SCORES, Run, begin_run, further, whole_lines
from whence.pipeline.score import score
from whence.structures.results import Example, Measurement, Prediction
from whence.tasks import method_named, task_named
from whence.tasks.explainers import Explained, Explainer, Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyDataset, AnyTask, Predictions, load

REASONS = "reasons.jsonl"
_CHUNK = 32  # examples between two saves


def explainer(task: str, method: str, given: Mapping[str, Any], setup: Setup) -> Explainer:
    """A method of a task, made ready with the settings that are given."""
    found = method_named(task, method)
    return found.make(checked_settings(found.name, found.settings, given), setup)


def explain_split(
    task: str,
    method: str,
    given: Mapping[str, Any],
    where: str,
    folder: Path,
    data: Callable[[], Path],
    report: Report = unreported,
) -> Run:
    """Explains every example of a split and scores the explanations. What an interrupted run had done is kept."""
    chosen, dataset = task_named(task), load(task_named(task), where, data)
    maker = explainer(task, method, given, Setup(data, dataset.facts, report))
    about = {
        "whence": __version__,
        "task": task,
        "method": method,
        "settings": dict(given),
        "split": where,
        "model": maker.name,
        "items": len(dataset.examples),
    }
    begin_run(folder, about)
    done = _read_predictions(folder / PREDICTIONS, chosen)
    if [one.id for one in done] != [example.id for example in dataset.examples[: len(done)]]:
        raise DataError(folder / PREDICTIONS, expected="answers to the examples of this split", found="others")
    for start in range(len(done), len(dataset.examples), _CHUNK):
        chunk = dataset.examples[start : start + _CHUNK]
        found = maker.explain(chunk, further(report, start, len(dataset.examples)))
        _append(folder, chosen, chunk, found)
        done += [_prediction(example, one) for example, one in zip(chunk, found, strict=True)]
        report("explaining", len(done), len(dataset.examples))
    measured = measurements(explained_scores(chosen, dataset, done), len(done))
    write_text(folder / SCORES, dump_json({m.name: asdict(m) for m in measured}) + "\n")
    return Run(folder, about, measured)


def explained_scores(task: AnyTask, dataset: AnyDataset, answers: Sequence[Prediction[Any]]) -> Sequence[Scores]:
    """The task's own figures; none where the answers are hidden."""
    if not any(example.golds for example in dataset.examples):
        return []
    return score(task, dataset, Predictions(tuple(answers), ()), ScoringOptions(), samples=100).scores


def measurements(found: Sequence[Scores], items: int) -> tuple[Measurement, ...]:
    """Figures with their intervals."""
    weights, made = bootstrap_weights(items), []
    for scores in found:
        if (value := scores.figure()) is not None:
            low, high = interval(scores, weights)
            known = int(scores.known.sum())
            made.append(Measurement(scores.metric.name, value, known, items - known, low, high))
    return tuple(made)


def _prediction(example: Example[Any, Any], found: Explained) -> Prediction[Any]:
    return Prediction(example.id, found.explanation)


def _append(
    folder: Path, task: AnyTask, examples: Sequence[Example[Any, Any]], found: Sequence[Explained]
) -> None:
    """Reasons first: a prediction that is there has its reasons."""
    pairs = list(zip(examples, found, strict=True))
    with (folder / REASONS).open("a", encoding="utf-8") as stream:
        for example, one in pairs:
            told = {"id": example.id, "reasons": [asdict(reason) for reason in one.reasons]}
            told["refused"] = [asdict(reason) for reason in one.refused]
            stream.write(f"{dump_json(told)}\n")
    with (folder / PREDICTIONS).open("a", encoding="utf-8") as stream:
        for example, one in pairs:
            stream.write(f"{records.format_record(_prediction(example, one), task.form)}\n")


def _read_predictions(path: Path, task: AnyTask) -> list[Prediction[Any]]:
    """Those of a file; a last line that was cut off is not one."""
    found = whole_lines(path, lambda line: records.parse_prediction(line, task.form), "a prediction")
    if found:
        write_lines(path, (records.format_record(one, task.form) for one in found))
    return found


def require_explanation(found: Explained) -> Any:
    """The explanation, if there is one."""
    if found.explanation is None:
        reasons = "; ".join(line for reason in found.refused for line in reason.because)
        raise UsageError(f"no explanation could be made: {reasons or 'nothing was found'}")
    return found.explanation
