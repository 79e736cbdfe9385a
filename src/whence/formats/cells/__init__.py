"""Cells of fact tables as words that schemas are matched against."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from whence.formats.cells.tags import SOMETIMES_DROPPED, is_content, tags
from whence.formats.cells.tokens import first_sentence, tokens
from whence.structures.words import Alternative, Word

Lemmatise = Callable[[str], str]
"""The dictionary form of a word as it is written."""

_MOST_UNSURE = 3  # in one text; where there are more of them, the rest is kept


def alternatives(text: str, lemmatise: Lemmatise) -> tuple[Alternative, ...]:
    """The readings of a cell: each text between semicolons, then each with hyphens taken as blanks.

    A word that is content or not depending on its sentence gives both readings, with it first.
    """
    found: dict[Alternative, None] = {}
    for written in written_alternatives(text):
        for reading in _readings(first_sentence(tokens(written)), lemmatise):
            found.setdefault(reading)
    return tuple(found)


def written_alternatives(text: str) -> list[str]:
    """The texts of a cell before words are looked at."""
    parts = [" ".join(part.split()) for part in text.split(";")]
    parts = [part for part in parts if part]
    return [*parts, *(part.replace("-", " ") for part in parts if "-" in part)]


def _readings(found: Iterable[str], lemmatise: Lemmatise) -> Iterable[Alternative]:
    kept: list[tuple[Word | None, ...]] = []
    unsure = 0
    for token in found:
        if is_content(token):
            word = Word(token, lemmatise(token), tags(token))
            both = token.lower() in SOMETIMES_DROPPED and unsure < _MOST_UNSURE
            unsure += both
            kept.append((word, None) if both else (word,))
    for choice in product(*kept):
        yield tuple(word for word in choice if word is not None)
