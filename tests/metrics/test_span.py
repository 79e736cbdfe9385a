"""Released matching of spans, and SQuAD's: rows by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.metrics.span import (
    OFFICIAL,
    PAPER,
    overlap_f1,
    released_f1,
    released_match,
    span_scores,
    squad_em,
    squad_f1,
    squad_words,
)
from whence.structures.dialogue import Answer
from whence.structures.results import Prediction
from whence.tasks import TASKS, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions

TEXTS = st.text(alphabet="ab. ", max_size=8)


@pytest.mark.parametrize(
    ("predicted", "gold", "match", "overlap", "released", "squad"),
    [
        ("the rain", "the rain", "exact", 1, 1, 1),
        (" the rain ", "the rain", "exact", 1, 1, 1),
        ("The rain", "the rain", "none", 0, 0, 1),  # case counts for the released one only
        ("heavy rain", "rain", "partial", 2 / 3, 2 / 3, 2 / 3),
        ("the rain", "rain", "partial", 2 / 3, 1, 1),  # SQuAD drops the article
        ("rain", "the heavy rain", "partial", 1 / 2, 2 / 3, 2 / 3),
        ("rai", "rain", "partial", 1, 0, 0),  # a word is cut: contained, one word of one
        ("rain today", "heavy rain", "none", 0, 0, 1 / 2),  # words are shared, yet no match
        ("", "rain", "none", 0, 0, 0),
        ("  ", "rain", "none", 0, 0, 0),
        ("", "", "exact", 1, 1, 1),
        ("the", "the a", "partial", 2 / 3, 1, 1),  # nothing is left of both
        ("sun", "rain", "none", 0, 0, 0),
    ],
)
def test_one_answer(predicted: str, gold: str, match: str, overlap: float, released: float, squad: float) -> None:
    assert released_match(predicted, gold) == match
    assert overlap_f1(predicted, gold) == pytest.approx(overlap)
    assert released_f1(predicted, gold) == pytest.approx(released)
    assert squad_f1(predicted, gold) == pytest.approx(squad)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat, an owl & a dog.", ["cat", "owl", "dog"]),
        ("there", ["there"]),  # an article is a whole word
        ("don't", ["dont"]),
        ("A-an", ["aan"]),  # punctuation goes first
        ("the", []),
    ],
)
def test_words_of_squad(text: str, words: list[str]) -> None:
    assert squad_words(text) == words


def test_squad_takes_the_best_gold_and_the_released_one_the_first() -> None:
    found = {one.metric.name: one.figure() for one in span_scores(OFFICIAL, [["rain", "sun"]], ["The sun"])}
    assert found == {"em": 0, "pm": 0, "nm": 1, "f1": 0, "overlap_f1": 0, "squad_em": 1, "squad_f1": 1}
    paper = {one.metric.name: one.figure() for one in span_scores(PAPER, [["rain", "sun"]], ["The sun"])}
    assert paper == {"em": 0, "nm": 0, "f1": 1, "squad_em": 1, "squad_f1": 1}


def test_no_gold_is_unknown() -> None:
    for measures in (OFFICIAL, PAPER):
        for scores in span_scores(measures, [[], ["rain"]], ["rain", "rain"]):
            assert scores.by_item()[0] is None
            assert scores.note


@given(TEXTS, TEXTS)
def test_bounds_and_kinds(predicted: str, gold: str) -> None:
    for measures in (OFFICIAL, PAPER):
        found = {one.metric.name: one.figure() for one in span_scores(measures, [[gold]], [predicted])}
        assert all(value is not None and 0 <= value <= 1 for value in found.values())
    found = {one.metric.name: one.figure() or 0 for one in span_scores(OFFICIAL, [[gold]], [predicted])}
    assert found["em"] + found["pm"] + found["nm"] == 1
    assert found["f1"] <= found["squad_f1"]
    assert squad_f1(predicted, gold) == squad_f1(gold, predicted)
    assert squad_em(gold, gold) == squad_f1(gold, gold) == released_f1(gold, gold) == overlap_f1(gold, gold) == 1


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "empty"),
        ("Soaked!", "other case, punctuation or article"),
        ("soak", "too short"),
        ("look soaked", "too long"),
        ("walk here", "another span"),
        ("thunder", "not in the context"),
        ("soaked", None),
    ],
)
def test_causes(text: str, cause: str | None) -> None:
    example = samples(TASKS["cider-span"]).examples[0]  # its answer is 'soaked'
    answers = [Prediction(example.id, Answer(text))]
    causes = task_named("cider-span").scoring().failures(Dataset((example,), (1,)), answers, ScoringOptions())
    assert causes == ({cause: 1} if cause else {})
