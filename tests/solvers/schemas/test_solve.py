"""The rules of the search, each on tables small enough to solve by hand."""

from __future__ import annotations

import pytest
from tests.solvers.schemas.tables import ids, solved, store

from whence.errors import DataError
from whence.formats.schemas import parse_schemas
from whence.solvers.schemas.solve import Solver

KINDS = store(
    {
        "IS": """
            THING | KIND
            cat | mammal
            cats | pet
            oak | tree
        """,
        "EATS": """
            WHO | WHAT
            cat | mouse
            mammal | milk
            oak tree | light; water
        """,
    }
)


def _ids(rows: str, **options: object) -> list[tuple[str, ...]]:
    return ids(solved(KINDS, rows, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # any row of a table, in its order; names of tables and columns in any case
        ('row a = [TABLE:"is", thing: "cat"]', [("is-1",), ("is-2",)]),
        ('row a = [TABLE:"IS"]', [("is-1",), ("is-2",), ("is-3",)]),
        # a given row with literals only fits whatever they say; with a variable its cells count
        ('row a = [UUID:"is-3", THING: "dog"]', [("is-3",)]),
        ('row a = [UUID:"is-3", THING: "dog", KIND: <k>]', []),
        # every cell that is listed must fit
        ('row a = [TABLE:"IS", THING: "cat", KIND: "pet"]', [("is-2",)]),
        # options of a cell
        ('row a = [TABLE:"IS", KIND: "pet" || "tree"]', [("is-2",), ("is-3",)]),
        # alternatives of a cell
        ('row a = [TABLE:"EATS", WHAT: "water"]', [("eats-3",)]),
        # a variable has one value: `cats` is `cat` by its lemma
        (
            'row a = [TABLE:"IS", THING: <x>] row b = [TABLE:"EATS", WHO: <x>]',
            [("is-1", "eats-1"), ("is-2", "eats-1")],
        ),
        # the last slot changes fastest
        (
            'row a = [TABLE:"IS", THING: <x>] row b = [TABLE:"IS", THING: <x>]',
            [("is-1", "is-1"), ("is-1", "is-2"), ("is-2", "is-1"), ("is-2", "is-2"), ("is-3", "is-3")],
        ),
        # a variable twice in a row
        ('row a = [TABLE:"IS", THING: <x>, KIND: <x>]', []),
        # two variables share a cell
        ('row a = [TABLE:"IS", THING: <x>, KIND: <y>] row b = [TABLE:"EATS", WHO: <x>+<y>]', [("is-3", "eats-3")]),
        # an optional row may be left out, even where one fits; those with fewer left out come first
        (
            'row a = [TABLE:"IS", THING: <x>, KIND: <k>] row *b = [TABLE:"EATS", WHO: <k>]',
            [("is-1", "eats-2"), ("is-1", ""), ("is-2", ""), ("is-3", "")],
        ),
        # a row that must be there and is not
        ('row a = [TABLE:"IS", THING: <x>] row b = [TABLE:"EATS", WHO: "dog"]', []),
        # a variable that only an omitted row has is free for the next row
        (
            'row *a = [TABLE:"IS", KIND: <x>] row b = [TABLE:"EATS", WHO: <x>]',
            [("is-1", "eats-2"), ("", "eats-1"), ("", "eats-2"), ("", "eats-3")],
        ),
    ],
)  # fmt: skip
def test_solutions(rows: str, expected: list[tuple[str, ...]]) -> None:
    assert _ids(rows) == expected
    assert _ids(rows, protocol="official") == expected


def test_agreeing_with_the_first_value_is_enough() -> None:
    """`glas` has the lemma `gla`, `glass` the lemma `glas`: `gla` and `glass` agree with `glas` only."""
    rows = 'row p = [TABLE:"T", X: <x>] row q = [TABLE:"U", X: <x>] row r = [TABLE:"V", X: <x>]'
    assert len(solved(store({"T": "X\nglas", "U": "X\ngla", "V": "X\nglass"}), rows)) == 1
    assert len(solved(store({"T": "X\ngla", "U": "X\nglas", "V": "X\nglass"}), rows)) == 0


