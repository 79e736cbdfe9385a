"""How much a word that a text has counts: BM25, TF-IDF, and cosines of either."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from whence.errors import UsageError
from whence.models.retrieval.segment import Numbers

Frequency = Literal["saturated", "logarithm", "count", "once"]
Rarity = Literal["odds", "smooth", "share", "none"]


@dataclass(frozen=True, slots=True)
class Weighting:
    """The weight of a word in a text is the product of its frequency there and of its rarity in all texts."""

    frequency: Frequency = "saturated"
    """`saturated` is BM25's n(k1+1) / (n + k1(1 - b + b·length/mean)), `logarithm` 1 + log n, `once` 1."""
    rarity: Rarity = "odds"
    """Of N texts, d have the word: `odds` log((N-d+½)/(d+½)), not below 0; `smooth` log(1 + the same ratio);
    `share` log(N/d)."""
    k1: float = 2.0
    b: float = 0.75
    cosine: bool = False
    """Whether query and texts are taken at length 1, the query's words weighted by their rarity too."""

    def __post_init__(self) -> None:
        if self.frequency not in FREQUENCIES or self.rarity not in RARITIES:
            names = ", ".join((*FREQUENCIES, *RARITIES))
            raise UsageError(f"there is no weighting by {self.frequency} and {self.rarity}; there are {names}")
        if not self.k1 >= 0 or not 0 <= self.b <= 1:
            raise UsageError(f"k1 is 0 or more and b from 0 to 1, not {self.k1} and {self.b}")


def frequencies(weighting: Weighting, counts: Numbers, lengths: Numbers, mean: float) -> Numbers:
    """What so many occurrences in texts of these lengths weigh, before rarity."""
    return FREQUENCIES[weighting.frequency](weighting, counts.astype(np.float64), lengths, mean)


def rarities(weighting: Weighting, with_word: Numbers, texts: int) -> Numbers:
    """What words weigh that so many of the texts have; 0 for words that none has."""
    found = np.asarray(with_word, dtype=np.float64)
    return np.where(found > 0, RARITIES[weighting.rarity](np.maximum(found, 1.0), max(texts, 1)), 0.0)


def _saturated(weighting: Weighting, counts: Numbers, lengths: Numbers, mean: float) -> Numbers:
    k1, b = weighting.k1, weighting.b
    return counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / (mean or 1.0)))


FREQUENCIES: Mapping[str, Callable[[Weighting, Numbers, Numbers, float], Numbers]] = {
    "saturated": _saturated,
    "logarithm": lambda _weighting, counts, _lengths, _mean: 1 + np.log(counts),
    "count": lambda _weighting, counts, _lengths, _mean: counts,
    "once": lambda _weighting, counts, _lengths, _mean: np.ones_like(counts),
}
RARITIES: Mapping[str, Callable[[Numbers, int], Numbers]] = {
    "odds": lambda found, texts: np.maximum(np.log((texts - found + 0.5) / (found + 0.5)), 0.0),
    "smooth": lambda found, texts: np.log1p((texts - found + 0.5) / (found + 0.5)),
    "share": lambda found, texts: np.log(texts / found),
    "none": lambda found, _texts: np.ones_like(found),
}

BM25 = Weighting()
BM25_COSINE = Weighting(cosine=True)
