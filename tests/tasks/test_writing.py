"""Every task's examples and predictions as rows, in JSONL and in Parquet: what is written reads back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whence.errors import DataError, UsageError
from whence.structures.facts import Ranking
from whence.structures.results import Prediction, Problem
from whence.tasks import TASKS
from whence.tasks.dataset import Predictions
from whence.tasks.loading import read_answers, read_dataset, samples
from whence.tasks.saving import form_for, write_records
from whence.tasks.task import AnyTask

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
either_file = pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet"])


def _predictions(task: AnyTask) -> Predictions[Any]:
    known = [Prediction(example.id, example.golds[0], "said") for example in samples(task).examples]
    failed = Prediction(known[0].id, None, "?", (Problem("format", "", "no"),))
    ranked = (
        [Prediction("r", Ranking(("a", "b"))), Prediction("e", Ranking(()))] if task.name == "worldtree" else []
    )
    answers = (failed, *known[1:], *ranked)
    return Predictions(answers, tuple(range(1, len(answers) + 1)))


@every_task
@either_file
def test_examples_read_back(task: AnyTask, name: str, tmp_path: Path) -> None:
    dataset, path = samples(task), tmp_path / name
    write_records(path, task, dataset, "rows")
    assert read_dataset(task, path).examples == dataset.examples


@every_task
@either_file
def test_predictions_read_back(task: AnyTask, name: str, tmp_path: Path) -> None:
    given, path = _predictions(task), tmp_path / name
    write_records(path, task, given, "rows")
    assert read_answers(task, path, samples(task)).predictions == given.predictions


@every_task
def test_every_row_has_every_column(task: AnyTask, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_records(path, task, _predictions(task), "rows")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert {tuple(row) for row in rows} == {
        ("whence", "task", "id", "explanation", "raw", "problems", "mended", "before", "verdict")
    }
    assert len({tuple(row["explanation"]) for row in rows if row["explanation"] is not None}) == 1


@every_task
def test_parquet_has_the_types_of_the_structures_even_where_all_is_empty(task: AnyTask, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    schemas = []
    for name, given in (("all", _predictions(task)), ("none", Predictions((), ()))):
        write_records(tmp_path / f"{name}.parquet", task, given, "rows")
        schemas.append(parquet.read_schema(tmp_path / f"{name}.parquet"))
    assert schemas[0] == schemas[1]


def test_forms_go_with_names() -> None:
    assert form_for(Path("a.parquet")) == "rows"
    assert form_for(Path("a.jsonl")) == "whence"
    with pytest.raises(UsageError, match="holds rows"):
        form_for(Path("a.parquet"), "published")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"meta": {}}, "'meta' as a JSON text"),
        ({"task": "anli"}, "records of the task 'explagraphs'"),
        ({"inputs": {"belief": "b", "argument": None}}, "argument"),
        ({"more": 1}, "/more, which is none"),
    ],
)
def test_bad_rows_are_refused(change: dict[str, Any], part: str, tmp_path: Path) -> None:
    path, task = tmp_path / "rows.jsonl", TASKS["explagraphs"]
    write_records(path, task, samples(task), "rows")
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([*rest, json.dumps(json.loads(first) | change)]))
    with pytest.raises(DataError, match=f"line {len(rest) + 1}.*{part}"):
        read_dataset(task, path)


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(DataError, match="a Parquet file"):
        read_dataset(TASKS["anli"], path)
    parquet.write_table(pyarrow.table({"obs1": ["a"]}), path)
    with pytest.raises(DataError, match=r"line 1: .*'whence'"):
        read_dataset(TASKS["anli"], path)
    parquet.write_table(pyarrow.table({"whence": [b"raw"]}), path)
    with pytest.raises(DataError, match=r"line 1: .*values that JSON has"):
        read_dataset(TASKS["anli"], path)
