"""Pairs of texts as features: for labels and choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from whence.models.items import AnyItem, Item, Verdict
from whence.models.learners.logistic_network import Questions, Reading
from whence.models.learners.options import as_items
from whence.models.training.numpy_trainer import Floats, Ints
from whence.models.vector_cache import CachedEncoder
from whence.progress import Report


def read_labels(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """Texts to be labelled: the columns of scores are the labels."""
    asked = as_items(items)
    gold = np.array([item.gold or 0 for item in asked], dtype=np.int64)
    return _read(asked, encoder, report, gold, classes=True)


def read_choices(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """Options to choose from: they compete in the one column of scores."""
    asked = as_items(items)
    gold = np.array([[item.gold or 0] for item in asked], dtype=np.int64).reshape(-1, 1)
    return _read(asked, encoder, report, gold, classes=False)


def _read(items: Sequence[Item], encoder: CachedEncoder, report: Report, gold: Ints, *, classes: bool) -> Reading:
    """One row a pair, with what the encoder says of its texts."""
    options = [option for item in items for option in item.options]
    pairs = [pair for option in options for pair in option]
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = encoder.sentences(texts, report)
    place = {text: number for number, text in enumerate(texts)}
    first, second = (np.array([place[pair[side]] for pair in pairs], dtype=np.int64) for side in (0, 1))

    def rows(chosen: Ints) -> tuple[Floats, Floats]:
        return vectors[first[chosen]], vectors[second[chosen]]

    questions = Questions(
        rows=np.array([len(option) for option in options], dtype=np.int64),
        options=np.array([len(item.options) for item in items], dtype=np.int64),
        gold=gold,
        classes=classes,
    )

    return Reading(rows, questions, lambda scores: option_verdicts(items, questions, scores))


def option_verdicts(items: Sequence[Item], questions: Questions, scores: Floats) -> Iterator[Verdict]:
    """From the scores of rows to the probabilities of labels or options."""
    found = questions.probabilities(questions.added(scores))
    sizes = np.ones(len(items), dtype=np.int64) if questions.classes else questions.options
    ends = np.cumsum(sizes)
    for item, size, end in zip(items, sizes, ends, strict=True):
        yield Verdict(item.id, probabilities=tuple(float(value) for value in found[end - size : end].ravel()))
