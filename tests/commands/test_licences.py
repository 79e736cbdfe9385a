"""`whence models calibrate`, and what `whence score` prints of models that are, or are not, calibrated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.formats.records import format_record
from whence.models.calibration import Calibration, ControlFigure, save_calibration
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import samples


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gold as predictions; the folder of weights is empty."""
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "weights"))
    task = TASKS["explagraphs"]
    lines = [format_record(Prediction(e.id, e.golds[0]), task.form) for e in samples(task).examples]
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.skipif(not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder")
def test_seca_of_the_shipped_model_is_refused_with_its_figures(
    run: Run, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WHENCE_MODELS")
    words = ("score", "explagraphs", answers, "--gold", "samples", "--seca", "embedded")
    found = json.loads(run(*words, "--json").out)["scores"]["SeCA"]
    assert found["value"] is None
    assert found["note"] == (
        "no licence: gold gets SeCA 0.269, and should get 0.75 (perturbed 0.168, perturbed 0.219, random 0.121) "
        "(dev, 398 items); --uncalibrated prints it with this warning"
    )
    printed = run(*words)
    assert printed.code == 0
    assert "no licence" in printed.out


def test_uncalibrated_figures_carry_the_warning_everywhere(run: Run, answers: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("score", "explagraphs", answers, "--gold", "samples", "--similarity", "tokf1", "--uncalibrated")
    found = json.loads(run(*words, "--json", "--html", page).out)
    assert found["scores"]["G-BS"]["value"] == 1
    assert "WARNING, no licence: gold gets G-BS" in found["scores"]["G-BS"]["note"]
    assert "similarity_licence:none" in found["signature"]
    assert "WARNING, no licence" in page.read_text(encoding="utf-8")
    assert "WARNING" in run(*words).out


def test_a_model_of_ones_own_is_calibrated_beside_it(
    run: Run, answers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a calibration it measures nothing; with a good one its figures have no warning."""
    from whence.metrics.similarity import PairwiseSimilarity, token_f1

    folder = tmp_path / "mine"
    folder.mkdir()
    own = PairwiseSimilarity("mine@1", token_f1)
    for module in ("whence.models.similarity", "whence.pipeline.calibrate"):
        monkeypatch.setattr(f"{module}.similarity_named", lambda _: own)
    words = ("score", "explagraphs", answers, "--gold", "samples", "--similarity", folder)
    note = json.loads(run(*words, "--json").out)["scores"]["G-BS"]["note"]
    assert f"{folder} has no calibration: run whence models calibrate explagraphs G-BS --model {folder}" in note

    outcome = run("models", "calibrate", "explagraphs", "G-BS", "--model", folder, "--gold", "samples")
    assert outcome.code == 1  # words in common do not tell a negation
    assert "every relation negated" in outcome.out and "no licence: gold gets G-BS" in outcome.out
    document = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))
    (entry,) = document["calibrations"]
    assert (entry["model"], entry["n"], entry["gold"], entry["metric"]) == ("mine@1", 20, "samples", "G-BS")
    assert str(tmp_path) not in json.dumps(document)
    assert "has no calibration" not in run(*words).out

    good = Calibration(
        "argument_graphs",
        "G-BS",
        "mine@1",
        "explagraphs",
        "dev",
        "0" * 12,
        20,
        0,
        "2026-11-18",
        "0",
        (ControlFigure("gold", "gold", 0.9), ControlFigure("random", "words", 0.1, 0.99)),
    )
    save_calibration(folder / "calibration.json", good)
    found = json.loads(run(*words, "--json").out)
    assert found["scores"]["G-BS"]["note"] == "with mine@1"
    assert "licence" not in found["signature"]


def test_a_calibration_of_a_shipped_model_goes_to_the_folder_of_weights(run: Run, answers: Path) -> None:
    outcome = run("models", "calibrate", "anlg", "bertscore", "--model", "tokf1", "--gold", "samples", "--json")
    found = json.loads(outcome.out)
    assert (outcome.code, found["licensed"]) == (1, False)
    assert Path(found["file"]) == models_folder() / "calibrations" / "similarity.tokf1" / "calibration.json"
    assert {one["kind"] for one in found["figures"]} == {"gold", "perturbed", "random"}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("explagraphs", "SA"), "it has SeCA, EA, G-BS"),
        (("worldtree", "NDCG"), "it has none"),
        (("explagraphs", "G-BS", "--model", "nothing"), "there is no similarity 'nothing'"),
        (("explagraphs", "SeCA", "--model", "nothing", "--gold", "samples"), "no such folder"),
        (("nothing", "SeCA"), "nothing"),
    ],
)
def test_wrong_use_is_one_clear_line(run: Run, answers: Path, words: tuple[str, ...], part: str) -> None:
    assert_one_clear_line(run("models", "calibrate", *words, "--gold", "samples"), part)