def test_a_relaxable_variable_narrows_what_later_rows_must_agree_with() -> None:
    """After `red iron` and `<~x>` on `red steel`, x is `red`: `red` fits then, `red iron` does not."""
    tables = store({"T": "X\nred iron", "U": "X\nred steel\nblue", "V": "X\nred iron\nred"})
    begin = 'row t = [TABLE:"T", X: <x>] row u = [TABLE:"U", X: <~x>]'
    assert ids(solved(tables, begin + 'row v = [TABLE:"V", X: <x>]')) == [
        ("t-1", "u-1", "v-2"),
        ("t-1", "u-2", "v-1"),  # nothing shared: x stays as it was, and nothing fails
    ]
    only_red = store({"T": "X\nred iron", "U": "X\nred steel\nblue", "V": "X\nred"})
    assert ids(solved(only_red, begin + 'row v = [TABLE:"V", X: <x>]')) == [("t-1", "u-1", "v-1")]


def test_relaxed_solutions_come_last() -> None:
    tables = store({"T": "X\nsolar energy source\nenergy"})
    assert ids(solved(tables, 'row t = [TABLE:"T", X: ~"energy"]')) == [("t-2",), ("t-1",)]


def test_same_rows_with_other_values_are_other_solutions() -> None:
    tables = store({"T": "X\nred hot iron"})
    found = solved(tables, 'row t = [TABLE:"T", X: <x>+<y>]')
    assert ids(found) == [("t-1",), ("t-1",)]
    assert found.texts["x"].tolist() == ["red hot", "red"]


def test_values_that_agree_make_one_solution() -> None:
    tables = store({"T": "X\nrock; rocks"})
    assert ids(solved(tables, 'row t = [TABLE:"T", X: <x>]')) == [("t-1",)]


QUIRK = store({"A": "X\nred\nblue", "B": "Y\nred\nred", "C": "Z\nred\nblue"})
QUIRK_ROWS = """
    row a = [TABLE:"A", X: <x>]
    row b = [TABLE:"B", Y: "red" || <x>]
    row c = [TABLE:"C", Z: <x>]
"""


def test_official_search_loses_what_shares_the_rows_up_to_a_failed_option() -> None:
    """With blue in slot a, option <x> fails at slot b, for both rows of B, after the other option succeeded."""
    everything = [("a-1", "b-1", "c-1"), ("a-1", "b-2", "c-1"), ("a-2", "b-1", "c-2"), ("a-2", "b-2", "c-2")]
    assert ids(solved(QUIRK, QUIRK_ROWS)) == everything
    assert ids(solved(QUIRK, QUIRK_ROWS, "official")) == everything  # the next row of B is tried
    tables = store({"A": "X\nred\nblue", "B": "Y\nred", "C": "Z\nred\nblue\nblue"})
    assert ids(solved(tables, QUIRK_ROWS)) == [("a-1", "b-1", "c-1"), ("a-2", "b-1", "c-2"), ("a-2", "b-1", "c-3")]
    assert ids(solved(tables, QUIRK_ROWS, "official")) == [("a-1", "b-1", "c-1"), ("a-2", "b-1", "c-2")]


def test_an_option_fails_at_its_own_slot_even_if_it_never_had_hope() -> None:
    """Option <x> binds green at slot b and fails at slot c only: rows of slot d are lost, those of c are not."""
    tables = store({"B": "Y\ngreen", "C": "Z\nred\nred", "D": "W\none\ntwo"})
    rows = 'row b = [TABLE:"B", Y: "green" || <x>] row c = [TABLE:"C", Z: <x>] row d = [TABLE:"D"]'
    assert ids(solved(tables, rows, "official")) == [("b-1", "c-1", "d-1"), ("b-1", "c-2", "d-1")]
    assert len(solved(tables, rows, "whence")) == 4


