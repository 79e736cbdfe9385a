"""METEOR (Lavie and Agarwal 2007) as NLTK 3.4.5 computes it, which ART's figures come from.

Words of candidate and reference are paired if they are equal, then if their stems are, then if they are synonyms.
Newer versions of NLTK pair otherwise, so the version is a parameter of the figure. Synonyms need WordNet, which is
handed in: `wordnet()` finds it where NLTK and its data are installed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import pairwise
from operator import eq
from typing import Any, Protocol

from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.text import References, note_on_references
from whence.metrics.text_stemmer import stem

METEOR = Metric(
    "meteor",
    "higher",
    (0, 1),
    "lavie2007",
    "harmonic mean of precision and recall of matched words, recall weighing nine times as much, less a "
    "penalty for matches that are not in the same order; the best over the references",
)
_ALGORITHM = "nltk-3.4.5"

Pairs = list[tuple[int, int]]
"""Positions in candidate and reference."""
Words = list[tuple[int, str]]
"""Words with their positions."""
Same = Callable[[str, str], bool]


class Synonyms(Protocol):
    """Which words mean the same."""

    @property
    def name(self) -> str:
        """What it is, with its version."""

    def of(self, word: str) -> Collection[str]:
        """Single words that mean the same as a word."""


def meteor(
    candidates: Sequence[str],
    references: References,
    synonyms: Synonyms | None = None,
    *,
    digits: int | None = None,
) -> Scores:
    """METEOR of each item, and their mean; the released scorer rounds each item to 4 digits first."""
    alike = _means_the_same(synonyms) if synonyms else None
    values = [
        (_rounded(max(_meteor(candidate, text, alike) for text in texts), digits),) if texts else None
        for candidate, texts in zip(candidates, references, strict=True)
    ]
    # A word that was paired by its stem may be paired again by a synonym, so that shares may reach 2.
    metric = METEOR if synonyms is None else replace(METEOR, bounds=(0, 2))
    parameters = {"meteor": _ALGORITHM, "synonyms": "none" if synonyms is None else synonyms.name}
    return scores(metric, values, parameters, note_on_references(references))


def _rounded(value: float, digits: int | None) -> float:
    return value if digits is None else round(value, digits)


def _meteor(candidate: str, reference: str, alike: Same | None) -> float:
    words, others = candidate.lower().split(), reference.lower().split()
    pairs = _paired(list(enumerate(words)), list(enumerate(others)), alike)
    if not pairs:
        return 0.0
    precision, recall = len(pairs) / len(words), len(pairs) / len(others)
    mean = precision * recall / (0.9 * precision + (1 - 0.9) * recall)
    penalty = 0.5 * (_chunks(pairs) / len(pairs)) ** 3
    return (1 - penalty) * mean


def _paired(words: Words, others: Words, alike: Same | None) -> Pairs:
    equal, words, others = _match(words, others, eq)
    stems, _, _ = _match(_stemmed(words), _stemmed(others), eq)
    # As in NLTK 3.4.5, words paired by their stems are still there to be paired by synonyms.
    synonyms = _match(words, others, alike)[0] if alike else []
    return sorted(equal + stems + synonyms, key=lambda pair: pair[0])


def _stemmed(words: Words) -> Words:
    return [(position, stem(word)) for position, word in words]


def _means_the_same(synonyms: Synonyms) -> Same:
    of = cache(synonyms.of)
    return lambda word, other: other in of(word)


def _match(words: Words, others: Words, same: Same) -> tuple[Pairs, Words, Words]:
    """Pairs each word, from the last, with the last free one that is the same; and what is left of both."""
    pairs: Pairs = []
    left, free = [], list(others)
    for position, word in reversed(words):
        for number in reversed(range(len(free))):
            if same(word, free[number][1]):
                pairs.append((position, free.pop(number)[0]))
                break
        else:
            left.append((position, word))
    return pairs, left[::-1], free


def _chunks(pairs: Pairs) -> int:
    """Runs of pairs that are next to each other in both texts."""
    return 1 + sum((after[0], after[1]) != (before[0] + 1, before[1] + 1) for before, after in pairwise(pairs))


@dataclass(frozen=True, slots=True)
class WordNet:
    """WordNet's synonyms, read by NLTK."""

    name: str
    reader: Any

    def of(self, word: str) -> Collection[str]:
        """The lemmas of all synsets of the word, without those of several words."""
        return {
            lemma.name()
            for synset in self.reader.synsets(word)
            for lemma in synset.lemmas()
            if "_" not in lemma.name()
        }


def wordnet() -> WordNet | None:
    """WordNet, if NLTK and its data are installed."""
    try:
        reader = import_module("nltk.corpus").wordnet
        version = reader.get_version()
    except (ImportError, LookupError, OSError):
        return None
    return WordNet(f"wordnet-{version}+nltk-{import_module('nltk').__version__}", reader)
