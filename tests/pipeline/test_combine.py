"""Ensembles of runs, on our own samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from whence.commands.application import application
from whence.errors import UsageError
from whence.pipeline.combine import combine
from whence.pipeline.recipes import recipe_named
from whence.pipeline.results import as_markdown, gathered
from whence.pipeline.runs import predict, read_run, run_verdicts
from whence.pipeline.train import train
from whence.progress import unreported
from whence.tasks import task_named
from whence.tasks.sources import data_folder


def _run(folder: Path, task: str, kind: str, seed: int = 0) -> Path:
    recipe = recipe_named(task_named(task), f"small.{kind}", ["split=samples", f"seed={seed}"])
    model = train([recipe], folder / f"{task}-{kind}-{seed}", data_folder)
    where = folder / "runs" / f"{task}-{kind}-{seed}"
    predict(model, model.lesson(task), "samples", where, data_folder)
    return where


def test_an_ensemble_is_a_run_with_figures_and_a_row(tmp_path: Path) -> None:
    runs = [_run(tmp_path, "anli", "random", seed) for seed in range(3)]
    made = combine(runs, tmp_path / "runs" / "three", data_folder)
    assert read_run(made.folder).measurements == made.measurements
    told = [run_verdicts(read_run(run)) for run in (*runs, made.folder)]
    votes = [sum(verdict.probabilities[0] > 0.5 for verdict in own) for own in zip(*told[:3], strict=True)]
    for vote, verdict in zip(votes, told[3], strict=True):
        if vote in (0, 3):  # all agree
            assert verdict.best == (vote == 0)
    assert (made.folder / "predictions.jsonl").is_file()
    page = "\n".join(as_markdown(gathered([tmp_path / "runs"], data_folder, unreported)))
    assert "small.random split=samples seed=0 + small.random split=samples seed=1" in page


def test_runs_on_other_items_are_refused(tmp_path: Path) -> None:
    runs = [_run(tmp_path, "anli", "majority"), _run(tmp_path, "cider-choice", "majority")]
    with pytest.raises(UsageError, match=r"has task cider-choice, .* has anli: an ensemble is of runs"):
        combine(runs, tmp_path / "both", data_folder)
    with pytest.raises(UsageError, match="two runs or more"):
        combine(runs[:1], tmp_path / "both", data_folder)


def test_the_command_prints_figures(tmp_path: Path) -> None:
    runs = [str(_run(tmp_path, "anli", kind)) for kind in ("majority", "random")]
    result = CliRunner().invoke(application, ["combine", *runs, "-o", str(tmp_path / "both")])
    assert result.exit_code == 0, result.output
    assert "accuracy" in result.output
