"""The evaluator of the 2021 shared task, question by question: its inputs and outputs are in data/tg2021."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.metrics.metric import Scores
from whence.metrics.ranking import ndcg
from whence.tasks import task_named
from whence.tasks.ranked_facts.data.files import read, read_predictions
from whence.tasks.scoring import ScoringOptions

FOLDER = Path(__file__).parent / "data/tg2021"
OFFICIAL = json.loads((FOLDER / "official_output.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict[str, Scores]:
    dataset = read(FOLDER / "gold.json")
    given = {answer.id: answer for answer in read_predictions(FOLDER / "predict.txt", dataset).predictions}
    answers = [given.get(example.id) for example in dataset.examples]
    assert [example.id for example in dataset.examples] == list(OFFICIAL["per_question"])
    return {
        scores.metric.name: scores
        for scores in task_named("worldtree").scoring().score(dataset, answers, ScoringOptions())
    }


def test_every_question(found):
    expected = list(OFFICIAL["per_question"].values())
    assert found["NDCG"].by_item() == pytest.approx(expected, abs=1e-12, rel=0)


def test_the_mean(found):
    assert found["NDCG"].figure() == pytest.approx(OFFICIAL["mean_ndcg"], abs=1e-12, rel=0)


@pytest.mark.parametrize("case", OFFICIAL["unit_tests"])
def test_the_cases_of_the_released_unit_test(case):
    assert ndcg(case["pred"], case["gold"]) == pytest.approx(case["ndcg"], abs=1e-12, rel=0)


def test_without_gold_facts_there_is_no_map(found):
    assert found["MAP"].figure() is None
    assert found["MAP"].note == "40 of 40 questions: no gold facts"
    assert found["MAP_rating1"].figure() is not None
