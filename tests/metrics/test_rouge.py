"""ROUGE-1 of all pairs at once, against its definition and the reference."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.metrics.rouge import Aligner

WORDS = st.lists(st.sampled_from(["a", "kind", "of", "water", "is", "Ice", "2", "co-2", "."]), max_size=8).map(
    " ".join
)


def rouge_1(candidate: str, reference: str) -> float:
    (found,) = Aligner((reference,)).align([candidate])
    return found.score if found else 0.0


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("water is a kind of liquid", "Water is a kind of liquid.", 1.0),
        ("a a b", "a b b", 2 / 3),  # by hand: 2*2 / (3+3)
        ("co-2", "co 2", 1.0),  # a hyphen parts words
        ("", "a", 0.0),
        ("?!", "?!", 0.0),  # no words
    ],
)
def test_pairs(candidate: str, reference: str, expected: float) -> None:
    assert rouge_1(candidate, reference) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6))
def test_the_best_of_all_is_found(texts: list[str], lines: list[str]) -> None:
    for line, found in zip(lines, Aligner(tuple(texts)).align(lines), strict=True):
        scores = [rouge_1(line, text) for text in texts]
        best = max(scores, default=0.0)
        if found is None:
            assert best == 0
        else:
            assert found.score == pytest.approx(best)
            assert scores[found.place] == pytest.approx(best)
            assert all(score < best - 1e-12 for score in scores[: found.place])


@settings(deadline=None)
@given(WORDS, WORDS)
def test_it_is_what_rouge_score_says(candidate: str, reference: str) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs rouge-score").RougeScorer(["rouge1"])
    expected = scorer.score(reference, candidate)["rouge1"].fmeasure
    assert rouge_1(candidate, reference) == pytest.approx(expected, abs=1e-12)


@pytest.mark.real_data
def test_thousands_of_lines_against_all_facts(real_data: Path) -> None:
    from whence.tasks.ranked_facts.data.files import read_fact_base

    facts = tuple(fact.text for fact in read_fact_base(real_data / "worldtree").facts.values())
    drawn = random.Random(0)
    lines = [" ".join(drawn.sample(words := text.split(), max(1, len(words) - 2))) for text in facts[:3000]]
    aligner, begun = Aligner(facts), time.process_time()
    found = aligner.align(lines)
    assert time.process_time() - begun < 20
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs rouge-score").RougeScorer(["rouge1"])
    for place in drawn.sample(range(len(lines)), 40):
        aligned = found[place]
        assert aligned is not None
        score = scorer.score(facts[aligned.place], lines[place])["rouge1"].fmeasure
        assert aligned.score == pytest.approx(score, abs=1e-12)
        assert aligned.score >= scorer.score(facts[place], lines[place])["rouge1"].fmeasure - 1e-12
