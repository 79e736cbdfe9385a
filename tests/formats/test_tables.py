"""Fact tables as tab-separated lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.tables import format_table, parse_table
from whence.structures.facts import Table


@pytest.mark.parametrize(
    "lines, headers, rows",
    [
        (["A\tB"], ("A", "B"), ()),
        (["A\tB", "a\tb", "c\td"], ("A", "B"), (("a", "b"), ("c", "d"))),
        (["A\tB", "a", "a\tb\tc"], ("A", "B"), (("a",), ("a", "b", "c"))),  # rows of other lengths are kept
        ([" A ", '"a" ', ""], (" A ",), (('"a" ',), ("",))),  # blanks and quotes too
        ([""], ("",), ()),
    ],
)
def test_both_ways(lines, headers, rows):
    assert parse_table("KINDOF", iter(lines)) == Table("KINDOF", headers, rows)
    assert list(format_table(Table("KINDOF", headers, rows))) == lines


def test_an_empty_file_has_no_header():
    with pytest.raises(DataError, match="a header row"):
        parse_table("KINDOF", [])


rows = st.lists(
    st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=5),
    min_size=1,
    max_size=4,
).map(tuple)


@settings(deadline=None)
@given(st.builds(Table, st.text(), rows, st.lists(rows, max_size=4).map(tuple)))
def test_a_table_reads_back(table):
    assert parse_table(table.name, format_table(table)) == table


@pytest.mark.parametrize(
    "table",
    [
        Table("T", ("A",), (("a\tb",),)),  # one cell more
        Table("T", ("A\tB",), ()),
        Table("T", ("A",), (("a\nb",),)),  # one row more
        Table("T", (), ()),  # reads back with one empty header
        Table("T", ("A",), ((),)),  # reads back with one empty cell
    ],
)
def test_tables_that_cannot_be_written(table):
    with pytest.raises(DataError):
        list(format_table(table))
