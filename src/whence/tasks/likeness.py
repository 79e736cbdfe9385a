"""Texts that share words: where wrong answers that look right are found."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COMMON = 0.05
"""Words that a larger share of the texts has (and more than `FEW` have) tell nothing: is, the, kind, of."""
FEW = 10


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Texts by the words in them."""

    texts: tuple[str, ...]
    places: Mapping[str, tuple[int, ...]]
    """For each word that tells something the texts that have it."""
    weights: Mapping[str, float]
    """How much a word tells: the fewer texts have it, the more (inverse document frequency)."""
    lengths: tuple[float, ...]
    """The root of the summed weights of each text's words: long texts are not alike just because they are long."""


def singular_words(text: str) -> frozenset[str]:
    """The words of a text in lower case, plural endings off."""
    words = ("".join(filter(str.isalnum, word)).lower() for word in text.split())
    return frozenset(singular(word) for word in words if word)


def singular(word: str) -> str:
    """A word without its plural ending, where it seems to have one."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def index_words(texts: Sequence[str]) -> WordIndex:
    """The texts, ready to be asked what is alike."""
    found = [singular_words(text) for text in texts]
    every: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(found):
        for word in sorted(words):
            every[word].append(place)
    most = max(FEW, COMMON * len(texts))
    places = {word: tuple(where) for word, where in every.items() if len(where) <= most}
    weights = {word: math.log(1 + len(texts) / len(where)) for word, where in places.items()}
    lengths = tuple(math.sqrt(sum(weights.get(word, 0.0) for word in sorted(words))) or 1.0 for words in found)
    return WordIndex(tuple(texts), places, weights, lengths)


def nearest(index: WordIndex, text: str, count: int) -> list[int]:
    """The places of at most so many texts that share words with this one, the most alike first."""
    scores: dict[int, float] = defaultdict(float)
    for word in sorted(singular_words(text)):
        for place in index.places.get(word, ()):
            scores[place] += index.weights[word]
    best = heapq.nsmallest(count, [(-score / index.lengths[place], place) for place, score in scores.items()])
    return [place for _, place in best]
