"""Rules for written hypotheses: each row is run through all of them."""

from __future__ import annotations

import pytest

from whence.checks.hypothesis import NO_COPY, NOT_EMPTY, edit_budget, word_count
from whence.checks.rule import check
from whence.structures.hypothesis import Hypothesis, Observations

STORY = Observations("Dotty was grumpy.", "She felt much better.")
RULES = (NOT_EMPTY, NO_COPY, word_count(10), edit_budget(4))  # the paper's limits, A.1

NINE = "Dotty called some close friends to chat with her."
OF_NINE = "Dotty called her enemies to chat with her."


@pytest.mark.parametrize(
    "found, problems",
    [
        (Hypothesis(NINE), []),
        (Hypothesis(NINE, OF_NINE), []),  # 3 words more, 2 fewer
        # not-empty
        (Hypothesis(""), [("not-empty", "/text", "empty")]),
        (Hypothesis(" \n"), [("not-empty", "/text", "empty")]),
        # no-copy
        (
            Hypothesis("Dotty was grumpy. "),
            [("no-copy", "/text", "the first observation")],
        ),
        (
            Hypothesis("She felt much better."),
            [("no-copy", "/text", "the second observation")],
        ),
        (Hypothesis("Dotty was grumpy. She slept."), []),  # more than a repetition
        # length
        (Hypothesis("a b c d e f g h i"), []),  # 9 words
        (Hypothesis("a b c d e f g h i j"), [("length", "/text", "10 words")]),
        # edit-budget
        (Hypothesis("a b c d", "w x y z"), []),  # 4 and 4: just allowed
        (Hypothesis("a b c d e", "a"), []),
        (
            Hypothesis("a b c d e f", "a"),
            [("edit-budget", "/text", "5 words added and 0 removed")],
        ),
        (
            Hypothesis("a", "a b c d e f"),
            [("edit-budget", "/text", "0 words added and 5 removed")],
        ),
        (Hypothesis("a b", "b a"), [("edit-budget", "/text", "no word")]),
        (Hypothesis("a b", ""), []),  # made from an empty sentence is still an edit: 2 words added
    ],
)
def test_rules(found, problems):
    got = check(STORY, found, RULES)
    assert [(problem.rule, problem.where) for problem in got] == [(rule, where) for rule, where, _ in problems]
    assert all(said in problem.message for problem, (_, _, said) in zip(got, problems, strict=True))


@pytest.mark.parametrize(
    "observation, text, rules",
    [
        ("It rained. ", " It rained.", ["no-copy"]),  # blanks aside
        (" ", "  ", ["not-empty"]),  # of nothing, nothing is copied
        ("It rained.", "it rained.", []),  # another case is another text
    ],
)
def test_copies(observation, text, rules):
    found = check(Observations(observation, "He slipped."), Hypothesis(text), [NOT_EMPTY, NO_COPY])
    assert [problem.rule for problem in found] == rules


def test_two_equal_observations_are_copied_twice():
    found = check(Observations("It rained.", "It rained."), Hypothesis("It rained."), [NO_COPY])
    assert [problem.rule for problem in found] == ["no-copy", "no-copy"]
