"""Ranking metrics and whole-explanation metrics, and the scoring of WorldTree by them."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.metrics import ranking as measures
from whence.metrics.metric import scores, unmeasured
from whence.metrics.ranking import (
    average_precision,
    comp_b,
    comp_b_appendix,
    completeness,
    f1_of_means,
    ndcg,
    relevance,
)
from whence.structures.facts import Fact, FactSet, FactUse, Question, Ranking
from whence.structures.results import Example, Prediction
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.scoring import ScoringOptions

FACTS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def f1(relevant: float, complete: float) -> float:
    """By its definition."""
    return 2 * relevant * complete / (relevant + complete)


def _f1_of_one(relevant: float, complete: float) -> float:
    return float(f1_of_means(np.array([[relevant, complete]]), np.array([1.0]))[0])


RATED = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=8)


@pytest.mark.parametrize(
    "ranking, relevant, expected",
    [
        ("ab", "ab", 1.0),
        ("xa", "a", 1 / 2),
        ("axb", "ab", (1 + 2 / 3) / 2),  # by hand
        ("a", "ab", 1 / 2),  # b is never found
        ("", "a", 0.0),
        ("a", "", None),  # nothing to find
        ("aaxb", "ab", (1 + 2 / 3) / 2),  # a repeat takes no rank
        ("AxB", "ab", (1 + 2 / 3) / 2),  # case does not matter
    ],
)
def test_average_precision(ranking, relevant, expected):
    assert average_precision(list(ranking), list(relevant)) == expected


@pytest.mark.parametrize(
    "ranking, rated, missing, expected",
    [
        ("", {}, "far", 1.0),  # as released
        ("a", {"a": 0}, "far", 0.0),  # as released
        ("a", {"a": 3}, "far", 1.0),
        ("xa", {"a": 3}, "far", 1 / log2(3)),
        ("Xxa", {"a": 3}, "far", 1 / log2(3)),  # a repeat takes no rank
        ("ab", {"a": 1, "b": 3}, "far", (1 + 7 / log2(3)) / (7 + 1 / log2(3))),  # by hand
        ("a", {"a": 1, "b": 3}, "never", 1 / (7 + 1 / log2(3))),
        ("", {"a": 2}, "never", 0.0),
        ("", {"a": 2}, "far", 1 / log2(10**6 + 1)),  # one fact, at rank a million
        ("x", {"a": 1, "b": 2}, "far", (1 / log2(10**6 + 2) + 3 / log2(10**6 + 1)) / (3 + 1 / log2(3))),
    ],
)
def test_ndcg(ranking, rated, missing, expected):
    assert ndcg(list(ranking), rated, missing) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("seed", range(8))
def test_ndcg_equals_that_of_an_array_of_a_million_ranks(seed):
    generator = np.random.default_rng(seed)
    names = [f"f{number}" for number in range(60)]
    ranked = [str(name) for name in generator.permutation(names)[: generator.integers(0, 50)]]
    rated = {str(name): int(generator.integers(0, 4)) for name in generator.choice(names, 20, replace=False)}
    absent = [rating for name, rating in rated.items() if name not in ranked]
    padding = np.concatenate([np.zeros(10**6 - len(absent)), absent[::-1]]) if absent else np.zeros(0)
    gains = 2.0 ** np.concatenate([[rated.get(name, 0) for name in ranked], padding]) - 1
    discounts = np.log2(np.arange(2, len(gains) + 2))
    expected = (gains / discounts).sum() / (np.sort(gains)[::-1] / discounts).sum()
    assert ndcg(ranked, rated) == pytest.approx(expected, abs=1e-12, rel=0)


@settings(max_examples=60)
@given(FACTS, RATED)
def test_ndcg_and_average_precision_stay_in_bounds(ranking, rated):
    for missing in ("far", "never"):
        assert 0 <= ndcg(ranking, rated, missing) <= 1 + 1e-12
    assert 0 <= (average_precision(ranking, list(rated)) or 0) <= 1


@settings(max_examples=60)
@given(RATED)
def test_the_order_of_the_ratings_is_the_best(rated):
    best = sorted(rated, key=rated.__getitem__, reverse=True)
    assert ndcg(best, rated) == (0.0 if rated and not any(rated.values()) else pytest.approx(1.0, abs=1e-12))


@pytest.mark.parametrize(
    "explanation, gold, ratings, expected",
    [  # relevance, completeness, comp_b, comp_b_appendix
        ("ab", "ab", {"a": 3, "b": 2}, (1.0, 1.0, 1.0, 1.0)),
        ("ax", "ab", {"a": 3, "b": 1}, (0.5, 0.5, 1.0, 0.0)),  # b is not important
        ("ax", "ab", {"a": 3, "b": 2, "x": 1}, (1.0, 0.5, 0.0, 0.0)),  # x is relevant, not gold
        ("abcd", "ab", {"a": 3}, (0.25, 1.0, 1.0, 1.0)),  # unrated is irrelevant
        ("x", "ab", {"a": 1, "b": 1}, (0.0, 0.0, 1.0, 0.0)),  # nothing in the gold is important
        ("", "ab", {"a": 1, "b": 1}, (0.0, 0.0, 0.0, 0.0)),
        ("a", "", {"a": 1}, (1.0, None, None, None)),
        ("AB", "ab", {"a": 3, "b": 2}, (1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_whole_explanations(explanation, gold, ratings, expected):
    facts, needed = list(explanation), list(gold)
    relevant = [name for name, rating in ratings.items() if rating >= 1]
    found = (
        relevance(facts, relevant),
        completeness(facts, needed),
        comp_b(facts, needed, ratings),
        comp_b_appendix(facts, needed),
    )
    assert found == expected


@pytest.mark.parametrize(
    "relevant, complete, expected",
    [  # Table 5: relevance, completeness, F1
        (0.62, 0.32, 0.42),
        (0.74, 0.59, 0.66),
        (0.82, 0.36, 0.50),
        (0.65, 0.77, 0.71),
        # and F1_B with the two binary columns the other way round
        (0.62, 0.12, 0.20),
        (0.74, 0.37, 0.50),
        (0.65, 0.57, 0.61),
    ],
)
def test_f1_of_table_5(relevant, complete, expected):
    assert _f1_of_one(relevant, complete) == pytest.approx(expected, abs=0.0075)


def test_f1_of_nothing():
    assert _f1_of_one(0.0, 0.0) == 0.0


def test_f1_is_that_of_the_means():
    found = scores(measures.F1, [(1.0, 0.0), (0.5, 1.0)])
    assert found.figure() == pytest.approx(f1(0.75, 0.5))
    assert found.by_item() == [0.0, pytest.approx(f1(0.5, 1.0))]
    assert scores(measures.F1, [(0.0, 0.0)]).figure() == 0.0
    assert unmeasured(measures.F1, 2, "why").figure() is None


def _dataset(*golds: FactSet, facts: str = "", topic: str = "") -> Dataset:
    examples = tuple(
        Example(f"q{n}", Question("why?", "so"), (gold,), {"topic": topic} if topic else {})
        for n, gold in enumerate(golds)
    )
    known = {name: Fact(name, name) for name in facts}
    return Dataset(examples, tuple(range(1, len(golds) + 1)), facts=known)


def _gold(**ratings: int | None) -> FactSet:
    """Capital letters are rated but not gold."""
    return FactSet(
        tuple(
            FactUse(name.lower(), "CENTRAL", () if rating is None else (rating,), name.islower())
            for name, rating in ratings.items()
        )
    )


def _ranked(*rankings: str | None) -> list[Prediction | None]:
    return [
        None if given is None else Prediction(f"q{n}", Ranking(tuple(given))) for n, given in enumerate(rankings)
    ]


def _chosen(*sets: str | None) -> list[Prediction | None]:
    return [
        None if given is None else Prediction(f"q{n}", FactSet(tuple(map(FactUse, given))))
        for n, given in enumerate(sets)
    ]


def _score(dataset, answers, protocol="official"):
    return {
        found.metric.name: found
        for found in task_named("worldtree").scoring().score(dataset, answers, ScoringOptions(protocol))
    }


def test_rankings_with_ratings():
    found = _score(_dataset(_gold(a=3, b=1, C=2), _gold(a=2)), _ranked("acxb", None))
    assert found["MAP"].by_item() == [(1 + 2 / 4) / 2, 0.0]
    assert found["MAP_rating1"].by_item() == [pytest.approx((1 + 1 + 3 / 4) / 3), 0.0]
    assert found["MAP_rating2"].by_item() == [1.0, 0.0]
    assert found["NDCG"].by_item() == pytest.approx(
        [ndcg("acxb", {"a": 3, "b": 1, "c": 2}), 1 / log2(10**6 + 1)]  # no ranking is an empty one, as released
    )
    assert found["NDCG"].parameters == {"missing": "far"}
    assert found["relevance"].figure() is None
    assert found["relevance"].note == "2 of 2 questions: the answer is a ranking, not a set of facts"


def test_protocols_differ_in_what_a_missing_fact_gains():
    dataset = _dataset(_gold(a=3, b=1), _gold(a=0), FactSet(()))
    answers = _ranked("b", "a", "a")
    assert _score(dataset, answers)["NDCG"].by_item()[1:] == [0.0, 1.0]  # all rated 0; nothing rated
    for protocol in ("paper", "whence"):
        found = _score(dataset, answers, protocol)["NDCG"]
        assert found.by_item() == [pytest.approx(1 / (7 + 1 / log2(3))), None, None]
        assert found.parameters == {"missing": "never"}


def test_rankings_without_ratings():
    found = _score(_dataset(_gold(a=None, b=None)), _ranked("ab"))
    assert found["MAP"].figure() == 1.0
    for name in ("MAP_rating1", "MAP_rating2", "NDCG"):
        assert found[name].figure() is None
        assert found[name].note == "1 of 1 questions: no facts are rated"


def test_sets_with_ratings():
    found = _score(_dataset(_gold(a=3, b=1, C=2), _gold(a=2)), _chosen("acx", None))
    assert found["relevance"].by_item() == [2 / 3, 0.0]
    assert found["completeness"].by_item() == [1 / 2, 0.0]
    assert found["comp_b"].by_item() == [1.0, 0.0]
    assert found["comp_b_appendix"].by_item() == [0.0, 0.0]
    assert found["f1"].figure() == pytest.approx(f1(1 / 3, 1 / 4))
    assert found["f1_b"].figure() == pytest.approx(f1(1 / 3, 1 / 2))
    assert found["f1"].parameters == found["relevance"].parameters == {"relevance": "ratings"}
    assert found["MAP"].note == "2 of 2 questions: the answer is a set of facts, not a ranking"


def test_sets_without_ratings():
    found = _score(_dataset(_gold(a=None, b=None)), _chosen("axyz"))
    assert found["relevance"].figure() == 1 / 4
    assert found["relevance"].parameters == {"relevance": "gold"}
    assert found["completeness"].figure() == 1 / 2
    assert found["f1"].figure() == pytest.approx(f1(1 / 4, 1 / 2))
    assert found["comp_b_appendix"].figure() == 0.0
    assert found["comp_b"].figure() is found["f1_b"].figure() is None
    assert found["comp_b"].note == "1 of 1 questions: no facts are rated"


def test_gold_as_its_own_answer_is_perfect():
    gold = _gold(a=3, b=2)
    found = _score(_dataset(gold), [Prediction("q0", gold)])
    names = ("relevance", "completeness", "comp_b", "comp_b_appendix", "f1", "f1_b")
    assert [found[name].figure() for name in names] == [1.0] * 6
    assert [found.figure() for found in _score(_dataset(gold), _ranked("ab")).values()][:4] == [1.0] * 4


def test_no_answers_are_wrong_answers():
    found = _score(_dataset(_gold(a=3)), [None])
    assert [found[name].figure() for name in ("MAP", "relevance", "completeness", "comp_b", "f1")] == [0.0] * 5


def test_slices():
    example = _dataset(_gold(a=3, b=2, C=1), topic="CEL_CYCLES, CEL_SUN, MAT_COS_BOILING").examples[0]
    slices = task_named("worldtree").scoring().slices
    assert slices["topic"](example) == ("CEL_CYCLES", "CEL_SUN", "MAT_COS_BOILING")
    assert slices["area"](example) == ("CEL", "MAT")
    assert slices["facts"](example) == ("2",)
    assert slices["topic"](_dataset(_gold(a=1)).examples[0]) == ("no topic",)


def test_failures_of_rankings():
    far = "".join(chr(0x4E00 + number) for number in range(100))
    dataset = _dataset(_gold(a=3, b=2, c=1, d=1), _gold(a=1), _gold(a=1), _gold(a=1), facts="abc" + far)
    answers = [*_ranked("a" + far[:10] + "b" + far[10:] + "cz", None), Prediction("q2", None), *_ranked("")]
    assert task_named("worldtree").scoring().failures(dataset, answers, ScoringOptions()) == {
        "gold fact at rank 11 to 100": 1,
        "gold fact below rank 100": 1,
        "gold fact missing from the ranking": 2,
        "unknown fact": 1,
        "no answer": 1,
        "unread": 1,
        "empty answer": 1,
    }


def test_failures_of_sets():
    causes = (
        task_named("worldtree")
        .scoring()
        .failures(_dataset(_gold(a=3, b=2, C=0, D=1)), _chosen("aacdx"), ScoringOptions())
    )
    assert causes == {
        "repeated fact": 1,
        "gold fact missing from the explanation": 1,
        "fact rated irrelevant": 1,
        "fact neither gold nor rated": 1,
    }
