"""Fact tables as tab-separated text with one header row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whence.errors import DataError
from whence.structures.facts import Table


def parse_table(name: str, lines: Iterable[str]) -> Table:
    """A table; cells are kept as they stand."""
    rows = [tuple(line.split("\t")) for line in lines]
    if not rows:
        raise DataError(expected="a header row", found="an empty file")
    return Table(name, rows[0], tuple(rows[1:]))


def format_table(table: Table) -> Iterator[str]:
    """The lines of a table, header first."""
    for row in (table.headers, *table.rows):
        yield "\t".join(row)
