"""Run folders: `run.json -> verdicts.jsonl -> predictions.jsonl -> scores.json`; each reads only earlier files."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from whence import __version__
from whence.engine import SERIAL, Do, Engine, chunks_of, whole_chunks
from whence.errors import DataError, MissingDataError, UsageError
from whence.files import dump_json, parse_json, read_json, read_lines, write_lines, write_text
from whence.formats import records
from whence.metrics.metric import Scores
from whence.metrics.significance import resamples
from whence.models.generators import Usage
from whence.models.items import AnyItem, Verdict
from whence.models.measures import measured
from whence.models.trained import Model, load_model
from whence.pipeline.contamination import said_of_run, seen_in_training
from whence.pipeline.floors import NO_BOUNDS, Bounds, add_bounds, bounds_of
from whence.pipeline.score import SAMPLES, measure_all, score
from whence.progress import Report, unreported, within_chunk
from whence.structures.results import Measurement, Prediction
from whence.tasks import head_named, task_named
from whence.tasks.dataset import Predictions
from whence.tasks.head import Head, Source, predictions
from whence.tasks.scoring import ScoringOptions

RUN, VERDICTS, PREDICTIONS, SCORES = "run.json", "verdicts.jsonl", "predictions.jsonl", "scores.json"
_CHUNK = 512  # items between two saves
_VERDICT = TypeAdapter(Verdict)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Run:
    """A model's verdicts on a split, with what they are worth."""

    folder: Path
    about: Mapping[str, Any]
    measurements: tuple[Measurement, ...]
    failures: tuple[Prediction[Any], ...] = ()
    """Of a method: what it could not explain, and why."""
    usage: Usage | None = None
    """Of a method that asks a generator: what that took, with what was done before a stop."""
    broken: int = 0
    """Of a method: answers that break a rule, and are scored as they are."""
    mended: int = 0
    """Of a method: answers that were changed so that they keep the rules."""
    before: tuple[Measurement, ...] = ()
    """The figures without that."""
    supported: int | None = None
    """Of a method whose answers are judged: how many follow."""


def predict(
    model: Model,
    lesson: str,
    where: str,
    folder: Path,
    data: Callable[[], Path],
    report: Report = unreported,
    form: str = "",
    engine: Engine = SERIAL,
) -> Run:
    """Judges every item of a split and scores the verdicts. What an interrupted run had done is not done again."""
    task, _, name = lesson.partition("/")
    head = head_named(task, name)
    entry = model.card["lessons"][lesson]
    source = Source(task_named(task), where, data, form or entry["form"], model.card["seed"])
    items = head.items(source)
    judge = model.judge(lesson)
    about = {
        "whence": __version__,
        "task": task,
        "head": name,
        "split": where,
        "form": source.form,
        "model": judge.name,
        "card": dict(model.card),
        "items": len(items),
    }
    if head.examples is not None:
        dataset = head.examples(source)
        about |= said_of_run(seen_in_training([model.folder], dataset, source.task, where, data))
    begin_run(folder, about)
    done = whole_chunks(_read_verdicts(folder / VERDICTS), _CHUNK, len(items))
    if [verdict.id for verdict in done] != [item.id for item in items[: len(done)]]:
        raise DataError(folder / VERDICTS, expected="verdicts on the items of this split", found="others")
    write_lines(folder / VERDICTS, map(_line, done))
    results = engine.map(
        (lambda: judge.judge) if engine is SERIAL else partial(_judging, model.folder.absolute(), lesson),
        chunks_of(items[len(done) :], _CHUNK),
        within_chunk(report, lambda: len(done), _CHUNK, len(items)),
    )
    with closing(results):
        for found in results:
            done += found
            _append(folder / VERDICTS, found)
            report("judging", len(done), len(items))
    return _scored(folder, about, head, source, done)


def _judging(folder: Path, lesson: str) -> Do[Sequence[AnyItem], list[Verdict]]:
    return load_model(folder).judge(lesson).judge


def finish_run(
    folder: Path, about: Mapping[str, Any], head: Head, source: Source, verdicts: Sequence[Verdict]
) -> Run:
    """Writes verdicts on all items of a run that was begun, and scores them."""
    write_lines(folder / VERDICTS, map(_line, verdicts))
    return _scored(folder, about, head, source, verdicts)


def _scored(
    folder: Path, about: Mapping[str, Any], head: Head, source: Source, verdicts: Sequence[Verdict]
) -> Run:
    _write_predictions(folder, head, source, verdicts)
    found = _measure(head, source, head.items(source), verdicts)
    write_text(folder / SCORES, dump_json({m.name: asdict(m) for m in found}) + "\n")
    return Run(folder, about, found)