@pytest.mark.parametrize(
    ("limit", "official", "ours", "complete"),
    [(None, 9, 9, True), (9, 9, 9, True), (8, 9, 8, False), (4, 5, 4, False)],
)
def test_limit(limit: int | None, official: int, ours: int, complete: bool) -> None:
    """The released solver stops after the combination that exceeds the limit, ours at the limit."""
    rows = 'row a = [TABLE:"IS"] row b = [TABLE:"EATS"]'
    found = solved(KINDS, rows, "official", limit)
    assert (len(found), len(solved(KINDS, rows, "whence", limit))) == (official, ours)
    assert solved(KINDS, rows, "whence", limit).complete is complete


def test_limit_counts_solutions_that_repeat_others_by_the_official_rule() -> None:
    tables = store({"T": "X\nrock; rocks\nsand"})
    rows = 'row t = [TABLE:"T", X: <x>]'
    assert ids(solved(tables, rows, "official", 1)) == [("t-1",)]
    assert ids(solved(tables, rows, "whence", 2)) == [("t-1",), ("t-2",)]


def test_a_limit_ends_a_search_among_a_million_million_solutions() -> None:
    tables = store({"T": "X\n" + "\n".join(f"word{number}" for number in range(1000))})
    (schema,) = parse_schemas(
        "inferencepattern p "
        + " ".join(f'row r{n} = [TABLE:"T", X: <x{n}>]' for n in range(4))
        + " endinferencepattern"
    )
    assert len(Solver(tables, "official", 500).solve(schema)) == 501


CONSTRAINED = 'row a = [TABLE:"IS", THING: <x>, KIND: <k>] row *b = [TABLE:"EATS", WHO: <k>]'


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('<b> != ""', [("is-1", "eats-2")]),
        ('<b> == ""', [("is-1", ""), ("is-2", ""), ("is-3", "")]),
        ('<x> == "cat" && <b> == ""', [("is-1", ""), ("is-2", "")]),  # lemmas are compared
        ('<a> == "is-3" || <k> == "pet"', [("is-2", ""), ("is-3", "")]),
        ("<x> == <k>", []),
    ],
)
def test_constraints(condition: str, expected: list[tuple[str, ...]]) -> None:
    assert _ids(f"{CONSTRAINED} musthaveoromit({condition})") == expected


def test_included_solutions_change_fastest_and_follow_with_their_names() -> None:
    inner, outer = parse_schemas("""
        inferencepattern inner row e = [TABLE:"EATS", WHO: <w>] endinferencepattern
        inferencepattern outer
            infpat i = inner
            row a = [TABLE:"IS", THING: <x>, KIND: <k>]
            musthaveoromit(i.<w> == <x> || i.<e> == "eats-3")
        endinferencepattern
    """)
    solver = Solver(KINDS)
    found = solver.solve(outer, {"i": solver.solve(inner)})
    assert found.slots == ("a", "i.e")
    assert ids(found) == [
        ("is-1", "eats-1"), ("is-1", "eats-3"), ("is-2", "eats-1"), ("is-2", "eats-3"), ("is-3", "eats-3"),
    ]  # fmt: skip


def test_no_solutions_have_no_slots() -> None:
    found = solved(KINDS, 'row a = [TABLE:"IS", THING: "dog"]').solutions()
    assert (found.slots, found.solutions) == ((), ())


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('\nrow a = [TABLE:"ISS"]', "line 2: expected a table of the store, found 'ISS'. Did you mean 'IS'?"),
        (
            'row a = [TABLE:"IS",\nKINDS: "x"]',
            "line 2: expected a column of IS, found 'KINDS'. Did you mean 'KIND'?",
        ),
        ('row a = [UUID:"is-9"]', "line 1: expected the UUID of a live row of the store, found 'is-9'"),
    ],
)
def test_what_is_not_there_is_named_with_its_line(rows: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        solved(KINDS, rows)
    assert str(caught.value) == message
