"""Accuracy, precision, recall, F1: rows by hand (scikit-learn agrees), and what CIDER and `anli` make of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from whence.metrics.classification import (
    F1,
    MACRO_F1,
    MACRO_PRECISION,
    MACRO_RECALL,
    PRECISION,
    RECALL,
    WEIGHTED_F1,
    accuracy,
    by_class,
    by_match,
    by_set,
    likelihood,
)
from whence.metrics.metric import Scores
from whence.structures.dialogue import Dialogue, Span, Triplet, Triplets, Utterance
from whence.structures.results import Example, Label, Prediction
from whence.tasks import TASKS, task_named
from whence.tasks.abduction import scoring as abduction
from whence.tasks.dataset import AnyDataset, Dataset
from whence.tasks.dialogue_triplets import scoring as cider
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions

ALL = (MACRO_PRECISION, MACRO_RECALL, MACRO_F1, WEIGHTED_F1)
OPTIONS = ScoringOptions()
NAMES = ("anli", "cider", "cider-nli", "cider-span", "cider-choice", "cider-relation")


def _figures(scores: list[Scores]) -> list[float | None]:
    return [found.figure() for found in scores]


@pytest.mark.parametrize(
    ("golds", "labels", "expected"),
    [
        ("a b", "a b", (1, 1, 1, 1)),
        ("a b", "b a", (0, 0, 0, 0)),
        # a: P 2/3 R 2/3; b: P 4/5 R 4/5
        ("a a a b b b b b", "a b a a b b b b", (11 / 15, 11 / 15, 11 / 15, (3 * 2 / 3 + 5 * 4 / 5) / 8)),
        # a and b: P 1/2 R 1/2; c: 0; d, predicted and never gold: 0
        ("a a b b c", "a b b d a", (0.25, 0.25, 0.25, 0.4)),
        (
            "a a",
            "? a",
            (1, 0.5, 2 / 3, 2 / 3),
        ),  # what is no class is predicted as none: one right of one predicted
    ],
)
def test_means_over_classes(golds: str, labels: str, expected: tuple[float, ...]) -> None:
    found = by_class(ALL, golds.split(), labels.split(), "abcde")
    assert _figures(found) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("golds", "labels", "expected"),
    [
        ("a a b", "a b a", (1 / 2, 1 / 2, 1 / 2)),
        ("a b", "b b", (0, 0, 0)),  # never predicted: 0, as in scikit-learn
        ("b b", "a b", (0, 0, 0)),
        ("b b", "b b", (None, None, None)),  # neither gold nor predicted: unknown
        ("", "", (None, None, None)),
    ],
)
def test_one_class(golds: str, labels: str, expected: tuple[float | None, ...]) -> None:
    assert _figures(by_class([PRECISION, RECALL, F1], golds.split(), labels.split(), "a")) == list(expected)


def test_no_answer_is_wrong_and_no_gold_is_unknown() -> None:
    found = accuracy(["a", "b", None], [None, "b", "b"])
    assert found.by_item() == [0, 1, None]
    assert found.note
    macro = by_class([MACRO_F1], ["a", "b", None], [None, "b", "b"], "ab")[0]
    assert macro.figure() == 0.5  # a: 0, b: 1; the third item is not counted
    assert macro.by_item() == [0, 1, None]


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [
        ([{1, 2}, {3}], [{1}, {3, 4}], (2 / 3, 2 / 3, 2 / 3)),
        ([{1}], [set()], (0, 0, 0)),
        ([set()], [set()], (None, None, None)),
        ([None, {1}], [{1}, {1}], (1, 1, 1)),
        ([], [], (None, None, None)),
    ],
)
def test_sets(gold: list[Any], found: list[Any], expected: tuple[float | None, ...]) -> None:
    assert _figures(by_set([PRECISION, RECALL, F1], gold, found)) == list(expected)


LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "d", None])), min_size=1)


@given(LABELS, st.randoms())
def test_bounds_order_and_sums(items: list[tuple[str, str | None]], random: Any) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    twice = items + items
    for one, other, doubled in zip(_all(items), _all(shuffled), _all(twice), strict=True):
        figure = one.figure()
        assert figure is not None and 0 <= figure <= 1
        assert other.figure() == pytest.approx(figure)
        assert doubled.figure() == pytest.approx(figure)
        assert one.figures(np.full((1, len(items)), 2.0)) == pytest.approx([figure])


def _all(items: list[tuple[str, str | None]]) -> list[Scores]:
    golds, labels = [gold for gold, _ in items], [label for _, label in items]
    return [*by_class(ALL, golds, labels, "abcd"), accuracy(golds, labels)]


# The tasks.


def _gold_answers(dataset: AnyDataset) -> list[Prediction[Any] | None]:
    return [Prediction(example.id, example.golds[0]) for example in dataset.examples]


@pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)
@pytest.mark.parametrize("name", NAMES)
def test_gold_is_perfect(name: str, protocol: str) -> None:
    dataset = samples(TASKS[name])
    for scores in task_named(name).scoring().score(dataset, _gold_answers(dataset), ScoringOptions(protocol)):
        worst = {"nm", "pm"}
        assert scores.figure() == (0 if scores.metric.name in worst else 1), scores.metric.name
    assert not task_named(name).scoring().failures(dataset, _gold_answers(dataset), OPTIONS)


@pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", [None, Prediction("x", None, "???")])
def test_no_answers_are_all_wrong(name: str, protocol: str, answer: Any) -> None:
    dataset = samples(TASKS[name])
    answers = [answer] * len(dataset.examples)
    for scores in task_named(name).scoring().score(dataset, answers, ScoringOptions(protocol)):
        assert len(scores.known) == len(dataset.examples)
        assert scores.figure() == (1 if scores.metric.name == "nm" else 0)
    causes = task_named(name).scoring().failures(dataset, answers, OPTIONS)
    assert causes["no answer" if answer is None else "unread"] == len(dataset.examples)


@pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)
@pytest.mark.parametrize("name", NAMES)
def test_no_examples_and_no_gold_are_unknown(name: str, protocol: str) -> None:
    dataset = samples(TASKS[name])
    hidden = replace(dataset, examples=tuple(replace(example, golds=()) for example in dataset.examples))
    for nothing in (Dataset((), ()), hidden):
        answers = [None] * len(nothing.examples)
        for scores in task_named(name).scoring().score(nothing, answers, ScoringOptions(protocol)):
            assert scores.figure() is None
        assert not task_named(name).scoring().failures(nothing, answers, OPTIONS)
        for slice_of in task_named(name).scoring().slices.values():
            assert all(isinstance(slice_of(example), tuple) for example in nothing.examples)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_items_does_not_matter(name: str) -> None:
    dataset = samples(TASKS[name])
    golds = _gold_answers(dataset)
    answers = [*golds[len(golds) // 2 :], *golds[: len(golds) // 2]]
    backwards = replace(dataset, examples=dataset.examples[::-1])
    score = task_named(name).scoring().score
    for one, other in zip(score(dataset, answers, OPTIONS), score(backwards, answers[::-1], OPTIONS), strict=True):
        assert other.figure() == pytest.approx(one.figure())
        assert other.by_item() == one.by_item()[::-1]
        low, high = one.metric.bounds
        assert all(low <= value <= high for value in one.by_item() if value is not None)


def test_slices_of_samples() -> None:
    found = {
        f"{name}:{by}": Counter(group for example in samples(TASKS[name]).examples for group in slice_of(example))
        for name in NAMES
        for by, slice_of in task_named(name).scoring().slices.items()
    }
    assert {key for key, groups in found.items() if not groups} == {"anli:votes"}  # samples have no votes
    assert set(found["anli:category"]) <= {"numerical", "spatial", "emotional", "other"}
    for name in NAMES[1:]:
        assert set(found[f"{name}:category"]) <= {relation.category for relation in cider.RELATIONS.values()}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is 'rain'?", ("Is A", "rain")),
        ("What is 'rain' used for?", ("Used For", "rain")),
        ("What is implied by 'the sky's grey'?", ("Implies", "the sky's grey")),
        ("Who knows?", None),
    ],
)
def test_relation_asked(question: str, expected: tuple[str, str] | None) -> None:
    assert cider.asked(question) == expected


def test_votes() -> None:
    example = samples(TASKS["anli"]).examples[0]
    gold, other = example.golds[0].name, "12".replace(example.golds[0].name, "")
    for votes, expected in (
        ({gold: 100}, ("90-100%",)),
        ({gold: 80, other: 20}, ("75-89%",)),
        ({gold: 50, other: 50}, ("50-74%",)),
        ({other: 100}, ("0-49%",)),
        ({}, ()),
    ):
        assert abduction.by_votes(replace(example, meta={"votes": votes})) == expected


def _triplets(*rows: tuple[str, str, str]) -> Triplets:
    return Triplets(tuple(Triplet(Span(head), relation, Span(tail)) for head, relation, tail in rows))


@pytest.mark.parametrize(
    ("found", "expected", "causes"),
    [
        (_triplets(("Rain ", "Causes", "wet  street")), (1, 1 / 2, 2 / 3, 2 / 3), {}),
        (_triplets(("road", "Synonym", "street")), (1, 1 / 2, 2 / 3, 2 / 3), {}),  # symmetric: either way round
        (_triplets(("wet street", "Causes", "rain")), (0, 0, 0, 2 / 3), {"head and tail exchanged": 1}),
        (_triplets(("rain", "Implies", "wet street")), (0, 0, 0, 2 / 3), {"right spans, other relation": 1}),
        (_triplets(("rain", "Causes", "road")), (0, 0, 0, 0), {"one span of a gold triplet": 1}),
        (_triplets(("sun", "Causes", "heat")), (0, 0, 0, 0), {"no span of a gold triplet": 1}),
        (
            _triplets(("rain", "Causes", "wet street"), ("RAIN", "Causes", "wet street")),
            (1, 1 / 2, 2 / 3, 2 / 3),
            {},
        ),
    ],
)
def test_triplets(found: Triplets, expected: tuple[float, ...], causes: dict[str, int]) -> None:
    gold = _triplets(("rain", "Causes", "wet street"), ("street", "Synonym", "road"))
    dataset = Dataset((Example("d", Dialogue((Utterance("A", "x"),)), (gold,)),), (1,))
    answers = [Prediction("d", found)]
    scores = task_named("cider").scoring().score(dataset, answers, OPTIONS)[:4]
    assert [one.metric.name for one in scores] == ["precision", "recall", "f1", "pairs.f1"]
    assert _figures(scores) == pytest.approx(expected)
    missing = 2 - round(2 * (scores[1].figure() or 0))
    assert task_named("cider").scoring().failures(dataset, answers, OPTIONS) == {
        **causes,
        "gold triplet missing": missing,
    }


def test_relation_precision_and_recall_are_not_exchanged() -> None:
    pair = samples(TASKS["cider-relation"]).examples[0].inputs
    golds = ["Causes", "Causes", "Causes", "Implies"]
    labels = ["Causes", "Implies", "Implies", "Implies"]
    dataset = Dataset(tuple(Example(str(n), pair, (Label(gold),)) for n, gold in enumerate(golds)), (1, 2, 3, 4))
    answers = [Prediction(str(n), Label(label)) for n, label in enumerate(labels)]
    for protocol in SCORING_PROTOCOLS:
        found = {
            s.metric.name: s
            for s in task_named("cider-relation").scoring().score(dataset, answers, ScoringOptions(protocol))
        }
        assert found["macro_precision"].figure() == pytest.approx((1 + 1 / 3) / 2)
        assert found["macro_recall"].figure() == pytest.approx((1 / 3 + 1) / 2)
        assert bool(found["macro_recall"].note) == (protocol == "official")
    assert task_named("cider-relation").scoring().failures(dataset, answers, OPTIONS) == {
        "other relation of the right category (Causal)": 2
    }


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ([0.25, 1.0], 0.5),  # by hand: the square root of a quarter
        ([0.5, None, 0.5], 0.5),  # no gold, not counted
        ([0.0], 1e-6),  # held impossible: the least that counts
        ([None], None),
        ([], None),
    ],
)
def test_likelihood_is_a_geometric_mean(probabilities: list[float | None], expected: float | None) -> None:
    assert likelihood(probabilities).figure() == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("seed", range(50))
def test_as_many_members_are_paired_as_can_be(seed: int) -> None:
    generator = np.random.default_rng(seed)
    fits = generator.random(generator.integers(1, 9, 2)) < generator.random()
    rows, columns = map(range, fits.shape)
    (found,) = by_match([RECALL], [list(columns)], [list(rows)], lambda row, column: bool(fits[row, column]))
    best = maximum_bipartite_matching(csr_array(fits.astype(np.int8)), perm_type="column")
    assert found.statistics[0].tolist() == [(best >= 0).sum(), len(rows), len(columns)]


def test_many_members_that_all_fit_are_paired_without_a_deep_stack() -> None:
    (found,) = by_match([RECALL], [range(400)], [range(1500)], lambda *_: True)
    assert found.statistics[0].tolist() == [400, 1500, 400]
