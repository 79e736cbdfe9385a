"""Intervals, paired tests and corrections."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whence.errors import UsageError
from whence.metrics.classification import MACRO_F1, MACRO_RECALL, by_class
from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.ranking import F1
from whence.metrics.significance import (
    Resamples,
    binomial_test,
    bootstrap_weights,
    degrees_of_freedom,
    holm,
    influences,
    interval,
    interval_around,
    intervals,
    is_binary,
    mcnemar,
    paired,
    resampled_all,
    standard_errors,
    t_test,
    wilson,
)

MEAN = Metric("mean", "higher", (0, 1), "", "")


def _mean(values) -> Scores:
    return scores(MEAN, [None if value is None else (float(value),) for value in values])


def test_weights_are_draws_with_replacement():
    weights = bootstrap_weights(50, 4000, seed=1)
    assert weights.shape == (4000, 50)
    assert (weights.sum(axis=1) == 50).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(50), abs=0.1)
    assert weights.var() == pytest.approx(49 / 50, abs=0.02)  # of a multinomial count: n p (1 - p)


def test_weights_follow_the_seed():
    assert (bootstrap_weights(9, 20, seed=3) == bootstrap_weights(9, 20, seed=3)).all()
    assert (bootstrap_weights(9, 20, seed=3) != bootstrap_weights(9, 20, seed=4)).any()
    assert bootstrap_weights(0, 20).shape == (20, 0)


def test_resampled_figures_are_those_of_the_scores():
    found = Scores(F1, np.random.default_rng(0).random((30, 2)), np.arange(30) % 3 > 0)
    weights = bootstrap_weights(30, 100)
    assert resampled_all([found], weights)[0].tolist() == pytest.approx(found.figures(weights))


def test_interval_of_a_mean_is_nearly_normal():
    values = np.random.default_rng(5).normal(0.5, 0.1, 400)
    low, high = interval(_mean(values))
    half = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.001)


def test_interval_levels_and_given_weights():
    found = _mean(np.random.default_rng(5).random(60))
    narrow, wide = interval(found, level=0.5), interval(found, level=0.99)
    assert wide[0] < narrow[0] < found.figure() < narrow[1] < wide[1]
    assert interval(found, bootstrap_weights(60, 500, 7)) == interval(found, samples=500, seed=7)


def test_freedom_of_values_that_are_normal_is_that_of_their_number():
    moved = np.random.default_rng(1).normal(size=20_000)
    assert degrees_of_freedom(moved) == pytest.approx(19_999, rel=0.05)


@pytest.mark.parametrize(
    "moved, expected",
    [
        ([1.0, -1.0] * 20, 39),  # all items alike: as sure as there are items
        ([3.0, -3.0] + [0.0] * 98, 2 * 18**2 / (162 - 18**2 / 100)),  # by hand: two items say all
        ([0.0] * 10, 9),
        ([5.0], 1),
        ([], 1),
    ],
)
def test_degrees_of_freedom(moved, expected):
    assert degrees_of_freedom(np.array(moved)) == pytest.approx(expected)


def test_influence_is_what_a_figure_loses_without_an_item():
    found = scores(F1, [(0.2, 0.8), (0.9, 0.4), (0.5, 0.5), None])
    alone = [replace(found, known=found.known & (np.arange(4) != item)).figure() for item in range(3)]
    assert influences(found) == pytest.approx(np.array(alone) - np.mean(alone))


def test_a_rare_class_makes_a_class_average_less_sure():
    """Two classes of which one has six items: Student's quantile is that of few items, not of three hundred."""
    gold = ["often"] * 294 + ["rare"] * 6
    said = ["often"] * 200 + ["rare"] * 94 + ["rare"] * 3 + ["often"] * 3
    (found,) = by_class([MACRO_RECALL], gold, said, ("often", "rare"))
    freedom = degrees_of_freedom(influences(found))
    assert 4 < freedom < 20
    low, high = interval(found, samples=500)
    error = standard_errors([found], bootstrap_weights(300, 500))[0]
    narrow = interval_around(found.figure(), error, 300, (0, 1))
    assert high - low > narrow[1] - narrow[0]


def test_intervals_of_no_items():
    assert interval(_mean([None, None])) == (None, None)
    assert interval(_mean([])) == (None, None)


@pytest.mark.parametrize("right, n", [(20, 20), (0, 20), (1, 1), (19, 20), (3, 10), (499, 1000)])
def test_interval_of_right_and_wrong_items_is_wilsons(right, n):
    expected = stats.binomtest(right, n).proportion_ci(method="wilson")
    assert interval(_mean([1] * right + [0] * (n - right))) == pytest.approx((expected.low, expected.high))


def test_all_right_does_not_mean_sure():
    low, high = interval(_mean([1] * 20 + [None]))
    assert (round(low, 2), high) == (0.84, 1.0)


