"""Trees made by methods, as users meet them: always one tree over known sentences that ends in the hypothesis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example as always
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from whence.checks.rule import check
from whence.commands.application import application
from whence.errors import WhenceError
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.facts import Fact
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, leaves
from whence.tasks import methods_of, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.data.chains import read, read_questions
from whence.tasks.entailment_trees.methods.methods import METHODS
from whence.tasks.entailment_trees.methods.search.search import best_count
from whence.tasks.loading import rules_of, samples
from whence.tasks.method import Setup
from whence.tasks.sources import data_folder

pytestmark = pytest.mark.skipif(
    not all(is_here(WEIGHTS[name], models_folder()) for name in ("encoder", "reader")),
    reason="needs: whence models get encoder, whence models get reader",
)
runner = CliRunner()
LEO = [
    *("--hypothesis", "leo appears in different areas of the sky because the earth revolves around the sun"),
    *("--fact", "leo is a kind of constellation"),
    *("--fact", "a constellation contains stars"),
    *("--fact", "the earth revolving around the sun causes stars to appear in different areas of the sky"),
]


BY_RULES = ("--set", "composer=rules")


def _made(task: str, method: str, **given: Any) -> Any:
    found = methods_of(task)[method]
    if method == "search":
        given |= {"composer": "rules"}
    return found.make(found.settings(**given), Setup(data_folder))


def _problems(task: str, claim: Claim, tree: Any) -> list[str]:
    rules = rules_of(task_named(task), "paper", Dataset((), ()))
    return [f"{problem.rule}: {problem.message}" for problem in check(claim, tree, rules)]


@pytest.mark.parametrize("task", list(METHODS))
@pytest.mark.parametrize("method", ["search", "one-step"])
def test_trees_of_our_samples_keep_every_rule(task: str, method: str) -> None:
    examples = samples(task_named(task)).examples[: 6 if method == "search" else 2]
    for example, found in zip(examples, _made(task, method).explain(examples), strict=True):
        assert _problems(task, example.inputs, found.explanation) == []
        if task == "entailmentbank-1" and method == "search":
            assert set(leaves(found.explanation)) == {one.id for one in example.inputs.context}


WORDS = "ice water heat melts a is the kind of solid if then causes : ; -> & sent1 . 0 é"
words = st.sampled_from(WORDS.split())
texts = st.lists(words, min_size=1, max_size=8).map(" ".join)


@given(st.lists(texts, min_size=1, max_size=7), texts)
@always([":", "; ->", "&"], ".")  # not one word
@settings(max_examples=6, deadline=None)
def test_whatever_is_given_makes_a_tree(facts: list[str], hypothesis: str) -> None:
    claim = Claim(hypothesis, tuple(Sentence(f"sent{n}", text) for n, text in enumerate(facts, 1)))
    for task in ("entailmentbank-1", "entailmentbank-2"):
        found = _made(task, "search").explained(claim)
        assert _problems(task, claim, found.explanation) == []


def test_typed_facts_are_put_together_with_reasons(tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    result = runner.invoke(
        application,
        ["explain", "entailmentbank-1", *LEO, *BY_RULES, "--why", "--json", "--svg", str(picture)],
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    steps = told["explanation"]["steps"]
    assert steps[0] == {"premises": ["sent1", "sent2"], "conclusion": "int1", "text": "a leo contains stars"}
    assert steps[1]["premises"] == ["int1", "sent3"] and steps[1]["conclusion"] == HYPOTHESIS
    assert "by substitution" in told["reasons"][0]["because"]
    assert all(0 <= reason["score"] <= 1 for reason in told["reasons"])
    assert told["verdict"]["label"] == "follows" and told["problems"] == []
    assert [part["verdict"]["label"] for part in told["parts"]] == ["follows", "follows"]
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    "options, said",
    [
        (["--hypothesis", "ice melts"], "--fact TEXT is needed"),
        (["--fact", "ice melts"], "--hypothesis TEXT"),
        ([*LEO, "--dialogue", "a"], "this task has no input --dialogue"),
        ([*LEO, "--set", "width=many"], "the setting width cannot be"),
        ([*LEO, "--set", "grouping=nowhere"], "no model there"),
    ],
)
def test_what_cannot_be_explained_is_said_in_a_line(options: list[str], said: str) -> None:
    result = runner.invoke(application, ["explain", "entailmentbank-1", *options])
    assert isinstance(result.exception, WhenceError)
    assert said in str(result.exception)


@pytest.mark.parametrize(
    "hypothesis, answer",
    [
        ("a robin does not lay eggs", "Contradicts these facts"),
        ("a robin is a submarine", "Does not follow from these facts"),
    ],
)
def test_what_does_not_follow_is_refused(hypothesis: str, answer: str, tmp_path: Path) -> None:
    facts = ["--fact", "a robin is a kind of bird", "--fact", "birds lay eggs"]
    picture, asked = tmp_path / "tree.svg", ["explain", "entailmentbank-1", "--hypothesis", hypothesis]
    asked += [*facts, *BY_RULES]
    refused = runner.invoke(application, [*asked, "--svg", str(picture)])
    assert refused.exit_code == 1
    assert answer in refused.output and "├" not in refused.output and not picture.exists()
    machine = json.loads(runner.invoke(application, [*asked, "--json"]).output)
    assert machine["explanation"] is None and machine["verdict"]["label"] != "follows" and machine["missing"]
    anyway = runner.invoke(application, [*asked, "--anyway"])
    assert anyway.exit_code == 1 and "├" in anyway.output and "This is the best attempt." in anyway.output


def test_why_can_be_asked_again_of_each_premise() -> None:
    known = ["a robin is a kind of bird", "a bird is a kind of animal", "an animal needs food", "rocks are hard"]
    asked = _made("entailmentbank-2", "one-step")
    found = asked.why("a robin is a kind of animal", known)
    (step,) = found.explanation.steps
    said = {one.id: one.text for one in found.explanation.sentences}
    assert {said[name] for name in step.premises} == set(known[:2])
    assert len(found.refused) == 3
    again = asked.why(known[0], known)
    assert known[0] not in {one.text for one in again.explanation.sentences}
    assert asked.why("anything", []).explanation is None


@pytest.mark.parametrize(
    "probabilities, count",
    [
        ([0.9, 0.9, 0.1, 0.1], 2),
        ([0.9, 0.1, 0.1], 2),  # never fewer than two
        ([0.6, 0.5, 0.4, 0.05], 3),  # by hand: expected F1 .535, .619, .659, .623
        ([0.7], 1),
        ([0.9] * 20, 12),
    ],
)
def test_how_many_sentences_are_taken(probabilities: list[float], count: int) -> None:
    assert best_count(probabilities) == count


def test_chains_of_a_question_are_one_example(tmp_path: Path) -> None:
    rows = [
        "QID\tChain#\tQuestion\tAnswer\tFact1\tFact2\tTurks\tDF",
        "1\t1\tq\ta\tone\ttwo\tyes yes no\tclaim",
        "1\t2\tq\ta\tone\tthree\tno no\tclaim",
        "1\t3\tq\ta\tone\ttwo\tfact1 yes\tclaim",
        "2\t1\tq\ta\tfour\tfour\tno\tother",
    ]
    path = tmp_path / "chains.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    dataset = read_questions(path)
    (first,) = dataset.examples
    assert [one.text for one in first.inputs.context] == ["one", "two", "three"]
    assert [gold.steps[0].premises for gold in first.golds] == [("sent1", "sent2")]
    assert [note.count for note in dataset.notes] == [1]  # question 2


def test_questions_of_challenge300_are_examples_without_sentences(tmp_path: Path) -> None:
    path = tmp_path / "challenge.jsonl"
    path.write_text('{"id": "q1", "question": "Do fish sleep?", "category": "x"}\n', encoding="utf-8")
    (example,) = read(path).examples
    assert example.inputs == Claim("", (), "Do fish sleep?") and example.golds == ()


def test_no_sentences_at_hand_means_the_corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not by itself, though: what says the same as the hypothesis is no reason for it."""
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path))
    known = ["a robin is a kind of bird", "a bird is a kind of animal", "ice is cold"]
    corpus = ["A robin is a kind of animal.", *known]
    facts = {str(number): Fact(str(number), text) for number, text in enumerate(corpus)}
    found = methods_of("entailmentbank-3")["search"]
    maker = found.make(found.settings(), Setup(lambda: tmp_path, facts))
    (made,) = maker.explain([Example("x", Claim("a robin is a kind of animal", ()))])
    assert {one.text for one in made.explanation.sentences} == set(known[:2])
    assert _problems("entailmentbank-3", Claim("a robin is a kind of animal", ()), made.explanation) == []
