"""A task of another distribution goes where ours go; its metric, method and generator reach our tasks."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.commands.conftest import Run, assert_one_clear_line
from tests.web.collect.people import Visitor, parsed, worker

import whence
from whence.collection.collection import open_collection
from whence.drawing import to_text
from whence.tasks import TASKS
from whence.web.application import create_app
from whence.web.security.guard import Security
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library

PASSAGE = "The well ran dry in July. Rain filled it again. Nobody drinks from it."
CLAIM = "Rain filled it up again."
GOLD = {"label": "supported", "text": "Rain filled it again."}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


# Data


def test_it_is_listed_like_any_task(run: Run) -> None:
    assert "rationales" in run("tasks").out
    about = json.loads(run("tasks", "rationales", "--json").out)
    assert list(about["methods"]) == ["overlap", "llm"]
    assert about["heads"] == {"label": "does the passage support the claim?"}
    assert about["breakdowns"] == ["label", "length"]


def test_examples_are_loaded_checked_and_drawn(run: Run) -> None:
    dataset = whence.load("rationales")
    example = dataset.examples[0]
    assert whence.check("rationales", example) == ()
    assert "supported" in to_text(whence.draw("rationales", example))
    assert run("check", "rationales", "samples").code == 0
    assert "──supported──▶" in run("show", "rationales", "-n", "1").out
    assert "-->" in run("show", "rationales", "-n", "1", "--as", "mermaid").out


def test_its_rules_find_what_is_wrong(run: Run, tmp_path: Path) -> None:
    row = {"id": "a", "passage": PASSAGE, "claim": CLAIM, "label": "true", "rationale": "Rain fell."}
    outcome = run("check", "rationales", _write(tmp_path / "wrong.jsonl", row))
    assert outcome.code == 1
    assert "'true' is neither supported nor refuted" in outcome.out
    assert "this is no sentence of the passage" in outcome.out


def test_a_malformed_file_is_one_clear_line(run: Run, tmp_path: Path) -> None:
    path = _write(tmp_path / "broken.jsonl", {"id": "a", "passage": PASSAGE})
    assert_one_clear_line(run("check", "rationales", path), "broken.jsonl", "line 1", "the text 'claim'")


def test_its_own_form_and_ours_are_the_same_data(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "rows.jsonl"
    assert run("data", "convert", "rationales", "samples", "--to", "published", "-o", own).code == 0
    assert list(_lines(own)[0]) == ["id", "passage", "claim", "label", "rationale"]
    assert whence.load("rationales", own).examples == whence.load("rationales").examples


# Figures


def test_answers_are_scored_by_its_metrics_with_breakdowns_and_causes(run: Run, tmp_path: Path) -> None:
    golds = [(example.id, example.golds[0]) for example in whence.load("rationales").examples]
    rows = [{"id": name, "label": gold.label, "rationale": gold.text} for name, gold in golds]
    rows[0]["label"] = "refuted"
    del rows[1]["label"]
    path = _write(tmp_path / "answers.jsonl", *rows)
    report = json.loads(run("score", "rationales", path, "--gold", "samples", "--by", "label", "--json").out)
    assert (report["n"], report["read"], report["unread"]) == (24, 23, 1)
    assert report["scores"]["accuracy"]["value"] == pytest.approx(22 / 24)  # one is wrong, one says nothing
    assert report["scores"]["rationale_f1"]["value"] == pytest.approx(23 / 24)
    assert report["causes"] == {"refuted, right is supported": 1, "no answer": 1}
    assert set(report["slices"]["label"]) == {"supported", "refuted"}


def test_texts_of_language_models_are_read(run: Run, tmp_path: Path) -> None:
    example = whence.load("rationales").examples[0]
    answer = {"label": example.golds[0].label, "rationale": example.golds[0].text}
    texts = ["```json\n" + json.dumps(answer) + "\n```", f"label: {answer['label']}\ntext: {answer['rationale']}"]
    for text in texts:
        path = _write(tmp_path / "texts.jsonl", {"id": example.id, "output": f"<think>{{hm}}</think>{text}"})
        read = whence.answers("rationales", path, whence.load("rationales")).predictions
        assert [one.explanation for one in read] == [example.golds[0]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("It is supported, I think.", "neither JSON nor lines with an explanation of rationales"),
        ('{"verdict": "yes"}', "no explanation of rationales"),
        ('{"label": "supported", "rationale": "a"} {"label": "refuted", "rationale": "a"}', "different"),
    ],
)
def test_texts_that_say_nothing_clear_are_unread(text: str, reason: str, tmp_path: Path) -> None:
    dataset = whence.load("rationales")
    path = _write(tmp_path / "texts.jsonl", {"id": dataset.examples[0].id, "output": text})
    (answer,) = whence.answers("rationales", path, dataset).predictions
    assert answer.explanation is None
    assert reason in answer.problems[0].message


def test_its_metric_stands_beside_those_of_our_task(run: Run, tmp_path: Path) -> None:
    dataset = whence.load("explagraphs")
    rows = [
        json.loads(line) for line in run("data", "convert", "explagraphs", "samples", "-o", "-").out.splitlines()
    ]
    answers = [
        {"whence": 1, "task": "explagraphs", "id": row["id"], "explanation": row["golds"][0]} for row in rows
    ]
    path = _write(tmp_path / "answers.jsonl", *answers[1:])
    figures = json.loads(run("score", "explagraphs", path, "--gold", "samples", "--lenient", "--json").out)[
        "scores"
    ]
    assert list(figures)[-1] == "concept_f1"
    count = len(dataset.examples)
    assert figures["concept_f1"]["value"] == pytest.approx((count - 1) / count)  # gold, but for one not answered
    assert 0 < figures["concept_f1"]["low"] < figures["concept_f1"]["high"] <= 1
    assert figures["SA"]["value"] == pytest.approx((count - 1) / count)


# Methods, models


def test_its_method_explains_from_the_command_line_and_python(run: Run) -> None:
    outcome = run("explain", "rationales", "--passage", PASSAGE, "--claim", CLAIM, "--json")
    made = json.loads(outcome.out)
    assert made["explanation"] == GOLD
    assert made["reasons"][0]["because"] == ["it has 80% of the claim's words"]
    strict = json.loads(
        run("explain", "rationales", "--passage", PASSAGE, "--claim", CLAIM, "--set", "least=0.9", "--json").out
    )
    assert strict["explanation"]["label"] == "refuted"
    assert whence.explain("rationales", whence.load("rationales").examples[0]).explanation.label == "supported"


def test_its_method_explains_our_task(run: Run) -> None:
    words = ["--first", "Ann left a window open.", "--second", "The window was shut."]
    words += ["--hypothesis", "A cat came.", "--hypothesis", "Ann came and shut the window."]
    made = json.loads(run("explain", "anli", *words, "--with", "shared-words", "--json").out)
    assert made["explanation"] == {"name": "2"}
    assert "shared-words" in json.loads(run("tasks", "anli", "--json").out)["methods"]


def test_a_run_over_a_split_is_a_run_folder(run: Run, tmp_path: Path) -> None:
    assert run("predict", "rationales", "overlap", "samples", "-o", tmp_path / "run").code == 0
    assert len(_lines(tmp_path / "run" / "predictions.jsonl")) == 24
    figures = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert 0.5 < figures["accuracy"]["value"] < 1


@pytest.mark.parametrize("recipe", ["small.label", "small.counts"])
def test_its_head_is_trained_and_answers(recipe: str, run: Run, tmp_path: Path) -> None:
    if recipe == "small.label":
        _need_encoder(run)
    outcome = run("train", "rationales", recipe, "-o", tmp_path / "model")
    assert outcome.code == 0, outcome.err
    assert run("predict", "rationales", tmp_path / "model", "samples", "-o", tmp_path / "run").code == 0
    answers = _lines(tmp_path / "run" / "predictions.jsonl")
    assert {answer["explanation"]["label"] for answer in answers} <= {"supported", "refuted"}
    assert not any("problems" in answer for answer in answers)


def _need_encoder(run: Run) -> None:
    if run("models", "path", "encoder").code:
        pytest.skip("the encoder is not here: whence models get encoder")


def test_recipes_that_it_lacks_are_named_with_those_it_has(run: Run, tmp_path: Path) -> None:
    outcome = run("train", "rationales", "paper", "-o", tmp_path / "model")
    assert_one_clear_line(outcome, "rationales has no recipe 'paper'; it has small")


def test_its_questions_are_hardened(run: Run, tmp_path: Path) -> None:
    words = ("--iterations", "3", "--adversary", "random", "--json")
    made = json.loads(run("harden", "rationales", "samples", "-o", tmp_path / "hard", *words).out)
    assert (made["questions"], made["chance"]) == (6, 0.5)
    hardened = whence.load("rationales", tmp_path / "hard" / "after.jsonl")
    assert len(hardened.examples) == 6
    assert all(whence.check("rationales", example) == () for example in hardened.examples)


# A generator

ANSWERING = """
import json, sys
passage = json.load(sys.stdin)[-1]["text"].split("Passage: ")[1].split("\\nClaim: ")[0]
print(json.dumps({"label": "supported", "rationale": passage.split(". ")[0] + "."}))
"""


def _program(folder: Path, code: str) -> str:
    path = folder / "program.py"
    path.write_text(code, encoding="utf-8")
    return f"model=program:{shlex.join([sys.executable, str(path)])}"


def test_its_generator_answers_the_prompts_of_its_task(run: Run, tmp_path: Path) -> None:
    words = ("--set", _program(tmp_path, ANSWERING), "--set", "cache=false")
    made = json.loads(
        run("explain", "rationales", "--passage", PASSAGE, "--claim", CLAIM, "--with", "llm", *words, "--json").out
    )
    assert made["explanation"] == {"label": "supported", "text": "The well ran dry in July."}
    assert f"program {sys.executable}" in made["method"]


def test_its_generator_answers_the_prompts_of_our_tasks(run: Run, tmp_path: Path) -> None:
    observed = ("--first", "It rained.", "--second", "The street was dry again by noon.")
    words = ("--set", _program(tmp_path, 'print(\'{"hypothesis": "The sun came out."}\')'), "--set", "cache=false")
    made = json.loads(run("explain", "anlg", *observed, "--with", "llm", *words, "--json").out)
    assert made["explanation"]["text"] == "The sun came out."


def test_a_program_that_fails_is_no_answer_with_the_reason(run: Run, tmp_path: Path) -> None:
    words = ("--set", _program(tmp_path, "raise SystemExit('out of paper')"), "--set", "cache=false")
    outcome = run("explain", "rationales", "--passage", PASSAGE, "--claim", CLAIM, "--with", "llm", *words)
    assert outcome.code != 0
    assert "out of paper" in outcome.out + outcome.err
    assert "Traceback" not in outcome.err


def test_a_generator_says_what_it_lacks(run: Run) -> None:
    outcome = run(
        "explain", "rationales", "--passage", "A.", "--claim", "B.", "--with", "llm", "--set", "model=program"
    )
    assert_one_clear_line(outcome, "name the program: --set model=program:COMMAND")


# People


def test_people_make_it_and_it_is_exported(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "claims.db"
    assert (
        "24 items of claims added" in run("collect", "new", "rationales", store, "--items", "claims=samples").out
    )
    item = {"id": "well", "passage": PASSAGE, "claim": CLAIM}
    assert "1 item" in run("collect", "add", store, f"claims={_write(tmp_path / 'more.jsonl', item)}").out
    collection = open_collection(str(store))
    person = worker(collection)
    page = person.begin("judge")
    assert "The passage says that the claim is" in page
    slot = person.slot
    refused = _submit(
        person, slot, page, {"answer:whole": "supported", "field:rationale": "It is so."}, status=422
    )
    assert "this is no sentence of the passage" in refused
    item = collection.open_slot(person.worker, slot).item
    golds = {example.inputs.claim: example.golds[0] for example in whence.load("rationales").examples}
    gold = (golds | {CLAIM: TASKS["rationales"].explanation(**GOLD)})[item["claim"]]
    _submit(person, slot, refused, {"answer:whole": gold.label, "field:rationale": gold.text})
    assert run("collect", "export", store, "-o", tmp_path / "export").code == 0
    (exported,) = whence.load("rationales", tmp_path / "export" / "rationales.jsonl").examples
    assert exported.golds == (gold,)
    assert whence.check("rationales", exported) == ()


def _submit(person: Visitor, slot: str, page: str, fields: dict[str, str], status: int = 200) -> str:
    hidden = {name: value for name, value in parsed(page).hidden.items() if name != "token"}
    return person.send(f"/collect/work/{slot}", {**hidden, **fields, "do": "submit"}, page=page, status=status)


# Pages


@pytest.fixture
def bench(tmp_path: Path) -> TestClient:
    library = Library(lambda: tmp_path, tmp_path)
    return TestClient(
        create_app(workbench_sections(library), Security(candid=True)), raise_server_exceptions=False
    )


def test_samples_are_browsed(bench: TestClient) -> None:
    assert 'href="/browse/rationales/samples"' in bench.get("/browse").text
    assert "1 to 24 of 24 examples" in bench.get("/browse/rationales/samples").text
    assert "1 to 12 of 12 examples" in bench.get("/browse/rationales/samples?by=label%3Drefuted").text
    assert 'class="whence-drawing"' in bench.get("/browse/rationales/samples/3").text


def test_the_form_explains(bench: TestClient) -> None:
    form = bench.get("/explain/rationales")
    assert 'name="in.passage"' in form.text and 'name="in.claim"' in form.text
    token = form.text.split('name="token" value="')[1].split('"')[0]
    fields = {"token": token, "in.passage": PASSAGE, "in.claim": CLAIM, "method": "overlap", "do": "explain"}
    page = bench.post("/explain/rationales", data=fields)
    assert page.status_code == 200
    assert "Rain filled it again." in page.text
    assert "it has 80% of the claim&#39;s words" in page.text
