"""Scores of solutions, and the facts of the best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whence.solvers.schemas.choose import Chosen, best_solutions, explaining_facts
from whence.solvers.schemas.solutions import SolutionTable, solution_table
from whence.structures.schema import SchemaSolutions

SCORES = {"a": 2.0, "b": -1.5, "c": 0.5, "d": 0.0}


@pytest.mark.parametrize(
    ("facts", "floor", "expected"),
    [
        (["a", "c"], 0.0, 2.5),
        (["a", "b"], 0.0, 2.0),  # a low fact does not count against the solution
        (["a", "b"], -1.0, 1.0),  # but by the floor
        (["a", "a", ""], 0.0, 2.0),  # each fact once, omitted rows not at all
        (["a", "TEMPGEN-3"], 0.0, 2.0),  # a fact without score
        ([], 0.0, 0.0),
    ],
)
def test_what_a_solution_is_worth(facts: list[str], floor: float, expected: float) -> None:
    slots = tuple(f"slot{number}" for number in range(len(facts)))
    table = solution_table([(SchemaSolutions("p", slots, (tuple(facts),)), "", True)], {})
    assert [chosen.score for chosen in best_solutions(table, SCORES, 1, floor)] == [expected]


def clipped_sum(facts: Iterable[str], scored: Mapping[str, float], floor: float) -> float:
    """What a solution is worth, by its definition."""
    return sum(max(scored.get(name, floor), floor) for name in set(facts) if name)


def _table() -> SolutionTable:
    found = [
        SchemaSolutions("one", ("r", "s"), (("a", "b"), ("a", "c"), ("b", ""))),
        SchemaSolutions("two", ("r",), (("c",), ("a",))),
        SchemaSolutions("none", (), ()),
        SchemaSolutions("three", ("r", "s"), (("c", "d"), ("d", "c"))),
    ]
    return solution_table([(one, "file.iml", True) for one in found], {"a": "iron is a metal"})


def test_best_solution_of_each_of_the_best_schemas() -> None:
    assert best_solutions(_table(), SCORES, 3) == [
        Chosen("one", ("a", "c"), 2.5),
        Chosen("two", ("a",), 2.0),
        Chosen("three", ("c", "d"), 0.5),  # of equals the first
    ]
    assert [chosen.pattern for chosen in best_solutions(_table(), SCORES, 1)] == ["one"]


def test_low_facts_are_filtered_and_each_is_given_once() -> None:
    chosen = [Chosen("one", ("a", "b", "c"), 2.5), Chosen("two", ("d", "a", "TEMPGEN-3"), 2.0)]
    assert explaining_facts(chosen, SCORES) == ["a", "c", "d"]
    assert explaining_facts(chosen, SCORES, threshold=0.1) == ["a", "c"]


def test_table_gives_solutions_back() -> None:
    table = _table()
    assert table.solutions(table.patterns[0]).solutions == (("a", "b"), ("a", "c"), ("b", ""))
    assert table.solutions(table.patterns[2]) == SchemaSolutions("none", (), ())
    assert dict(zip(table.ids, table.texts, strict=True)) == {"a": "iron is a metal", "b": "", "c": "", "d": ""}


names = st.sampled_from(["", "a", "b", "c", "d", "e"])
scores = st.dictionaries(names.filter(bool), st.floats(-3, 3), max_size=5)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine draws slowly
@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=6), scores, st.floats(-1, 1))
def test_the_best_is_worth_the_largest_clipped_sum(
    solutions: list[tuple[str, ...]], scored: dict[str, float], floor: float
) -> None:
    table = solution_table([(SchemaSolutions("p", ("r", "s", "t"), tuple(solutions)), "", True)], {})
    (chosen,) = best_solutions(table, scored, 1, floor)
    assert chosen.score == pytest.approx(max(clipped_sum(facts, scored, floor) for facts in solutions))
    assert chosen.score == pytest.approx(clipped_sum(chosen.facts, scored, floor))
