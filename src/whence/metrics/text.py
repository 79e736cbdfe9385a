"""Texts against references: BLEU, ROUGE-L, CIDEr-D as COCO's caption scorers have them, and BERTScore.

Nothing is tokenised or lower-cased: words are what white space separates. Our own lines, because the released
package needs Java and keeps no statistics to resample; `tests/golden/test_art.py` compares the figures.
METEOR is in `text_meteor`.

Every function takes a candidate an item and all references of each item; an item without references is unknown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean

import numpy as np

from whence.metrics.metric import Array, Metric, Scores, scores, unmeasured
from whence.metrics.similarity import Similarity, score_once

References = Sequence[Sequence[str]]
"""The references of each item."""
Ngram = tuple[str, ...]

NO_REFERENCE = "items without a reference"
_ORDERS = 4
_TINY, _SMALL = 1e-15, 1e-9  # COCO's guards against division by zero; they show in the tenth digit
_BETA = 1.2
_SIGMA = 6.0


def ngrams(words: Sequence[str], order: int) -> Counter[Ngram]:
    """How often each run of so many words occurs."""
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


def note_on_references(references: References) -> str:
    """Why items are unknown, if some are."""
    return "" if all(references) else NO_REFERENCE


# BLEU


def bleu(candidates: Sequence[str], references: References) -> list[Scores]:
    """BLEU-1 to BLEU-4 of the corpus, with COCO's guards and the closest reference length."""
    rows = [
        _bleu_row(candidate, texts) if texts else [0] * _BLEU_WIDTH
        for candidate, texts in zip(candidates, references, strict=True)
    ]
    statistics = np.array(rows, dtype=np.float64).reshape(len(rows), _BLEU_WIDTH)
    known = np.array([bool(texts) for texts in references], dtype=np.bool_)
    note = note_on_references(references)
    return [Scores(metric, statistics, known, note=note) for metric in BLEU]


_BLEU_WIDTH = 2 * _ORDERS + 2


def _bleu_row(candidate: str, references: Sequence[str]) -> list[int]:
    """For each order the n-grams that are right and all n-grams; the candidate's length and the reference's."""
    words = candidate.split()
    others = [reference.split() for reference in references]
    right, all_of_order = [], []
    for order in range(1, _ORDERS + 1):
        found = ngrams(words, order)
        allowed: Counter[Ngram] = Counter()
        for other in others:
            allowed |= ngrams(other, order)
        right.append((found & allowed).total())
        all_of_order.append(found.total())
    closest = min((abs(len(other) - len(words)), len(other)) for other in others)[1]
    return [*right, *all_of_order, len(words), closest]


def _bleu_of(sums: Array, counts: Array, order: int) -> Array:
    right, all_of_order = sums[:, :order], sums[:, _ORDERS : _ORDERS + order]
    precision = np.prod((right + _TINY) / (all_of_order + _SMALL), axis=1) ** (1 / order)
    length = (sums[:, -2] + _TINY) / (sums[:, -1] + _SMALL)
    brevity = np.exp(np.minimum(0, 1 - 1 / length))
    found: Array = np.where(counts > 0, precision * brevity, np.nan)
    return found


BLEU = tuple(
    Metric(
        f"bleu{order}",
        "higher",
        (0, 1),
        "papineni2002",
        f"geometric mean of the clipped precisions of n-grams, n up to {order}, counted over all items, "
        "times the brevity penalty",
        partial(_bleu_of, order=order),
    )
    for order in range(1, _ORDERS + 1)
)


# ROUGE-L

ROUGE_L = Metric(
    "rougeL",
    "higher",
    (0, 1),
    "lin2004",
    "F (beta 1.2) of the longest common subsequence; precision and recall are each the best over the references",
)


def rouge_l(candidates: Sequence[str], references: References) -> Scores:
    """ROUGE-L as COCO has it: words are what single blanks separate, so two blanks make an empty word."""
    values = [
        (_rouge_l(candidate, texts),) if texts else None
        for candidate, texts in zip(candidates, references, strict=True)
    ]
    return scores(ROUGE_L, values, note=note_on_references(references))


def _rouge_l(candidate: str, references: Sequence[str]) -> float:
    words = candidate.split(" ")
    others = [reference.split(" ") for reference in references]
    shared = [_longest_common_subsequence(words, other) for other in others]
    precision = max(length / len(words) for length in shared)
    recall = max(length / len(other) for length, other in zip(shared, others, strict=True))
    if not precision or not recall:
        return 0.0
    return (1 + _BETA**2) * precision * recall / (recall + _BETA**2 * precision)


