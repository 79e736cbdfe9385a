"""Cells of fact tables as sequences of words: what schemas are matched against.

A cell may be read in several ways, its alternatives: texts between semicolons, hyphens taken as blanks, words
that one reader keeps and another drops. An alternative has the words that carry content, in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a cell: as it is written, its dictionary form, and the tags it may have (`NN`, `VB`, ...)."""

    written: str
    lemma: str
    tags: frozenset[str] = frozenset()


Alternative = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class WordRow:
    """A row of a table. Cells that no alternative was found for, and those without text, are not in `cells`."""

    id: str
    cells: Mapping[str, tuple[Alternative, ...]]
    text: str = ""


@dataclass(frozen=True)
class WordTable:
    """The live rows of a table. `columns` gives a column's name in `cells` for each name it can be called by."""

    name: str
    columns: Mapping[str, str]
    rows: tuple[WordRow, ...] = field(repr=False)


@dataclass(frozen=True)
class WordStore:
    """The tables that schemas are solved over."""

    tables: tuple[WordTable, ...]

    @cached_property
    def by_name(self) -> dict[str, WordTable]:
        """Tables by name in lower case: names are the same in whatever case."""
        return {table.name.lower(): table for table in self.tables}

    @cached_property
    def by_id(self) -> dict[str, tuple[WordTable, WordRow]]:
        """Rows by id, with their tables; of rows with the same id the last one stands."""
        return {row.id: (table, row) for table in self.tables for row in table.rows}
