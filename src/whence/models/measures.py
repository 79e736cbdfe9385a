"""How good verdicts are: what trainers watch on held-out items, and the figures of parts that are no task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from whence.metrics.classification import F1, MACRO_F1, PRECISION, RECALL, accuracy, by_class, by_set, likelihood
from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.ranking import MAP, RECALL_25, average_precision, ranks, recall_at
from whence.metrics.span import OFFICIAL, span_scores
from whence.metrics.text import ROUGE_L, rouge_l
from whence.models.items import AnyItem, RankItem, Shape, SpanItem, TextItem, TrainingSet, Verdict, WordItem

Labels = Sequence[str]
TEXTS_COMPARED_BY = ROUGE_L.name
"""Training watches the likelihood of gold texts; what was written is compared by the words they share."""


def measured(shape: Shape, labels: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    """Every figure that a shape has, of items whose answers are known."""
    return _MEASURES[shape](labels, items, verdicts)


def watched(lesson: TrainingSet, verdicts: Sequence[Verdict]) -> float:
    """The figure that the lesson is watched by, on its held-out items; 0 where there are none."""
    for found in measured(lesson.shape, lesson.labels, lesson.dev, verdicts):
        if found.metric.name == lesson.measure:
            return found.figure() or 0.0
    raise ValueError(f"a {lesson.shape} is not measured by {lesson.measure}")


def _labels(labels: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    golds = [None if item.gold is None else labels[cast(int, item.gold)] for item in items]
    found = [labels[verdict.best] for verdict in verdicts]
    return [accuracy(golds, found), *by_class([MACRO_F1], golds, found, labels), _likelihood(items, verdicts)]


def _choices(_: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    golds = [None if item.gold is None else str(item.gold) for item in items]
    return [accuracy(golds, [str(verdict.best) for verdict in verdicts]), _likelihood(items, verdicts)]


def _likelihood(items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> Scores:
    pairs = zip(items, verdicts, strict=True)
    return likelihood(
        [None if item.gold is None else verdict.probabilities[cast(int, item.gold)] for item, verdict in pairs]
    )


def _tags(labels: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    words = cast(Sequence[WordItem], items)
    golds = [None if item.gold is None else chunks(item.gold, labels) for item in words]
    return by_set([F1, PRECISION, RECALL], golds, [chunks(verdict.tags, labels) for verdict in verdicts])


def chunks(tags: Sequence[int], labels: Labels) -> frozenset[tuple[int, int]]:
    """The runs of words that tags B-..., I-... mark, by first word and the word behind the last.

    An I- that continues nothing begins a run, as in the CoNLL evaluation.
    """
    found: list[tuple[int, int]] = []
    start: int | None = None
    for place, tag in enumerate([*(labels[tag] for tag in tags), "O"]):
        if start is not None and not tag.startswith("I"):
            found.append((start, place))
            start = None
        if tag != "O" and start is None:
            start = place
    return frozenset(found)


def _spans(_: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    asked = cast(Sequence[SpanItem], items)
    golds = [() if item.gold is None else (item.context[slice(*item.gold)],) for item in asked]
    return span_scores(OFFICIAL, golds, [verdict.spans[0].text if verdict.spans else "" for verdict in verdicts])


def _rankings(_: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    asked = cast(Sequence[RankItem], items)
    pairs = zip(asked, verdicts, strict=True)
    ranked = [(ranks(verdict.ranking), item.gold or ()) for item, verdict in pairs]
    return [
        _mean(MAP, [average_precision(found, gold) for found, gold in ranked]),
        _mean(RECALL_25, [recall_at(found, gold, 25) for found, gold in ranked]),
    ]


def _mean(metric: Metric, values: Sequence[float | None]) -> Scores:
    return scores(metric, [None if value is None else (value,) for value in values])


def _texts(_: Labels, items: Sequence[AnyItem], verdicts: Sequence[Verdict]) -> list[Scores]:
    golds = [cast(TextItem, item).gold for item in items]
    texts = [verdict.texts[0].text if verdict.texts else "" for verdict in verdicts]
    return [rouge_l(texts, [() if gold is None else (gold,) for gold in golds]), accuracy(golds, texts)]


_MEASURES: dict[Shape, Callable[[Labels, Sequence[AnyItem], Sequence[Verdict]], list[Scores]]] = {
    "label": _labels,
    "choice": _choices,
    "tags": _tags,
    "span": _spans,
    "ranking": _rankings,
    "text": _texts,
}
