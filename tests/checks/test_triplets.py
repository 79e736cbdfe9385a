"""Rules for the triplets of a dialogue: each row is run through all of them."""

from __future__ import annotations

import pytest

from whence.checks.rule import check
from whence.checks.triplets import NOT_EMPTY, NOT_SELF, VERBATIM, relation_known, stated_once
from whence.structures.dialogue import Dialogue, Relation, Span, Triplet, Triplets, Utterance

RAIN = Dialogue((Utterance("A", "It rains ."), Utterance("B", "Take a coat .")))
RELATIONS = {
    "causes": Relation("causes", "causal"),
    "synonym": Relation("synonym", "lexical", symmetric=True),
}
RULES = (NOT_EMPTY, VERBATIM, relation_known(RELATIONS), NOT_SELF, stated_once(RELATIONS))

RAINS, COAT, WET = Span("rains", 0, 3), Span("coat", 1, 7), Span("getting wet")


def triplets(*found: tuple[Span, str, Span]) -> Triplets:
    return Triplets(tuple(Triplet(*parts) for parts in found))


@pytest.mark.parametrize(
    "found, problems",
    [
        (triplets(), []),
        (triplets((RAINS, "causes", COAT), (WET, "synonym", COAT)), []),
        (triplets((Span("rains", 0), "causes", COAT)), []),  # in the turn, nobody says where
        (triplets((Span("It rains .", 0, 0), "causes", COAT)), []),
        # not-empty
        (triplets((Span(""), "causes", COAT)), [("not-empty", "/triplets/0/head", "empty")]),
        (triplets((RAINS, "causes", Span(" ", 0, 2))), [("not-empty", "/triplets/0/tail", "empty")]),
        # verbatim
        (
            triplets((Span("rains", 0, 4), "causes", COAT)),
            [("verbatim", "/triplets/0/head", "'rains' does not stand in turn 0")],
        ),
        (
            triplets((RAINS, "causes", Span("Coat", 1, 7))),  # case counts
            [("verbatim", "/triplets/0/tail", "'Coat' does not stand in turn 1")],
        ),
        (
            triplets((RAINS, "causes", Span("coat", 0))),
            [("verbatim", "/triplets/0/tail", "'coat' does not stand in turn 0")],
        ),
        (
            triplets((RAINS, "causes", Span("coat", 2, 7))),
            [("verbatim", "/triplets/0/tail", "'coat' does not stand in turn 2")],
        ),
        (
            triplets((RAINS, "causes", Span("coat", -1, 7))),  # not counted from the end
            [("verbatim", "/triplets/0/tail", "'coat' does not stand in turn -1")],
        ),
        (
            triplets((RAINS, "causes", Span("coat", 1, -6))),
            [("verbatim", "/triplets/0/tail", "'coat' does not stand in turn 1")],
        ),
        # relation
        (
            triplets((RAINS, "causes", COAT), (RAINS, "Causes", COAT)),
            [("relation", "/triplets/1/relation", "'Causes'")],
        ),
        # head-is-not-tail
        (
            triplets((RAINS, "causes", RAINS)),
            [("head-is-not-tail", "/triplets/0", "'rains'")],
        ),
        (
            triplets((Span("Wet "), "causes", Span("wet"))),  # case and blanks aside
            [("head-is-not-tail", "/triplets/0", "'Wet '")],
        ),
        (
            triplets((Span("wet"), "causes", Span(" WET"))),
            [("head-is-not-tail", "/triplets/0", "'wet'")],
        ),
        # stated-once
        (
            triplets((RAINS, "causes", COAT), (RAINS, "causes", Span(" COAT"))),
            [("stated-once", "/triplets/1", "triplet 0")],
        ),
        (
            triplets((RAINS, "causes", COAT), (COAT, "causes", RAINS), (Span("Rains "), "causes", COAT)),
            [("stated-once", "/triplets/2", "triplet 0")],
        ),
        (
            triplets((RAINS, "synonym", COAT), (COAT, "synonym", RAINS)),  # symmetric: the same backwards
            [("stated-once", "/triplets/1", "triplet 0")],
        ),
        (triplets((RAINS, "causes", COAT), (RAINS, "synonym", COAT)), []),  # another relation says something else
    ],
)
def test_rules(found, problems):
    got = check(RAIN, found, RULES)
    assert [(problem.rule, problem.where) for problem in got] == [(rule, where) for rule, where, _ in problems]
    assert all(said in problem.message for problem, (_, _, said) in zip(got, problems, strict=True))


def test_an_unknown_relation_is_not_symmetric():
    found = triplets((RAINS, "x", COAT), (COAT, "x", RAINS))
    assert not check(RAIN, found, [stated_once(RELATIONS)])
