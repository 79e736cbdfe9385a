"""Rules for entailment trees: each row is run through all of them, so it says which one it breaks and which not.

Two rules are never broken alone. A step after the hypothesis concludes it again, is not used, or was used
before; and in a circle some conclusion is used before it is reached, or is reached twice.
"""

from __future__ import annotations

import pytest

from whence.checks.rule import check
from whence.checks.tree import (
    ALL_USED,
    IN_ORDER,
    KNOWN_IDS,
    NO_CYCLE,
    NOTHING_AFTER,
    ONCE,
    ONE_ROOT,
    PREMISES,
    WORDED,
)
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree

CLAIM = Claim("ice melts", tuple(Sentence(f"sent{number}", "text") for number in range(1, 5)))
RULES = (ONE_ROOT, PREMISES, NOTHING_AFTER, ALL_USED, NO_CYCLE, IN_ORDER, ONCE, KNOWN_IDS, WORDED)


def tree(text: str, *sentences: Sentence) -> Tree:
    """`s1+s2>i1 i1>h`: ids in short, every intermediate with a text."""
    names = {"s": "sent", "i": "int", "h": HYPOTHESIS}

    def long(name: str) -> str:
        return names[name[0]] + name[1:]

    steps = []
    for left, right in (step.split(">") for step in text.split()):
        premises = tuple(long(name) for name in left.split("+")) if left else ()
        steps.append(Step(premises, long(right), "" if right == "h" else "text"))
    return Tree(tuple(steps), sentences)


@pytest.mark.parametrize(
    "found, problems",
    [
        (tree("s1+s2>h"), []),
        (tree("s1+s2>i1 i1+s3>h"), []),
        (tree("s1+s2>i1 s3>i2 i1+i2+s1>h"), []),  # a leaf used twice: a DAG, as some gold trees are
        (tree("s9>h", Sentence("sent9", "the tree's own")), []),
        # one-root
        (tree(""), [("one-root", "", "0 steps conclude")]),
        (
            tree("s1>h s2>h"),
            [
                ("one-root", "", "2 steps conclude"),
                ("nothing-after", "/steps/1", "the step to 'hypothesis'"),
            ],
        ),
        # nothing-after
        (
            tree("s1>h s2>i1"),
            [
                ("nothing-after", "/steps/1", "the step to 'int1'"),
                ("all-used", "/steps/1", "int1"),
            ],
        ),
        (
            tree("s1+i1>h s2>i1"),
            [
                ("nothing-after", "/steps/1", "the step to 'int1'"),
                ("in-order", "/steps/0", "int1"),
            ],
        ),
        (
            tree("s1>h h+s2>i1"),
            [
                ("nothing-after", "/steps/1", "the step to 'int1'"),
                ("nothing-after", "/steps/1", "premise"),
                ("all-used", "/steps/1", "int1"),
            ],
        ),
        # all-used
        (tree("s1>i1 s2>h"), [("all-used", "/steps/0", "int1")]),
        (
            tree("s1>i1 s2>i2 s3>h"),
            [
                ("all-used", "/steps/0", "int1"),
                ("all-used", "/steps/1", "int2"),
            ],
        ),
        # no-cycle
        (
            tree("i2+s1>i1 i1>i2 i2>h"),
            [
                ("no-cycle", "", "rests on itself"),
                ("in-order", "/steps/0", "int2"),
            ],
        ),
        (
            tree("i1>i1 i1>h"),
            [
                ("no-cycle", "", "rests on itself"),
                ("in-order", "/steps/0", "int1"),
            ],
        ),
        # in-order
        (
            tree("i1+s1>i2 s2>i1 i2>h"),
            [("in-order", "/steps/0", "int1")],
        ),
        # concluded-once
        (tree("s1>i1 s2>i1 i1>h"), [("concluded-once", "/steps/1", "int1")]),
        # known-ids
        (tree("s1+s9>h"), [("known-ids", "", "'sent9' is neither")]),
        (tree("s1+i7>h"), [("known-ids", "", "'int7' is neither")]),
        (tree("s1>s2 s2>h"), [("known-ids", "/steps/0", "'sent2' is a given sentence")]),
        (
            tree("s1>s9 s9>h", Sentence("sent9", "the tree's own")),
            [("known-ids", "/steps/0", "'sent9' is a given sentence")],
        ),
        # worded
        (
            Tree((Step(("sent1",), "int1"), Step(("int1",), HYPOTHESIS))),
            [("worded", "/steps/0", "int1")],
        ),
    ],
)
def test_rules(found, problems):
    got = check(CLAIM, found, RULES)
    assert [(problem.rule, problem.where) for problem in got] == [(rule, where) for rule, where, _ in problems]
    assert all(said in problem.message for problem, (_, _, said) in zip(got, problems, strict=True))


def test_the_hypothesis_needs_no_words_of_its_own():
    assert not check(CLAIM, Tree((Step(("sent1",), HYPOTHESIS),)), [WORDED])
    assert not check(CLAIM, Tree((Step(("sent1",), HYPOTHESIS, "in words"),)), [WORDED])


def test_a_step_needs_a_premise():
    assert check(CLAIM, tree(">h"), RULES)


def test_thousands_of_steps_are_checked_without_recursion():
    steps = [Step(("sent1",), "int0", "text")]
    steps += [Step((f"int{number}", "sent2"), f"int{number + 1}", "text") for number in range(2_000)]
    steps += [Step(("int2000",), HYPOTHESIS)]
    assert check(CLAIM, Tree(tuple(steps)), RULES) == ()
