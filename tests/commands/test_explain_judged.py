"""Judgements as explanations: typed claims, questions and hypotheses, answered by the small models that ship."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.models.verifier.choice import VERIFIERS
from whence.models.verifier.entailment import Entailment, Inference
from whence.models.weights import WEIGHTS, is_here, models_folder

needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)
TALK = "A: You look soaked! B: My bicycle got a puncture. A: In this downpour? You should have called me!"
ANLI = ("anli", "--first", "Ann sat down on the old chair.", "--second", "Ann lay on the floor.")
HYPOTHESES = ("--hypothesis", "The chair broke.", "--hypothesis", "It was a sunny day.")


@needs_encoder
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((*ANLI, *HYPOTHESES), {"name": "1"}),
        (
            ("cider-nli", "--dialogue", TALK, "--head", "downpour", "--relation", "causes", "--tail", "soaked"),
            None,
        ),
        (("cider-relation", "--dialogue", TALK, "--head", "downpour", "--tail", "soaked"), None),
        (("cider-span", "--dialogue", TALK, "--question", "What does 'downpour' cause?"), None),
        (("cider-choice", "--dialogue", TALK, "--question", "Why?", "--option", "rain", "--option", "sun"), None),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_what_is_typed_is_judged_with_rivals(run: Run, words: tuple[str, ...], expected: object) -> None:
    told = json.loads(run("explain", *words, "--json").out)
    assert expected is None or told["explanation"] == expected
    assert len(told["reasons"]) == 1
    assert told["refused"]
    scores = [reason["score"] for reason in (*told["reasons"], *told["refused"])]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1


@needs_encoder
def test_a_dialogue_may_be_a_file_and_the_answer_stands_in_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("You look soaked!\nMy bicycle got a puncture.\nIn this downpour?\n", encoding="utf-8")
    asked = ("--question", "What does 'downpour' cause?", "--json")
    told = json.loads(run("explain", "cider-span", "--dialogue", file, *asked).out)
    context, answer = told["inputs"]["context"], told["explanation"]
    assert context == "You look soaked! My bicycle got a puncture. In this downpour?"
    assert context[answer["start"] :].startswith(answer["text"])


@needs_encoder
def test_without_an_observation_a_choice_may_be_another(run: Run) -> None:
    told = json.loads(run("explain", *ANLI, *HYPOTHESES, "--json").out)
    assert [line.rpartition(" ")[0] for line in told["reasons"][0]["because"]] == [
        "without the first observation",
        "without the second",
    ]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (
            (*ANLI, "--hypothesis", "The chair broke."),
            ("--hypothesis TEXT --hypothesis TEXT is needed", "1 of them"),
        ),
        (("anli", "--first", "Ann sat.", *HYPOTHESES), ("--second TEXT",)),
        (("cider-span", "--dialogue", "gone.txt", "--question", "Why?"), ("gone.txt: no such file",)),
        (
            ("cider-nli", "--dialogue", TALK, "--head", "a", "--tail", "b", "--relation", "x"),
            ("no relation 'x'", "Causes"),
        ),
        ((*ANLI, *HYPOTHESES, "--answer", "x"), ("no input --answer", "--first")),
        ((*ANLI, *HYPOTHESES, "--set", "model=nowhere"), ("nowhere: no model there",)),
    ],
)
def test_wrong_use_gets_one_line(run: Run, words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    assert_one_clear_line(run("explain", *words), *parts)


class _Denier:
    name = "denier"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        return [Entailment(0.1, 0.7, 0.2) for _ in inferences]


CLAIM = ("contrast", "--fact", "Owls are birds.", "--fact", "Birds lay eggs.", "--claim", "Owls lay no eggs.")


def test_a_verdict_is_an_answer_whichever_it_is(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(VERIFIERS, "reader", _Denier)  # type: ignore[arg-type]
    outcome = run("explain", *CLAIM, "-o", tmp_path / "answer.jsonl")
    assert outcome.code == 0
    assert "contradicts (0.70), judged by denier" in outcome.out and "Owls are birds." in outcome.out
    assert json.loads((tmp_path / "answer.jsonl").read_text())["verdict"]["probability"] == 0.7
    told = run("explain", *CLAIM, "--json")
    assert told.code == 0
    assert json.loads(told.out)["explanation"] == {"name": "contradicts"}


def test_a_claim_without_facts_is_refused(run: Run) -> None:
    assert_one_clear_line(run("explain", "contrast", "--claim", "Owls lay eggs."), "--fact TEXT is needed")
    assert_one_clear_line(run("explain", *CLAIM, "--verifier", "x"), "no verifier 'x'", "reader, large, both")


def test_a_run_says_who_judged(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(VERIFIERS, "large", _Denier)  # type: ignore[arg-type]
    words = ("predict", "contrast", "verifier", "samples", "-o", tmp_path / "run", "--verifier")
    told = json.loads(run(*words, "large", "--json").out)
    assert (told["verifier"], told["model"]) == ("large", "denier")
    assert told["scores"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert told["scores"]["auc_unknown"]["value"] == pytest.approx(0.5)
    assert_one_clear_line(run(*words, "nobody"), "no verifier 'nobody'")
