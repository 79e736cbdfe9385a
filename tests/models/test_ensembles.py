"""What several verdicts are together."""

from __future__ import annotations

import pytest

from whence.models.ensembles import combined
from whence.models.items import FoundSpan, Verdict


def test_probabilities_by_their_geometric_mean() -> None:
    found = combined([Verdict("a", probabilities=(0.9, 0.1)), Verdict("a", probabilities=(0.4, 0.6))])
    first, second = (0.9 * 0.4) ** 0.5, (0.1 * 0.6) ** 0.5  # by hand
    assert found.probabilities == pytest.approx((first / (first + second), second / (first + second)))
    assert found.id == "a"


def test_a_model_that_is_quite_sure_does_not_make_the_others_dumb() -> None:
    sure, others = Verdict("a", probabilities=(0.0, 1.0)), Verdict("a", probabilities=(1.0, 0.0))
    found = combined([sure, others, others])
    assert found.best == 0
    assert sum(found.probabilities) == pytest.approx(1)


def test_tags_by_vote_and_of_a_tie_the_first() -> None:
    found = combined([Verdict("a", tags=(0, 1, 2)), Verdict("a", tags=(0, 2, 1)), Verdict("a", tags=(1, 2, 0))])
    assert found.tags == (0, 2, 2)


def test_spans_by_mean_probability() -> None:
    here, there = FoundSpan(0, 2, "on", 0.6), FoundSpan(3, 5, "it", 0.5)
    found = combined([Verdict("a", spans=(here,)), Verdict("a", spans=(there,)), Verdict("a", spans=(there,))])
    assert found.spans == (FoundSpan(3, 5, "it", pytest.approx(1 / 3)),)


def test_rankings_by_reciprocal_ranks() -> None:
    found = combined([Verdict("a", ranking=("x", "y", "z")), Verdict("a", ranking=("y", "x", "w"))])
    assert found.ranking[:2] == ("x", "y")  # equal, in the order of first sight
    assert len(found.ranking) == 3
    assert found.scores[0] == pytest.approx(1 / 61 + 1 / 62)
