"""ART's generation metrics against what the released scorers print (synthetic, NLTK 3.4.5, no WordNet)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whence.errors import DataError
from whence.metrics.metric import Scores
from whence.metrics.similarity import SIMILARITIES
from whence.tasks import task_named
from whence.tasks.abduction.data.files import read_anlg, read_anlg_predictions
from whence.tasks.scoring import ScoringOptions

DATA = Path(__file__).parent / "data" / "art"
GENERATIONS = DATA / "generations.jsonl"
NAMES = {"ROUGE_L": "rougeL", "CIDEr": "cider", "METEOR_nltk_nowordnet": "meteor"}


@pytest.fixture(scope="module")
def official() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "official_py38_nltk345.json").read_text())
    return found


@pytest.fixture(scope="module")
def ours() -> dict[str, Scores]:
    gold = read_anlg(GENERATIONS)
    answers = {prediction.id: prediction for prediction in read_anlg_predictions(GENERATIONS, gold).predictions}
    options = ScoringOptions(similarity=SIMILARITIES["tokf1"])
    found = task_named("anlg").scoring().score(gold, [answers[example.id] for example in gold.examples], options)
    return {scores.metric.name: scores for scores in found}


def test_references_accumulate_over_rows_of_the_same_observations(official: dict[str, Any]) -> None:
    gold = read_anlg(GENERATIONS)
    assert [[example.inputs.obs1, example.inputs.obs2] for example in gold.examples] == official["keys"]
    assert sum(len(example.golds) for example in gold.examples) == official["n_rows"]
    assert [(note.name, note.count) for note in gold.notes] == [
        ("repeated context", official["n_rows"] - official["n_keys"])
    ]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_bleu_equals_the_released_one(order: int, ours: dict[str, Scores], official: dict[str, Any]) -> None:
    scores = ours[f"bleu{order}"]
    assert scores.by_item() == pytest.approx(official["Bleu"]["per_item"][order - 1], abs=1e-12)
    assert scores.figure() == pytest.approx(official["Bleu"]["score"][order - 1], abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_other_metrics_equal_the_released_ones(
    name: str, ours: dict[str, Scores], official: dict[str, Any]
) -> None:
    scores = ours[NAMES[name]]
    assert scores.by_item() == pytest.approx(official[name]["per_item"], abs=1e-12)
    assert scores.figure() == pytest.approx(official[name]["score"], abs=1e-12)


def test_parameters_say_what_figures_depend_on(ours: dict[str, Scores]) -> None:
    assert ours["meteor"].parameters == {"meteor": "nltk-3.4.5", "synonyms": "none"}
    assert ours["bertscore"].parameters == {"similarity": "tokf1"}
    assert ours["bertscore"].figure() is not None


ROW = {"obs1": "a", "obs2": "b", "hyp1": "c", "hyp2": "d", "label": "1"}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({**ROW, "label": "3"}, "the label 1 or 2"),
        ({**ROW, "label": None}, "the label 1 or 2"),
        ({**ROW, "obs2": 5}, "the text 'obs2'"),
        ({"obs1": "a", "obs2": "b", "hyp1": "c", "label": "2"}, "the text 'hyp2'"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(row: dict[str, Any], expected: str, tmp_path: Path) -> None:
    path = tmp_path / "generations.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(DataError, match=expected) as raised:
        read_anlg(path)
    assert raised.value.line == 2
