"""An index of texts by id: a value. Adding and removing give a new one that shares what did not change.

What an index answers depends on its texts alone, not on the order or the portions in which they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whence.models.retrieval.segment import Flags, Numbers, Segment, build_segment, merge_segments
from whence.models.retrieval.words import index_terms
from whence.progress import Report, unreported


@dataclass(frozen=True)
class Index:
    """Segments, and which of their texts still count. Texts have places: segment by segment, live ones only."""

    segments: tuple[Segment, ...] = ()
    live: tuple[Flags, ...] = ()

    def __len__(self) -> int:
        return sum(int(kept.sum()) for kept in self.live)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(
            (place := segment.ids.find(name)) is not None and kept[place]
            for segment, kept in zip(self.segments, self.live, strict=True)
        )

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of the text at each place."""
        return tuple(self._ids())

    def _ids(self) -> Iterator[str]:
        for segment, kept in zip(self.segments, self.live, strict=True):
            yield from (name for name, alive in zip(segment.ids, kept.tolist(), strict=True) if alive)

    @cached_property
    def lengths(self) -> Numbers:
        """How many words the text at each place has."""
        return _joined([segment.lengths[kept] for segment, kept in zip(self.segments, self.live, strict=True)])

    @cached_property
    def fingerprint(self) -> str:
        """Of all ids and texts; their order does not matter."""
        digests = [segment.digests[kept] for segment, kept in zip(self.segments, self.live, strict=True)]
        return "".join(
            f"{int(sum_):016x}" for sum_ in _joined(digests).reshape(-1, 2).sum(axis=0, dtype=np.uint64)
        )

    @cached_property
    def _moved(self) -> tuple[Numbers, ...]:
        """For each segment the place in the index of each of its texts."""
        starts = np.cumsum([0, *(int(kept.sum()) for kept in self.live)])
        return tuple(
            start + np.cumsum(kept, dtype=np.int64) - 1 for start, kept in zip(starts, self.live, strict=False)
        )

    def entries(self, word: str) -> tuple[Numbers, Numbers]:
        """The places of the texts that have the word, ascending, and how often each has it."""
        found = [segment.entries(word) for segment in self.segments]
        if not any(len(places) for places, _ in found):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
        alive = [kept[places] for (places, _), kept in zip(found, self.live, strict=True)]
        places = [moved[one[keep]] for moved, (one, _), keep in zip(self._moved, found, alive, strict=True)]
        return np.concatenate(places), np.concatenate([c[k] for (_, c), k in zip(found, alive, strict=True)])

    def words(self) -> Iterator[str]:
        """Every word of the segments, each once; one that only masked texts have may be among them."""
        return iter(sorted({word for segment in self.segments for word in segment.words}))


def build_index(texts: Mapping[str, str], report: Report = unreported) -> Index:
    """The index of texts by id."""
    return with_texts(Index(), texts, report)


def with_texts(index: Index, texts: Mapping[str, str], report: Report = unreported) -> Index:
    """The index with these texts; one whose id it has already takes the place of the old one.

    Only the new texts are read. Segments are merged so that each is larger than all that are younger than it: an
    index of a million texts has some twenty at the most, and every text is merged some twenty times at the most.
    """
    if not texts:
        return index
    rest = without_texts(index, texts)
    added = build_segment(texts, index_terms, report)
    segments, live = [*rest.segments, added], [*rest.live, np.ones(len(added), dtype=np.bool_)]
    while len(segments) > 1 and live[-2].sum() <= 2 * live[-1].sum():
        merged = merge_segments(segments[-2:], live[-2:])
        segments[-2:], live[-2:] = [merged], [np.ones(len(merged), dtype=np.bool_)]
    return Index(tuple(segments), tuple(live))


def without_texts(index: Index, ids: Iterable[str]) -> Index:
    """The index without the texts of these ids; ids that it does not have are no matter.

    They are masked; a segment is written anew without them once they are more than half of it.
    """
    gone = list(ids)
    segments, live = [], []
    for segment, kept in zip(index.segments, index.live, strict=True):
        places = [place for name in gone if (place := segment.ids.find(name)) is not None and kept[place]]
        if places:
            kept = kept.copy()
            kept[places] = False
        if 2 * kept.sum() < len(segment):
            segment = merge_segments([segment], [kept])
            kept = np.ones(len(segment), dtype=np.bool_)
        if len(segment):
            segments.append(segment)
            live.append(kept)
    return Index(tuple(segments), tuple(live))


def merged(index: Index) -> Index:
    """The same texts in one segment."""
    if len(index.segments) < 2 and len(index) == sum(map(len, index.segments)):
        return index
    whole = merge_segments(index.segments, index.live)
    return Index((whole,), (np.ones(len(whole), dtype=np.bool_),)) if len(whole) else Index()


def _joined(parts: list[Numbers]) -> Numbers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
