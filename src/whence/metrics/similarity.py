"""What scores texts, behind one small seam: similarities of two texts, classifiers of them.

Neural scorers are handed in. Each has a name, which stands in the signature of every figure that used it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Pair = tuple[str, str]
"""Candidate and reference; or the two texts that a classifier reads."""


class Similarity(Protocol):
    """How much a candidate says what a reference says."""

    @property
    def name(self) -> str:
        """What it is, to be told apart from every other."""

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """One score a pair."""


class Classifier(Protocol):
    """How probable each label is for two texts."""

    @property
    def name(self) -> str:
        """What it is, to be told apart from every other."""

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        """For each pair, the probability of each label."""


@dataclass(frozen=True, slots=True)
class PairwiseSimilarity:
    """A similarity that is a plain function of two texts."""

    name: str
    function: Callable[[str, str], float]

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """One score a pair."""
        return [self.function(candidate, reference) for candidate, reference in pairs]


def exact(candidate: str, reference: str) -> float:
    """1 if the texts are equal, -1 if not: BLEURT's stand-in that no threshold can mistake."""
    return 1.0 if candidate == reference else -1.0


def token_f1(candidate: str, reference: str) -> float:
    """F1 of the two bags of tokens that white space separates; 0 if either is empty."""
    left, right = Counter(candidate.split()), Counter(reference.split())
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


SIMILARITIES: dict[str, Similarity] = {
    "exact": PairwiseSimilarity("exact", exact),
    "tokf1": PairwiseSimilarity("tokf1", token_f1),
}
"""Similarities that need no weights. They stand in for neural ones in tests, under their own names."""


def score_once(similarity: Similarity, pairs: Sequence[Pair]) -> list[float]:
    """One score a pair, each different pair scored once and all in one call."""
    different = list(dict.fromkeys(pairs))
    found = dict(zip(different, similarity.score(different), strict=True))
    return [found[pair] for pair in pairs]


def classify_once(classifier: Classifier, pairs: Sequence[Pair]) -> list[Mapping[str, float]]:
    """Probabilities for each pair, each different pair classified once and all in one call."""
    different = list(dict.fromkeys(pairs))
    found = dict(zip(different, classifier.probabilities(different), strict=True))
    return [found[pair] for pair in pairs]
