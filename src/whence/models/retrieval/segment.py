"""A part of an index: texts by the words in them, as plain arrays. It never changes once it is made.

Texts stand in the order of their ids and words in alphabetical order, so both are found by halving, and texts that
score the same are told apart by their place.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whence.errors import DataError, quoted
from whence.progress import Report, unreported

Numbers = NDArray[Any]
Flags = NDArray[np.bool_]
WordsOf = Callable[[str], Sequence[str]]

_REPORTED = 10_000  # texts between two words on how far it is


@dataclass(frozen=True)
class Strings(Sequence[str]):
    """Strings in ascending order as one run of bytes: they can lie on disk and be read one at a time."""

    text: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, place: Any) -> Any:
        return self.raw(place).decode()

    def raw(self, place: int) -> bytes:
        """The string there, in UTF-8."""
        start = int(self.ends[place - 1]) if place else 0
        return self.text[start : int(self.ends[place])].tobytes()

    def __iter__(self) -> Iterator[str]:
        whole, start = self.text.tobytes(), 0
        for end in self.ends.tolist():
            yield whole[start:end].decode()
            start = end

    def find(self, text: str) -> int | None:
        """Where the string is; None if it is not."""
        # UTF-8 keeps the order of characters, so bytes can be compared.
        wanted = text.encode(errors="surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self.raw)
        return place if place < len(self) and self.raw(place) == wanted else None


def strings(ordered: Sequence[str]) -> Strings:
    """Strings that are in ascending order already."""
    try:
        raw = [text.encode() for text in ordered]
    except UnicodeEncodeError as error:
        raise DataError(expected="text", found=f"half a character, {quoted(error.object[error.start])}") from None
    ends = np.cumsum([len(text) for text in raw], dtype=np.int64)
    return Strings(np.frombuffer(b"".join(raw), dtype=np.uint8), ends)


@dataclass(frozen=True)
class Segment:
    """Texts and, for each word, which of them have it and how often."""

    ids: Strings
    words: Strings
    starts: NDArray[np.int64]
    """Where each word's entries start in `places` and `counts`; one more than there are words."""
    places: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int32]
    """How many words each text has."""
    digests: NDArray[np.uint64]
    """Two numbers for each id and text together: the fingerprint is made of them."""

    def __len__(self) -> int:
        return len(self.ids)

    def entries(self, word: str) -> tuple[Numbers, Numbers]:
        """The places of the texts that have the word, ascending, and how often each has it."""
        found = self.words.find(word)
        run = slice(0, 0) if found is None else slice(int(self.starts[found]), int(self.starts[found + 1]))
        return self.places[run], self.counts[run]


def build_segment(texts: Mapping[str, str], words_of: WordsOf, report: Report = unreported) -> Segment:
    """The segment of texts by id."""
    order = sorted(texts)
    ids = strings(order)
    numbers: dict[str, int] = {}
    found, lengths = array("i"), array("i")
    for place, name in enumerate(order):
        if place % _REPORTED == 0:
            report("indexing", place, len(order))
        words = words_of(texts[name])
        found.extend([numbers.setdefault(word, len(numbers)) for word in words])
        lengths.append(len(words))
    sizes = np.array(lengths, dtype=np.int32)
    places = np.repeat(np.arange(len(order), dtype=np.int32), sizes)
    digests = np.array([digest_of(name, texts[name]) for name in order], dtype=np.uint64).reshape(-1, 2)
    whole = np.array(found, dtype=np.int32)
    return _segment(ids, list(numbers), whole, places, np.ones(len(whole), dtype=np.int32), (sizes, digests))


def _segment(
    ids: Strings,
    words: Sequence[str],
    numbers: Numbers,
    places: Numbers,
    counts: Numbers,
    of_texts: tuple[Numbers, Numbers],
) -> Segment:
    """A segment of entries in any order: the number of a word, a place, a count; equal ones are added up."""
    order = sorted(range(len(words)), key=words.__getitem__)
    ranks = np.empty(len(words), dtype=np.int64)
    ranks[order] = np.arange(len(words))
    keys, inverse = np.unique(ranks[numbers] * max(len(ids), 1) + places, return_inverse=True)
    total = np.bincount(inverse.reshape(-1), weights=counts, minlength=len(keys)).astype(np.int32)
    word, place = np.divmod(keys, max(len(ids), 1))
    starts = np.searchsorted(word, np.arange(len(words) + 1)).astype(np.int64)
    used = strings([words[number] for number in order])
    return Segment(ids, used, starts, place.astype(np.int32), total, *of_texts)


def merge_segments(segments: Sequence[Segment], live: Sequence[Flags]) -> Segment:
    """One segment of the live texts of several, whose ids differ."""
    names = [name for segment, kept in zip(segments, live, strict=True) for name in _kept(segment.ids, kept)]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    target = np.empty(len(names), dtype=np.int32)
    target[order] = np.arange(len(names), dtype=np.int32)
    vocabulary: dict[str, int] = {}
    parts: list[tuple[Numbers, Numbers, Numbers]] = []
    start = 0
    for segment, kept in zip(segments, live, strict=True):
        own = np.array([vocabulary.setdefault(word, len(vocabulary)) for word in segment.words], dtype=np.int32)
        moved = np.zeros(len(segment), dtype=np.int32)
        count = int(kept.sum())
        moved[kept] = target[start : start + count]
        start += count
        alive = kept[segment.places]
        numbers = np.repeat(own, np.diff(segment.starts))[alive]
        parts.append((numbers, moved[segment.places[alive]], segment.counts[alive]))
    numbers, places, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Words that only texts had which are gone are gone too: the result is as if it were built of the live texts.
    used, renumbered = np.unique(numbers, return_inverse=True)
    words = list(vocabulary)
    kept_of = list(zip(segments, live, strict=True))
    lengths = np.concatenate([segment.lengths[kept] for segment, kept in kept_of])[order]
    digests = np.concatenate([segment.digests[kept] for segment, kept in kept_of])[order]
    ids = strings([names[place] for place in order])
    return _segment(ids, [words[n] for n in used], renumbered.reshape(-1), places, counts, (lengths, digests))


def _kept(names: Strings, kept: Flags) -> list[str]:
    return [name for name, live in zip(names, kept.tolist(), strict=True) if live]


def digest_of(name: str, text: str) -> tuple[int, int]:
    """Two numbers that stand for an id and its text."""
    raw = hashlib.blake2b(f"{name}\0{text}".encode(errors="surrogatepass"), digest_size=16).digest()
    return int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")
