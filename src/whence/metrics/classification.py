"""Labels against gold labels, and sets against gold sets: accuracy, precision, recall, F1.

Per item the statistics are three counts a class: right, predicted, gold. Precision, recall and F1 of a class are
functions of their sums, and so are the macro and weighted means over classes. As in scikit-learn, the mean is over
the classes that occur in gold or predictions, and a share of nothing (a class never predicted) is 0. A class that
occurs in neither is unknown. An answer that is missing, or is none of the classes, counts as predicting no class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

import numpy as np

from whence.metrics.metric import Array, Better, Metric, Scores, ratio, scores

Labels = Sequence[str | None]
"""A label an item; None where there is none."""

_HIGHER: Better = "higher"
_SHARE = (0.0, 1.0)
_NO_GOLD = "items without a gold label"

ACCURACY = Metric("accuracy", _HIGHER, _SHARE, "standard", "share of the items whose label is right")


def accuracy(golds: Labels, predicted: Labels, *, scale: float = 1) -> Scores:
    """The share of items whose label is right."""
    values = [None if gold is None else (gold == label,) for gold, label in zip(golds, predicted, strict=True)]
    return scores(replace(ACCURACY, scale=scale), values, note=_note(golds))


_LEAST = 1e-6
"""The least probability that counts: one answer that was held impossible does not undo all others."""


def _geometric(sums: Array, counts: Array) -> Array:
    found: Array = np.exp(ratio(sums, counts))
    return found


LIKELIHOOD = Metric(
    "likelihood",
    _HIGHER,
    _SHARE,
    "standard",
    "geometric mean of the probability that the right label was given, at least 10⁻⁶ each",
    _geometric,
)


def likelihood(probabilities: Sequence[float | None]) -> Scores:
    """The geometric mean of the probabilities that right labels were given; None where there is no gold label."""
    values = [None if one is None else (float(np.log(max(one, _LEAST))),) for one in probabilities]
    return scores(LIKELIHOOD, values, note=_NO_GOLD if None in probabilities else "")


def _note(golds: Labels) -> str:
    return _NO_GOLD if None in golds else ""


# From sums of counts to figures.


def _share(part: Array, whole: Array) -> Array:
    found: Array = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return found


def _precision(right: Array, predicted: Array, gold: Array) -> Array:
    return _share(right, predicted)


def _recall(right: Array, predicted: Array, gold: Array) -> Array:
    return _share(right, gold)


def _f1(right: Array, predicted: Array, gold: Array) -> Array:
    return _share(2 * right, predicted + gold)


_OfClass = Callable[[Array, Array, Array], Array]


def _macro(of_class: _OfClass) -> Callable[[Array, Array], Array]:
    """The mean over the classes that occur."""

    def finish(sums: Array, _: Array) -> Array:
        right, predicted, gold = np.split(sums, 3, axis=1)
        occurs = predicted + gold > 0
        return _mean(of_class(right, predicted, gold), occurs.astype(np.float64))

    return finish


def _weighted_f1(sums: Array, _: Array) -> Array:
    right, predicted, gold = np.split(sums, 3, axis=1)
    return _mean(_f1(right, predicted, gold), gold)


def _mean(values: Array, weights: Array) -> Array:
    total = weights.sum(axis=1)
    found = np.full(len(values), np.nan)
    np.divide((values * weights).sum(axis=1), total, out=found, where=total > 0)
    return found


MACRO_PRECISION = Metric(
    "macro_precision",
    _HIGHER,
    _SHARE,
    "standard",
    "mean precision over the classes that occur",
    _macro(_precision),
)
MACRO_RECALL = Metric(
    "macro_recall", _HIGHER, _SHARE, "standard", "mean recall over the classes that occur", _macro(_recall)
)
MACRO_F1 = Metric("macro_f1", _HIGHER, _SHARE, "standard", "mean F1 over the classes that occur", _macro(_f1))
WEIGHTED_F1 = Metric(
    "weighted_f1",
    _HIGHER,
    _SHARE,
    "standard",
    "mean F1 over the classes, weighted by their number in gold",
    _weighted_f1,
)
PRECISION = Metric(
    "precision", _HIGHER, _SHARE, "standard", "share of what was predicted that is gold", _macro(_precision)
)
RECALL = Metric("recall", _HIGHER, _SHARE, "standard", "share of what is gold that was predicted", _macro(_recall))
F1 = Metric("f1", _HIGHER, _SHARE, "standard", "harmonic mean of precision and recall", _macro(_f1))


def by_class(
    metrics: Sequence[Metric],
    golds: Labels,
    predicted: Labels,
    classes: Collection[str],
    *,
    scale: float = 1,
    note: str = "",
) -> list[Scores]:
    """Metrics over these classes. With one class alone, PRECISION, RECALL and F1 are of that class."""
    known = np.array([gold is not None for gold in golds], dtype=np.bool_)
    numbers = {name: number for number, name in enumerate(classes)}
    rows = np.zeros((len(golds), 3 * len(numbers)))
    for row, gold, label in zip(rows, golds, predicted, strict=True):
        _count(row, numbers, gold, label)
    notes = "; ".join(part for part in (note, _note(golds)) if part)
    return [Scores(replace(metric, scale=scale), rows, known, note=notes) for metric in metrics]


def _count(row: Array, numbers: dict[str, int], gold: str | None, label: str | None) -> None:
    size = len(numbers)
    if gold is None:
        return
    if label in numbers:
        row[size + numbers[label]] = 1
    if gold in numbers:
        row[2 * size + numbers[gold]] = 1
        row[numbers[gold]] = label == gold


def by_set(
    metrics: Sequence[Metric],
    golds: Sequence[AbstractSet[Hashable] | None],
    predicted: Sequence[AbstractSet[Hashable]],
) -> list[Scores]:
    """PRECISION, RECALL and F1 of the members of sets, counted over all items."""
    known = np.array([gold is not None for gold in golds], dtype=np.bool_)
    rows = [
        (0, 0, 0) if gold is None else (len(gold & found), len(found), len(gold))
        for gold, found in zip(golds, predicted, strict=True)
    ]
    statistics = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    note = "" if known.all() else "items without gold"
    return [Scores(metric, statistics, known, note=note) for metric in metrics]


def by_match(
    metrics: Sequence[Metric],
    golds: Sequence[Sequence[Any] | None],
    predicted: Sequence[Sequence[Any]],
    fits: Callable[[Any, Any], bool],
) -> list[Scores]:
    """PRECISION, RECALL and F1 of members that need not be equal: as many as can be paired one to one and fit."""
    known = np.array([gold is not None for gold in golds], dtype=np.bool_)
    rows = [
        (0, 0, 0) if gold is None else (_most_pairs(found, gold, fits), len(found), len(gold))
        for gold, found in zip(golds, predicted, strict=True)
    ]
    statistics = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    note = "" if known.all() else "items without gold"
    return [Scores(metric, statistics, known, note=note) for metric in metrics]


def _most_pairs(left: Sequence[Any], right: Sequence[Any], fits: Callable[[Any, Any], bool]) -> int:
    """How many members can be paired one to one at most: a maximum matching, by augmenting paths."""
    columns = [[column for column, two in enumerate(right) if fits(one, two)] for one in left]
    row_of: dict[int, int] = {}
    column_of: dict[int, int] = {}
    closed: set[int] = set()
    for start in range(len(left)):
        reached, column = _free_column(start, columns, row_of, closed)
        if column is None:
            closed.update(reached)  # no free column can be reached from these, now or later
        while column is not None:  # each row on the path takes the column by which it was left
            row = row_of[column] = reached[column]
            column_of[row], column = column, column_of.get(row)
    return len(row_of)


def _free_column(
    start: int, columns: Sequence[Sequence[int]], row_of: Mapping[int, int], closed: AbstractSet[int]
) -> tuple[dict[int, int], int | None]:
    """From which row each column was reached on the way to one that is free; None if there is no way."""
    reached: dict[int, int] = {}
    rows = [start]
    for row in rows:
        for column in columns[row]:
            if column not in reached and column not in closed:
                reached[column] = row
                if column not in row_of:
                    return reached, column
                rows.append(row_of[column])
    return reached, None
