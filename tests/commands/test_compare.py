"""`whence compare` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line
from tests.web.workbench.runs import write_run


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, Path]:
    shares = {"careful": 0.0, "hasty": 0.6, "hastier": 0.8}
    return {name: write_run(tmp_path / name, "explagraphs", share, 1) for name, share in shares.items()}


def test_runs_say_their_task_and_examples(run: Run, runs: dict[str, Path]) -> None:
    outcome = run("compare", *runs.values(), "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert list(found["systems"]) == ["careful", "hasty", "hastier"]
    assert found["systems"]["careful"]["scores"]["SA"]["best"]
    assert len(found["tests"]) == 3 * len(found["metrics"])
    assert found["signature"].startswith("whence:")


def test_files_and_runs_together_under_names(run: Run, runs: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_bytes((runs["careful"] / "predictions.jsonl").read_bytes())
    words = ("compare", "explagraphs", file, f"a name={runs['hasty']}", "--gold", "samples", "--metric", "SA")
    outcome = run(*words)
    assert outcome.code == 0, outcome.err
    assert "mine" in outcome.out and "a name" in outcome.out and "McNemar" in outcome.out
    assert "GED" not in outcome.out


def test_tables_are_written(run: Run, runs: dict[str, Path], tmp_path: Path) -> None:
    files = {option: tmp_path / f"table{option}" for option in ("--latex", "--csv", "--markdown")}
    options = [word for pair in files.items() for word in pair]
    outcome = run("compare", *runs.values(), *options)
    assert outcome.code == 0, outcome.err
    assert "\\toprule" in files["--latex"].read_text()
    names = {line.split(",")[1] for line in files["--csv"].read_text().splitlines()[1:]}
    assert names >= {"SA", "StCA", "G-BLEU", "G-ROUGE", "GED"}
    assert len(files["--csv"].read_text().splitlines()) == 1 + 3 * len(names)
    assert "**1.000**" in files["--markdown"].read_text()
    assert outcome.out.count("written: ") == 3


def test_a_folder_whose_name_has_an_equals_sign_is_a_folder(run: Run, tmp_path: Path) -> None:
    odd = [write_run(tmp_path / name, "explagraphs", 0.5, seed) for seed, name in enumerate(("epochs=3", "b"))]
    found = json.loads(run("compare", *odd, "--json").out)
    assert list(found["systems"]) == ["epochs=3", "b"]


def test_unread_and_missing_answers_are_told(run: Run, runs: dict[str, Path], tmp_path: Path) -> None:
    lines = (runs["careful"] / "predictions.jsonl").read_text().splitlines()
    short = tmp_path / "short.jsonl"
    short.write_text("\n".join(lines[3:]) + "\n")
    words = ("compare", "explagraphs", short, runs["hasty"], "--gold", "samples")
    assert_one_clear_line(run(*words), "short: examples without a prediction: 3", "--lenient")
    outcome = run(*words, "--lenient")
    assert "note: short: 3 missing of 20 answers, counted as wrong" in outcome.out


@pytest.mark.parametrize(
    "words, said",
    [
        (["explagraphs"], "at least two systems"),
        (["explagraphs", "nothing.tsv", "none.tsv", "--gold", "samples"], "nothing.tsv: no such file"),
        (["{careful}", "{careful}"], "two systems are named 'careful'"),
        (["explagraphs", "{file}", "x={file}"], "--gold"),
        (["{file}", "{careful}"], "neither a task nor a run folder"),
        (["entailmentbank-1", "{careful}", "{hasty}"], "careful is a run of explagraphs, not of entailmentbank-1"),
        (["{careful}", "{hasty}", "--metric", "charm"], "there is no metric 'charm'"),
        (["{careful}", "{hasty}", "--step", "embedded"], "no metric that uses --step"),
        (["{careful}", "{trees}"], "not of one task"),
    ],
)
def test_wrong_use(run: Run, runs: dict[str, Path], tmp_path: Path, words: list[str], said: str) -> None:
    trees = write_run(tmp_path / "trees", "entailmentbank-2", 0.5)
    file = runs["careful"] / "predictions.jsonl"
    assert_one_clear_line(run("compare", *(word.format(file=file, trees=trees, **runs) for word in words)), said)
