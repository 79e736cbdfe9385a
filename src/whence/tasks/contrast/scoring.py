"""How good verdicts are: right labels, and whether what follows is held surer than what does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from whence.metrics.classification import MACRO_F1, accuracy, by_class
from whence.metrics.metric import Array, Metric, Scores, scores, unmeasured
from whence.structures.results import UNREAD, Example, Label
from whence.structures.verdict import CONTRADICTS, FOLLOWS, LABELS, UNKNOWN
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, Scoring, ScoringOptions, Slice

_RANKS = 500
"""How finely answers are ranked by how sure they are; up to so many, the ranks are exact."""
_COLUMNS = _RANKS + 2
"""The ranks, and one at either end for answers that are missing: they are surest of what is wrong."""


def _area(sums: Array, _: Array) -> Array:
    """The share of pairs in their right order, ties counted half, from counts at each rank, the lowest first."""
    positive, negative = np.split(sums, 2, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    found = np.full(len(sums), np.nan)
    np.divide((positive * below).sum(axis=1), pairs, out=found, where=pairs > 0)
    return found


AREAS: Mapping[str, Metric] = {
    label: Metric(
        f"auc_{label}",
        "higher",
        (0.0, 1.0),
        "standard",
        f"how often a conclusion that follows is held surer to follow than one that {what}: the area under the "
        f"ROC curve, ties counted half; of more than {_RANKS} items, near ones are ties",
        _area,
    )
    for label, what in ((CONTRADICTS, "contradicts"), (UNKNOWN, "is unknown"))
}


def score(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """Accuracy, macro F1, and the two areas where answers say how sure they are."""
    golds = [example.golds[0].name if example.golds else None for example in dataset.examples]
    labels = [answer.explanation.name if answer and answer.explanation else None for answer in answers]
    return [
        accuracy(golds, labels),
        *by_class([MACRO_F1], golds, labels, LABELS),
        *(_area_scores(metric, golds, answers, label) for label, metric in AREAS.items()),
    ]


def _area_scores(metric: Metric, golds: list[str | None], answers: Answers, against: str) -> Scores:
    if not any(answer and answer.verdict for answer in answers):
        return unmeasured(metric, len(golds), "the answers do not say how sure they are")
    asked = [gold in (FOLLOWS, against) for gold in golds]
    sure = [
        answer.verdict.support
        for answer, is_asked in zip(answers, asked, strict=True)
        if is_asked and answer and answer.verdict
    ]
    ranks = _ranks(sure)
    rows: list[list[float] | None] = []
    for gold, answer, is_asked in zip(golds, answers, asked, strict=True):
        row = [0.0] * (2 * _COLUMNS)
        rank = ranks[answer.verdict.support] if is_asked and answer and answer.verdict else None
        if gold == FOLLOWS:
            row[rank or 0] = 1.0
        else:
            row[_COLUMNS + (rank or _COLUMNS - 1)] = 1.0
        rows.append(row if is_asked else None)
    return scores(metric, rows, note="" if all(asked) else "without the items of the third label")


def _ranks(values: Sequence[float]) -> dict[float, int]:
    """From 1 to `_RANKS`, the same for equal values; different for others, if there are at most so many."""
    counts, below, ranks = Counter(values), 0.0, {}
    for value in sorted(counts):
        ranks[value] = 1 + int((below + (counts[value] - 1) / 2) * _RANKS / len(values))
        below += counts[value]
    return ranks


def failures(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
    """What is taken for what."""
    causes: Counter[str] = Counter()
    for example, answer in zip(dataset.examples, answers, strict=True):
        if not example.golds:
            continue
        gold = example.golds[0].name
        if answer is None or answer.explanation is None:
            causes["no answer" if answer is None else UNREAD] += 1
        elif answer.explanation.name != gold:
            causes[f"'{gold}' called '{answer.explanation.name}'"] += 1
    return causes


def _named(key: str) -> Slice:
    def groups(example: Example[object, Label]) -> tuple[str, ...]:
        return (str(example.meta[key]),) if example.meta.get(key) else ()

    return groups


SLICES: Mapping[str, Slice] = {
    "label": lambda example: tuple(gold.name for gold in example.golds[:1]),
    "kind": _named("kind"),
    "family": _named("family"),
    "premises": lambda example: (str(len(example.inputs.premises)),),
}
SCORING = Scoring(
    score,
    failures,
    SLICES,
    main=("accuracy",),
    together=tuple(metric.name for metric in AREAS.values()),
)
