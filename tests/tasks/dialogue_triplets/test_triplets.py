"""Triplets found in a dialogue: spans proposed, pairs joined, a consistent set chosen."""

from __future__ import annotations

import pytest

from whence.checks.rule import check
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.dialogue import Dialogue, Span, Triplet, Triplets, Utterance
from whence.structures.results import Example, Prediction
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.dialogue_triplets.heads.joined_spans import NEGATIVES, pair_items
from whence.tasks.dialogue_triplets.heads.span_tags import marked_spans, turn_items
from whence.tasks.dialogue_triplets.methods.triplets.finder import (
    NAMES,
    TUNED,
    Candidate,
    TripletFinder,
    TripletSettings,
    Weights,
    triplet_finder,
)
from whence.tasks.dialogue_triplets.proposals import Proposed, clash, clauses, joinable
from whence.tasks.dialogue_triplets.rules import triplet_rules
from whence.tasks.dialogue_triplets.scoring import key, overlap, score_triplets
from whence.tasks.loading import samples
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.sources import data_folder
from whence.tasks.wording import plain

needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)
TURNS = (Utterance("A", "You look soaked!"), Utterance("B", "My bike, at last, got a puncture in this downpour."))
DIALOGUE = Dialogue(TURNS)
SOAKED, DOWNPOUR, BIKE = Span("soaked", 0, 9), Span("downpour", 1, 41), Span("My bike", 1, 0)
EXAMPLES = samples(task_named("cider")).examples


def _triplet(head: Span, relation: str, tail: Span) -> Triplet:
    return Triplet(head, relation, tail)


def test_tags_are_the_gold_spans_and_back() -> None:
    gold = Triplets((_triplet(DOWNPOUR, "Causes", SOAKED), _triplet(BIKE, "Has Property", Span("broken"))))
    items = list(turn_items(Example("x", DIALOGUE, (gold,))))
    assert [item.gold for item in items] == [(0, 0, 1), (1, 2, 0, 0, 0, 0, 0, 0, 0, 1)]
    tags = [item.gold or () for item in items]
    assert list(marked_spans(Example("x", DIALOGUE), tags)) == [SOAKED, BIKE, DOWNPOUR]


def test_spans_that_are_proposed_stand_where_they_say() -> None:
    for example in EXAMPLES:
        for span in clauses(example.inputs):
            assert span.turn is not None
            assert example.inputs.utterances[span.turn].text[span.start or 0 :].startswith(span.text)


def test_pairs_neither_overlap_nor_lie_far_apart() -> None:
    inside, far = Span("bike", 1, 3), Span("soaked again", 9, 0)
    found = joinable([Proposed(span, True) for span in (SOAKED, BIKE, inside, far)])
    assert {(head.span, tail.span) for head, tail in found} == {
        (SOAKED, BIKE), (BIKE, SOAKED), (SOAKED, inside), (inside, SOAKED)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("triplet", "why"),
    [
        (_triplet(DOWNPOUR, "Causes", SOAKED), "says again"),
        (_triplet(Span("this downpour", 1, 36), "Causes", SOAKED), "says again"),
        (_triplet(SOAKED, "Causes", DOWNPOUR), "joined already"),
        (_triplet(DOWNPOUR, "Implies", SOAKED), "joined already"),
        (_triplet(DOWNPOUR, "Causes", BIKE), ""),
    ],
)
def test_what_does_not_go_together(triplet: Triplet, why: str) -> None:
    found = clash(triplet, _triplet(DOWNPOUR, "Causes", SOAKED))
    assert found.startswith(why) if not why else why in found


def test_a_symmetric_relation_is_stated_once() -> None:
    assert "says again" in clash(_triplet(SOAKED, "Similar To", BIKE), _triplet(BIKE, "Similar To", SOAKED))


def _candidate(triplet: Triplet, weight: float) -> Candidate:
    return Candidate(triplet, (weight, *[0.0] * (len(NAMES) - 1)))


def test_the_best_are_chosen_and_others_refused_with_reasons() -> None:
    finder = TripletFinder(
        {}, TripletSettings(threshold=0.6, most=2), Weights(0.0, (1.0, *[0.0] * (len(NAMES) - 1)))
    )
    good, again = _triplet(DOWNPOUR, "Causes", SOAKED), _triplet(SOAKED, "Implies", DOWNPOUR)
    low = _triplet(BIKE, "Causes", SOAKED)
    found = finder.chosen([_candidate(low, 0.1), _candidate(again, 2.0), _candidate(good, 3.0)])
    assert found.explanation == Triplets((good,))
    assert ["joined already" in reason.because[-1] for reason in found.refused] == [True, False]
    assert "below the threshold 0.6" in found.refused[1].because
    assert finder.chosen([_candidate(low, -3.0)]).explanation == Triplets((low,))  # the best one in any case
    assert finder.chosen([]).explanation is None


def test_negatives_are_no_gold_pairs_and_come_in_a_fixed_number() -> None:
    for example in EXAMPLES:
        items = list(pair_items(example, 0))
        joined = {(plain(t.head.text), plain(t.tail.text)) for t in example.golds[0].triplets}
        positive = [item for item in items if item.gold]
        assert len(items) - len(positive) <= NEGATIVES * len(positive)
        assert all(tuple(map(plain, item.options[0][0])) not in joined for item in items if not item.gold)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (
            ("got a puncture", "Causes", "soaked"),
            ("a puncture", "Causes", "soaked"),
            True,
        ),  # F1 2/3: articles aside
        (("my old red bike", "Causes", "soaked"), ("bike", "Causes", "soaked"), False),  # F1 2*1/(4+1)
        (("a", "Implies", "b c"), ("a", "Causes", "b c"), False),
        (("b c", "Similar To", "x"), ("x", "Similar To", "b c"), True),  # symmetric
        (("b c", "Causes", "x"), ("x", "Causes", "b c"), False),
    ],
)
def test_overlap(one: tuple[str, str, str], two: tuple[str, str, str], expected: bool) -> None:
    assert overlap(one, two) == expected


def test_overlap_pairs_one_to_one() -> None:
    gold = Triplets((_triplet(DOWNPOUR, "Causes", SOAKED),))
    wide = _triplet(Span("this downpour", 1, 36), "Causes", SOAKED)
    answer = Triplets((*gold.triplets, wide))
    dataset = Dataset((Example("x", DIALOGUE, (gold,)),), (1,))
    scores = {
        s.metric.name: s.figure() for s in score_triplets(dataset, [Prediction("x", answer)], ScoringOptions())
    }
    assert overlap(key(wide), key(gold.triplets[0]))
    assert (scores["overlap.precision"], scores["overlap.recall"]) == (0.5, 1.0)


@needs_encoder
def test_triplets_of_a_dialogue_keep_the_rules_and_ignore_gold() -> None:
    finder = triplet_finder(TripletSettings(), Setup(data_folder))
    blind = Example(EXAMPLES[0].id, EXAMPLES[0].inputs)
    (found,) = finder.explain([EXAMPLES[0]])
    assert finder.explain([blind]) == [found]
    dataset = Dataset((blind,), (1,))
    assert check(blind.inputs, found.explanation, triplet_rules("paper", dataset)) == ()
    assert len(found.reasons) == len(found.explanation.triplets) >= 1
    assert len(TUNED.each) == len(NAMES)
