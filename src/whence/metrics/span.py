"""Spans against gold spans: CIDER's released matching, and SQuAD's (v2) exact match and F1.

CIDER's released evaluator sorts answers into three kinds, white space at the ends left out, case kept:

- exact: answer and gold are equal;
- partial: one contains the other as a string of characters, and the answer is not empty;
- none: everything else, also where words are shared.

Its "SQuAD F1" is SQuAD's F1 for partial ones, 1 for exact and 0 for others; its "F1" counts the words of the
shorter text as shared, though containment may cut a word. It knows one gold answer, the first. True SQuAD scores
compare words whatever the kind, in lower case, without punctuation and articles, with the best gold answer.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from whence.metrics.metric import Better, Metric, Scores, scores

Match = Literal["exact", "partial", "none"]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def released_match(predicted: str, gold: str) -> Match:
    """How the released evaluator of CIDER sorts an answer."""
    answer, truth = predicted.strip(), gold.strip()
    if answer == truth:
        return "exact"
    return "partial" if answer and (answer in truth or truth in answer) else "none"


def released_f1(predicted: str, gold: str) -> float:
    """The released "SQuAD F1": SQuAD's for partial matches only."""
    match = released_match(predicted, gold)
    return squad_f1(predicted, gold) if match == "partial" else float(match == "exact")


def overlap_f1(predicted: str, gold: str) -> float:
    """The released "F1": of words, the words of the shorter text being shared, for partial matches only."""
    match = released_match(predicted, gold)
    if match != "partial":
        return float(match == "exact")
    sizes = [len(text.split()) for text in sorted((predicted.strip(), gold.strip()), key=len)]
    return 2 * sizes[0] / sum(sizes)


def squad_words(text: str) -> list[str]:
    """Words as SQuAD compares them: lower case, without punctuation and articles."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def squad_em(predicted: str, gold: str) -> float:
    """Whether the words are the same."""
    return float(squad_words(predicted) == squad_words(gold))


def squad_f1(predicted: str, gold: str) -> float:
    """F1 of the two bags of words; if either is empty, whether both are."""
    left, right = Counter(squad_words(predicted)), Counter(squad_words(gold))
    if not left or not right:
        return float(left == right)
    return 2 * (left & right).total() / (left.total() + right.total())


# Metrics, each with what it is for an answer and the gold answers.

Measure = Callable[[str, Sequence[str]], float]
Measures = tuple[tuple[Metric, Measure], ...]


def _metric(name: str, meaning: str, better: Better = "higher", source: str = "ghosal2021") -> Metric:
    return Metric(name, better, (0, 1), source, meaning, scale=100)


def _first(of_pair: Callable[[str, str], float]) -> Measure:
    return lambda predicted, golds: of_pair(predicted, golds[0])


def _best(of_pair: Callable[[str, str], float]) -> Measure:
    return lambda predicted, golds: max(of_pair(predicted, gold) for gold in golds)


def _is(match: Match) -> Measure:
    return lambda predicted, golds: released_match(predicted, golds[0]) == match


_EM = _metric("em", "share of the answers that equal the gold answer, white space at the ends left out")
_PM = _metric(
    "pm", "share of the answers that contain the gold answer or are contained in it, and do not equal it"
)
_NM = _metric("nm", "share of the answers that neither contain the gold answer nor are contained in it", "lower")
_F1 = _metric("f1", "SQuAD F1 of answers that contain the gold answer or are contained in it; 0 for others")
_OVERLAP_F1 = _metric("overlap_f1", "F1 of such answers, all words of the shorter text being shared; 0 for others")
_PAPER_NM = _metric("nm", "share of the answers that have no word in common with the gold answer", "lower")
_PAPER_F1 = _metric("f1", "F1 of the words of answer and gold answer (SQuAD v2)")
_SQUAD_EM = _metric(
    "squad_em", "share of the answers whose words are the gold answer's (SQuAD v2)", source="squad2"
)
_SQUAD_F1 = _metric("squad_f1", "F1 of the words of answer and gold answer (SQuAD v2)", source="squad2")
_SQUAD: Measures = ((_SQUAD_EM, _best(squad_em)), (_SQUAD_F1, _best(squad_f1)))

OFFICIAL: Measures = (
    (_EM, _is("exact")),
    (_PM, _is("partial")),
    (_NM, _is("none")),
    (_F1, _first(released_f1)),
    (_OVERLAP_F1, _first(overlap_f1)),
    *_SQUAD,
)
"""As the released evaluator prints them, and SQuAD's own."""

PAPER: Measures = (
    (_EM, _is("exact")),
    (_PAPER_NM, lambda predicted, golds: _best(squad_f1)(predicted, golds) == 0),
    (_PAPER_F1, _best(squad_f1)),
    *_SQUAD,
)
"""As section 5.3.2 defines them: no match is no overlap, and F1 is SQuAD's."""


def span_scores(measures: Measures, golds: Sequence[Sequence[str]], predicted: Sequence[str]) -> list[Scores]:
    """The metrics of a protocol; a missing answer is an empty one."""
    note = "" if all(golds) else "items without a gold answer"
    return [
        scores(
            metric,
            [(measure(answer, texts),) if texts else None for answer, texts in zip(predicted, golds, strict=True)],
            note=note,
        )
        for metric, measure in measures
    ]
