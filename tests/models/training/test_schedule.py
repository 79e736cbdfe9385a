"""The learning rate of each step, and when training stops."""

from __future__ import annotations

import pytest

from whence.models.training.schedule import EarlyStopping, LearningRateSchedule


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        (LearningRateSchedule(2.0), [2, 2, 2, 2]),
        (LearningRateSchedule(2.0, steps=4), [2, 1.5, 1, 0.5]),  # never 0: the last step learns too
        (LearningRateSchedule(2.0, steps=4, warmup=2), [1, 2, 2, 1]),
        (LearningRateSchedule(2.0, steps=1, warmup=1), [2]),
    ],
)
def test_rates(schedule: LearningRateSchedule, rates: list[float]) -> None:
    assert [schedule.at(step) for step in range(len(rates))] == rates


def test_it_stops_when_patience_is_at_an_end() -> None:
    stopping = EarlyStopping(patience=2)
    seen = []
    for figure in (0.5, 0.7, 0.7, 0.6):
        assert not stopping.is_over
        seen.append(stopping.improves(figure))
    assert seen == [True, True, False, False]  # as good as before is no better
    assert (stopping.is_over, stopping.best, stopping.figures) == (True, 1, [0.5, 0.7, 0.7, 0.6])


def test_without_held_out_items_the_last_epoch_is_the_best() -> None:
    stopping = EarlyStopping(patience=1)
    assert [stopping.improves(None) for _ in range(3)] == [True, True, True]
    assert (stopping.is_over, stopping.best, stopping.figures) == (False, 2, [])
