"""Coefficients of agreement against published and hand-made values."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from whence.errors import UsageError
from whence.metrics.agreement import (
    Resampling,
    Votes,
    cohen_kappa,
    fleiss_kappa,
    human_ceiling,
    krippendorff_alpha,
    pairs,
    percent_agreement,
    votes,
    votes_of_table,
)
from whence.structures.results import Judgement
from whence.tasks.abduction.data import files as art

FEW = Resampling(samples=200)

# Fleiss 1971, as on the coefficient's Wikipedia page: 10 items, 14 judges, 5 categories.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
_ = None
# Krippendorff 2011, part C: 4 judges, 12 items, missing answers.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
PAIRS = [("1", "1"), ("2", "2"), ("3", "3"), ("1", "3")]


def _counts(rows) -> Votes:
    names = tuple(str(number) for number in range(1, len(rows[0]) + 1))
    return Votes(tuple(str(number) for number in range(len(rows))), names, np.array(rows, dtype=float))


def test_percent_agreement():
    assert percent_agreement(_counts(FLEISS), FEW).value == pytest.approx(0.378, abs=0.0005)
    two = votes_of_table([["a", "a"], ["a", "b"], ["b", "b"], ["a", None]])
    found = percent_agreement(two, FEW)
    assert (found.value, found.n, found.missing) == (2 / 3, 3, 1)
    assert found.low < found.value < found.high


def test_fleiss_kappa():
    found = fleiss_kappa(_counts(FLEISS), FEW)
    assert found.value == pytest.approx(0.210, abs=0.0005)
    assert found.low < 0.210 < found.high


@pytest.mark.parametrize(
    "weights, expected",
    [("none", 1 - 4 / 11), ("linear", 1 - 8 / 16), ("quadratic", 1 - 16 / 26)],  # by hand
)
def test_cohen_kappa_by_hand(weights, expected):
    assert cohen_kappa(PAIRS, weights, how=FEW).value == pytest.approx(expected)


def test_cohen_kappa_of_the_usual_example():
    answers = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    found = cohen_kappa(answers)
    assert found.value == pytest.approx(0.4)
    # Standard error by the usual approximation sqrt(po (1 - po) / n) / (1 - pe)
    half = 1.96 * math.sqrt(0.7 * 0.3 / 50) / 0.5
    assert (found.low, found.high) == pytest.approx((0.4 - half, 0.4 + half), abs=0.04)


def test_categories_have_an_order():
    answers = [("low", "mid"), ("low", "mid"), ("high", "mid"), ("high", "high"), ("mid", "mid"), ("low", "low")]
    right = cohen_kappa(answers, "linear", ("low", "mid", "high"), FEW).value
    assert right != cohen_kappa(answers, "linear", how=FEW).value  # of the alphabet: high, low, mid
    with pytest.raises(UsageError, match="'high' is none of the categories"):
        cohen_kappa(answers, categories=("low", "mid"))
    assert votes_of_table([[10, 9, 2]]).categories == ("2", "9", "10")


@pytest.mark.parametrize(
    "level, expected",
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)],  # as published
)
def test_krippendorff_alpha(level, expected):
    found = krippendorff_alpha(votes_of_table(list(zip(*KRIPPENDORFF, strict=True))), level)
    assert found.value == pytest.approx(expected, abs=0.0005)
    assert (found.n, found.missing) == (11, 1)
    assert found.low < found.value <= found.high


def test_krippendorff_alpha_of_two_judges():
    first, second = "0100000010", "1110010000"
    found = krippendorff_alpha(votes_of_table(list(zip(first, second, strict=True))), how=FEW)
    assert found.value == pytest.approx(0.095, abs=0.0005)  # Krippendorff 2011, part A


def test_alpha_on_the_interval_level_needs_numbers():
    with pytest.raises(UsageError, match="needs numbers"):
        krippendorff_alpha(votes_of_table([["a", "b"]]), "interval")


def test_perfect_and_no_variation():
    perfect = votes_of_table([["a", "a"], ["b", "b"], ["a", "a"]])
    assert fleiss_kappa(perfect, FEW).value == krippendorff_alpha(perfect, how=FEW).value == 1.0
    same = votes_of_table([["a", "a"], ["a", "a"]])
    assert fleiss_kappa(same, FEW).value is krippendorff_alpha(same, how=FEW).value is None
    assert cohen_kappa([("a", "a")], how=FEW).value is None
    assert percent_agreement(same, FEW).value == 1.0
    nothing = votes_of_table([])
    assert percent_agreement(nothing, FEW).value is fleiss_kappa(nothing, FEW).value is None
    assert krippendorff_alpha(nothing, how=FEW).value is cohen_kappa([], how=FEW).value is None


def test_votes_of_judgements():
    judgements = [
        Judgement("q1", "ok?", "yes", "ann"),
        Judgement("q1", "ok?", "no", "bob"),
        Judgement("q1", "ok?", "yes", "bob"),  # he thought again
        Judgement("q2", "ok?", "no", "ann"),
        Judgement("q2", "ok?", "no", count=3),
        Judgement("q2", "ok?", "no", count=2),
        Judgement("q2", "ok?", "yes", "ann", part="/facts/0"),
    ]
    found = votes(judgements)
    assert found.items == ("q1", "q2", "q2/facts/0")
    assert found.categories == ("no", "yes")
    assert found.counts.tolist() == [[0, 2], [6, 0], [0, 1]]
    assert pairs(judgements, "ann", "bob") == [("yes", "yes")]
    with pytest.raises(UsageError, match="name two of the 3 judges"):
        pairs(judgements)
    with pytest.raises(UsageError, match="one question"):
        votes([*judgements, Judgement("q1", "clear?", "yes")])


def test_pairs_of_the_only_two_judges():
    judgements = [Judgement(item, "ok?", answer, judge) for item, judge, answer in
                  [("1", "a", "x"), ("2", "a", "y"), ("2", "b", "z"), ("3", "b", "x")]]  # fmt: skip
    assert pairs(judgements) == [("y", "z")]


def _ceiling(counts, label, size):
    judgements = [Judgement("q", "which?", name, count=count) for name, count in counts.items()]
    return {found.name: found for found in human_ceiling(judgements, {"q": label}, (size,), how=FEW)}


def _by_enumeration(counts, label, size):
    ballots = [name for name, count in counts.items() for _ in range(count)]
    shares = []
    for drawn in combinations(ballots, size):
        tally = {name: drawn.count(name) for name in counts}
        best = [name for name, count in tally.items() if count == max(tally.values())]
        shares.append((label in best) / len(best))
    return sum(shares) / len(shares)


@pytest.mark.parametrize(
    "counts, label, size",
    [
        ({"1": 4, "2": 3}, "1", 3),
        ({"1": 4, "2": 3}, "2", 4),  # ties
        ({"a": 3, "b": 3, "c": 2}, "a", 3),
        ({"a": 3, "b": 2, "c": 2, "d": 1}, "c", 4),
        ({"a": 3}, "b", 2),  # a label that nobody chose
    ],
)
def test_the_majority_of_some_voters_equals_enumeration(counts, label, size):
    found = _ceiling(counts, label, size)
    assert found[f"majority of {size} voters"].value == pytest.approx(_by_enumeration(counts, label, size))
    assert found["one voter"].value == pytest.approx(counts.get(label, 0) / sum(counts.values()))


def test_ceiling_counts_what_is_missing():
    judgements = [
        Judgement("q1", "?", "1", count=2),
        Judgement("q2", "?", "2", count=2),
        Judgement("q2", "?", "1"),
    ]
    found = {one.name: one for one in human_ceiling(judgements, {"q1": "1", "q2": "2"}, (3,), how=FEW)}
    assert (found["majority of 3 voters"].n, found["majority of 3 voters"].missing) == (1, 1)
    assert found["majority of all voters"].value == 1.0
    assert human_ceiling(judgements, {}, how=FEW)[0].missing == 2


def test_ties_of_all_voters():
    judgements = [Judgement("q", "?", "2", count=5), Judgement("q", "?", "1", count=5)]
    for label, ties, expected in (("2", "first", 1.0), ("1", "first", 0.0), ("1", "shared", 0.5)):
        assert human_ceiling(judgements, {"q": label}, ties=ties, how=FEW)[-1].value == expected


@pytest.mark.real_data
def test_ceiling_of_abductive_nli(real_data):
    dataset = art.read_anli(real_data / art.ANLI_SPLITS["dev"].path)
    labels = {example.id: example.golds[0].name for example in dataset.examples}
    judgements = list(art.read_votes(real_data / art.VOTES))
    found = {one.name: one for one in human_ceiling(judgements, labels, (3, 5), how=FEW)}
    majority = found["majority of all voters"]
    assert majority.value == 1369 / 1532  # 89.36 %
    shared = human_ceiling(judgements, labels, ties="shared", how=FEW)[-1]
    assert shared.value == (1367 + 8 / 2) / 1532  # of 8 items just half of the votes are for the label
    assert (majority.n, majority.missing) == (1532, 0)
    assert majority.low < 0.8936 < majority.high
    order = ("one voter", "majority of 3 voters", "majority of 5 voters", "majority of all voters")
    values = [found[name].value for name in order]
    assert values == sorted(values)
