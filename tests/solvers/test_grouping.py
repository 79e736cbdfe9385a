"""Putting things together step by step."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.solvers import grouping
from whence.solvers.grouping import Group, all_groupings, best_groupings


def _chance(seed: int) -> grouping.Score:
    """Scores that mean nothing, always the same for the same step."""

    def score(groups: Sequence[Group]) -> list[float]:
        return [(hash((seed, group)) % 1000) / 100 - 5 for group in groups]

    return score


def _is_tree(steps: Sequence[Group], things: int) -> bool:
    """Every thing and every conclusion is used once, after it is there; the last step has everything."""
    open_sets = {1 << thing for thing in range(things)}
    for group in steps:
        if len(group) < 2 or not open_sets.issuperset(group):
            return False
        open_sets -= set(group)
        open_sets.add(sum(group))
    return open_sets == {(1 << things) - 1}


@pytest.mark.parametrize("things, count", [(1, 1), (2, 1), (3, 4), (4, 25)])
def test_how_many_trees_there_are(things: int, count: int) -> None:
    """By hand; of four things 15 trees have steps with two premises only, 10 have one with three."""
    trees = all_groupings(things)
    assert len({frozenset(tree) for tree in trees}) == len(trees)
    assert len(trees) == count
    assert all(_is_tree(tree, things) for tree in trees)


@given(st.integers(2, 5), st.integers(0, 50))
@settings(max_examples=30, deadline=None)
def test_the_best_of_few_is_the_best_of_all(things: int, seed: int) -> None:
    score = _chance(seed)
    best = max(sum(score(tree)) for tree in all_groupings(things))
    found = best_groupings(things, score, wanted=3)
    assert found[0].score == pytest.approx(best)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert found[0].score == pytest.approx(sum(score(found[0].steps)))


@given(st.integers(7, 11), st.integers(0, 20), st.integers(1, 8))
@settings(max_examples=20, deadline=None)
def test_many_things_make_a_tree_too(things: int, seed: int, width: int) -> None:
    found = best_groupings(things, _chance(seed), width=width, wanted=4)
    assert 1 <= len(found) <= 4
    assert all(_is_tree(one.steps, things) for one in found)
    assert len({frozenset(one.steps) for one in found}) == len(found)


def test_a_wide_beam_finds_what_the_exact_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    score = _chance(3)
    exact = best_groupings(5, score)
    monkeypatch.setattr(grouping, "EXACT", 2)
    assert best_groupings(5, score, width=10_000) == exact


def test_one_thing_needs_no_steps() -> None:
    assert best_groupings(1, _chance(0)) == []
