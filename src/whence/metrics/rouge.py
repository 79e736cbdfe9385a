"""ROUGE-1 of many texts at once.

Words are runs of letters and digits in lower case, as Google's rouge-score has them without its stemmer; the
figure is F1 of the two bags of words. `tests/metrics/test_rouge.py` compares.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

_WORD = re.compile(r"[a-z0-9]+")
_AT_ONCE = 512


def _words(text: str) -> list[str]:
    """The words that are counted."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Aligned:
    """The text that a line is most like: its place, and their ROUGE-1."""

    place: int
    score: float


@dataclass(frozen=True)
class Aligner:
    """Finds for any line the text with the highest ROUGE-1; of equal ones the first. Every pair is compared."""

    texts: tuple[str, ...]

    def align(self, lines: Sequence[str]) -> list[Aligned | None]:
        """The best text for each line; None where no text shares a word with it."""
        found: list[Aligned | None] = []
        for start in range(0, len(lines), _AT_ONCE):
            found += self._aligned(lines[start : start + _AT_ONCE])
        return found

    def _aligned(self, lines: Sequence[str]) -> Iterator[Aligned | None]:
        if not self.texts:
            yield from (None for _ in lines)
            return
        shared = (_counted(lines, self._places) @ self._matrix).toarray()
        sizes = np.array([len(_words(line)) for line in lines])[:, None] + self._sizes[None, :]
        scores = 2 * shared / np.maximum(sizes, 1)
        for place, row in zip(scores.argmax(axis=1).tolist(), scores, strict=True):
            yield Aligned(place, float(row[place])) if row[place] > 0 else None

    @cached_property
    def _places(self) -> dict[tuple[str, int], int]:
        found: dict[tuple[str, int], int] = {}
        for text in self.texts:
            for word in _numbered(text):
                found.setdefault(word, len(found))
        return found

    @cached_property
    def _matrix(self) -> Any:
        return _counted(self.texts, self._places).T.tocsr()

    @cached_property
    def _sizes(self) -> Any:
        return np.array([len(_words(text)) for text in self.texts])


def _numbered(text: str) -> Iterator[tuple[str, int]]:
    """Words, each with which occurrence of it this is: two texts share as many of them as their bags do."""
    seen: Counter[str] = Counter()
    for word in _words(text):
        seen[word] += 1
        yield word, seen[word]


def _counted(texts: Sequence[str], places: dict[tuple[str, int], int]) -> Any:
    """A row a text, with ones at the places of its words; words without a place are left out."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]  # slow to import

    rows, columns = [], []
    for row, text in enumerate(texts):
        own = [places[word] for word in _numbered(text) if word in places]
        rows += [row] * len(own)
        columns += own
    ones = np.ones(len(rows), dtype=np.int32)
    return csr_array((ones, (rows, columns)), shape=(len(texts), max(1, len(places))))
