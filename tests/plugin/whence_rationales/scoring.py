"""How good rationales are: the share of right labels, and the words of the right sentence."""

from __future__ import annotations

from collections import Counter

from whence.metrics.classification import accuracy
from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.similarity import token_f1
from whence.structures.results import Example
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, Scoring, ScoringOptions
from whence_rationales.data import Rationale, Statement

RATIONALE_F1 = Metric("rationale_f1", "higher", (0.0, 1.0), "ours", "F1 of the words of rationale and gold")


def _score(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """A metric is a value an item; None where there is no gold. No answer is a wrong one."""
    golds = [example.golds[0] if example.golds else None for example in dataset.examples]
    given = [answer.explanation if answer else None for answer in answers]
    f1 = [
        None if gold is None else token_f1(made.text, gold.text) if made else 0.0
        for gold, made in zip(golds, given, strict=True)
    ]
    labels = ([one.label if one else None for one in some] for some in (golds, given))
    return [accuracy(*labels), scores(RATIONALE_F1, f1)]


def _failures(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
    """Count why answers are not right."""
    causes: Counter[str] = Counter()
    for example, answer in zip(dataset.examples, answers, strict=True):
        gold, made = example.golds[0], answer.explanation if answer else None
        if made is None:
            causes["no answer"] += 1
        elif made.label != gold.label:
            causes[f"{made.label}, right is {gold.label}"] += 1
        elif made.text != gold.text:
            causes["right label, other sentence"] += 1
    return causes


def _by_label(example: Example[Statement, Rationale]) -> tuple[str, ...]:
    return tuple(gold.label for gold in example.golds)


def _by_length(example: Example[Statement, Rationale]) -> tuple[str, ...]:
    return (f"{len(example.inputs.sentences)} sentences",)


SCORING = Scoring(_score, _failures, {"label": _by_label, "length": _by_length})