def test_interval_of_items_that_do_not_differ_is_that_of_as_many_right_or_wrong_ones():
    z = 1.959964
    for value, n in ((0.25, 1), (0.7, 30), (0.0, 5), (1.0, 5)):
        assert interval(_mean([value] * n)) == pytest.approx(wilson(value, n, z), abs=1e-6)
    nearly = 1 - np.random.default_rng(1).random(20) * 1e-7  # a similarity of texts with themselves
    assert interval(_mean(nearly)) == pytest.approx(wilson(1.0, 20, z), abs=1e-6)
    pairs = scores(F1, [(1.0, 1.0)] * 20)  # no mean, and perfect
    assert interval(pairs) == pytest.approx(wilson(1.0, 20, z), abs=1e-6)


def test_interval_without_bounds_is_students():
    values = np.random.default_rng(3).normal(0, 5, 12)
    unbounded = scores(replace(MEAN, bounds=(-np.inf, np.inf)), [(value,) for value in values])
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert interval(unbounded) == pytest.approx(expected, rel=0.01)


@given(st.integers(4, 400), st.floats(0.01, 6))
def test_t_equals_that_of_scipy(n, value):
    assert t_test(value, 1.0, n) == pytest.approx(2 * stats.t.sf(value, n - 1), rel=0.03, abs=0.003)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.5, 0.999))
def test_a_mean_lies_in_its_interval_and_that_in_the_bounds(values, level):
    found = _mean(values)
    low, high = interval(found, level=level)
    assert 0 <= low <= found.figure() <= high <= 1


def _labels(generator, n, shares, right):
    gold = generator.choice(len(shares), n, p=shares)
    guess = generator.choice(len(shares), n, p=shares)
    label = np.where(generator.random(n) < np.asarray(right)[gold], gold, guess)
    names = [str(number) for number in range(len(shares))]
    return by_class([MACRO_F1], [names[one] for one in gold], [names[one] for one in label], names)[0]


def test_rare_classes_do_not_move_the_interval():
    """Two frequent classes that are mostly right, thirty rare ones that never are.

    Resamples lack most of the rare classes, and so their figures lie far above; the interval must not.
    """
    names = [str(number) for number in range(32)]
    gold = ["0"] * 120 + ["1"] * 80 + names[2:]
    found = by_class([MACRO_F1], gold, ["0"] * 125 + ["1"] * 105, names)[0]
    value, (low, high) = found.figure(), interval(found)
    assert (
        np.quantile(resampled_all([found], bootstrap_weights(len(gold), 500))[0], 0.025) > value
    )  # what was wrong
    assert low < value < high
    assert abs((low + high) / 2 - value) < 0.3 * (high - low)


def test_intervals_of_macro_f1_cover():
    generator, shares, right = np.random.default_rng(2), [0.5, 0.3, 0.1, 0.06, 0.04], [0.9, 0.7, 0.5, 0.3, 0.8]
    weights = bootstrap_weights(200, 300)
    found = [_labels(generator, 200, shares, right) for _ in range(300)]
    truth = np.mean([one.figure() for one in found])
    covered = [low <= truth <= high for low, high in (interval(one, weights) for one in found)]
    assert 0.91 <= np.mean(covered) <= 0.985


def test_randomisation_rejects_equals_in_one_of_twenty():
    generator, shares, right = np.random.default_rng(2), [0.6, 0.2, 0.1, 0.06, 0.04], [0.9, 0.7, 0.5, 0.3, 0.8]
    rejected = []
    for _ in range(200):
        seed = int(generator.integers(1 << 30))
        gold = _labels(np.random.default_rng(seed), 60, shares, right)
        names = [str(number) for number in range(5)]
        truth = [names[int(np.argmax(row[10:]))] for row in gold.statistics]
        sides = [
            by_class(
                [MACRO_F1],
                truth,
                [one if generator.random() < 0.6 else names[generator.integers(5)] for one in truth],
                names,
            )[0]
            for _ in range(2)
        ]
        result = paired(*sides, bootstrap_weights(60, 200))
        assert result.test == "randomisation"
        rejected.append(result.p < 0.05)
    assert 0.015 <= np.mean(rejected) <= 0.09


def test_interval_of_a_figure_that_is_no_mean():
    rows = np.random.default_rng(2).random((200, 2))
    found = scores(F1, rows.tolist())
    low, high = interval(found)
    assert low < found.figure() < high
    assert high - low < 0.15


def test_interval_covers():
    generator, covered = np.random.default_rng(11), 0
    weights = bootstrap_weights(80, 400)
    for _ in range(300):
        low, high = interval(_mean(generator.random(80) < 0.7), weights)
        covered += low <= 0.7 <= high
    assert 0.90 <= covered / 300 <= 0.98


