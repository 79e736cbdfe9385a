"""Explanations made by a method, of one example or of a split: `run.json -> predictions.jsonl -> scores.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from whence import __version__
from whence.engine import SERIAL, Do, Engine, whole_chunks
from whence.errors import DataError
from whence.files import dump_json, parse_json_object, write_lines, write_text
from whence.formats import records
from whence.metrics.metric import Scores
from whence.models.generators import Usage
from whence.models.learners import checked_settings
from whence.models.verifier.choice import READER, verifier_named
from whence.models.verifier.entailment import Verifier
from whence.pipeline.contamination import models_of, said_of_run, seen_in_training
from whence.pipeline.coverage import has_verdicts, supported_items
from whence.pipeline.floors import bounds_of
from whence.pipeline.mending import before_mending, mended_count
from whence.pipeline.runs import PREDICTIONS, SCORES, Run, begin_run, measurements, whole_lines
from whence.pipeline.score import score
from whence.progress import Report, unreported, within_chunk
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction, Problem
from whence.tasks import method_named, task_named
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.loading import load
from whence.tasks.method import Explained, Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask
from whence.tasks.verification import VerifiedExplainer

REASONS = "reasons.jsonl"
_CHUNK = 32  # examples between two saves
_UNANSWERED = "unanswered"


def explainer(task: str, method: str, given: Mapping[str, Any], setup: Setup) -> VerifiedExplainer:
    """A method of a task, made ready with the settings that are given; what it makes is judged."""
    chosen = method_named(task, method)
    maker = chosen.make(checked_settings(chosen.name, chosen.settings, given), setup)
    return VerifiedExplainer(task_named(task), maker, setup)


def explain_split(
    task: str,
    method: str,
    given: Mapping[str, Any],
    where: str,
    folder: Path,
    data: Callable[[], Path],
    report: Report = unreported,
    engine: Engine = SERIAL,
    verifier: str = READER,
) -> Run:
    """Explains every example of a split and scores the explanations. What an interrupted run had done is kept."""
    chosen, dataset = task_named(task), load(task_named(task), where, data)
    judge = verifier_named(verifier)
    maker = explainer(task, method, given, Setup(data, dataset.facts, report, judge))
    way = method_named(task, method)
    models = models_of(way, checked_settings(way.name, way.settings, given))
    about = {
        "whence": __version__,
        "task": task,
        "method": method,
        "settings": dict(given),
        "split": where,
        "verifier": verifier,
        "model": maker.name,
        "items": len(dataset.examples),
        **said_of_run(seen_in_training(models, dataset, chosen, where, data)),
    }
    begin_run(folder, about)
    done = _read_done(folder, chosen, dataset)
    total, todo = len(dataset.examples), list(_chunks(done, len(dataset.examples)))
    parts = [[dataset.examples[place] for place in places] for places in todo]
    make = partial(_explaining, task, method, given, data, dataset.facts, judge)
    results = engine.map(
        (lambda: maker.explain) if engine is SERIAL else make,
        parts,
        within_chunk(report, lambda: len(done), _CHUNK, total),
    )
    with closing(results):
        for places, chunk, found in zip(todo, parts, results, strict=True):
            _save(folder, chosen, done, places, list(map(_done, chunk, found)))
            report("explaining", len(done), total)
            if all(one.unanswered for one in found):  # nobody is there: the others are not asked
                rest, none = dataset.examples[len(done) :], Explained(None, unanswered=found[-1].unanswered)
                _save(folder, chosen, done, (), [_done(example, none) for example in rest])
                break
    return _finished(folder, about, chosen, dataset, [one.prediction for one in done], _usage(done))


def _explaining(
    task: str,
    method: str,
    given: Mapping[str, Any],
    data: Callable[[], Path],
    facts: Mapping[str, Fact],
    verifier: Callable[[], Verifier],
) -> Do[Sequence[Example[Any, Any]], list[Explained]]:
    return explainer(task, method, given, Setup(data, facts, verifier=verifier)).explain


def run_explanations(run: Run, task: AnyTask) -> list[Prediction[Any]]:
    """The explanations of a run."""
    return whole_lines(
        run.folder / PREDICTIONS, lambda line: records.parse_prediction(line, task.form), "an answer"
    )


def finish_explanations(
    folder: Path, about: Mapping[str, Any], task: AnyTask, dataset: AnyDataset, answers: Sequence[Prediction[Any]]
) -> Run:
    """Writes explanations that were made elsewhere, and scores them."""
    write_lines(folder / PREDICTIONS, (records.format_record(answer, task.form) for answer in answers))
    return _finished(folder, about, task, dataset, answers)


def _finished(
    folder: Path,
    about: Mapping[str, Any],
    task: AnyTask,
    dataset: AnyDataset,
    answers: Sequence[Prediction[Any]],
    usage: Usage | None = None,
) -> Run:
    bounds = bounds_of(task, dataset, ScoringOptions())
    measured = measurements(explained_scores(task, dataset, answers), len(answers), bounds)
    write_text(folder / SCORES, dump_json({m.name: asdict(m) for m in measured}) + "\n")
    failures = tuple(answer for answer in answers if answer.explanation is None)
    broken = sum(answer.explanation is not None and bool(answer.problems) for answer in answers)
    mended = mended_count(answers)
    as_given = [one for one in before_mending(answers) if one is not None] if mended else []
    before = measurements(explained_scores(task, dataset, as_given), len(answers)) if mended else ()
    supported = int(supported_items(answers).sum()) if has_verdicts(answers) else None
    return Run(folder, about, measured, failures, usage, broken, mended, before, supported)


@dataclass(frozen=True, slots=True)
class _Done:
    """An example that was explained: a line of either file."""

    prediction: Prediction[Any]
    told: Mapping[str, Any]


def is_unanswered(prediction: Prediction[Any]) -> bool:
    """Whether there is no explanation because nothing answered: then it is asked for again."""
    return prediction.explanation is None and any(one.rule == _UNANSWERED for one in prediction.problems)


def _done(example: Example[Any, Any], found: Explained) -> _Done:
    problems = found.problems
    if found.unanswered:
        problems = (Problem(_UNANSWERED, "", found.unanswered),)
    told: dict[str, Any] = {
        "id": example.id,
        "reasons": [asdict(reason) for reason in found.reasons],
        "refused": [asdict(reason) for reason in found.refused],
    }
    if found.usage is not None:
        told["usage"] = asdict(found.usage)
    if found.parts:
        told["parts"] = [asdict(part) for part in found.parts]
    is_mended = found.explanation is not None and found.said is not None
    prediction = Prediction(
        example.id,
        found.said if found.explanation is None else found.explanation,  # what breaks a rule is scored as it is
        found.raw,
        problems,
        mended=is_mended,
        before=found.said if is_mended else None,
        verdict=found.verdict,
    )
    return _Done(prediction, told)


def _chunks(done: Sequence[_Done], total: int) -> Iterator[Sequence[int]]:
    """Places of examples to explain: those that nothing answered before, then those that were not reached."""
    again = [place for place, one in enumerate(done) if is_unanswered(one.prediction)]
    for places in (again, range(len(done), total)):
        for start in range(0, len(places), _CHUNK):
            yield places[start : start + _CHUNK]


def _save(folder: Path, task: AnyTask, done: list[_Done], places: Sequence[int], fresh: Sequence[_Done]) -> None:
    """Puts what is new where it belongs: after what is done, or in the place of what nothing answered before."""
    if places and places[0] < len(done):
        for place, one in zip(places, fresh, strict=True):
            done[place] = one
        for path, lines in _lines(folder, task, done):
            write_lines(path, lines)
        return
    done += fresh
    for path, lines in _lines(folder, task, fresh):
        with path.open("a", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in lines)


def _lines(folder: Path, task: AnyTask, done: Sequence[_Done]) -> tuple[tuple[Path, list[str]], ...]:
    """Reasons first: a prediction that is there has its reasons."""
    return (
        (folder / REASONS, [dump_json(one.told) for one in done]),
        (folder / PREDICTIONS, [records.format_record(one.prediction, task.form) for one in done]),
    )


def _read_done(folder: Path, task: AnyTask, dataset: AnyDataset) -> list[_Done]:
    """What a run that was stopped left: predictions with their reasons. Lines that were cut off are none."""
    answers = whole_lines(
        folder / PREDICTIONS, lambda line: records.parse_prediction(line, task.form), "a prediction"
    )
    told = whole_lines(folder / REASONS, parse_json_object, "reasons")
    if [one.id for one in answers] != [example.id for example in dataset.examples[: len(answers)]]:
        raise DataError(folder / PREDICTIONS, expected="answers to the examples of this split", found="others")
    if [one.id for one in answers] != [one.get("id") for one in told[: len(answers)]]:
        raise DataError(folder / REASONS, expected=f"the reasons of {PREDICTIONS}, in order", found="others")
    done = [_Done(one, why) for one, why in zip(answers, told, strict=False)]
    done = whole_chunks(done, _CHUNK, len(dataset.examples))
    for path, lines in _lines(folder, task, done):
        if path.is_file():
            write_lines(path, lines)
    return done


def _usage(done: Sequence[_Done]) -> Usage | None:
    """What a generator was asked for in all; None if none was."""
    parts = [TypeAdapter(Usage).validate_python(one.told["usage"]) for one in done if "usage" in one.told]
    return sum(parts, Usage()) if parts else None


def explained_scores(task: AnyTask, dataset: AnyDataset, answers: Sequence[Prediction[Any]]) -> Sequence[Scores]:
    """The task's own figures; none where the answers are hidden."""
    if not any(example.golds for example in dataset.examples):
        return []
    return score(task, dataset, Predictions(tuple(answers), ()), ScoringOptions(), samples=100).scores


def why_none(explained: Explained) -> list[str]:
    """Why a method made no explanation."""
    lines = [line for line in (explained.unanswered, *explained.missing) if line]
    lines = lines or [line for reason in explained.refused for line in reason.because]
    return list(dict.fromkeys(lines)) or ["nothing was found"]
