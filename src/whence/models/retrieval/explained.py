"""Ranking texts by what they share with a query, and by what explained similar queries before.

The second is explanatory power: a text that was part of the explanation of many similar queries is general enough
to explain this one, whether or not it has a word in common with it. All texts are ranked, many queries at a time,
by products of sparse matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whence.errors import UsageError, quoted
from whence.models.retrieval.index import Index, merged
from whence.models.retrieval.search import Match, Query
from whence.models.retrieval.segment import Flags, Numbers
from whence.models.retrieval.weighting import Weighting, frequencies, rarities
from whence.models.retrieval.words import STOP_WORDS, index_terms
from whence.progress import Report, unreported

Scores = NDArray[np.float64]
_AT_ONCE = 64  # queries: their scores for ten thousand texts take five megabytes


@dataclass(frozen=True, slots=True)
class Case:
    """A query that was explained: its words, and the ids of the texts that explain it."""

    id: str
    query: Query
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts how much. Relevance is the cosine with the query, or BM25's sum, as the weighting says."""

    weighting: Weighting
    power: float = 0.0
    """The weight of explanatory power beside relevance."""
    similar: int = 300
    """Only so many of the most similar cases are asked."""
    sharpness: float = 2.0
    """Cosines with cases are raised to this power: the higher, the less distant cases say."""


