"""Fact tables as tab-separated text with one header row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whence.errors import DataError
from whence.formats.lossless import one_line
from whence.structures.facts import Table


def parse_table(name: str, lines: Iterable[str]) -> Table:
    """A table; cells are kept as they stand."""
    rows = [_cells(line) for line in lines]
    if not rows:
        raise DataError(expected="a header row", found="an empty file")
    return Table(name, rows[0], tuple(rows[1:]))


def format_table(table: Table) -> Iterator[str]:
    """The lines of a table, header first."""
    for row in (table.headers, *table.rows):
        yield one_line("\t".join(row), _cells, row, "one cell or more a row, without tabs and line ends")


def _cells(line: str) -> tuple[str, ...]:
    return tuple(line.split("\t"))
