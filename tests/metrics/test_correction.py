"""Human correction: Table 6, prediction-powered estimates, their coverage."""

from __future__ import annotations

import numpy as np
import pytest

from whence.errors import UsageError
from whence.metrics.correction import judgements_needed, prediction_powered, underestimate, underestimate_of
from whence.metrics.metric import scores
from whence.metrics.ranking import F1_B


def _share(part: float, items: int = 50) -> list[float]:
    """Values of which that part is 1; Table 6 has 50 questions."""
    return [float(number < round(part * items)) for number in range(items)]


@pytest.mark.parametrize(
    "automatic, manual, expected",
    [  # Comp_B in Table 6
        (0.10, 0.44, 0.34),
        (0.36, 0.72, 0.36),
    ],
)
def test_table_6(automatic, manual, expected):
    found = underestimate(_share(automatic), dict(enumerate(_share(manual))))
    assert (found.n, found.automatic, found.manual) == (50, automatic, manual)
    assert found.underestimate == pytest.approx(expected)
    assert found.low < expected < found.high


@pytest.mark.parametrize(
    "automatic, manual, expected",
    [  # relevance and Comp_B of both sides, F1_B of both sides and their difference
        ((0.53, 0.10), (0.82, 0.44), (0.17, 0.57, 0.40)),
        ((0.72, 0.36), (0.93, 0.72), (0.48, 0.81, 0.33)),
    ],
)
def test_f1_b_of_table_6(automatic, manual, expected):
    sides = [
        scores(F1_B, [(relevance, complete) for complete in _share(share)])
        for relevance, share in (automatic, manual)
    ]
    found = underestimate_of(*sides)
    assert (found.automatic, found.manual, found.underestimate) == pytest.approx(expected, abs=0.0075)


def test_only_judged_items_are_compared():
    found = underestimate([0.0, 1.0, 0.0, 1.0], {1: 1.0, 2: 1.0})
    assert (found.n, found.automatic, found.manual, found.underestimate) == (2, 0.5, 1.0, 0.5)


def test_estimate_by_hand():
    automatic, human = [0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0, 2: 1.0, 3: 1.0}
    found = prediction_powered(automatic, human, tuned=False)
    # mean of all 5/8, mean of human - automatic 1/4; its variance 1/4, of human 1/4
    assert found.value == pytest.approx(5 / 8 + 1 / 4)
    half = 1.959964 * ((1 - 4 / 8) * 0.25 / 4 + 0.25 / 8) ** 0.5
    assert (found.low, found.high) == pytest.approx((0.875 - half, 0.875 + half), abs=1e-6)
    tuned = prediction_powered(automatic, human)
    # covariance of the judged 1/6, variance of all 15/56
    assert tuned.trust == pytest.approx((1 / 6) / (15 / 56))
    assert tuned.value == pytest.approx(3 / 4 + tuned.trust * (5 / 8 - 1 / 2))


def test_estimate_is_that_of_ppi():
    """The form of the papers: automatic values of unjudged items only, and the sum of two variances."""
    generator = np.random.default_rng(3)
    automatic = generator.random(300)
    people = automatic[:60] * 0.7 + generator.normal(0.2, 0.1, 60)
    found = prediction_powered(automatic.tolist(), dict(enumerate(people.tolist())))
    trust = found.trust * (1 - 60 / 300)
    unjudged, rest = automatic[60:], people - trust * automatic[:60]
    assert found.value == pytest.approx(trust * unjudged.mean() + rest.mean(), abs=1e-12)
    error = np.sqrt(trust**2 * unjudged.var(ddof=1) / 240 + rest.var(ddof=1) / 60)
    assert found.high - found.value == pytest.approx(1.959964 * error, rel=0.02)
    best = np.cov(people, automatic[:60])[0, 1] / automatic.var(ddof=1) / (1 + 60 / 240)  # PPI++
    assert trust == pytest.approx(best)


def test_bounds_cut_and_say_so():
    automatic, human = [1.0] * 5 + [0.0] * 5, {0: 1.0, 1: 1.0, 5: 1.0, 6: 1.0, 7: 0.0}
    free = prediction_powered(automatic, human)
    found = prediction_powered(automatic, human, bounds=(0.0, 1.0))
    assert free.high > 1.0 == found.high
    assert found.unclipped == free.unclipped == (free.value, free.low, free.high)
    assert found.low == free.low


def test_all_judged_is_the_mean_of_the_judgements():
    human = dict(enumerate([1.0, 0.0, 1.0, 1.0]))
    found = prediction_powered([0.0, 0.0, 1.0, 1.0], human, tuned=False)
    assert found.value == found.classical[0] == 0.75
    assert (found.low, found.high) == pytest.approx(found.classical[1:])
    exact = prediction_powered([0.0, 0.0, 1.0, 1.0], human, target="items")
    assert (exact.low, exact.high) == pytest.approx((0.75, 0.75))


def test_an_automatic_metric_that_says_nothing_does_no_harm():
    human = {0: 1.0, 1: 0.0, 2: 1.0}
    found = prediction_powered([0.5] * 9, human)
    assert found.trust == 0.0
    assert (found.value, found.low, found.high) == found.classical


def test_too_little_or_strange_judgement_is_refused():
    with pytest.raises(UsageError, match="2 judged items or more"):
        prediction_powered([1.0, 0.0], {0: 1.0})
    with pytest.raises(UsageError, match="1 judged items or more"):
        underestimate([1.0, 0.0], {})
    with pytest.raises(UsageError, match="item 5 was judged"):
        underestimate([1.0, 0.0], {5: 1.0})


def _simulated(generator, items=600, judged=100):
    """Items that people find good with 0.7; the automatic metric sees four fifths of these and few others."""
    people = generator.random(items) < 0.7
    automatic = np.where(people, generator.random(items) < 0.8, generator.random(items) < 0.05).astype(float)
    places = generator.choice(items, judged, replace=False)
    return automatic.tolist(), {int(place): float(people[place]) for place in places}, people.mean()


@pytest.mark.parametrize("tuned", [True, False])
@pytest.mark.parametrize("target", ["source", "items"])
def test_intervals_cover_and_are_narrower(tuned, target):
    generator, covered, narrower = np.random.default_rng(17), 0, 0
    for _ in range(800):
        automatic, human, mean = _simulated(generator)
        found = prediction_powered(automatic, human, tuned=tuned, target=target)
        covered += found.low <= (0.7 if target == "source" else mean) <= found.high
        narrower += found.high - found.low < found.classical[2] - found.classical[1]
    assert covered / 800 == pytest.approx(0.95, abs=0.025)
    assert narrower / 800 > 0.9


def test_the_uncorrected_mean_does_not_cover():
    automatic, human, _ = _simulated(np.random.default_rng(1))
    found = prediction_powered(automatic, human)
    assert np.mean(automatic) < found.low


def test_judgements_needed():
    automatic, human, _ = _simulated(np.random.default_rng(2), items=5000, judged=300)
    for target, half in (("source", 0.02), ("items", 0.02), ("source", 0.03)):
        needed = judgements_needed(automatic, human, half, target=target)
        assert 300 < needed < 5000
        again = _simulated(np.random.default_rng(2), items=5000, judged=needed)
        found = prediction_powered(again[0], again[1], target=target)
        assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.1)
    assert judgements_needed(automatic, human, 0.03) < judgements_needed(automatic, human, 0.02)


def test_too_few_items_for_so_narrow_an_interval():
    automatic, human, _ = _simulated(np.random.default_rng(2))
    assert judgements_needed(automatic, human) is None
    assert 100 < judgements_needed(automatic, human, target="items") < 600
