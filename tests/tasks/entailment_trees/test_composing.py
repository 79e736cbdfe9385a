"""Conclusions by rule. The rows are ours, after the inferences of EntailmentBank's Table 3."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.formats.proofs import format_proof, parse_proof
from whence.models.overlap_features import content_words
from whence.models.verifier.entailment import Entailment, Inference
from whence.structures.tree import Step, Tree
from whence.tasks.entailment_trees.methods.search.conclusions import Conclusions, is_repetition, is_sentence
from whence.tasks.entailment_trees.methods.search.rule_conclusions import proposals


@pytest.mark.parametrize(
    "premises, goal, rule, conclusion",
    [
        # substitution: a kind of thing, in the sentence about it
        (
            ["a robin is a kind of bird", "a bird lays eggs"],
            "a robin lays eggs",
            "substitution",
            "a robin lays eggs",
        ),
        # the number of the thing that was replaced
        (["a robin is a kind of bird", "birds lay eggs"], "robins lay eggs", "substitution", "robins lay eggs"),
        # a chain of kinds
        (
            ["a robin is a kind of bird", "a bird is a kind of animal"],
            "a robin is a kind of animal",
            "substitution",
            "a robin is a kind of animal",
        ),
        # the sentence has only the head of the phrase; the article fits what follows it
        (
            ["an oak is a kind of tall tree with acorns", "a tree needs light"],
            "an oak needs light",
            "substitution",
            "an oak needs light",
        ),
        # a meaning goes both ways
        (
            ["rainfall is the same as precipitation", "rainfall is measured with a gauge"],
            "precipitation is measured with a gauge",
            "substitution",
            "precipitation is measured with a gauge",
        ),
        # an if whose condition is met
        (
            ["if something is heated then that something expands", "the bridge is heated"],
            "the bridge expands",
            "rule",
            "the bridge expands",
        ),
        # two causes
        (
            ["rain causes floods", "floods cause damage to fields"],
            "rain causes damage to fields",
            "chain",
            "rain causes damage to fields",
        ),
    ],
)
def test_rules(premises: list[str], goal: str, rule: str, conclusion: str) -> None:
    for given_in in (premises, premises[::-1]):
        best, *_ = proposals(given_in, content_words(goal))
        assert best.rule == rule
        assert set(best.text.split()) == set(conclusion.split())
    assert proposals(premises, content_words(goal))[0].text == conclusion


def test_two_things_of_a_kind_are_not_each_other() -> None:
    made = proposals(["ebb is a stage of the tide", "flood is a stage of the tide"], frozenset({"tide"}))
    assert not {one.text for one in made} & {"ebb is a flood", "flood is a ebb", "ebb is flood", "flood is ebb"}


def test_a_proposal_is_not_one_of_its_premises() -> None:
    premises = ["ice is a kind of solid", "ice is cold"]
    assert not {one.text for one in proposals(premises, content_words("ice is cold"))} & set(premises)


@pytest.mark.parametrize("premises", [("ice is cold", ":"), (": .", "ice is cold"), ("ice is cold",), ()])
def test_nothing_is_proposed_from_one_sentence(premises: tuple[str, ...]) -> None:
    assert proposals(premises) == []


def test_only_subjects_are_exchanged() -> None:
    assert proposals(["to freeze means to become ice", "cold water may become ice"]) == []


def test_sentences_that_no_rule_joins_give_nothing() -> None:
    assert proposals(["the fox has white fur", "gold is heavy"]) == []


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=3))
def test_whatever_is_proposed_can_be_written_in_a_proof(premises: list[str]) -> None:
    for made in proposals(premises):
        if made.text.strip() and "->" not in made.text:
            tree = Tree((Step(("sent1", "sent2"), "int1", made.text), Step(("int1", "sent3"), "hypothesis")))
            assert parse_proof(format_proof(tree)) == tree


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a robin lays eggs", True),
        ("rubbing two hands causes their temperature to rise", True),
        ("a zebra is a kind of lion eat zebras and", False),  # a loose end
        ("eggs", False),
        ("ice is is cold", False),
        ("if fossils of a water animal has changed", False),  # half a rule
        ("if ice is heated, it melts", True),
        ("the big warm house", False),  # no verb
        (" ".join(["ice is cold and water is wet"] * 5), False),  # longer than people write
    ],
)
def test_what_reads_as_a_sentence(text: str, expected: bool) -> None:
    assert is_sentence(text) is expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Ice is cold.", True),
        ("ice is cold and water is wet", True),  # a bare conjunction
        ("water is wet and ice is cold", True),
        ("ice is a cold kind of water", False),
    ],
)
def test_what_only_repeats(text: str, expected: bool) -> None:
    assert is_repetition(text, ["ice is cold", "water is wet"]) is expected


class Believer:
    """A verifier that believes everything, or nothing; it keeps what it was asked."""

    name = "believer"

    def __init__(self, follows: float) -> None:
        self.follows, self.asked = follows, list[Inference]()

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        self.asked += inferences
        return [Entailment(self.follows, 0.0, 1 - self.follows) for _ in inferences]


class Author:
    """A writer that always writes the same."""

    name = "author"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    def write(self, premises: Sequence[str]) -> list[str]:
        return self.texts


ROBIN = ["a robin is a kind of bird", "a bird lays eggs"]
WANTED = content_words("a robin lays eggs")


def test_a_conclusion_is_one_that_the_verifier_accepts() -> None:
    believed = Conclusions(Believer(0.9)).conclude(ROBIN, WANTED)
    assert believed is not None and believed.text == "a robin lays eggs" and believed.verdict.is_supported
    assert Conclusions(Believer(0.1)).conclude(ROBIN, WANTED) is None


def test_what_cannot_be_shown_is_not_even_asked_about() -> None:
    verifier = Believer(0.9)
    author = Author("iron is hard and a bird lays eggs", "robin", "a bird lays eggs")
    assert Conclusions(verifier, author).conclude(["iron is hard", *ROBIN[1:]], WANTED) is None
    assert verifier.asked == []


def test_premises_are_judged_once() -> None:
    verifier = Believer(0.9)
    conclusions = Conclusions(verifier)
    first = conclusions.conclude(ROBIN, WANTED)
    asked = len(verifier.asked)
    assert conclusions.conclude(ROBIN, WANTED) == first and len(verifier.asked) == asked
