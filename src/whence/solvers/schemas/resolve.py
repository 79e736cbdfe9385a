"""What a schema names must be there: tables, columns, rows, variables, included patterns."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping

from whence.errors import DataError, quoted
from whence.solvers.schemas.conditions import references
from whence.structures.schema import CellPattern, Constraint, RowPattern, Schema, TableSource, Variable, row_terms
from whence.structures.words import WordStore, WordTable


def table_of(row: RowPattern, store: WordStore) -> WordTable:
    """The table that a row pattern takes rows from; `DataError` with its line if table or row is not there."""
    source = row.source
    if isinstance(source, TableSource):
        table = store.by_name.get(source.table.lower())
        if table is None:
            raise _unknown(
                "a table of the store", source.table, source.line, [known.name for known in store.tables]
            )
        return table
    if source.uid not in store.by_id:
        raise _unknown("the UUID of a live row of the store", source.uid, source.line, ())
    return store.by_id[source.uid][0]


def column_of(cell: CellPattern, table: WordTable) -> str:
    """The name of a cell's column in the table; `DataError` with its line if there is none."""
    found = table.columns.get(cell.column.lower())
    if found is None:
        raise _unknown(f"a column of {table.name}", cell.column, cell.line, set(table.columns.values()))
    return found


def problems(schema: Schema, store: WordStore, included: Mapping[str, Schema]) -> Iterator[DataError]:
    """All that the schema names and nobody has, each with its line.

    `included` has the patterns that can be included, by name; a cycle of them is left to who knows all patterns.
    """
    if not schema.rows and not schema.includes:
        yield DataError(
            line=schema.line, expected="a row or an included pattern", found=f"none in {quoted(schema.name)}"
        )
    for row in schema.rows:
        try:
            table = table_of(row, store)
        except DataError as error:
            yield error
            continue
        for cell in row.cells:
            try:
                column_of(cell, table)
            except DataError as error:
                yield error
    known: dict[str, set[str] | None] = {"": names_in(schema)}
    for include in schema.includes:
        if include.reference in known:
            found = f"{quoted(include.reference)} twice"
            yield DataError(line=include.line, expected="another name for each included pattern", found=found)
        if include.pattern in included:
            known[include.reference] = names_in(included[include.pattern])
        else:
            known[include.reference] = None
            yield _unknown("the name of a pattern in these files", include.pattern, include.line, included)
    for constraint in schema.constraints:
        yield from _unknown_references(constraint, known)


def names_in(schema: Schema) -> set[str]:
    """What a constraint may refer to: rows and variables."""
    variables = {term.name for row in schema.rows for term in row_terms(row) if isinstance(term, Variable)}
    return variables | {row.name for row in schema.rows}


def _unknown_references(constraint: Constraint, known: Mapping[str, set[str] | None]) -> Iterator[DataError]:
    for asked in references(constraint.condition):
        line = asked.line if asked.line is not None else constraint.line
        if asked.include not in known:
            yield _unknown("the name of an included pattern", asked.include, line, known)
        elif (names := known[asked.include]) is not None and asked.name not in names:
            whose = f"of {asked.include}" if asked.include else "of the pattern"
            yield _unknown(f"a row or variable {whose}", asked.name, line, names)


def _unknown(expected: str, name: str, line: int | None, names: Collection[str]) -> DataError:
    by_form = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), by_form, n=1)
    advice = f"Did you mean {quoted(by_form[near[0]])}?" if near else ""
    return DataError(line=line, expected=expected, found=quoted(name), advice=advice)
