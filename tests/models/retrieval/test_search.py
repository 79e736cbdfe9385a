"""The index against a dictionary of words, on any texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import UsageError
from whence.models.retrieval.index import Index, build_index, merged, with_texts, without_texts
from whence.models.retrieval.search import Hit, Searcher
from whence.models.retrieval.weighting import BM25, BM25_COSINE, Weighting
from whence.models.retrieval.words import index_terms, query_words

WORDS = ("ice", "water", "heat", "melt", "sun", "kind", "plant", "eat", "rock")
TEXTS = st.dictionaries(
    st.sampled_from([f"fact-{n}" for n in range(12)]),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    max_size=12,
)
QUERIES = st.dictionaries(st.sampled_from((*WORDS, "absent")), st.floats(0.1, 3), max_size=5)
WEIGHTINGS = (
    BM25,
    BM25_COSINE,
    Weighting("logarithm", "share"),
    Weighting("logarithm", "share", cosine=True),
    Weighting("count", "none"),
    Weighting("once", "smooth", cosine=True),
    Weighting(k1=0.5, b=0.0, rarity="smooth"),
)


def _frequency(weighting: Weighting, count: int, length: int, mean: float) -> float:
    k1, b = weighting.k1, weighting.b
    return {
        "saturated": count * (k1 + 1) / (count + k1 * (1 - b + b * length / (mean or 1))),
        "logarithm": 1 + math.log(count),
        "count": float(count),
        "once": 1.0,
    }[weighting.frequency]


def _rarity(weighting: Weighting, texts: int, having: int) -> float:
    odds = (texts - having + 0.5) / (having + 0.5)
    return {
        "odds": max(math.log(odds), 0.0),
        "smooth": math.log(1 + odds),
        "share": math.log(texts / having),
        "none": 1.0,
    }[weighting.rarity]


def naive_scores(texts: Mapping[str, str], query: Mapping[str, float], weighting: Weighting) -> dict[str, float]:
    """Every text's score, written as the definition says it."""
    bags = {name: Counter(index_terms(text)) for name, text in texts.items()}
    having = Counter(word for bag in bags.values() for word in bag)
    mean = sum(bag.total() for bag in bags.values()) / len(bags) if bags else 0.0
    rarity = {word: _rarity(weighting, len(bags), count) for word, count in having.items()}
    found = {}
    for name, bag in bags.items():
        vector = {w: _frequency(weighting, n, bag.total(), mean) * rarity[w] for w, n in bag.items()}
        asked = {w: weight * (rarity.get(w, 0.0) if weighting.cosine else 1.0) for w, weight in query.items()}
        score = sum(asked[word] * vector[word] for word in asked.keys() & vector.keys())
        if weighting.cosine:
            score /= (math.hypot(*vector.values()) or 1.0) * (math.hypot(*asked.values()) or 1.0)
        found[name] = score
    return found


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@given(texts=TEXTS, query=QUERIES)
@settings(max_examples=40, deadline=None)
def test_scores_are_those_of_the_definition(
    weighting: Weighting, texts: dict[str, str], query: dict[str, float]
) -> None:
    asked = {index_terms(word)[0]: weight for word, weight in query.items()}
    searcher = Searcher(build_index(texts), weighting)
    scores = dict(zip(searcher.index.ids, searcher.scores(asked), strict=True))
    expected = naive_scores(texts, asked, weighting)
    assert scores == pytest.approx(expected, abs=1e-12)
    ranked = sorted((name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name))
    assert [hit.id for hit in searcher.search(asked, 5)] == ranked[:5]
    for name in texts:
        assert sum(match.weight for match in searcher.matches(asked, name)) == pytest.approx(
            scores[name], abs=1e-12
        )


@given(
    changes=st.lists(st.tuples(TEXTS, st.sets(st.sampled_from([f"fact-{n}" for n in range(12)]))), max_size=6),
    query=QUERIES,
    weighting=st.sampled_from(WEIGHTINGS),
)
@settings(max_examples=80, deadline=None)
def test_what_was_added_replaced_and_removed_leaves_no_trace(
    changes: list[tuple[dict[str, str], set[str]]], query: dict[str, float], weighting: Weighting
) -> None:
    texts: dict[str, str] = {}
    index = Index()
    for added, removed in changes:
        index = without_texts(with_texts(index, added), removed)
        texts = {name: text for name, text in (texts | added).items() if name not in removed}
    fresh = build_index(texts)
    asked = {index_terms(word)[0]: weight for word, weight in query.items()}
    for other in (index, merged(index)):
        assert len(other) == len(texts)
        assert set(other.ids) == set(texts)
        assert other.fingerprint == fresh.fingerprint
        assert all(name in other for name in texts)
        expected = dict(zip(fresh.ids, Searcher(fresh, weighting).scores(asked), strict=True))
        assert dict(zip(other.ids, Searcher(other, weighting).scores(asked), strict=True)) == expected
        assert Searcher(other, weighting).search(asked, 4) == Searcher(fresh, weighting).search(asked, 4)


def test_equal_scores_are_ordered_by_id() -> None:
    index = with_texts(build_index({"b": "ice", "d": "ice", "rest": "sun", "x": "sun"}), {"a": "ice"})
    index = with_texts(index, {"c": "ice"})
    hits = Searcher(index, Weighting("count", "none")).search({"ice": 1.0}, 3)
    assert hits == [Hit("a", 1.0), Hit("b", 1.0), Hit("c", 1.0)]


def test_segments_stay_few_and_old_ones_are_kept() -> None:
    index = build_index({f"{n:04}": f"word{n} ice" for n in range(64)})
    first = index.segments[0]
    for number in range(30):
        index = with_texts(index, {f"new-{number}": f"water {number}"})
        assert index.segments[0] is first or number > 10
    assert len(index) == 94
    assert len(index.segments) <= 6


def test_words_and_queries() -> None:
    assert index_terms("The rotation of Earth's axis") == index_terms("the rotating of earth s axis")
    assert query_words("Why is the sun the star?", "sun") == {"sun": 2.0, "star": 1.0}
    assert query_words("what is it") == dict.fromkeys(index_terms("what is it"), 1.0)  # nothing else to look for
    assert query_words("") == {}


def test_empty_index_and_unknown_text() -> None:
    empty = Searcher(Index())
    assert empty.search({"ice": 1.0}, 3) == []
    assert np.array_equal(empty.scores({"ice": 1.0}), np.zeros(0))
    with pytest.raises(UsageError, match="no text 'b'"):
        Searcher(build_index({"a": "ice"})).matches({"ice": 1.0}, "b")


def test_a_weighting_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="k1 is 0 or more"):
        Weighting(k1=-1)
    with pytest.raises(UsageError, match="no weighting by"):
        Weighting("often")  # type: ignore[arg-type]
