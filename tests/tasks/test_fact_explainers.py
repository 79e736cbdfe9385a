"""Explaining answers by facts, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from whence.commands.application import application
from whence.errors import UsageError
from whence.pipeline.explain import explain_split
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.tasks import method_named, methods_of, task_named
from whence.tasks.loading import samples
from whence.tasks.sources import data_folder

runner = CliRunner()
ASKED = ["explain", "worldtree", "--question", "What dries wet clothes fastest?", "--answer", "blowing wind"]


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither published data nor another test's index; nor weights, so that facts are ranked by words alone."""
    monkeypatch.delenv("WHENCE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "models"))


def _told(*options: str) -> Any:
    result = runner.invoke(application, [*ASKED, "--json", *options])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_typed_question_is_explained_from_the_bundled_facts() -> None:
    told = _told()
    assert 1 <= len(told["explanation"]["facts"]) < 6
    assert "wind blowing over wet clothes" in told["reasons"][0]["text"]
    assert any("shares wet, clothes" in line or "clothes" in line for line in told["reasons"][0]["because"])
    for scores in ([reason["score"] for reason in told[part]] for part in ("reasons", "refused")):
        assert scores == sorted(scores, reverse=True)
    assert len(_told("--set", "fill=true")["explanation"]["facts"]) == 6


def test_facts_that_do_not_bear_on_a_question_are_not_listed() -> None:
    asked = ["explain", "worldtree", "--question", "Who painted the Mona Lisa?", "--answer", "Leonardo da Vinci"]
    shown = runner.invoke(application, asked)
    assert (shown.exit_code, shown.output) == (
        1,
        "No explanation could be made.\n  no fact here bears on this\n",
    )
    why = runner.invoke(application, [*asked, "--why"])
    assert why.exit_code == 1
    assert "paint keeps water and oxygen away from iron" in why.output
    told = json.loads(runner.invoke(application, [*asked, "--json"]).output)
    assert told["explanation"] is None
    assert told["missing"] == ["no fact here bears on this"]


def test_a_run_counts_questions_without_evidence_as_failures(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    inputs = {"question": "Who painted the Mona Lisa?", "answer": "Leonardo da Vinci"}
    golds = [{"facts": [{"id": "changes-046", "role": "CENTRAL"}]}]
    record = {"whence": 1, "task": "worldtree", "id": "q", "inputs": inputs, "golds": golds}
    questions.write_text(json.dumps(record) + "\n", encoding="utf-8")
    run = explain_split("worldtree", "facts", {}, str(questions), tmp_path / "run", data_folder)
    (failure,) = run.failures
    assert [problem.message for problem in failure.problems] == ["no fact here bears on this"]


def test_the_index_is_kept_and_follows_its_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    (store / "tables").mkdir(parents=True)
    (store / "tableindex.txt").write_text("KINDOF.tsv\n", encoding="utf-8")
    header = "HYPONYM\t[FILL]\tHYPERNYM\t[SKIP] UID\n"
    first = "a gale\tis a kind of\twind\tf-1\n"
    (store / "tables" / "KINDOF.tsv").write_text(header + first, encoding="utf-8")
    options = ("--set", f"store={store}", "--set", "fill=true")
    assert [use["id"] for use in _told(*options)["explanation"]["facts"]] == ["f-1"]
    second = "clothes\tis a kind of\tthing\tf-2\n"
    (store / "tables" / "KINDOF.tsv").write_text(header + first + second, encoding="utf-8")
    found = _told(*options)["explanation"]["facts"]
    assert [use["id"] for use in found] == ["f-2", "f-1"] or {use["id"] for use in found} == {"f-1", "f-2"}
    assert {use["role"] for use in found} == {"GROUNDING"}


def test_a_trained_ranker_explains_and_says_why(tmp_path: Path) -> None:
    recipe = recipe_named(task_named("worldtree"), "small.facts", ["split=samples"])
    train([recipe], tmp_path / "model", data_folder)
    told = _told("--set", f"ranker={tmp_path / 'model'}")
    assert any("shares" in line for line in told["reasons"][0]["because"])
    other = tmp_path / "other"
    (other / "tables").mkdir(parents=True)
    (other / "tableindex.txt").write_text("", encoding="utf-8")
    result = runner.invoke(
        application, [*ASKED, "--set", f"ranker={tmp_path / 'model'}", "--set", f"store={other}"]
    )
    assert isinstance(result.exception, UsageError)
    assert "facts that the store does not have" in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["explain", "worldtree", "--question", "Why?"], "--answer TEXT"),
        (["explain", "worldtree"], "either typed text, or --from SPLIT"),
        ([*ASKED, "--with", "magic"], "has no method 'magic'"),
        ([*ASKED, "--set", "count=many"], "the setting count cannot be 'many'"),
        ([*ASKED, "--set", "count=0"], "count must be at least 1"),
        ([*ASKED, "--set", "store=nowhere"], "is no table store"),
    ],
)
def test_wrong_use_gets_one_line(arguments: list[str], expected: str) -> None:
    with pytest.raises(Exception) as caught:
        runner.invoke(application, arguments, catch_exceptions=False)
    assert expected in str(caught.value)


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    whole = explain_split("worldtree", "facts", {}, "samples", tmp_path / "whole", data_folder)
    assert {m.name for m in whole.measurements} >= {"relevance", "completeness", "f1"}
    cut = tmp_path / "cut"
    explain_split("worldtree", "facts", {}, "samples", cut, data_folder)
    lines = (cut / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (cut / "predictions.jsonl").write_text("".join(lines[:3]) + lines[3][:20], encoding="utf-8")
    again = explain_split("worldtree", "facts", {}, "samples", cut, data_folder)
    assert again.measurements == whole.measurements
    assert (cut / "predictions.jsonl").read_text() == (tmp_path / "whole" / "predictions.jsonl").read_text()


def test_another_run_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    explain_split("worldtree", "facts", {}, "samples", tmp_path, data_folder)
    with pytest.raises(UsageError, match="has another run"):
        explain_split("worldtree", "facts", {"count": 2}, "samples", tmp_path, data_folder)


def test_explanations_pass_the_rules_and_are_never_read_off_the_gold() -> None:
    dataset = samples(task_named("worldtree"))
    method = next(iter(methods_of("worldtree")))
    assert method_named("worldtree").name == method
    blind = [type(example)(example.id, example.inputs, ()) for example in dataset.examples]
    from whence.pipeline.explain import explainer
    from whence.tasks.method import Setup

    maker = explainer("worldtree", method, {}, Setup(data_folder, dataset.facts))
    assert maker.explain(dataset.examples) == maker.explain(blind)