def _longest_common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    above = [0] * (len(right) + 1)
    for word in left:
        row = [0]
        for column, (other, (diagonal, up)) in enumerate(zip(right, pairwise(above), strict=True)):
            row.append(diagonal + 1 if word == other else max(up, row[column]))
        above = row
    return above[-1]


# CIDEr-D

CIDER = Metric(
    "cider",
    "higher",
    (0, 10),
    "vedantam2015",
    "ten times the mean similarity of n-grams, n up to 4, to those of each reference, weighted by their rarity in "
    "all references (CIDEr-D)",
)


def cider(candidates: Sequence[str], references: References) -> Scores:
    """CIDEr-D as COCO has it: sigma 6, length counted in pairs of words, rarity from these references.

    The rarity of n-grams is a property of the whole data set: a resample or a slice keeps it.
    """
    documents = [[_all_ngrams(text) for text in texts] for texts in references]
    rarity = _Rarity([found for found in documents if found])
    values = [
        (rarity.likeness(_all_ngrams(candidate), found),) if found else None
        for candidate, found in zip(candidates, documents, strict=True)
    ]
    return scores(CIDER, values, note=note_on_references(references))


_Grams = list[Counter[Ngram]]
"""The n-grams of a text, for each order from 1."""


def _all_ngrams(text: str) -> _Grams:
    words = text.split()
    return [ngrams(words, order) for order in range(1, _ORDERS + 1)]


class _Rarity:
    """How rare n-grams are: the logarithm of the share of items with a reference that has them, negated."""

    def __init__(self, documents: Sequence[Sequence[_Grams]]) -> None:
        items = Counter(
            ngram for texts in documents for ngram in {ngram for text in texts for part in text for ngram in part}
        )
        self._most = math.log(len(documents)) if documents else 0.0
        self._of = {ngram: self._most - math.log(count) for ngram, count in items.items()}

    def weights(self, counts: Mapping[Ngram, int]) -> dict[Ngram, float]:
        """Each n-gram's count times its rarity; what no reference has is as rare as what one item has."""
        return {ngram: count * self._of.get(ngram, self._most) for ngram, count in counts.items()}

    def likeness(self, candidate: _Grams, references: Sequence[_Grams]) -> float:
        """CIDEr-D of one item."""
        weighted = [self.weights(part) for part in candidate]
        found = []
        for reference in references:
            apart = candidate[1].total() - reference[1].total()
            penalty = math.exp(-(apart**2) / (2 * _SIGMA**2))
            parts = [
                _clipped_cosine(left, self.weights(part)) for left, part in zip(weighted, reference, strict=True)
            ]
            found.append(fmean(parts) * penalty)
        return min(10.0, 10 * fmean(found))  # rounding could lift a perfect one above


def _clipped_cosine(candidate: Mapping[Ngram, float], reference: Mapping[Ngram, float]) -> float:
    """Cosine in which repeating a word does not help: no n-gram counts more than in the reference."""
    shared = sum(
        min(weight, reference[ngram]) * reference[ngram]
        for ngram, weight in candidate.items()
        if ngram in reference
    )
    sizes = math.sqrt(sum(weight**2 for weight in candidate.values())) * math.sqrt(
        sum(weight**2 for weight in reference.values())
    )
    return shared / sizes if sizes else shared


# BERTScore

BERTSCORE = Metric(
    "bertscore",
    "higher",
    (-1, 1),
    "zhang2020",
    "mean over the references of the similarity of the text to each; the similarity is named in the signature",
)


def bertscore(candidates: Sequence[str], references: References, similarity: Similarity | None) -> Scores:
    """The mean similarity to the references, with whatever similarity was handed in; an empty text has 0."""
    if similarity is None:
        return unmeasured(BERTSCORE, len(candidates), "needs a similarity: --similarity MODEL")
    pairs = [
        (candidate, text)
        for candidate, texts in zip(candidates, references, strict=True)
        for text in texts
        if candidate.strip()
    ]
    found = dict(zip(pairs, score_once(similarity, pairs), strict=True))
    values = [
        (fmean(found.get((candidate, text), 0.0) for text in texts),) if texts else None
        for candidate, texts in zip(candidates, references, strict=True)
    ]
    return scores(BERTSCORE, values, {"similarity": similarity.name}, note_on_references(references))
