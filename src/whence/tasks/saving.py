"""Examples and predictions written to files, in our own form, in rows, or as they are published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from whence.errors import UsageError
from whence.files import dump_json, write_lines
from whence.formats import records
from whence.formats.parquet import SUFFIX, write_parquet
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.task import AnyTask

Form = Literal["whence", "published", "rows"]


def form_for(path: Path, asked: Form | None = None) -> Form:
    """The form that was asked for; without one, rows in a Parquet file and our own form elsewhere."""
    if path.suffix == SUFFIX and asked not in (None, "rows"):
        raise UsageError(f"{path}: a Parquet file holds rows, so leave out --to {asked}")
    return asked or ("rows" if path.suffix == SUFFIX else "whence")


def write_records(path: Path, task: AnyTask, given: AnyDataset | Predictions[Any], form: Form) -> None:
    """Writes the file, all or nothing. Rows go to Parquet if the name ends so, else to JSONL."""
    if path.suffix != SUFFIX:
        write_lines(path, lines_of(task, given, form))
        return
    kind: records.Kind = "prediction" if isinstance(given, Predictions) else "example"
    rows = (records.format_row(one, task.form) for one in _records(given))
    write_parquet(path, rows, records.record_type(task.form, kind))


def lines_of(task: AnyTask, given: AnyDataset | Predictions[Any], form: Form) -> Iterable[str]:
    """The lines of a text file."""
    if form == "published":
        if isinstance(given, Predictions):
            raise UsageError("predictions are written in our own form or as rows, not in the published form")
        return task.data.write(given)
    if form == "rows":
        return (dump_json(records.format_row(one, task.form)) for one in _records(given))
    return (records.format_record(one, task.form) for one in _records(given))


def _records(given: AnyDataset | Predictions[Any]) -> Sequence[Any]:
    return given.predictions if isinstance(given, Predictions) else given.examples
