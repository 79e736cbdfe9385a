"""Trivial answers to the published data: what they get was measured by hand, before floors were there."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.pipeline.item_scores import item_scores
from whence.tasks import TASKS
from whence.tasks.loading import load
from whence.tasks.scoring import ScoringOptions

pytestmark = pytest.mark.real_data


@pytest.mark.parametrize(
    "task, floor, metric, expected, off",
    [
        ("entailmentbank-1", "one flat step", "equivalence.f1", 0.626, 0.001),
        ("entailmentbank-1", "chain", "steps.f1", 0.357, 0.001),
        ("explagraphs", "own stance, random chain", "GED", 0.328, 0.01),  # other words were drawn
        ("anli", "majority", "accuracy", 0.51, 0.005),
    ],
)
def test_dev(task: str, floor: str, metric: str, expected: float, off: float, real_data: Path) -> None:
    chosen = TASKS[task]
    dataset = load(chosen, "dev", lambda: real_data)
    answers = next(one for one in chosen.floors() if one.name == floor).answers(dataset, 0)
    found = {one.metric.name: one.figure() for one in item_scores(chosen, dataset, answers, ScoringOptions())}
    assert found[metric] == pytest.approx(expected, abs=off)
