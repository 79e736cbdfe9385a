"""`whence score` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.formats.records import format_record
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import samples

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes gold as predictions, with some left out or repeated."""

    def call(task: str, *, drop: int = 0, repeat: int = 0, name: str = "predictions.jsonl") -> Path:
        chosen = TASKS[task]
        examples = samples(chosen).examples
        kept = (*examples[drop:], *examples[:repeat])
        path = tmp_path / name
        path.write_text(
            "".join(format_record(Prediction(e.id, e.golds[0]), chosen.form) + "\n" for e in kept),
            encoding="utf-8",
        )
        return path

    return call


def _json(run: Run, *words: object) -> dict[str, Any]:
    outcome = run("score", *words, "--json")
    assert outcome.code == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def test_one_object_with_all_that_was_promised(run: Run, write: Write) -> None:
    found = _json(run, "explagraphs", write("explagraphs"), "--gold", "samples", "--by", "depth")
    assert set(found) >= {"task", "n", "protocol", "signature", "scores", "problems", "slices"}
    assert set(found["scores"]["SA"]) >= {"value", "low", "high", "n", "missing"}
    assert found["scores"]["SA"]["value"] == 1 and found["scores"]["GED"]["value"] == 0
    assert found["scores"]["SeCA"]["value"] is None and found["scores"]["SeCA"]["missing"] == 20


def test_scales_are_those_of_the_released_evaluators(run: Run, write: Write) -> None:
    words = ("--gold", "samples", "--similarity", "exact", "--uncalibrated")
    found = _json(run, "entailmentbank-1", write("entailmentbank-1"), *words)
    assert found["scores"]["steps.f1"]["value"] == pytest.approx(100)
    assert "similarity:exact" in found["signature"]