def test_paired_sees_what_intervals_do_not():
    generator = np.random.default_rng(4)
    hard = generator.random(200)
    first, second = _mean(hard * 0.9), _mean(hard * 0.9 + 0.01 + generator.normal(0, 0.01, 200))
    result = paired(first, second)
    assert interval(first)[1] > interval(second)[0]
    assert result.difference == pytest.approx(0.01, abs=0.003)
    assert 0 < result.low < result.difference < result.high
    assert result.p < 1e-6
    assert paired(second, first).difference == -result.difference


def test_paired_of_equals_and_of_unknowns():
    same = _mean([0, 1, 1, 0])
    assert paired(same, same).p == 1.0
    unseen = 1 - wilson(1.0, 4, 1.959964)[0]  # equal on four items is not equal on all
    assert (paired(same, same).low, paired(same, same).high) == pytest.approx((-unseen, unseen))
    pairs = scores(F1, [(0.5, 1.0), (1.0, 0.25), (0.0, 1.0)])
    assert (paired(pairs, pairs).p, paired(pairs, pairs).test) == (1.0, "randomisation")
    partly = paired(_mean([None, 1, 0, 1]), _mean([1, 1, 1, None]))
    assert (partly.difference, partly.n) == (0.5, 2)
    nothing = paired(_mean([None, 1]), _mean([1, None]))
    assert (nothing.difference, nothing.p, nothing.n) == (None, None, 0)


def test_p_is_uniform_if_systems_are_equal():
    generator = np.random.default_rng(8)
    weights = bootstrap_weights(100, 400)
    found = [paired(_mean(generator.random(100)), _mean(generator.random(100)), weights).p for _ in range(300)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.035)
    assert np.mean(np.array(found) < 0.5) == pytest.approx(0.5, abs=0.08)


def test_only_like_is_compared_with_like():
    with pytest.raises(UsageError, match="cannot be compared"):
        paired(_mean([1, 0]), _mean([1]))
    with pytest.raises(UsageError, match="cannot be compared"):
        paired(_mean([1]), scores(F1, [(1.0, 1.0)]))


@pytest.mark.parametrize(
    "wins, losses, expected",
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),  # by hand
        (1, 9, 2 * 11 / 1024),  # by hand: (1 + 10) / 2^10, twice
        (3, 3, 1.0),
    ],
)
def test_binomial(wins, losses, expected):
    assert binomial_test(wins, losses) == expected == binomial_test(losses, wins)


@given(st.integers(0, 400), st.integers(0, 400))
def test_binomial_equals_that_of_scipy(wins, losses):
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses).pvalue
        assert binomial_test(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_mcnemar():
    first, second = _mean([1] * 10 + [0] * 9 + [1]), _mean([1] * 10 + [1] * 9 + [0])
    assert mcnemar(first, second) == (2 * 11 - 10) / 1024  # by hand: the observed outcome counts by half
    assert paired(first, second).p == mcnemar(first, second)
    assert paired(first, second).test == "McNemar"
    assert mcnemar(_mean([1, None]), _mean([None, 1])) is None
    with pytest.raises(UsageError, match="right or wrong"):
        mcnemar(_mean([0.5]), _mean([1]))


def test_is_binary():
    assert is_binary(_mean([0, 1, None]))
    assert not is_binary(_mean([0, 0.5]))
    assert not is_binary(scores(F1, [(1.0, 1.0)]))


@pytest.mark.parametrize(
    "given_values, expected",
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # by hand: 3 * .01; 2 * .03; max(.06, .04)
        ([0.9, 0.8], [1.0, 1.0]),
    ],
)
def test_holm(given_values, expected):
    assert holm(given_values) == pytest.approx(expected)


def test_a_run_is_resampled_in_a_moment():
    generator = np.random.default_rng(0)
    run = [scores(F1, generator.random((400, 2)).tolist()) for _ in range(7)]
    start = time.process_time()
    weights = bootstrap_weights(400, 2000)
    for found in run:
        interval(found, weights)
    assert time.process_time() - start < 2  # 0.1 s; generous, as machines are busy


def test_weights_drawn_in_blocks_are_the_same_weights(monkeypatch):
    monkeypatch.setattr("whence.metrics.significance._HELD", 100)  # three rows at once
    found = [_mean([1, 0, None, 1] * 8), _mean([None] * 32), scores(F1, [(1.0, 2.0)] * 31 + [None])]
    weights, blocks = bootstrap_weights(32, 50, seed=4), Resamples(32, 50, seed=4)
    assert len(blocks) == len(weights)
    for one, drawn in zip(found, resampled_all(found, blocks), strict=True):
        assert drawn.tolist() == pytest.approx(resampled_all([one], weights)[0].tolist(), nan_ok=True)
    for one, other in zip(intervals(found, blocks), intervals(found, weights), strict=True):
        assert one == pytest.approx(other)
    assert intervals([], blocks) == []
