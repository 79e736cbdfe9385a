"""`whence score` of answers with verdicts, and verifiers as judges of steps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.formats.records import format_record
from whence.models.verifier import choice
from whence.models.verifier.entailment import Entailment, Inference
from whence.models.weights import models_folder
from whence.structures.results import Prediction
from whence.structures.verdict import Verdict
from whence.tasks import TASKS
from whence.tasks.entailment_trees.heads.wrong_steps import premises_text, worded_steps
from whence.tasks.loading import samples

TASK = TASKS["entailmentbank-1"]
STEPS = {
    (premises_text(step.premises), step.conclusion)
    for example in samples(TASK).examples
    for step in worded_steps(example.golds[0], example.inputs)
}


class Knows:
    """Knows the gold steps of the samples by heart."""

    name = "knows@1"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        known = [(*one.premises, one.conclusion) in STEPS for one in inferences]
        return [Entailment(0.9, 0.05, 0.05) if one else Entailment(0.1, 0.4, 0.5) for one in known]


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gold with verdicts, of which the first four follow; the folder of weights is empty."""
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "weights"))
    monkeypatch.setitem(choice.VERIFIERS, "reader", Knows)  # type: ignore[arg-type]
    path = tmp_path / "predictions.jsonl"
    verdicts = [Verdict("follows" if index < 4 else "unknown", 0.8, "knows@1") for index in range(10)]
    lines = [
        format_record(Prediction(example.id, example.golds[0], verdict=verdict), TASK.form)
        for example, verdict in zip(samples(TASK).examples, verdicts, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_coverage_and_the_supported_alone_are_printed(run: Run, answers: Path) -> None:
    words = ("score", "entailmentbank-1", answers, "--gold", "samples")
    out = run(*words).out
    assert "verdicts: 4 of 10 answers follow (coverage 0.4000, 95% interval 0.1" in out
    assert "the 4 supported answers alone" in out
    supported = json.loads(run(*words, "--json").out)["supported"]
    assert (supported["coverage"], supported["n"]) == (0.4, 4)
    assert supported["scores"]["steps.f1"]["n"] == 4


def test_a_verdict_stands_above_its_drawing(run: Run, answers: Path) -> None:
    words = ("show", "entailmentbank-1", answers, "--gold", "samples")
    assert "verdict: \N{CHECK MARK} follows (0.80), judged by knows@1" in run(*words).out
    assert "verdict: ? unknown (0.80)" in run(*words, "-n", 5).out


@pytest.mark.parametrize(
    "verdict",
    [
        {"label": "maybe", "probability": 0.5, "judge": "x"},
        {"label": "follows", "probability": 7, "judge": "x"},
        {"label": "follows"},
        "follows",
    ],
)
def test_a_verdict_that_is_none_is_left_out_and_counted(verdict: object, run: Run, answers: Path) -> None:
    first, *rest = answers.read_text(encoding="utf-8").splitlines()
    line = json.dumps(json.loads(first) | {"verdict": verdict})
    answers.write_text("\n".join([line, *rest]) + "\n", encoding="utf-8")
    found = json.loads(run("score", "entailmentbank-1", answers, "--gold", "samples", "--json").out)
    assert (found["read"], found["supported"]["n"]) == (10, 3)
    assert [(note["name"], note["count"]) for note in found["notes"]] == [("verdicts", 1)]


def test_a_verifier_judges_steps_once_it_has_a_licence(run: Run, answers: Path) -> None:
    words = ("score", "entailmentbank-1", answers, "--gold", "samples", "--step", "reader", "--json")
    refused = json.loads(run(*words).out)["scores"]["steps.valid"]
    assert refused["value"] is None
    assert "run whence models calibrate entailmentbank-1 steps.valid --model reader" in refused["note"]
    warned = json.loads(run(*words, "--uncalibrated").out)
    assert "WARNING, no licence" in warned["scores"]["steps.valid"]["note"]
    alone = warned["supported"]["scores"]["steps.valid"]["note"]
    assert "WARNING, no licence" in alone and "steps in" not in alone  # steps of all answers are counted

    calibrate = (
        "models",
        "calibrate",
        "entailmentbank-1",
        "steps.valid",
        "--model",
        "reader",
        "--gold",
        "samples",
    )
    outcome = run(*calibrate, "--json")
    found = json.loads(outcome.out)
    assert (outcome.code, found["licensed"], found["model"]) == (0, True, "knows@1")
    assert Path(found["file"]) == models_folder() / "calibrations" / "verifier.reader" / "calibration.json"
    report = json.loads(run(*words).out)
    assert [(note["name"], note["count"]) for note in report["notes"]] == [("same judge", 10)]
    licensed = report["scores"]["steps.valid"]
    assert licensed["value"] == pytest.approx(90)
    assert licensed["note"].startswith("with knows@1; ")


@pytest.mark.parametrize(
    ("option", "part"),
    [
        (("entailmentbank-1", "--step", "readr"), "a classifier is a verifier (reader, large, both), 'embedded'"),
        (("explagraphs", "--seca", "reader"), "a classifier is 'embedded', a trained model or a checkpoint"),
    ],
)
def test_verifiers_judge_steps_only(
    option: tuple[str, str, str], part: str, run: Run, answers: Path, tmp_path: Path
) -> None:
    task, name, model = option
    path = tmp_path / "gold.jsonl"
    chosen = TASKS[task]
    path.write_text(
        "".join(format_record(Prediction(e.id, e.golds[0]), chosen.form) + "\n" for e in samples(chosen).examples),
        encoding="utf-8",
    )
    assert_one_clear_line(run("score", task, path, "--gold", "samples", name, model), part)
