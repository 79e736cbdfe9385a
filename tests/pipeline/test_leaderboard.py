from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from whence.metrics.metric import Metric, Scores, scores
from whence.pipeline.floors import Bounds
from whence.pipeline.leaderboard import Measured, boards, places_of
from whence.pipeline.runs import Run
from whence.pipeline.signature import Signature
from whence.tasks.floors import Floor

ACCURACY = Metric("accuracy", "higher", (0, 1), "", "")
DISTANCE = Metric("distance", "lower", (0, 1), "", "")


def _run(name: str, *found: Scores, data: str = "d1", protocol: str = "official", split: str = "dev") -> Measured:
    about = {"task": "explagraphs", "method": "m", "split": split, "model": name}
    signed = Signature.of(
        {"task": "explagraphs", "data": data, "n": str(len(found[0].known)), "protocol": protocol}
    )
    return Measured(Run(Path(name), about, ()), signed, len(found[0].known), found)


def _right(share: float, seed: int = 0, count: int = 400, **parameters: str) -> Scores:
    generator = random.Random(seed)
    return scores(ACCURACY, [float(generator.random() < share) for _ in range(count)], parameters)


def _names(board) -> list[tuple[int, str]]:
    return [(place.rank, place.run.folder.name) for place in board.places]


def test_runs_that_do_not_differ_share_a_place() -> None:
    (board,) = boards([_run("low", _right(0.3)), _run("high", _right(0.9)), _run("as low", _right(0.3, 1))])
    ranks = {name: rank for rank, name in _names(board)}
    assert ranks == {"high": 1, "low": 2, "as low": 2}
    assert [place.tied for place in board.places] == [False, True, True]


@pytest.mark.parametrize(
    "other",
    [
        {"data": "d2"},  # another version of the data
        {"protocol": "paper"},
        {"split": "test"},
    ],
)
def test_what_cannot_be_compared_is_on_another_board(other: dict[str, str]) -> None:
    found = boards([_run("one", _right(0.5)), _run("two", _right(0.5), **other)])
    assert sorted(_names(board) for board in found) == [[(1, "one")], [(1, "two")]]


def test_another_gate_or_similarity_is_another_column() -> None:
    (board,) = boards([_run("one", _right(0.5, similarity="a")), _run("two", _right(0.5, similarity="b"))])
    assert [column.measured_with for column in board.columns] == ["a", "b"]
    assert [[figure is not None for figure in place.figures] for place in board.places] == [
        [True, False],
        [False, True],
    ]
    # A run without a figure in the column that orders comes last, in a place of its own.
    assert [place.rank for place in board.places] == [1, 2]


def test_less_may_be_better_and_the_column_may_be_chosen() -> None:
    near, far = scores(DISTANCE, [0.1] * 50), scores(DISTANCE, [0.8] * 50)
    runs = [_run("far", _right(0.9, count=50), far), _run("near", _right(0.1, count=50), near)]
    (by_first,) = boards(runs)
    assert _names(by_first)[0] == (1, "far")
    (by_distance,) = boards(runs, by="distance")
    assert _names(by_distance) == [(1, "near"), (2, "far")]


def test_figures_of_a_board_have_their_floors() -> None:
    floor = Floor("coin", "a coin", lambda _, __: [])
    trivial = _right(0.5, 9)
    bounds = Bounds(((floor, {"accuracy": (trivial.statistics, trivial.known)}),))
    runs = [replace(_run(name, _right(share)), bounds=bounds) for name, share in (("good", 0.9), ("poor", 0.5))]
    (board,) = boards([*runs, _run("unbounded", _right(0.1))])
    found = {place.run.folder.name: place.figures[0] for place in board.places}
    assert [(one.floor_by, one.above_floor) for one in found.values()] == [
        ("coin", True),
        ("coin", False),
        ("", None),
    ]


def test_places() -> None:
    differ = {(0, 2), (0, 3), (2, 3)}
    assert places_of(4, lambda one, two: (one, two) in differ) == [1, 1, 3, 4]
    assert places_of(3, lambda one, two: False) == [1, 1, 1]
    # The second differs from the third, but the best of the place does not: one place.
    assert places_of(3, lambda one, two: (one, two) == (1, 2)) == [1, 1, 1]
    assert places_of(0, lambda one, two: True) == []
