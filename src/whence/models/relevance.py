"""How much a sentence is needed for a hypothesis: numbers about it, seen among all sentences that are at hand.

A sentence is needed because it says something of the hypothesis, or because it bridges to one that does. Whether
another sentence says it better matters as much, so every number is taken within the problem.
"""

from __future__ import annotations

import numpy as np

from whence.models.overlap_features import Floats, Ints, Read

_TOP = (1, 3, 6)
"""Sentences that are most like the hypothesis: what bridges to them may be needed."""


def measure_sentences(read: Read) -> Floats:
    """A row of numbers for each sentence."""
    count = len(read.words)
    sizes = np.maximum(read.words.sum(1), 1)
    wanted = max(float(read.wanted.sum()), 1.0)
    shared = read.words * read.wanted
    frequency = np.maximum(read.words.sum(0), 1)
    ranks = np.argsort(np.argsort(-read.near)) / max(1, count - 1)
    spread = max(float(read.near.std()), 1e-3)
    overlap = shared.sum(1)
    columns = [
        read.near,
        read.near - read.near.max(),
        (read.near - read.near.mean()) / spread,
        ranks,
        overlap / sizes,
        overlap / wanted,
        overlap - overlap.max(),
        np.argsort(np.argsort(-overlap, kind="stable")) / max(1, count - 1),
        # Words of the hypothesis that few sentences have.
        (shared / frequency).sum(1),
        (shared * (frequency == 1)).sum(1),
        # Words that neither the hypothesis nor another sentence has.
        (read.words * (1 - read.wanted) * (frequency == 1)).sum(1) / sizes,
        sizes,
        *_bridges(read, sizes, frequency),
        *_links(read),
        read.conditional,
        read.causal,
        np.full(count, count / 25),
        np.full(count, read.near.max()),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _bridges(read: Read, sizes: Floats, frequency: Floats) -> list[Floats]:
    """What each sentence has in common with those that are most like the hypothesis."""
    count = len(sizes)
    apart = 1 - np.eye(count, dtype=np.float32)
    own = read.words * (1 - read.wanted)
    common = own @ own.T * apart
    rare = (own / frequency) @ own.T * apart
    alike = read.alike * apart
    order = np.argsort(-read.near, kind="stable")
    columns = [(common / sizes[:, None]) @ np.maximum(read.near, 0), (alike @ np.maximum(read.near, 0)) / count]
    for top in _TOP:
        best = order[:top]
        columns += [common[:, best].max(1), rare[:, best].max(1), alike[:, best].max(1)]
        # What the best say and the hypothesis does not: a sentence that explains it may be needed.
        said = (own[best].sum(0) > 0).astype(np.float32)
        columns.append(own @ said / sizes)
    weight = np.maximum(read.near, 0)[None]
    columns += [(common * weight).max(1), (rare * weight).max(1), (alike * weight).max(1)]
    return columns


def _links(read: Read) -> list[Floats]:
    """Whether it says what a thing is that the hypothesis or the best sentences speak of."""
    best = np.argsort(-read.near, kind="stable")
    columns = []
    for kind in (1, 2):
        linking = read.link == kind
        columns.append(linking)
        asked = [_share(read.narrow, read.wanted), _share(read.wide, read.wanted)]
        columns += [linking * share for share in asked]
        for top in (3, 6):
            said = np.stack([_said(read, best[:top], place) for place in range(len(linking))])
            inside = [_share(read.narrow, said), _share(read.wide, said)]
            columns += [linking * share for share in inside]
            columns += [linking * asked[0] * inside[1], linking * asked[1] * inside[0]]
    return [column.astype(np.float32) for column in columns]


def _said(read: Read, best: Ints, but: int) -> Floats:
    return np.asarray(read.words[[place for place in best if place != but]].max(0, initial=0))


def _share(inner: Floats, outer: Floats) -> Floats:
    return np.asarray((inner * outer).sum(1) / np.maximum(inner.sum(1), 1))