def test_figures_have_their_floor_and_ceiling(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")  # wide enough for remarks to be shown whole
    path = write("entailmentbank-1")
    found = _json(run, "entailmentbank-1", path, "--gold", "samples")["scores"]
    steps, leaves = found["steps.f1"], found["leaves.f1"]
    assert (steps["ceiling"], steps["ceiling_by"], steps["above_floor"]) == (pytest.approx(100), "gold", True)
    assert 0 < steps["floor"] < 100 and steps["floor_by"] == "chain"
    assert (leaves["floor"], leaves["floor_by"], leaves["above_floor"]) == (100, "one flat step", False)
    printed = run("score", "entailmentbank-1", path, "--gold", "samples").out
    row = next(line.split() for line in printed.splitlines() if line.split()[:1] == ["leaves.f1"])
    assert " ".join(row) == "leaves.f1 100.00 72.25 to 100.00 100.00 100.00 10 not above its floor"
    assert "all sentences entail the hypothesis in one step" in printed
    without = run("score", "entailmentbank-1", path, "--gold", "samples", "--no-floors").out
    assert "floor" not in without and "ceiling" not in without


def test_floors_with_models_are_asked_for(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    class Same:
        name = "same"

        def score(self, pairs: list[tuple[str, str]]) -> list[float]:
            return [1.0] * len(pairs)

    monkeypatch.setattr("whence.models.similarity.similarity_named", lambda _: Same())
    words = ("explagraphs", write("explagraphs"), "--gold", "samples", "--similarity", "same", "--uncalibrated")
    assert _json(run, *words)["scores"]["G-BS"]["floor"] is None
    assert "no floor of G-BS yet: --floors measures it too" in run("score", *words).out
    asked = _json(run, *words, "--floors")["scores"]["G-BS"]
    assert asked["value"] == 1 and asked["floor"] < 1


def test_a_run_folder_stands_for_its_predictions(run: Run, write: Write) -> None:
    path = write("anli")
    assert _json(run, "anli", path.parent, "--gold", "samples") == _json(run, "anli", path, "--gold", "samples")


def test_table_comparison_and_page(run: Run, write: Write, tmp_path: Path) -> None:
    mine, page = write("anli"), tmp_path / "report.html"
    outcome = run("score", "anli", mine, "--gold", "samples", "--against", mine, "--html", page)
    assert outcome.code == 0
    assert "comparison" in outcome.out and "McNemar" in outcome.out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_missing_and_repeated_predictions(run: Run, write: Write) -> None:
    few = write("explagraphs", drop=2)
    assert_one_clear_line(
        run("score", "explagraphs", few, "--gold", "samples"),
        "without a prediction: 2 (sample-graph-01",
        "--lenient",
    )
    found = _json(run, "explagraphs", few, "--gold", "samples", "--lenient")
    assert found["scores"]["SA"]["value"] == pytest.approx(0.9)
    assert {"name": "missing", "count": 2, "text": "examples without a prediction, counted as wrong"} in found[
        "notes"
    ]
    twice = write("explagraphs", repeat=3, name="twice.jsonl")
    assert_one_clear_line(run("score", "explagraphs", twice, "--gold", "samples"), "more than one prediction: 3")


def test_judgements_correct_a_figure(run: Run, write: Write, tmp_path: Path) -> None:
    examples = samples(TASKS["anli"]).examples
    judged = tmp_path / "judged.tsv"
    rows = [
        (e.id, "accuracy", answer, judge) for e in examples[:8] for judge, answer in (("a", "yes"), ("b", "no"))
    ]
    judged.write_text("item\tquestion\tanswer\tjudge\n" + "".join("\t".join(row) + "\n" for row in rows))
    found = _json(run, "anli", write("anli"), "--gold", "samples", "--judgements", judged)
    correction = found["corrections"]["accuracy"]
    assert (correction["judged"], correction["automatic"], correction["manual"]) == (8, 1, 0.5)
    assert correction["underestimate"] == -0.5
    assert found["people"]["agreement on accuracy"]["percent agreement"]["value"] == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("item\tquestion\nx\ty\n", "a header with item, question, answer"),
        ("item\tquestion\tanswer\nx\taccuracy\tmaybe\n", "a number, yes or no"),
        ("item\tquestion\tanswer\nstory-01\tbeauty\t1\n", "'beauty', which is no metric"),
        ("item\tquestion\tanswer\nnobody\taccuracy\t1\n", "not among the examples"),
        ("item\tquestion\tanswer\nx\taccuracy\n", "3 fields"),
        ("item\tquestion\tanswer\n", "one judgement or more"),
        ("", "one judgement or more"),
    ],
)
def test_judgements_that_cannot_be_used(text: str, part: str, run: Run, write: Write, tmp_path: Path) -> None:
    judged = tmp_path / "judged.tsv"
    judged.write_text(text)
    outcome = run("score", "anli", write("anli"), "--gold", "samples", "--judgements", judged)
    assert_one_clear_line(outcome, part)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--gold", "nowhere"), "neither a file nor a split"),
        (("--gold", "samples", "--protocol", "mine"), "no protocol 'mine'"),
        (("--gold", "samples", "--by", "colour"), "cannot be broken down by 'colour'"),
        (("--gold", "samples", "--against", "none.jsonl"), "none.jsonl: no such file"),
        (("--gold", "samples", "--similarity", "no such thing"), "no such thing"),
        (("--gold", "samples", "--wordnet"), "no metric that uses --wordnet"),
    ],
)
def test_wrong_use(words: tuple[str, ...], part: str, run: Run, write: Write) -> None:
    assert_one_clear_line(run("score", "explagraphs", write("explagraphs"), *words), part)


def test_no_predictions(run: Run, tmp_path: Path) -> None:
    assert_one_clear_line(run("score", "explagraphs", tmp_path / "none.tsv", "--gold", "samples"), "no such file")
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    assert_one_clear_line(run("score", "explagraphs", empty, "--gold", "samples"), "empty.tsv", "20 predictions")


@pytest.mark.real_data
def test_published_figures(run: Run, real_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(real_data))
    golden = real_data.parent / "golden"
    graphs = _json(
        run, "explagraphs", golden / "explagraphs/explagraphgen_maxmargin_dev.preds.tsv", "--gold", "dev"
    )
    found = [round(graphs["scores"][name]["value"], 4) for name in ("SA", "StCA", "GED")]
    assert found == [0.8618, 0.4950, 0.6471]
    trees = _json(run, "entailmentbank-1", golden / "entailmentbank/inputs/T5_11B_task1_dev.tsv", "--gold", "dev")
    names = ("leaves.f1", "leaves.all", "steps.f1", "steps.all")
    assert [round(trees["scores"][name]["value"], 2) for name in names] == [99.24, 90.91, 61.77, 50.27]