def read_run(folder: Path) -> Run:
    """The run in a folder."""
    if not (folder / RUN).is_file():
        raise MissingDataError(f"{folder}: no run there (a folder with {RUN}); `whence predict` makes one")
    about = read_json(folder / RUN)
    if not isinstance(about, dict) or not all(isinstance(about.get(key), str) for key in ("task", "split")):
        raise DataError(folder / RUN, expected="a run, with the task and split it is of", found="something else")
    task_named(about["task"])
    try:
        found = TypeAdapter(dict[str, Measurement]).validate_python(read_json(folder / SCORES))
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise DataError(folder / SCORES, expected="figures by name", found=f"something else at {where}") from None
    return Run(folder, about, tuple(found.values()))


def run_scores(run: Run, data: Callable[[], Path]) -> list[Scores]:
    """The figures of a run with a value for every item, for tests that pair them with another run's."""
    head, source = head_named(run.about["task"], run.about["head"]), run_source(run, data)
    return item_scores(head, source, head.items(source), run_verdicts(run))


def run_source(run: Run, data: Callable[[], Path]) -> Source:
    """Where the items of a run come from."""
    about = run.about
    return Source(task_named(about["task"]), about["split"], data, about["form"], about["card"]["seed"])


def run_verdicts(run: Run) -> list[Verdict]:
    """What the model said of the items, in their order."""
    return _read_verdicts(run.folder / VERDICTS)


def item_scores(head: Head, source: Source, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    """The task's own figures where the head answers the task, else those of its shape."""
    if head.answer is None:
        return measured(head.shape, head.labels, items, verdicts)
    dataset = source.dataset()
    answers = Predictions(tuple(predictions(head, dataset, verdicts)), ())
    found = score(source.task, dataset, answers, ScoringOptions(), samples=100).scores
    return [scores for scores in found if not head.figures or scores.metric.name in head.figures]


def _measure(
    head: Head, source: Source, items: Sequence[AnyItem], verdicts: Sequence[Verdict]
) -> tuple[Measurement, ...]:
    if head.answer is None and all(item.gold is None for item in items):
        return ()
    if head.answer is not None and not all(example.golds for example in source.dataset().examples):
        return ()
    bounds = NO_BOUNDS if head.answer is None else bounds_of(source.task, source.dataset(), ScoringOptions())
    return measurements(item_scores(head, source, items, verdicts), len(items), bounds)


def measurements(found: Sequence[Scores], items: int, bounds: Bounds = NO_BOUNDS) -> tuple[Measurement, ...]:
    """The figures that are known, with intervals, floors and ceilings: the very ones that `whence score` gives."""
    weights = resamples(items, SAMPLES)
    figures = add_bounds(measure_all(found, weights), found, bounds, weights)
    return tuple(one for one in figures if one.value is not None)


def begin_run(folder: Path, about: Mapping[str, Any]) -> None:
    """Says in the folder what the run is; one that is there already must be the same."""
    path = folder / RUN
    if path.is_file():
        before = {key: value for key, value in read_json(path).items() if key != "made"}
        if before != about:
            raise UsageError(f"{folder} has another run; name another folder, or delete it")
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_text(path, dump_json({**about, "made": datetime.now(UTC).isoformat(timespec="seconds")}) + "\n")


def _read_verdicts(path: Path) -> list[Verdict]:
    """Those of a file; a last line that was cut off is not one."""
    return whole_lines(path, lambda line: _VERDICT.validate_python(parse_json(line)), "a verdict")


def whole_lines(path: Path, parse: Callable[[str], Value], expected: str) -> list[Value]:
    """What the lines of a file that was being written say; a last line that was cut off says nothing."""
    if not path.is_file():
        return []
    found = []
    for number, line in read_lines(path):
        try:
            found.append(parse(line))
        except (DataError, ValueError):
            if any(True for _ in itertools.islice(read_lines(path), number, None)):
                raise DataError(path, number, expected=expected, found=line[:60]) from None
    return found


def _append(path: Path, verdicts: Iterable[Verdict]) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(f"{_line(verdict)}\n" for verdict in verdicts)


def _line(verdict: Verdict) -> str:
    return dump_json({key: value for key, value in asdict(verdict).items() if value not in ((), [])})


def _write_predictions(folder: Path, head: Head, source: Source, verdicts: Sequence[Verdict]) -> None:
    if head.answer is not None:
        form = source.task.form
        written = predictions(head, source.dataset(), verdicts)
        write_lines(folder / PREDICTIONS, (records.format_record(one, form) for one in written))
