"""What is known of documents as parts of an explanation: numbers for a small network to weigh.

Words and vectors say what a document has in common with a query; cases say what explained similar queries, and how
often a document explains anything. A document may also be a later hop: far from the query and near to the best
documents found so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.models.encoder import Floats
from whence.models.retrieval.explained import ExplainedTexts, Scores
from whence.models.retrieval.search import Query
from whence.models.retrieval.segment import Flags

FEATURES = ("words", "power", "meaning", "used", "habit", "chain", "first", "rank", "share")
"""Likeness in words; explanatory power; cosine of vectors; logarithm of how many cases it explains; power by use;
nearness to the best documents; the score that candidates are found by, its rank, and its share of the best's."""
POWER, MEANING = 0.6, 0.5
"""The weights of explanatory power and of meaning beside words, in the score that candidates are found by."""
_BEST = 10  # documents that later hops start from
_NEAREST = 3  # of them that a later hop is measured by


@dataclass(frozen=True, slots=True)
class Gathered:
    """For each query its candidates and what is known of them, and the first score of all documents."""

    places: NDArray[np.int64]
    features: Floats
    first: Scores


def gather(
    texts: ExplainedTexts,
    queries: Sequence[Query],
    names: Sequence[str],
    meaning: Scores,
    documents: Floats,
    most: int,
    asked: Flags | None = None,
) -> Gathered:
    """The best candidates of each query by words, power and meaning, and the features of each.

    A case that has the name of a query is not asked about it. `meaning` has the cosine of each query with each
    text, `documents` the vectors of the texts; `asked` says which cases may be asked, if not all.
    """
    words, power, uses = texts.likeness(queries), texts.power(queries, names, asked), texts.uses(asked)
    first = words + POWER * power + MEANING * meaning
    most = min(most, first.shape[1])
    places = np.argsort(-first, axis=1, kind="stable")[:, :most]
    own, score = uses[places], np.take_along_axis(first, places, axis=1)
    power = np.take_along_axis(power, places, axis=1)
    columns = {
        "words": np.take_along_axis(words, places, axis=1),
        "power": power,
        "meaning": np.take_along_axis(meaning, places, axis=1),
        "used": np.log1p(own),
        "habit": power / (own + 1),
        "chain": chained(documents, places),
        "first": score,
        "rank": np.broadcast_to(np.log1p(np.arange(most)), score.shape),
        "share": score / np.maximum(score[:, :1], 1e-9),
    }
    return Gathered(places, np.stack([columns[name] for name in FEATURES], axis=-1).astype(np.float32), first)


def chained(documents: Floats, places: NDArray[np.int64]) -> Floats:
    """How near each candidate of each query is to the best others; candidates stand in their order, best first."""
    return np.array([_nearness(documents[row]) for row in places], dtype=np.float32).reshape(places.shape)


def _nearness(vectors: Floats) -> Floats:
    best = min(_BEST, len(vectors))
    near = vectors @ vectors[:best].T
    near[np.arange(best), np.arange(best)] = 0.0  # itself
    found: Floats = np.sort(near, axis=1)[:, -_NEAREST:].mean(axis=1)
    return found