def test_labels_by_id_in_a_table(run: Run, tmp_path: Path) -> None:
    examples = samples(TASKS["cider-choice"]).examples
    path = tmp_path / "answers.csv"
    path.write_text("video-id,label\n" + "".join(f"{e.id},{e.golds[0].name}\n" for e in reversed(examples)))
    assert _json(run, "cider-choice", path, "--gold", "samples")["scores"]["accuracy"]["value"] == 1
    path.write_text("id,label\na,1\na,2\n")
    assert_one_clear_line(run("score", "cider-choice", path, "--gold", "samples"), "answers.csv", "twice")


def test_a_figure_says_what_measured_it(run: Run, write: Write) -> None:
    words = ("--gold", "samples", "--similarity", "tokf1", "--uncalibrated")
    found = _json(run, "explagraphs", write("explagraphs"), *words)
    assert found["scores"]["G-BS"]["note"].startswith("with tokf1; WARNING, no licence: ")


def test_generations_carry_their_own_references(run: Run) -> None:
    path = Path(__file__).parents[1] / "golden/data/art/generations.jsonl"
    found = _json(run, "anlg", path, "--gold", path)
    assert found["scores"]["bleu4"]["value"] == pytest.approx(0.5357048668207393, abs=1e-9)


def test_outside_predictions_become_a_run(run: Run, write: Write, tmp_path: Path) -> None:
    """Answers in any form, as a folder that the leaderboard and `whence compare` read."""
    from whence.pipeline.leaderboard import boards, measured
    from whence.pipeline.runs import read_run
    from whence.tasks.scoring import ScoringOptions

    folder = tmp_path / "runs" / "theirs"
    words = ("score", "explagraphs", write("explagraphs", drop=2), "--gold", "samples", "--lenient", "-o", folder)
    outcome = run(*words)
    assert outcome.code == 0, outcome.err
    assert f"run: {folder}" in outcome.out
    assert {path.name for path in folder.iterdir()} == {
        "run.json",
        "predictions.jsonl",
        "scores.json",
        "report.html",
    }
    kept = read_run(folder)
    assert (kept.about["method"], kept.about["model"], kept.about["items"]) == ("outside", "predictions.jsonl", 20)
    assert {one.name: one.value for one in kept.measurements}["SA"] == pytest.approx(0.9)
    (board,) = boards([measured(kept, lambda: tmp_path, ScoringOptions())])
    assert board.places[0].figures[0] is not None and board.places[0].figures[0].value == pytest.approx(0.9)
    assert run(*words).code == 0  # the same again is the same run


def test_a_run_is_never_overwritten_by_another(run: Run, write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    run("score", "explagraphs", write("explagraphs", drop=2), "--gold", "samples", "--lenient", "-o", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    other = run("score", "explagraphs", write("explagraphs", name="b.jsonl"), "--gold", "samples", "-o", folder)
    assert_one_clear_line(other, "has another run, which stays as it is")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    full = tmp_path / "full"
    full.mkdir()
    (full / "notes.txt").write_text("mine")
    refused = run("score", "explagraphs", write("explagraphs"), "--gold", "samples", "-o", full)
    assert_one_clear_line(refused, "has files and is no run")


def test_a_run_of_a_file_is_read_from_anywhere(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from whence.pipeline.opened import run_dataset
    from whence.pipeline.runs import read_run

    monkeypatch.chdir(tmp_path)
    Path("gold.jsonl").write_bytes(TASKS["explagraphs"].data.samples.read_bytes())
    write("explagraphs")
    assert run("score", "explagraphs", "predictions.jsonl", "--gold", "gold.jsonl", "-o", "theirs").code == 0
    monkeypatch.chdir("/")
    assert len(run_dataset(read_run(tmp_path / "theirs"), lambda: tmp_path).examples) == 20
