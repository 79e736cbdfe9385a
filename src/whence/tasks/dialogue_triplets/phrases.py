"""Pieces of an utterance that look like the spans that people mark, found without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MOST_WORDS = 8
"""Nineteen in twenty of the released answers have no more."""

_CLAUSE = re.compile(r"[.,!?;:()\"…]+|\s-+\s")
_TOKEN = re.compile(r"\S+")
_CONNECTIVES = frozenset(
    _TOKEN.findall(
        """and but or so because if when while that which who where after before until since though although then
        as than for to with about at from into"""
    )
)
_OPENERS = frozenset(
    _TOKEN.findall(
        """i you he she it we they there this that these those what who how why where when which and but or so if
        because then well oh yes no yeah ok okay please just really also too very do does did is are am was were be
        been being have has had will would can could shall should may might must 's 're 'm 've 'll 'd to of the a
        an i'm i've i'll i'd you're you've you'll you'd he's she's it's we're we've we'll they're they've that's
        there's what's let's don't"""
    )
)
"""Words that stand before what is said: a span that is marked rarely begins with them."""
_EDGES = _OPENERS | _CONNECTIVES


def phrases(text: str) -> Iterator[str]:
    """Clauses of an utterance, cut at connectives where they are long, without the words that only open them."""
    for clause in _CLAUSE.split(text):
        for words in _cut(clause.split()):
            kept = _inner(words)
            if kept:
                yield " ".join(kept)


def _inner(words: list[str]) -> list[str]:
    first, last = 0, len(words)
    while first < last and words[first].casefold() in _EDGES:
        first += 1
    while last > first and words[last - 1].casefold() in _CONNECTIVES:
        last -= 1
    return words[first:last]


def _cut(words: list[str]) -> Iterator[list[str]]:
    if len(words) <= _MOST_WORDS:
        yield words
        return
    middle = len(words) / 2
    joints = [place for place in range(1, len(words)) if words[place].casefold() in _CONNECTIVES]
    joint = min(joints, key=lambda place: abs(place - middle), default=int(middle))
    yield from _cut(words[:joint])
    yield from _cut(words[joint:])


def holds(whole: str, part: str) -> bool:
    """Whether the words of one plain text stand in another, one after the other."""
    return f" {part} " in f" {whole} "
