"""BERTScore (Zhang et al. 2020) over any token encoder, and the cosine of sentence vectors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from whence.metrics.similarity import Pair
from whence.models.encoder import EncodedText, Encoder, Floats, TokenEncoder, embedded_encoder, normalised

_MOST_TEXTS = 8192  # whose vectors are in memory at once: 200 MB at 384 numbers a token


@dataclass(frozen=True, slots=True)
class Match:
    """How well the tokens of a candidate and of a reference match."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class _Text:
    """A text's vectors, of length 1, and its tokens' weights, which sum to 1; to 0 if nothing counts."""

    vectors: Floats
    weights: NDArray[np.float64]


class BertScore:
    """F1 of greedy cosine matching between the tokens of candidate and reference.

    As the package `bert_score` has it: the tokens that frame a text have no weight, yet others may match them; an
    empty text scores 0; `idf` weights tokens by their rarity in the references of the call. Not rescaled. One
    thing differs: there, a best cosine below 0 counts as 0 if a longer text is in the same batch; here, never.
    """

    def __init__(self, encoder: TokenEncoder, idf: bool = False) -> None:
        self.encoder = encoder
        self.idf = idf

    @property
    def name(self) -> str:
        """The encoder with its fingerprint, and whether rare tokens weigh more."""
        return f"bertscore-f1:{self.encoder.name}{'+idf' if self.idf else ''}"

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """The F1 of each pair."""
        return [match.f1 for match in self.matches(pairs)]

    def matches(self, pairs: Sequence[Pair]) -> list[Match]:
        """Precision, recall and F1 of each pair. Each different text is encoded once."""
        rarity = rarities(self.encoder.ids([reference for _, reference in pairs])) if self.idf else None
        found: dict[Pair, Match] = {}
        for chunk in _chunks(list(dict.fromkeys(pairs))):
            texts = list(dict.fromkeys(text for pair in chunk for text in pair))
            encoded = (_weighted(text, rarity) for text in self.encoder.tokens(texts))
            found.update(_matched(chunk, dict(zip(texts, encoded, strict=True))))
        return [found[pair] for pair in pairs]


class EmbeddedBertScore(BertScore):
    """BERTScore by the embedded encoder. Its figures are not those of `roberta-large`, and its name says so."""

    def __init__(self, encoder: TokenEncoder | None = None, idf: bool = False) -> None:
        super().__init__(embedded_encoder() if encoder is None else encoder, idf)


class EmbeddedCosine:
    """The cosine of two sentence vectors: the embedded stand-in where a protocol asks for BLEURT."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self.encoder = embedded_encoder() if encoder is None else encoder

    @property
    def name(self) -> str:
        """The encoder with its fingerprint."""
        return f"cosine:{self.encoder.name}"

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """The cosine of each pair."""
        candidates = self.encoder.sentences([candidate for candidate, _ in pairs])
        references = self.encoder.sentences([reference for _, reference in pairs])
        cosines: list[float] = np.einsum("ij,ij->i", candidates, references).clip(-1, 1).tolist()
        return cosines


def rarities(references: Sequence[Sequence[int]]) -> Mapping[int, float]:
    """Inverse document frequency: log((n + 1) / (1 + number of the n references that hold the token))."""
    counts = Counter(token for reference in references for token in set(reference))
    total = len(references) + 1
    # A token that no reference holds is the rarest.
    return defaultdict(lambda: log(total), {token: log(total / (count + 1)) for token, count in counts.items()})


def _weighted(text: EncodedText, rarity: Mapping[int, float] | None) -> _Text:
    tokens: list[int] = text.ids.tolist()
    weights = np.array([1.0 if rarity is None else rarity[token] for token in tokens])
    weights[text.special] = 0
    return _Text(normalised(text.vectors), weights / (weights.sum() or 1))


def _matched(pairs: Sequence[Pair], texts: Mapping[str, _Text]) -> Iterator[tuple[Pair, Match]]:
    """Each reference meets all its candidates, laid end to end, in one matrix product."""
    by_reference: dict[str, list[str]] = {}
    for candidate, reference in pairs:
        by_reference.setdefault(reference, []).append(candidate)
    for reference, candidates in by_reference.items():
        found = _precisions_and_recalls([texts[candidate] for candidate in candidates], texts[reference])
        for candidate, (precision, recall) in zip(candidates, found, strict=True):
            yield (candidate, reference), _match(precision, recall)


def _precisions_and_recalls(candidates: Sequence[_Text], reference: _Text) -> list[list[float]]:
    starts = np.cumsum([0, *(len(candidate.weights) for candidate in candidates[:-1])])
    weights = np.concatenate([candidate.weights for candidate in candidates])
    cosines = np.concatenate([candidate.vectors for candidate in candidates]) @ reference.vectors.T
    np.clip(cosines, -1, 1, out=cosines)
    precisions = np.add.reduceat(cosines.max(axis=1) * weights, starts)
    recalls = np.maximum.reduceat(cosines, starts, axis=0) @ reference.weights
    # A text without tokens of weight matches nothing.
    counts = np.array([bool(candidate.weights.any() and reference.weights.any()) for candidate in candidates])
    found: list[list[float]] = np.stack([precisions * counts, recalls * counts], axis=1).tolist()
    return found


def _match(precision: float, recall: float) -> Match:
    total = precision + recall
    return Match(precision, recall, 2 * precision * recall / total if total else 0.0)


def _chunks(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Pairs in their order, of a limited number of different texts."""
    chunk: list[Pair] = []
    texts: set[str] = set()
    for pair in pairs:
        if len(texts) > _MOST_TEXTS - 2:
            yield chunk
            chunk, texts = [], set()
        chunk.append(pair)
        texts.update(pair)
    if chunk:
        yield chunk
