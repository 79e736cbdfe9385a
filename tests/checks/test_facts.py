"""Rules for rankings and sets of facts: each row is run through all of them."""

from __future__ import annotations

import pytest

from whence.checks.facts import FACT_ONCE, NOT_EMPTY, fact_known, role_known
from whence.checks.rule import check
from whence.structures.facts import FactSet, FactUse, Question, Ranking

QUESTION = Question("Why does ice melt?", "heat")
RULES = (NOT_EMPTY, FACT_ONCE, fact_known({"a": 1, "b": 2, "c": 3, "A": 4}), role_known(("CENTRAL", "LEXGLUE")))


def facts(*uses: tuple[str, str]) -> FactSet:
    return FactSet(tuple(FactUse(*use) for use in uses))


@pytest.mark.parametrize(
    "found, problems",
    [
        (facts(("a", "CENTRAL"), ("b", "LEXGLUE"), ("c", "")), []),  # a role may be unknown
        # not-empty
        (facts(), [("not-empty", "", "no fact")]),
        # fact-once
        (
            facts(("a", "CENTRAL"), ("b", ""), ("a", "LEXGLUE")),
            [("fact-once", "/facts/2", "'a' stands at place 0")],
        ),
        (
            facts(("a", ""), ("A", "")),  # case aside: the released scorer puts ids in lower case
            [("fact-once", "/facts/1", "'A' stands at place 0")],
        ),
        # known-facts
        (facts(("a", ""), ("z", "")), [("known-facts", "/facts/1", "z")]),
        # role
        (facts(("a", "MAIN")), [("role", "/facts/0/role", "'MAIN'")]),
        (facts(("a", "central")), [("role", "/facts/0/role", "'central'")]),
    ],
)
def test_rules_on_sets_of_facts(found, problems):
    got = check(QUESTION, found, RULES)
    assert [(problem.rule, problem.where) for problem in got] == [(rule, where) for rule, where, _ in problems]
    assert all(said in problem.message for problem, (_, _, said) in zip(got, problems, strict=True))


@pytest.mark.parametrize(
    "ids, problems",
    [
        (("a", "b"), []),
        ((), [("not-empty", "no fact")]),
        (("a", "b", "b", "b"), [("fact-once", "'b' stands at place 1")] * 2),
        (("z", "a"), [("known-facts", "z")]),
    ],
)
def test_rules_on_rankings(ids, problems):
    got = check(QUESTION, Ranking(ids), RULES)
    assert [problem.rule for problem in got] == [rule for rule, _ in problems]
    assert all(said in problem.message for problem, (_, said) in zip(got, problems, strict=True))


@pytest.mark.parametrize("ids, where", [(("a", "a"), "/ids/1"), (("z",), "/ids/0")])
def test_a_problem_of_a_ranking_points_into_it(ids, where):
    (problem,) = check(QUESTION, Ranking(ids), RULES)
    assert problem.where == where
