"""What holds premises together: numbers about a step, seen among all sentences that its tree is to be made of.

Two sentences are combined where they share words that neither the hypothesis nor any other sentence has (such
words bridge them and are gone from the conclusion), where one says what a thing of the other is, or where the
encoder finds them alike. All steps of a problem are measured at once; a premise is a set of sentences, as the
bits of a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.formats.lemmas import lemma
from whence.models.items import Group, Problem
from whence.models.vector_cache import CachedEncoder

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_EMPTY = frozenset(
    _WORD.findall(
        """
    a an the of to in on at by for from with and or as is are was were be been being it its this that these
    those there then than so such can could may might will would do does did has have had not no if when
    which who what how something some one other another thing into onto their they them also only usually
    often s kind mean means i e g
    """
    )
)
_LINKS = (
    re.compile(r"(?:an? |the |some )?(.+?) (?:is|are) (?:a |an )?(?:kinds?|types?|parts?|examples?) of (.+)"),
    re.compile(
        r"(?:an? |the )?(.+?) (?:means?|is similar to|is synonymous with|is the same as|is called|is also called"
        r"|is when|refers to) (.+)"
    ),
)
_CAUSE = re.compile(r"\b(?:causes?|requires?|used (?:for|to))\b")


def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell something, as lemmas."""
    found = (lemma(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY)
    return frozenset(word for word in found if word not in _EMPTY)


@dataclass(frozen=True, slots=True)
class Read:
    """A problem in numbers: a row a sentence, a column a word."""

    words: Floats
    wanted: Floats
    """The words of the hypothesis."""
    vectors: Floats
    goal: Floats
    alike: Floats
    near: Floats
    """How much the encoder finds sentences like each other, and like the hypothesis."""
    link: Ints
    """1: says what kind or part something is, 2: what it means, 0: neither."""
    narrow: Floats
    wide: Floats
    """The words on both sides of such a link."""
    conditional: Floats
    causal: Floats


def read_problem(problem: Problem, encoder: CachedEncoder) -> Read:
    """What the numbers are made from."""
    bags = [content_words(text) for text in (*problem.sentences, problem.hypothesis)]
    place = {word: number for number, word in enumerate(sorted(frozenset().union(*bags)))}
    rows = [_row(bag, place) for bag in bags]
    vectors = encoder.sentences([*problem.sentences, problem.hypothesis])
    lower = [text.lower() for text in problem.sentences]
    links = [_link(text) for text in lower]
    return Read(
        words=np.stack(rows[:-1]),
        wanted=rows[-1],
        vectors=vectors[:-1],
        goal=vectors[-1],
        alike=vectors[:-1] @ vectors[:-1].T,
        near=vectors[:-1] @ vectors[-1],
        link=np.array([kind for kind, _, _ in links], dtype=np.int64),
        narrow=np.stack([_row(content_words(text), place) for _, text, _ in links]),
        wide=np.stack([_row(content_words(text), place) for _, _, text in links]),
        conditional=np.array([text.startswith("if ") or " then " in text for text in lower], dtype=np.float32),
        causal=np.array([bool(_CAUSE.search(text)) for text in lower], dtype=np.float32),
    )


def _row(bag: frozenset[str], place: dict[str, int]) -> Floats:
    row = np.zeros(len(place), dtype=np.float32)
    row[[place[word] for word in bag if word in place]] = 1
    return row


def _link(text: str) -> tuple[int, str, str]:
    for number, pattern in enumerate(_LINKS, 1):
        if match := pattern.fullmatch(text):
            return number, match[1], match[2]
    return 0, "", ""


def measure_groups(read: Read, groups: Sequence[Group]) -> Floats:
    """A row of numbers for each step: means over the pairs of its premises, the least of them, and sizes."""
    pairs = [(number, one, other) for number, group in enumerate(groups) for one, other in _pairs(group)]
    owners = np.array([number for number, _, _ in pairs])
    wholes = np.array([sum(group) for group in groups])
    ones, others = (np.array([pair[side] for pair in pairs]) for side in (1, 2))
    measured = _measure_pairs(read, ones, others, wholes[owners])
    starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
    mean = np.add.reduceat(measured, starts) / np.diff(np.r_[starts, len(owners)])[:, None]
    least = np.minimum.reduceat(measured, starts)
    sizes = _sizes(groups, len(read.words))
    root = (wholes == (1 << len(read.words)) - 1)[:, None]
    many = np.array([len(group) > 2 for group in groups])[:, None]
    # A step to the hypothesis, and one of more than two premises, are weighed by themselves.
    return np.hstack([mean, least * many, sizes, mean * root, mean * many, sizes * root]).astype(np.float32)


def _pairs(group: Group) -> list[tuple[int, int]]:
    return [(group[one], group[other]) for one in range(len(group)) for other in range(one)]


def _sizes(groups: Sequence[Group], sentences: int) -> Floats:
    counts = [sorted(premise.bit_count() for premise in group) for group in groups]
    rows = [
        (
            len(sizes) == 3,
            len(sizes) > 3,
            sizes[0],
            sizes[-1],
            sizes == [1, 1],
            1 not in sizes,
            (sentences - sizes[0] - sizes[-1]) / sentences,
            (sizes[-1] - sizes[0]) / sentences,
            1,
        )
        for sizes in counts
    ]
    return np.array(rows, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Side:
    """One premise of each pair: its sentences, the words that are left of them, their mean vector."""

    chosen: Floats
    words: Floats
    weight: Floats
    vector: Floats
    is_inner: NDArray[np.bool_]


def _side(read: Read, sets: Ints) -> _Side:
    chosen = _members(sets, len(read.words))
    counts = chosen @ read.words
    elsewhere = ((1 - chosen) @ read.words) > 0
    # Words that two sentences share and nothing else asks for are gone once these are combined.
    left = (counts > 0) & ((read.wanted > 0) | elsewhere | (counts == 1) | (chosen.sum(1, keepdims=True) == 1))
    vector = chosen @ read.vectors
    return _Side(
        chosen,
        left.astype(np.float32),
        np.maximum(left.sum(1), 1).astype(np.float32),
        vector / np.linalg.norm(vector, axis=1, keepdims=True),
        chosen.sum(1) > 1,
    )


def _members(sets: Ints, count: int) -> Floats:
    return ((sets[:, None] >> np.arange(count)) & 1).astype(np.float32)


def _measure_pairs(read: Read, ones: Ints, others: Ints, wholes: Ints) -> Floats:
    one, other = _side(read, ones), _side(read, others)
    rest = _members(((1 << len(read.words)) - 1) & ~wholes, len(read.words))
    outside = ((rest @ read.words) > 0).astype(np.float32)
    shared = one.words * other.words
    bridge = shared * (1 - read.wanted)
    only = bridge * (1 - outside)
    smaller = np.minimum(one.weight, other.weight)
    overlap, alike = shared.sum(1) / smaller, _most_alike(read, one.chosen, other.chosen)
    columns = [
        overlap,
        shared.sum(1) / (one.weight + other.weight - shared.sum(1)),
        bridge.sum(1),
        bridge.sum(1) / smaller,
        only.sum(1),
        only.sum(1) / smaller,
        (shared @ read.wanted) / smaller,
        shared.max(1, initial=0),  # of no words at all, as of sentences that are marks alone
        bridge.max(1, initial=0),
        only.max(1, initial=0),
        alike,
        (one.vector * other.vector).sum(1),
        *_rivals(read, one, other, rest, (overlap, alike, bridge.sum(1))),
        *_links(read, one, other),
        *_towards_the_hypothesis(read, one, other, rest, outside),
        *_forms(read, one, other),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _most_alike(read: Read, ones: Floats, others: Floats) -> Floats:
    nearest = np.where(others[:, None, :] > 0, read.alike[None], -1).max(2)
    return np.asarray(np.where(ones > 0, nearest, -1).max(1))


def _both(one: _Side, other: _Side, left: Floats, right: Floats) -> list[Floats]:
    """Two numbers: first that of the premise which is a conclusion itself; of two alike, first the smaller
    number."""
    same, first = one.is_inner == other.is_inner, one.is_inner
    return [
        np.where(same, np.minimum(left, right), np.where(first, left, right)),
        np.where(same, np.maximum(left, right), np.where(first, right, left)),
    ]


def _rivals(
    read: Read, one: _Side, other: _Side, rest: Floats, own: tuple[Floats, Floats, Floats]
) -> list[Floats]:
    """How much more the two have in common than either has with any sentence that is left."""
    lengths, any_left = np.maximum(read.words.sum(1), 1), rest.sum(1) > 0
    found = []
    for side in (one, other):
        shared = np.where(rest > 0, side.words @ read.words.T / np.minimum(side.weight[:, None], lengths), 0).max(
            1
        )
        alike = np.where(any_left, _most_alike(read, side.chosen, rest), 0)
        bridge = np.where(rest > 0, (side.words * (1 - read.wanted)) @ read.words.T, 0).max(1)
        found.append((shared, alike, bridge))
    return [
        column
        for mine, left, right in zip(own, *found, strict=True)
        for column in _both(one, other, mine - left, mine - right)
    ]


def _links(read: Read, one: _Side, other: _Side) -> list[Floats]:
    """Whether one says what a thing of the other is, or what a thing is that the other has; and so the
    hypothesis."""
    columns = [np.zeros(len(one.words), dtype=bool) for _ in range(8)]
    for side, words in ((one, other.words), (other, one.words)):
        sentence = side.chosen.argmax(1)
        narrow, wide = read.narrow[sentence], read.wide[sentence]
        wide_there, narrow_there = _within(wide, words), _within(narrow, words)
        for kind in (1, 2):
            linking = ~side.is_inner & (read.link[sentence] == kind)
            for number, holds in enumerate(
                (
                    wide_there,
                    narrow_there,
                    wide_there & _within(narrow, read.wanted),
                    narrow_there & _within(wide, read.wanted),
                )
            ):
                columns[4 * (kind - 1) + number] |= linking & holds
    return [column.astype(np.float32) for column in columns]


def _within(inner: Floats, outer: Floats) -> NDArray[np.bool_]:
    return np.asarray((inner.sum(1) > 0) & ((inner * (1 - outer)).sum(1) == 0))


def _towards_the_hypothesis(read: Read, one: _Side, other: _Side, rest: Floats, outside: Floats) -> list[Floats]:
    """How much of the hypothesis each says, both say, the rest says; and what they say that nothing asks for."""
    wanted = max(float(read.wanted.sum()), 1e-3)
    union, differ = np.maximum(one.words, other.words), np.abs(one.words - other.words)
    size = np.maximum(union.sum(1), 1)
    left, right, both = (words @ read.wanted / wanted for words in (one.words, other.words, union))
    near = [np.where(side.chosen > 0, read.near, -1).max(1) for side in (one, other)]
    vector = one.vector + other.vector
    others = np.where(rest.sum(1) > 0, np.where(rest > 0, read.near, -1).max(1), 0)
    return [
        *_both(one, other, left, right),
        both,
        both - np.maximum(left, right),
        *_both(one, other, near[0], near[1]),
        vector @ read.goal / np.linalg.norm(vector, axis=1),
        (differ * (1 - read.wanted) * (1 - outside)).sum(1) / size,
        (differ * (1 - read.wanted) * outside).sum(1) / size,
        others - np.maximum(*near),
        outside @ read.wanted / wanted,
    ]


def _forms(read: Read, one: _Side, other: _Side) -> list[Floats]:
    """What sort of sentences there are: conditional, links, causes."""
    conditional, kinds, links, causal = (
        [(side.chosen @ marks) > 0 for side in (one, other)]
        for marks in (read.conditional, read.link == 1, read.link > 0, read.causal)
    )
    columns = [
        conditional[0] | conditional[1],
        conditional[0] & conditional[1],
        kinds[0] & kinds[1],
        links[0] | links[1],
        causal[0] | causal[1],
    ]
    return [column.astype(np.float32) for column in columns]
