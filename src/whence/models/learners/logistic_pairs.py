"""Pairs of texts as features: for labels and choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from whence.models.items import AnyItem, Item, Verdict
from whence.models.learners import Report
from whence.models.learners.logistic_network import Floats, Ints, Questions, Reading
from whence.models.learners.options import as_items
from whence.models.vector_cache import CachedEncoder

_TOGETHER = "{} [SEP] {}"


def read_labels(items: Sequence[AnyItem], encoder: CachedEncoder, features: str, report: Report) -> Reading:
    """Texts to be labelled: the columns of scores are the labels."""
    asked = as_items(items)
    gold = np.array([item.gold or 0 for item in asked], dtype=np.int64)
    return _read(asked, encoder, features, report, gold, classes=True)


def read_choices(items: Sequence[AnyItem], encoder: CachedEncoder, features: str, report: Report) -> Reading:
    """Options to choose from: they compete in the one column of scores."""
    asked = as_items(items)
    gold = np.array([[item.gold or 0] for item in asked], dtype=np.int64).reshape(-1, 1)
    return _read(asked, encoder, features, report, gold, classes=False)


def _read(
    items: Sequence[Item], encoder: CachedEncoder, features: str, report: Report, gold: Ints, *, classes: bool
) -> Reading:
    """One row a pair, with what the encoder says of its texts."""
    options = [option for item in items for option in item.options]
    pairs = [pair for option in options for pair in option]
    parts = [[first for first, _ in pairs], [second for _, second in pairs]]
    if features == "joint":
        parts.append([_TOGETHER.format(*pair) for pair in pairs])
    texts = list(dict.fromkeys(text for part in parts for text in part))
    vectors = encoder.sentences(texts, report)
    place = {text: number for number, text in enumerate(texts)}
    numbers = [np.array([place[text] for text in part], dtype=np.int64) for part in parts]

    def rows(chosen: Ints) -> Floats:
        first, second, *others = (vectors[part[chosen]] for part in numbers)
        return np.hstack([first, second, np.abs(first - second), first * second, *others])

    questions = Questions(
        rows=np.array([len(option) for option in options], dtype=np.int64),
        options=np.array([len(item.options) for item in items], dtype=np.int64),
        gold=gold,
        classes=classes,
    )

    def verdicts(scores: Floats) -> Iterator[Verdict]:
        found = questions.probabilities(questions.added(scores))
        sizes = np.ones(len(items), dtype=np.int64) if classes else questions.options
        ends = np.cumsum(sizes)
        for item, size, end in zip(items, sizes, ends, strict=True):
            yield Verdict(item.id, probabilities=tuple(float(value) for value in found[end - size : end].ravel()))

    return Reading(rows, questions, verdicts)