@dataclass(frozen=True, slots=True)
class SimilarCase:
    """A case that used a text: how alike it is, from 0 to 1, and what that adds to the text's score."""

    id: str
    similarity: float
    weight: float


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text has its score. Where words and cases are all there is, their weights add up to it."""

    id: str
    score: float
    words: tuple[Match, ...]
    cases: tuple[SimilarCase, ...] = ()
    closeness: float | None = None
    """Of meaning: the cosine of the vectors of query and text."""


class ExplainedTexts:
    """Texts and cases, ready to rank. Rarity is counted over both, as far as there are cases."""

    def __init__(self, index: Index, cases: Sequence[Case], settings: Settings) -> None:
        self.index = merged(index)  # one segment, so that places are in the order of ids
        self.cases = tuple(cases)
        self.settings = settings
        self._columns = {word: column for column, word in enumerate(self._words())}

    def scores(self, queries: Sequence[Query], names: Sequence[str] = ()) -> Scores:
        """One row a query: the score of each text, in the order of `index.ids`.

        A case that has the name of a query is the query itself, and is not asked how it was explained.
        """
        found = self.likeness(queries)
        if self.cases and self.settings.power:
            found += self.settings.power * self.power(queries, names)
        return found

    def likeness(self, queries: Sequence[Query]) -> Scores:
        """One row a query: what each text has in common with it."""
        found: Scores = (self._rows(queries) @ self._texts.T).toarray()
        return found

    def power(self, queries: Sequence[Query], names: Sequence[str] = (), asked: Flags | None = None) -> Scores:
        """One row a query: how much each text explained of similar cases; of those that are asked, if not all."""
        similarities = self._similarities(self._rows(queries), names)
        used = self._used
        if asked is not None:
            similarities, used = similarities[:, asked], used[asked]
        found: Scores = (self._nearest(similarities) @ used).toarray()
        return found

    def uses(self, asked: Flags | None = None) -> Scores:
        """How many cases each text explains; of those that are asked, if not all."""
        used = self._used if asked is None else self._used[asked]
        return np.asarray(used.sum(axis=0), dtype=np.float64).reshape(-1)

    def rankings(self, queries: Sequence[Query], report: Report = unreported) -> Iterator[list[str]]:
        """For each query the ids of all texts, the best first; of equal ones that with the lower id."""
        ids = np.array(self.index.ids, dtype=object)
        for start in range(0, len(queries), _AT_ONCE):
            report("ranking", start, len(queries))
            for row in self.scores(queries[start : start + _AT_ONCE]):
                yield ids[np.argsort(-row, kind="stable")].tolist()

    def reason(self, query: Query, name: str, asked_by: str = "") -> Reason:
        """What made the score of a text, the weightiest first; `asked_by` is the name of the query."""
        place = self._places.get(name)
        if place is None:
            raise UsageError(f"there is no text {quoted(name)} to rank")
        asked = self._rows([query])
        shared = asked.multiply(self._texts[place]).tocoo()
        names = list(self._columns)
        words = [Match(names[col], float(value)) for col, value in zip(shared.col, shared.data, strict=True)]
        cases = self._reasons(asked, place, asked_by) if self.cases and self.settings.power else []
        total = sum(match.weight for match in words) + sum(case.weight for case in cases)
        return Reason(
            name,
            total,
            tuple(sorted(words, key=lambda match: (-match.weight, match.word))),
            tuple(sorted(cases, key=lambda case: (-case.weight, case.id))),
        )

    def _reasons(self, asked: Any, place: int, asked_by: str) -> list[SimilarCase]:
        similarities = self._similarities(asked, [asked_by])
        near = self._nearest(similarities)
        users = near.multiply(self._used[:, [place]].T).tocoo()
        return [
            SimilarCase(self.cases[case].id, float(similarities[0, case]), float(self.settings.power * value))
            for case, value in zip(users.col, users.data, strict=True)
            if value > 0
        ]

    @property
    def unknown(self) -> int:
        """How many texts that cases used are not in the index."""
        return sum(name not in self._places for case in self.cases for name in case.used)

    def _words(self) -> list[str]:
        return sorted({*self.index.words(), *(word for case in self.cases for word in case.query)})

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.index.ids)}

    @cached_property
    def _counts(self) -> Any:
        """How often each text has each word. Stop words are left out: cosines are truer without them."""
        stopped = {form for word in STOP_WORDS for form in index_terms(word)}
        words = [word for word in self.index.words() if word not in stopped]
        entries = [self.index.entries(word) for word in words]
        columns = np.repeat([self._columns[word] for word in words], [len(places) for places, _ in entries])
        places = np.concatenate([places for places, _ in entries] or [np.zeros(0, dtype=np.int64)])
        counts = np.concatenate([counts for _, counts in entries] or [np.zeros(0)])
        shape = (len(self.index), len(self._columns))
        return _sparse((counts.astype(np.float64), (places, columns.astype(np.int64))), shape=shape)

    @cached_property
    def _rarities(self) -> Numbers:
        having = _having(self._counts)
        if self.cases:
            having = having + _having(self._bags([case.query for case in self.cases]))
        return rarities(self.settings.weighting, having, len(self.index) + len(self.cases))

    @cached_property
    def _texts(self) -> Any:
        """Texts as rows of weighted words, of length 1 where cosines are asked for."""
        counts = self._counts.copy()
        lengths = np.asarray(counts.sum(axis=1)).reshape(-1)
        of_entries = np.repeat(lengths, np.diff(counts.indptr))
        mean = float(lengths.mean()) if len(lengths) else 0.0
        counts.data = frequencies(self.settings.weighting, counts.data, of_entries, mean)
        counts.data *= self._rarities[counts.indices]
        return _of_length_one(counts) if self.settings.weighting.cosine else counts

    @cached_property
    def _used(self) -> Any:
        """Cases as rows of the texts that explain them."""
        rows = [
            [self._places[name] for name in dict.fromkeys(case.used) if name in self._places]
            for case in self.cases
        ]
        starts = np.cumsum([0, *map(len, rows)])
        columns = np.array([place for row in rows for place in row], dtype=np.int64)
        return _sparse((np.ones(len(columns)), columns, starts), shape=(len(rows), len(self.index)))

    @cached_property
    def _case_rows(self) -> Any:
        return _of_length_one(self._weighted(self._bags([case.query for case in self.cases])))

    def _bags(self, queries: Sequence[Query]) -> Any:
        """Queries as rows of the weights that they give. Words that neither texts nor cases have say nothing."""
        known = [[(self._columns[w], weight) for w, weight in q.items() if w in self._columns] for q in queries]
        starts = np.cumsum([0, *map(len, known)])
        columns = np.array([column for row in known for column, _ in row], dtype=np.int64)
        weights = np.array([weight for row in known for _, weight in row], dtype=np.float64)
        found = _sparse((weights, columns, starts), shape=(len(queries), len(self._columns)))
        found.sort_indices()
        return found

    def _weighted(self, bags: Any) -> Any:
        found = bags.copy()
        found.data = found.data * self._rarities[found.indices]
        return found

    def _rows(self, queries: Sequence[Query]) -> Any:
        bags = self._bags(queries)
        return _of_length_one(self._weighted(bags)) if self.settings.weighting.cosine else bags

    def _similarities(self, asked: Any, names: Sequence[str] = ()) -> Scores:
        """The cosine of each query with each case; 0 with the case of its own name."""
        own = asked if self.settings.weighting.cosine else _of_length_one(self._weighted(asked))
        found: Scores = (own @ self._case_rows.T).toarray()
        for row, name in enumerate(names):
            if name in self._case_places:
                found[row, self._case_places[name]] = 0.0
        return found

    @cached_property
    def _case_places(self) -> Mapping[str, int]:
        return {case.id: place for place, case in enumerate(self.cases)}

    def _nearest(self, similarities: Scores) -> Any:
        """What the most similar cases count, the others 0; of equal ones the first cases are taken."""
        most = min(self.settings.similar, similarities.shape[1])
        kept = np.argsort(-similarities, axis=1, kind="stable")[:, :most]
        values = np.take_along_axis(similarities, kept, axis=1) ** self.settings.sharpness
        starts = np.arange(0, kept.size + 1, most)
        return _sparse((values.reshape(-1), kept.reshape(-1), starts), shape=similarities.shape)


def _sparse(entries: tuple[Any, ...], shape: tuple[int, int]) -> Any:
    """A sparse matrix by rows, from its entries as scipy takes them."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]  # slow to import

    return csr_array(entries, shape=shape)


def _having(counts: Any) -> Numbers:
    return np.bincount(counts.indices, minlength=counts.shape[1])


def _of_length_one(rows: Any) -> Any:
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).reshape(-1))
    from scipy.sparse import diags_array

    return (diags_array(1 / np.where(lengths > 0, lengths, 1.0)) @ rows).tocsr()
