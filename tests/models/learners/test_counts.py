"""Labels by how often they were seen with the same texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.models.items import Item, TrainingSet, WordItem
from whence.models.learners import learner
from whence.models.training import Training

SEEN = {("a", "x"): [0, 0, 0, 1], ("a", "y"): [1], ("b", "x"): [1, 1]}


def items() -> list[Item]:
    return [
        Item(f"{first}{second}{number}", (((first, second),),), gold)
        for (first, second), golds in SEEN.items()
        for number, gold in enumerate(golds)
    ]


def shares(folder: Path, pair: tuple[str, str], pull: float) -> tuple[float, ...]:
    kind = learner("counts")
    kind.train(
        [TrainingSet("t/h", "label", ("no", "yes"), items(), [])], kind.Settings(pull=pull), Training(folder)
    )
    return kind.load(folder, "t/h").judge([Item("?", ((pair,),))])[0].probabilities


@pytest.mark.parametrize(
    ("pair", "pull", "yes"),
    [
        (("a", "x"), 0.0, 1 / 4),  # as counted
        (("a", "new"), 0.0, 2 / 5),  # the first text alone
        (("new", "x"), 0.0, (4 + 0.5) / 8),  # all items, one sighting of chance added
        (("b", "x"), 2.0, (2 + 2 * (2 + 2 * 0.5625) / 4) / 4),  # pulled to `b`, which is pulled to all
    ],
)
def test_shares_of_the_narrowest_case_that_was_seen(pair, pull, yes, tmp_path):
    assert shares(tmp_path, pair, pull) == pytest.approx((1 - yes, yes), abs=1e-4)


def test_what_is_held_out_is_measured(tmp_path):
    kind = learner("counts")
    lesson = TrainingSet("t/h", "label", ("no", "yes"), items(), items(), "accuracy")
    history = kind.train([lesson], kind.Settings(pull=1.0), Training(tmp_path))
    assert history.dev == (pytest.approx(6 / 7),)  # all but the one `yes` after a, x


def test_only_labels_are_counted(tmp_path):
    kind = learner("counts")
    with pytest.raises(UsageError, match="counts models give only labels"):
        kind.train(
            [TrainingSet("t/h", "tags", ("a",), [WordItem("1", ("x",), (0,))], [])],
            kind.Settings(),
            Training(tmp_path),
        )
