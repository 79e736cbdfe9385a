"""Settings of a method tried one after another, and explanations united."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line, run

from whence.errors import UsageError
from whence.pipeline.combine import combine
from whence.pipeline.explain import explain_split
from whence.pipeline.tune import Trial, best_of, tune
from whence.structures.results import Measurement
from whence.tasks import task_named
from whence.tasks.sources import data_folder

__all__ = ["run"]


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WHENCE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))


def test_more_facts_are_more_complete(tmp_path: Path) -> None:
    trials = tune("worldtree", "facts", "samples", {}, {"count": [1, 4]}, data_folder)
    assert [trial.settings for trial in trials] == [{"count": 1}, {"count": 4}]
    assert trials[0].figure("completeness") < trials[1].figure("completeness")
    whole = explain_split("worldtree", "facts", {"count": 4}, "samples", tmp_path / "run", data_folder)
    assert trials[1].measurements == whole.measurements
    with pytest.raises(UsageError, match="no figure 'x' here; there are"):
        trials[0].figure("x")


def test_the_best_has_less_where_less_is_better() -> None:
    lower = frozenset({"GED"})
    near, far = (
        Trial({"most": most}, (Measurement("GED", distance, 2), Measurement("SA", 0.5, 2)), lower)
        for most, distance in ((4, 0.3), (6, 0.6))
    )
    assert best_of([far, near], "GED") is near
    assert best_of([far, near], "SA") is far  # the first of equal ones


def test_a_run_has_the_figures_that_scoring_it_gives(run: Run, tmp_path: Path) -> None:
    """Percentages as percentages, and the same intervals."""
    folder = tmp_path / "run"
    explained = json.loads(run("predict", "cider-nli", "judged", "samples", "-o", folder, "--json").out)
    predictions = folder / "predictions.jsonl"
    scored = json.loads(run("score", "cider-nli", predictions, "--gold", "samples", "--json").out)
    for name, figure in scored["scores"].items():
        assert {key: explained["scores"][name][key] for key in ("value", "low", "high")} == {
            key: figure[key] for key in ("value", "low", "high")
        }


def test_as_a_command(run: Run) -> None:
    told = json.loads(run("tune", "worldtree", "facts", "samples", "--try", "count=1,2,4", "--json").out)
    best = max(told["trials"], key=lambda trial: trial["scores"]["f1"]["value"])
    assert told["best"] == best["settings"]
    assert_one_clear_line(run("tune", "worldtree", "facts", "samples"), "--try KEY=VALUE")
    assert_one_clear_line(run("tune", "worldtree", "facts", "samples", "--try", "count"), "expected KEY=VALUE")


def test_sets_of_facts_are_united(tmp_path: Path) -> None:
    for count in (1, 4):
        explain_split("worldtree", "facts", {"count": count}, "samples", tmp_path / str(count), data_folder)
    both = combine([tmp_path / "1", tmp_path / "4"], tmp_path / "both", data_folder)
    read = [(tmp_path / name / "predictions.jsonl").read_text(encoding="utf-8") for name in ("4", "both")]
    sets = [
        [{f["id"] for f in json.loads(line)["explanation"]["facts"]} for line in text.splitlines()]
        for text in read
    ]
    assert sets[0] == sets[1]  # the first of four is among the four
    assert {m.name for m in both.measurements} >= {"relevance", "completeness"}
    explain_split("worldtree", "facts", {"count": 1}, str(_some(tmp_path)), tmp_path / "other", data_folder)
    with pytest.raises(UsageError, match="another task or split"):
        combine([tmp_path / "1", tmp_path / "other"], tmp_path / "mixed", data_folder)


def _some(folder: Path) -> Path:
    """A file with two of the samples."""
    lines = task_named("worldtree").data.samples.read_text(encoding="utf-8").splitlines(keepends=True)
    file = folder / "some.jsonl"
    file.write_text("".join(lines[:2]), encoding="utf-8")
    return file
