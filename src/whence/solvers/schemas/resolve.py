"""What a schema names must be there: its tables, columns, rows, variables and included patterns."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping

from whence.errors import DataError, quoted
from whence.solvers.schemas.conditions import references
from whence.structures.schema import RowPattern, Schema, TableSource, Variable, row_terms
from whence.structures.words import WordStore, WordTable


def table_of(row: RowPattern, store: WordStore) -> WordTable:
    """The table that a row pattern takes its rows from; `DataError` with the line if it or the row is not there."""
    if isinstance(row.source, TableSource):
        table = store.by_name.get(row.source.table.lower())
        if table is None:
            names = [known.name for known in store.tables]
            raise _unknown("a table of the store", row.source.table, row.source.line, names)
        return table
    found = store.by_id.get(row.source.uid)
    if found is None:
        raise DataError(
            line=row.source.line, expected="the UUID of a row in the store", found=quoted(row.source.uid)
        )
    return found[0]


def columns_of(row: RowPattern, table: WordTable) -> list[str]:
    """The columns of a row pattern's cells, by their names in the table; `DataError` with the line of an unknown one."""
    for cell in row.cells:
        if cell.column.lower() not in table.columns:
            names = dict.fromkeys(table.columns.values())
            raise _unknown(f"a column of {table.name}", cell.column, cell.line, names)
    return [table.columns[cell.column.lower()] for cell in row.cells]


def _unknown(expected: str, name: str, line: int | None, names: Collection[str]) -> DataError:
    near = difflib.get_close_matches(name.upper(), {known.upper() for known in names}, n=1)
    return DataError(
        line=line, expected=expected, found=quoted(name), advice=f"Did you mean {quoted(near[0])}?" if near else ""
    )
