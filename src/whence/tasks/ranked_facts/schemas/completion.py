"""What follows from rows that say what is a kind of what: a cat is a mammal, so it is an animal.

The released solver adds such rows before it looks for solutions. Its quirks are kept, as 28% of the released
solutions have such rows: two rows meet where the *lemmas* of one are the *written words* of the other, so a plural
is never met, nor is a word whose lemma is another word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from whence.formats.cells import written_alternatives
from whence.formats.cells.tokens import tokens
from whence.structures.facts import Table, column_role, why_dropped
from whence.structures.words import Alternative

TABLE = "KINDOF"
GENERATED = "TEMPGEN-"
"""Ids of rows that were added start so."""
_MOST_ROUNDS = 50
_JOIN = "is a kind of"

Read = Callable[[str], tuple[Alternative, ...]]
"""The alternatives of a cell's text."""
Words = tuple[str, ...]
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a row says: the lemmas of its hyponym, the hyponym as written, the lemmas of its hypernyms."""

    hyponym: Words
    written: Words
    hypernyms: tuple[Words, ...]


def completed(table: Table, read: Read) -> Table:
    """The table with the rows that follow from others at its end; unchanged if it has no kinds.

    Rounds go on until nothing is new. A pair of rows is tried once, and a row that says the same as another one
    in all its columns of data is not added.
    """
    names = [header.strip().upper() for header in table.headers]
    if table.name.upper() != TABLE or not {"HYPONYM", "HYPERNYM"} <= set(names) or "id" not in table.roles:
        return table
    places = (names.index("HYPONYM"), names.index("HYPERNYM"))
    rows = [row for row in table.rows if not why_dropped(table, row)]
    said = {_said(table, row) for row in rows}
    kinds = [_kind(row, places, read) for row in rows]
    by_word: dict[str, set[int]] = defaultdict(set)
    tried: set[tuple[int, int]] = set()
    indexed = 0
    for _ in range(_MOST_ROUNDS):
        for number in range(indexed, len(kinds)):
            for word in kinds[number].written:
                by_word[word].add(number)
        indexed = len(kinds)
        for hyponym, hypernym in list(_following(kinds, by_word, tried)):
            row = _new_row(table, places, hyponym, hypernym, len(kinds))
            if (text := _said(table, row)) not in said:
                said.add(text)
                rows.append(row)
                kinds.append(_kind(row, places, read))
        if len(kinds) == indexed:
            break
    return replace(table, rows=tuple(rows))


def _following(
    kinds: list[_Kind], by_word: dict[str, set[int]], tried: set[tuple[int, int]]
) -> Iterator[tuple[Words, Words]]:
    """Pairs of hyponym and hypernym that follow from two rows."""
    for number, kind in enumerate(kinds):
        for middle in filter(None, kind.hypernyms):
            holding = set.intersection(*(by_word.get(word, set()) for word in middle))
            for other in sorted(holding):
                if (number, other) not in tried:
                    tried.add((number, other))
                    if kinds[other].written == middle:
                        yield from ((kind.hyponym, hypernym) for hypernym in kinds[other].hypernyms)


def _kind(row: Row, places: tuple[int, int], read: Read) -> _Kind:
    hyponym, hypernym = (row[place] if place < len(row) else "" for place in places)
    found = read(hyponym)
    return _Kind(
        tuple(word.lemma for word in found[0]) if found else (),
        _first_words(hyponym),
        tuple(tuple(word.lemma for word in reading) for reading in read(hypernym)),
    )


def _new_row(table: Table, places: tuple[int, int], hyponym: Words, hypernym: Words, number: int) -> Row:
    filled = {places[0]: " ".join(hyponym), places[1]: " ".join(hypernym)}
    for place, header in enumerate(table.headers):
        if header.strip().lower() == f"[fill] {_JOIN}":
            filled[place] = _JOIN
    filled[table.roles.index("id")] = f"{GENERATED}{number}"
    return tuple(filled.get(place, "") for place in range(len(table.headers)))


def _said(table: Table, row: Row) -> tuple[Words, ...]:
    """The words of the first alternative of each column of data, in lower case."""
    return tuple(
        tuple(word.lower() for word in _first_words(row[place] if place < len(row) else ""))
        for place, header in enumerate(table.headers)
        if column_role(header) == "data"
    )


@lru_cache(maxsize=10_000)
def _first_words(text: str) -> Words:
    found = written_alternatives(text)
    return tuple(tokens(found[0])) if found else ()
