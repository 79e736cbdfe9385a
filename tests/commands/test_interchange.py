"""Tables, logs and forms of other tools, as a user asks for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line


@pytest.mark.parametrize("name", ["rows.parquet", "rows.jsonl"])
def test_rows_there_and_back(name: str, run: Run, tmp_path: Path) -> None:
    path, again, own = tmp_path / name, tmp_path / "again.jsonl", tmp_path / "own.jsonl"
    assert run("data", "convert", "worldtree", "samples", "-o", path, "--to", "rows").code == 0
    assert run("data", "convert", "worldtree", path, "-o", again).code == 0
    assert run("data", "convert", "worldtree", "samples", "-o", own).code == 0
    assert again.read_text() == own.read_text()


def test_log_is_imported_and_scored(run: Run, tmp_path: Path) -> None:
    record = json.loads(run("show", "anli", "--json").out)
    said = {record["id"]: "ANSWER: 1", "other": "2"}
    listed = [{"id": name, "epoch": 1, "input": "", "output": {"completion": text}} for name, text in said.items()]
    log, predictions = tmp_path / "log.json", tmp_path / "predictions.jsonl"
    log.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": listed}))
    outcome = run("data", "convert", "anli", log, "--gold", "samples", "-o", predictions)
    assert "not in the gold file, left out: 1" in outcome.out
    assert "1 predictions written" in outcome.out
    for path in (log, predictions):
        outcome = run("score", "anli", path, "--gold", "samples", "--lenient")
        assert outcome.code == 0
        assert "examples without a prediction, counted as wrong" in outcome.out
    assert_one_clear_line(
        run("data", "convert", "anli", log, "--gold", "samples", "-o", tmp_path / "x", "--to", "published"),
        "not in the published form",
    )


@pytest.mark.parametrize(
    ("form", "start"),
    [("graphml", "<?xml"), ("jsonld", "{"), ("mermaid", "flowchart TD"), ("paper", "support\t(")],
)
def test_show_in_a_form_of_other_tools(form: str, start: str, run: Run) -> None:
    assert run("show", "explagraphs", "--as", form).out.startswith(start)
    if form != "mermaid":
        assert_one_clear_line(run("show", "anlg", "--as", form), "mermaid is one of all")
