"""Conclusions by rule. The rows are ours, after the inferences of EntailmentBank's Table 3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.formats.proofs import format_proof, parse_proof
from whence.models.overlap_features import content_words
from whence.structures.tree import Step, Tree
from whence.tasks.entailment_trees.methods.search.rule_conclusions import compose


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
            ["to freeze means to become ice", "cold water may become ice"],
            "cold water may freeze",
            "substitution",
            "cold water may freeze",
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
        # what is the same is said once
        (
            ["the fox has white fur", "the fox lives in snow"],
            "the fox with white fur lives in snow",
            "conjunction",
            "the fox has white fur and lives in snow",
        ),
        (
            ["teeth are a part of the head", "jaws are a part of the head"],
            "teeth and jaws are in the head",
            "conjunction",
            "teeth and jaws are a part of the head",
        ),
    ],
)
def test_rules(premises: list[str], goal: str, rule: str, conclusion: str) -> None:
    for given_in in (premises, premises[::-1]):
        made = compose(given_in, content_words(goal))
        assert made.rule == rule
        assert set(made.text.split()) == set(conclusion.split())
    assert compose(premises, content_words(goal)).text == conclusion


def test_two_things_of_a_kind_are_not_each_other() -> None:
    made = compose(["ebb is a stage of the tide", "flood is a stage of the tide"], frozenset({"tide"}))
    assert made.text not in ("ebb is a flood", "flood is a ebb", "ebb is flood", "flood is ebb")


def test_a_conclusion_is_not_one_of_its_premises() -> None:
    premises = ["ice is a kind of solid", "ice is cold"]
    assert compose(premises, content_words("ice is cold")).text not in premises


@pytest.mark.parametrize("premises", [("ice is cold", ":"), (": .", "ice is cold"), ("ice is cold",)])
def test_what_says_nothing_is_left_out(premises: tuple[str, ...]) -> None:
    assert compose(premises).text == "ice is cold"


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=3))
def test_whatever_is_composed_can_be_written_in_a_proof(premises: list[str]) -> None:
    text = compose(premises).text
    if text.strip() and "->" not in text:
        tree = Tree((Step(("sent1", "sent2"), "int1", text), Step(("int1", "sent3"), "hypothesis")))
        assert parse_proof(format_proof(tree)) == tree
