"""Fact tables as WorldTree publishes them, and what is left of a row as a fact."""

from __future__ import annotations

import pytest

from whence.structures.facts import (
    Fact,
    FactBase,
    FactUse,
    Table,
    cell,
    column_role,
    live_facts,
    sentence,
    why_dropped,
)

HEADERS = ("THING", "[FILL]", "KIND", "[SKIP] COMMENTS", "[SKIP] DEP", "[SKIP] UID")


def table(*rows: tuple[str, ...], name: str = "KINDOF", headers: tuple[str, ...] = HEADERS) -> Table:
    return Table(name, headers, rows)


ICE = ("ice", "is a kind of", "solid", "checked", "", "u-1")


@pytest.mark.parametrize(
    "header, role",
    [
        ("HYPONYM", "data"),
        ("SCOPE1", "data"),
        ("[FILL] is", "fill"),
        ("[FILL]", "fill"),
        ("[SKIP] UID", "id"),
        ("[SKIP] DEP", "deprecated"),
        ("[SKIP] COMMENTS", "skip"),
        ("[SKIP]", "skip"),
        ("[skip] uid", "id"),  # case aside
        ("  [SKIP]UID  ", "id"),  # and blanks aside
        ("#", "skip"),
        ("# NOTE", "skip"),
        ("", "skip"),
        (" ", "skip"),
        ("A [SKIP] UID", "data"),  # only at the start
    ],
)
def test_column_role(header, role):
    assert column_role(header) == role


@pytest.mark.parametrize(
    "row, expected",
    [
        (ICE, "ice is a kind of solid"),
        ((" ice ", "is  a kind of", "", "", "", "u"), "ice is a kind of"),  # blanks collapse, empty cells vanish
        (("ice",), "ice"),  # shorter than the header
        ((*ICE, "more"), "ice is a kind of solid"),  # longer: cells without a header are not text
        (("", "", "", "only a comment", "", "u"), ""),
        ((), ""),
    ],
)
def test_sentence(row, expected):
    assert sentence(table(row), row) == expected


def test_cell_is_the_first_column_of_a_role_trimmed():
    twice = Table("T", ("[SKIP] UID", "A", "[SKIP] UID"), ((" u-1 ", "x", "u-2"),))
    assert cell(twice, twice.rows[0], "id") == "u-1"
    assert cell(twice, twice.rows[0], "deprecated") == ""
    assert cell(twice, (), "id") == ""


@pytest.mark.parametrize(
    "row, headers, expected",
    [
        (ICE, HEADERS, ""),
        (("ice", "is", "solid", "", "", ""), HEADERS, "no id"),
        (("ice", "is", "solid"), HEADERS, "no id"),  # the row ends before the id
        (("ice", "is", "solid", "", "see u-9", "u-1"), HEADERS, "deprecated"),
        (("", "", "", "note", "", "u-1"), HEADERS, "no text"),
        (("", "", "", "", "yes", ""), HEADERS, "no id"),  # the first reason counts
        (("ice",), ("THING",), "table without ids"),
    ],
)
def test_why_dropped(row, headers, expected):
    assert why_dropped(table(row, headers=headers), row) == expected


def test_live_facts_keep_their_order_and_table():
    second = ("water", "is", "liquid", "", "", "u-2")
    gone = ("x", "is", "y", "", "dep", "u-3")
    assert live_facts(table(ICE, gone, second)) == (
        Fact("u-1", "ice is a kind of solid", "KINDOF"),
        Fact("u-2", "water is liquid", "KINDOF"),
    )


def test_fact_base_counts_every_row_that_is_not_a_fact():
    base = FactBase(
        (
            table(
                ICE,
                ("old ice", "is", "solid", "", "dep", "u-1"),  # deprecated: no repeated id
                ("nobody", "is", "this", "", "", ""),
                ("", "", "", "", "", "u-4"),
            ),
            table(("ice again", "is", "solid", "", "", "u-1"), name="AGAIN"),  # the last one stands
            table(("a", "b"), ("c", "d"), name="BARE", headers=("A", "B")),
        )
    )
    assert base.facts == {"u-1": Fact("u-1", "ice again is solid", "AGAIN")}
    assert base.dropped == {"deprecated": 1, "no id": 1, "no text": 1, "table without ids": 2, "repeated id": 1}
    rows = sum(len(part.rows) for part in base.tables)
    assert len(base.facts) + base.dropped.total() == rows


def test_a_base_without_faults_drops_nothing():
    assert not FactBase((table(ICE),)).dropped
    assert FactBase(()).facts == {}
    assert not FactBase(()).dropped


def test_an_id_that_stands_three_times_is_repeated_twice():
    assert FactBase((table(ICE, ICE, ICE),)).dropped == {"repeated id": 2}


@pytest.mark.parametrize(
    "ratings, expected",
    [
        ((), None),  # unrated is unknown, not 0
        ((0,), 0),
        ((2, 2), 2),
        ((1, 2), 2),  # 1.5, rounded up (expert ratings, sec. 4)
        ((0, 0, 1), 1),  # 0.33
        ((3, 3, 2), 3),  # 2.67
        ((0, 0, 0), 0),
        ((3,) * 7, 3),  # no rounding error
        ((1,) * 10, 1),
    ],
)
def test_rating_is_the_mean_rounded_up(ratings, expected):
    assert FactUse("u", ratings=ratings).rating == expected


def test_a_fact_is_gold_unless_it_is_said_not_to_be():
    assert FactUse("u") == FactUse("u", "", (), gold=True)
