"""Does a cell fit? The terms of a pattern must tile one of its alternatives, in order, with no word left over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whence.structures.schema import Concatenation, Literal, Term, Variable
from whence.structures.words import Alternative, Word

Span = tuple[int, int]
"""Where a term lies in an alternative: from a word up to, not including, another."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """One way to fit: where each term lies, None for an optional term that was skipped.

    `gaps` counts the words' gaps that relaxable terms forgave.
    """

    spans: tuple[Span | None, ...]
    gaps: int = 0


def tilings(pattern: Concatenation, alternative: Alternative) -> list[Tiling]:
    """All ways in which the terms tile the alternative. Without words nothing fits.

    Terms that are all optional ask nothing: they fit in one more way, with every term skipped.
    """
    found = list(_tilings(pattern.terms, alternative)) if alternative else []
    if all(term.optional for term in pattern.terms):
        found.append(Tiling((None,) * len(pattern.terms)))
    return found


def literal_words(text: str) -> list[str]:
    """The words that a literal asks for, one a place. Two blanks in a row ask for a word that no cell has."""
    words = text.lower().split(" ")
    while len(words) > 1 and not words[-1]:
        words.pop()
    return words


def literal_forms(word: Word) -> set[str]:
    """What a literal may call a word: as it is written, in lower case, its lemma, or its tag."""
    return {word.written, word.written.lower(), word.lemma, *(f"pos:{tag.lower()}" for tag in word.tags)}


def _tilings(terms: tuple[Term, ...], alternative: Alternative) -> Iterator[Tiling]:
    forms = [literal_forms(word) for word in alternative]
    spans = [None if isinstance(term, Variable) else _literal_spans(term, forms) for term in terms]
    relaxed = [isinstance(term, Literal) and term.relaxable for term in terms]
    forgiving = [any(relaxed[max(0, place - 1) : place + 2]) for place in range(len(terms))]
    size = len(alternative)

    def place(number: int, end: int, chosen: tuple[Span | None, ...], gaps: int) -> Iterator[Tiling]:
        """The ways to go on from term `number` where the terms before it end at `end`."""
        if number == len(terms):
            present = [place for place, span in enumerate(chosen) if span]
            if present and (end == size or relaxed[present[-1]]):
                yield Tiling(chosen, gaps + (end < size))
            return
        known = spans[number]
        for start, stop in _variable_spans(end, size, forgiving[number]) if known is None else known:
            if start == end or (start > end and forgiving[number]):
                yield from place(number + 1, stop, (*chosen, (start, stop)), gaps + (start > end))
        if terms[number].optional:
            yield from place(number + 1, end, (*chosen, None), gaps)

    return place(0, 0, (), 0)


def _variable_spans(end: int, size: int, forgiving: bool) -> Iterator[Span]:
    for start in range(end, size if forgiving else min(end + 1, size)):
        for stop in range(size, start, -1):
            yield start, stop


def _literal_spans(literal: Literal, forms: list[set[str]]) -> list[Span]:
    words = literal_words(literal.text)
    starts = range(len(forms) - len(words) + 1)
    if literal.relaxable:
        return [(start, stop) for start in starts if (stop := _seen_by(set(words), forms, start))]
    return [
        (start, start + len(words))
        for start in starts
        if all(word in forms[start + place] for place, word in enumerate(words))
    ]


def _seen_by(words: set[str], forms: list[set[str]], start: int) -> int | None:
    """Where all words were seen, in any order and with others between; None if they are not all there."""
    missing = set(words)
    for place in range(start, len(forms)):
        missing -= forms[place]
        if not missing:
            return place + 1
    return None
