"""CIDER's span metrics against what the released evaluator prints, on predictions that are not kept here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from whence.metrics.metric import Scores
from whence.metrics.span import released_match
from whence.tasks import TASKS, task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.dialogue_triplets.scoring import asked
from whence.tasks.loading import load, read_answers
from whence.tasks.scoring import Answers, ScoringOptions

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def golden(real_data: Path) -> Path:
    folder = real_data.parent / "golden" / "cider"
    if not folder.exists():
        pytest.skip(f"{folder} is not here")
    return folder


@pytest.fixture(scope="module")
def official(golden: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((golden / "span_fold1_official.json").read_text())
    return found


@pytest.fixture(scope="module")
def run(real_data: Path, golden: Path) -> tuple[AnyDataset, Answers]:
    task = TASKS["cider-span"]
    gold = load(task, "fold1-test", lambda: real_data)
    found = read_answers(task, golden / "span_fold1_predictions.json", gold)
    by_id = {prediction.id: prediction for prediction in found.predictions}
    return gold, [by_id[example.id] for example in gold.examples]


def _scores(run: tuple[AnyDataset, Answers], protocol: str) -> dict[str, Scores]:
    found = task_named("cider-span").scoring().score(*run, ScoringOptions(protocol))
    return {scores.metric.name: scores for scores in found}


def test_counts_equal_the_released_ones(run: tuple[AnyDataset, Answers], official: dict[str, Any]) -> None:
    gold, answers = run
    texts = [
        (answer.explanation.text, example.golds[0].text)
        for example, answer in zip(gold.examples, answers, strict=True)
        if answer and answer.explanation
    ]
    counts = Counter(released_match(answer, truth) for answer, truth in texts)
    empty = sum(not answer.strip() for answer, _ in texts)
    # The released "similar" has empty answers too, which its report counts as no match.
    assert counts["exact"] == official["counts"]["correct"] == 283
    assert counts["partial"] + empty == official["counts"]["similar"] == 346
    assert counts["none"] - empty == official["counts"]["incorrect"] == 234


def test_report_equals_the_released_one(run: tuple[AnyDataset, Answers], official: dict[str, Any]) -> None:
    found = _scores(run, "official")
    count = len(run[1])
    figure = {name: scores.figure() for name, scores in found.items()}
    lines = ["Postive Samples:"]
    for title, name in (("Exact Match", "em"), ("Partial Match", "pm"), ("No Match", "nm")):
        lines.append(f"{title}: {round(figure[name] * count)}/{count} = {round(100 * figure[name], 2)}%")
    lines.append(f"F1 Score = {round(100 * figure['overlap_f1'], 2)}%")
    lines.append(f"SQuAD F1 Score = {round(100 * figure['f1'], 2)}%")
    assert "\n".join(lines) == official["report"]


@pytest.mark.parametrize("protocol", ["official", "paper", "whence"])
def test_true_squad_figures(protocol: str, run: tuple[AnyDataset, Answers], official: dict[str, Any]) -> None:
    found = _scores(run, protocol)
    assert 100 * found["squad_em"].figure() == pytest.approx(official["true_squad_v2_exact"], abs=1e-9)
    assert 100 * found["squad_f1"].figure() == pytest.approx(official["true_squad_v2_f1"], abs=1e-9)


def test_paper_protocol_has_squad_f1(run: tuple[AnyDataset, Answers]) -> None:
    official, paper = _scores(run, "official"), _scores(run, "paper")
    assert paper["em"].by_item() == official["em"].by_item()
    assert paper["f1"].by_item() == paper["squad_f1"].by_item()
    assert paper["nm"].figure() < official["nm"].figure()


def test_every_wrong_answer_has_a_cause(run: tuple[AnyDataset, Answers]) -> None:
    causes = task_named("cider-span").scoring().failures(*run, ScoringOptions())
    assert causes.total() == len(run[1]) - 283
    assert causes["empty"] == 93


@pytest.mark.parametrize(("task", "split"), [("cider-span", "fold1-test"), ("cider-choice", "fold1-test")])
def test_every_question_names_its_relation(task: str, split: str, real_data: Path) -> None:
    for example in load(TASKS[task], split, lambda: real_data).examples:
        assert asked(example.inputs.question) is not None
        assert len(task_named(task).scoring().slices["category"](example)) == 1


def test_latent_claims_are_those_of_the_release(real_data: Path) -> None:
    claims = load(TASKS["cider-nli"], "positives", lambda: real_data).examples
    found = Counter(
        name for example in claims for name in task_named("cider-nli").scoring().slices["latent"](example)
    )
    assert found == {"latent": 426, "not latent": 4113}  # 427 are so marked; one of them stands in its dialogue
