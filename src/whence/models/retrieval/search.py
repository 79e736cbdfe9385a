"""Asking an index: every text's score for a query, the best texts, and what made a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whence.errors import UsageError, quoted
from whence.models.retrieval.index import Index
from whence.models.retrieval.segment import Numbers
from whence.models.retrieval.weighting import BM25, Weighting, frequencies, rarities

Query = Mapping[str, float]
"""Words, as `index_terms` writes them, each with how much it matters."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A text that was found."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Match:
    """A word that query and text share, and what it adds to the score."""

    word: str
    weight: float


@dataclass(frozen=True)
class Searcher:
    """An index with a weighting. Scores are exact, and memory grows by three numbers a text."""

    index: Index
    weighting: Weighting = BM25

    def scores(self, query: Query) -> Numbers:
        """The score of the text at each place of the index; 0 where it shares no word with the query."""
        total = np.zeros(len(self.index))
        for word, weight in self._weighted(query).items():
            places, counts = self.index.entries(word)
            total[places] += weight * self._frequencies(places, counts)
        return total / self._lengths if self.weighting.cosine else total

    def search(self, query: Query, most: int) -> list[Hit]:
        """At most so many texts with a score above 0, the best first; of equal ones that with the lower id."""
        scores = self.scores(query)
        found = best_places(scores, most)
        hits = [Hit(self._id(place), float(scores[place])) for place in found]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(most, 0)]

    def matches(self, query: Query, name: str) -> tuple[Match, ...]:
        """The words that gave a text its score, the weightiest first; the weights add up to it."""
        place = self._place(name)
        found = []
        for word, weight in self._weighted(query).items():
            places, counts = self.index.entries(word)
            where = int(np.searchsorted(places, place))
            if where < len(places) and places[where] == place:
                value = weight * self._frequencies(places[where : where + 1], counts[where : where + 1])[0]
                found.append(Match(word, float(value / self._lengths[place] if self.weighting.cosine else value)))
        return tuple(sorted(found, key=lambda match: (-match.weight, match.word)))

    def _weighted(self, query: Query) -> dict[str, float]:
        """The query's words by the weight that a text's frequencies are multiplied with, in alphabetical order."""
        words = sorted(query)
        rare = rarities(self.weighting, np.array([len(self.index.entries(w)[0]) for w in words]), len(self.index))
        own = np.array([query[word] for word in words]) * rare
        if self.weighting.cosine:
            own = own * rare / (np.sqrt(own @ own) or 1.0)
        return {word: float(weight) for word, weight in zip(words, own, strict=True) if weight}

    def _frequencies(self, places: Numbers, counts: Numbers) -> Numbers:
        return frequencies(self.weighting, counts, self.index.lengths[places], self._mean)

    @cached_property
    def _mean(self) -> float:
        return float(self.index.lengths.mean()) if len(self.index) else 0.0

    @cached_property
    def _lengths(self) -> Numbers:
        """Of the texts as vectors; 1 for one without any weight."""
        squares = np.zeros(len(self.index))
        for word in self.index.words():
            places, counts = self.index.entries(word)
            rare = rarities(self.weighting, np.array([len(places)]), len(self.index))[0]
            squares[places] += (rare * self._frequencies(places, counts)) ** 2
        return np.sqrt(np.where(squares > 0, squares, 1.0))

    def _id(self, place: int) -> str:
        """One id without reading all of them."""
        for segment, kept in zip(self.index.segments, self.index.live, strict=True):
            count = int(kept.sum())
            if place < count:
                return str(segment.ids[int(np.flatnonzero(kept)[place])])
            place -= count
        raise IndexError(place)

    def _place(self, name: str) -> int:
        start = 0
        for segment, kept in zip(self.index.segments, self.index.live, strict=True):
            place = segment.ids.find(name)
            if place is not None and kept[place]:
                return start + int(kept[:place].sum())
            start += int(kept.sum())
        raise UsageError(f"the index has no text {quoted(name)}")


def best_places(scores: Numbers, most: int) -> Numbers:
    """The places of the best positive scores, in no order; more than asked where the last ones are equal."""
    if most < 1:
        return np.zeros(0, dtype=np.int64)
    found = np.flatnonzero(scores > 0)
    if len(found) <= most:
        return found
    bound = np.partition(scores[found], len(found) - most)[len(found) - most]
    best: Numbers = found[scores[found] >= bound]
    return best
