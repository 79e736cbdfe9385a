"""Whom a story is about, so that what explained another story can be told of this one's people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_SENTENCE = re.compile(r"(?:^|(?<=[.!?])\s+)")
_NEVER = frozenset(
    _WORD.findall(
        """I I'm I'd I've I'll Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March
        April May June July August September October November December Christmas Thanksgiving Halloween
        American English"""
    )
)
_SHE, _HE = frozenset({"she", "her", "hers", "herself"}), frozenset({"he", "him", "his", "himself"})
_TO_SHE = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
_TO_HE = {"she": "he", "her": "his", "hers": "his", "herself": "himself"}
_AFTER_HIM = frozenset(
    _WORD.findall("to a an the and but so for that about with in on at from into out up down off not if when")
)
_SPEAKER = frozenset({"i", "me", "my", "mine", "we", "us", "our", "i'm", "i'd", "i've", "i'll"})


def common_words(texts: Iterable[str]) -> frozenset[str]:
    """Words that texts write with a small letter at least as often as with a capital: they are no names."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            (small if word[0].islower() else large)[_bare(word).lower()] += 1
    return frozenset(word for word, count in small.items() if count >= large[word])


def names_in(text: str, common: Collection[str]) -> tuple[str, ...]:
    """The names in a text, each once, in order: capitals inside a sentence, and at its start of uncommon words."""
    starts = {match.end() for match in _SENTENCE.finditer(text)}
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = _bare(match[0])
        if (
            word[0].isupper()
            and word not in _NEVER
            and (match.start() not in starts or word.lower() not in common)
        ):
            found[word] = None
    return tuple(found)


def retold(text: str, theirs: str, ours: str, common: Collection[str]) -> str | None:
    """A sentence about one story's people told of another's; None where somebody has no counterpart.

    People correspond in the order in which they are named. He and she are exchanged where ours is the other.
    """
    before, after = names_in(theirs, common), names_in(ours, common)
    people = dict(zip(before, after, strict=False))
    if any(name not in people and name not in after for name in names_in(text, common)):
        return None
    if _speaks(text) and not _speaks(ours):
        return None
    told = _WORD.sub(lambda match: _renamed(match[0], people), text)
    return _with_gender(told, ours)


def _bare(word: str) -> str:
    return word.removesuffix("'s")


def _renamed(word: str, people: Mapping[str, str]) -> str:
    name = _bare(word)
    return people.get(name, name) + word[len(name) :]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _speaks(text: str) -> bool:
    return not _SPEAKER.isdisjoint(_words(text))


def _with_gender(text: str, ours: str) -> str:
    known = set(_words(ours))
    if known & _SHE and not known & _HE:
        return _exchanged(text, _TO_SHE)
    return _exchanged(text, _TO_HE) if known & _HE and not known & _SHE else text


def _exchanged(text: str, table: Mapping[str, str]) -> str:
    pieces: Sequence[str] = re.split(r"([A-Za-z']+)", text)
    made = list(pieces)
    for place, piece in enumerate(pieces):
        other = table.get(piece.lower())
        if other is None:
            continue
        # `her` is `his` before what is hers, and `him` at the end of what is said.
        follows = pieces[place + 2].lower() if place + 2 < len(pieces) and pieces[place + 1] == " " else ""
        if piece.lower() == "her" and (not follows or follows in _AFTER_HIM):
            other = "him"
        made[place] = other.capitalize() if piece[0].isupper() else other
    return "".join(made)
