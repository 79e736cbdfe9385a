"""Answers that are names or texts, in the simple forms that every task accepts: one a line, or by id."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

from whence.errors import DataError, quoted
from whence.files import read_csv, read_json, read_lines
from whence.structures.results import Label, Prediction
from whence.tasks.dataset import AnyDataset, Note, Predictions
from whence.tasks.loading import unread

Explanation = TypeVar("Explanation")


def read_answers_by_id_or_line(
    path: Path, gold: AnyDataset, parse: Callable[[str], Explanation]
) -> Predictions[Explanation]:
    """Answers by id, as a JSON object (itself or under `predictions`) or as comma-separated rows with the columns
    `id` (or `video-id`) and `label`; or as lines in the order of the examples.

    An answer that `parse` refuses becomes a problem. Ids that are missing or unknown are counted.
    """
    if path.suffix in (".json", ".csv"):
        answers = _csv_answers(path) if path.suffix == ".csv" else _json_answers(path)
        return _by_id(answers, gold, parse)
    if path.suffix == ".jsonl":
        raise DataError(path, expected="answers by id as JSON or CSV, or one a line", found="JSONL")
    lines = tuple((number, line) for number, line in read_lines(path))
    if len(lines) != len(gold.examples):
        raise DataError(
            path,
            expected=f"{len(gold.examples)} answers, one for each example",
            found=str(len(lines)),
            advice="Rows are matched by their number, so none may be missing.",
        )
    found = (_prediction(example.id, line, parse) for example, (_, line) in zip(gold.examples, lines, strict=True))
    return Predictions(tuple(found), tuple(number for number, _ in lines))


def _json_answers(path: Path) -> dict[str, str]:
    document = read_json(path)
    answers: Any = document.get("predictions", document) if isinstance(document, dict) else document
    if not isinstance(answers, dict) or not all(isinstance(text, str | int) for text in answers.values()):
        raise DataError(path, expected="a JSON object of answers by id", found=quoted(str(document)))
    return {name: str(text) for name, text in answers.items()}


def _csv_answers(path: Path) -> dict[str, str]:
    answers: dict[str, str] = {}
    for number, row in read_csv(path, ("label",)):
        name = row.get("id") or row.get("video-id")
        if not name or name in answers:
            fault = "the same id twice" if name else "no id"
            raise DataError(path, number, expected="the column id or video-id, each id once", found=fault)
        answers[name] = row["label"]
    return answers


def _by_id(
    answers: dict[str, str], gold: AnyDataset, parse: Callable[[str], Explanation]
) -> Predictions[Explanation]:
    known = {example.id for example in gold.examples}
    predictions = tuple(_prediction(name, text, parse) for name, text in answers.items() if name in known)
    return Predictions(
        predictions,
        tuple(range(1, len(predictions) + 1)),
        tuple(_notes(missing=len(known - answers.keys()), unknown=len(answers.keys() - known))),
    )


def _notes(missing: int, unknown: int) -> Iterator[Note]:
    if missing:
        yield Note("missing", missing, "examples without an answer")
    if unknown:
        yield Note("unknown id", unknown, "answers to examples that are not in the gold file, left out")


def _prediction(name: str, text: str, parse: Callable[[str], Explanation]) -> Prediction[Explanation]:
    try:
        return Prediction(name, parse(text), text)
    except DataError as error:
        return Prediction(name, None, text, (unread("format", error),))


def label_among(names: Collection[str]) -> Callable[[str], Label]:
    """A parser of labels that refuses what is none of the names."""

    def parse(text: str) -> Label:
        if text.strip() not in names:
            raise DataError(expected=f"one of {', '.join(names)}", found=quoted(text))
        return Label(text.strip())

    return parse
