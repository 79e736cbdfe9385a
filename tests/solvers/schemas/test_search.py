"""The joins find what a solver that tries one combination after the other finds, in the same order."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.solvers.schemas import reference

from whence.solvers.schemas import search
from whence.solvers.schemas.solve import Solver
from whence.structures.schema import (
    CellPattern,
    Concatenation,
    Literal,
    RowPattern,
    Schema,
    TableSource,
    UidSource,
    Variable,
)
from whence.structures.words import Word, WordRow, WordStore, WordTable

# Written forms that share lemmas: values agree without being equal, and agreeing is not transitive.
WORDS = [Word("a", "a"), Word("as", "a"), Word("b", "b"), Word("a", "b"), Word("c", "c", frozenset({"NN"}))]
COLUMNS = ("X", "Y")

alternative = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)
cell = st.lists(alternative, min_size=1, max_size=2, unique=True).map(tuple)
cells = st.fixed_dictionaries({}, optional=dict.fromkeys(COLUMNS, cell))


@st.composite
def stores(draw: st.DrawFn) -> WordStore:
    tables = []
    for name in ("T", "U"):
        rows = draw(st.lists(cells, min_size=1, max_size=4))
        named = tuple(WordRow(f"{name}{number}", found) for number, found in enumerate(rows))
        tables.append(WordTable(name, {column.lower(): column for column in COLUMNS}, named))
    return WordStore(tuple(tables))


literal = st.builds(
    lambda text, mark: Literal(text, mark == "*", mark == "~"),
    st.sampled_from(["a", "b", "as", "a b", "pos:nn", "POS:NN", "c"]),
    st.sampled_from(["", "", "*", "~"]),
)
variable = st.builds(
    lambda name, mark: Variable(name, mark == "*", mark == "~"),
    st.sampled_from(["x", "y", "z"]),
    st.sampled_from(["", "", "", "", "*", "~"]),
)
concatenation = st.lists(variable | literal | variable, min_size=1, max_size=2).map(
    lambda terms: Concatenation(tuple(terms))
)
options = st.lists(concatenation, min_size=1, max_size=2).map(tuple)
source = st.sampled_from([TableSource("t"), TableSource("U"), TableSource("T"), UidSource("T0"), UidSource("U0")])


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    rows = []
    for number in range(draw(st.integers(1, 4))):
        columns = draw(st.lists(st.sampled_from(COLUMNS), max_size=2, unique=True))
        patterns = tuple(CellPattern(column, draw(options)) for column in columns)
        rows.append(RowPattern(f"r{number}", draw(source), patterns, draw(st.booleans())))
    return Schema("p", tuple(rows))


def _repeated_before_lost() -> tuple[WordStore, Schema]:
    """A solution found twice, then one that the released solver passes over: an option fails at its first row."""
    twice = {"Y": ((WORDS[0],) * 3, (*(WORDS[0],) * 2, WORDS[1]))}
    columns = {column.lower(): column for column in COLUMNS}
    store = WordStore(
        (
            WordTable("T", columns, (WordRow("T0", twice),)),
            WordTable("U", columns, (WordRow("U0", {}), WordRow("U1", {}))),
        )
    )
    x, y = Variable("x"), Variable("y")
    options = (Concatenation((x,)), Concatenation((y, y)))
    first = RowPattern("r0", TableSource("T"), (CellPattern("Y", options),), True)
    rest = tuple(RowPattern(f"r{n}", TableSource("T"), (CellPattern("X", options[:1]),), True) for n in (2, 3))
    return store, Schema("p", (first, RowPattern("r1", TableSource("U"), ()), *rest))


def _changed_before_it_is_asked() -> tuple[WordStore, Schema]:
    """`a b` becomes `a` at the last row's first cell, and agrees with its second then."""
    a, _, b, *_ = WORDS
    columns = {column.lower(): column for column in COLUMNS}
    store = WordStore(
        (
            WordTable("T", columns, (WordRow("T0", {"X": ((a, b),)}),)),
            WordTable("U", columns, (WordRow("U0", {"X": ((a, a),), "Y": ((a,),)}),)),
        )
    )
    relaxable, plain = ((Concatenation((Variable("y", relaxable=one),)),) for one in (True, False))
    last = (CellPattern("X", relaxable), CellPattern("Y", plain))
    rows = RowPattern("r0", TableSource("T"), (CellPattern("X", plain),)), RowPattern("r1", TableSource("U"), last)
    return store, Schema("p", rows)


@given(stores(), schemas(), st.sampled_from([2, 30_000]))
@example(*_repeated_before_lost(), 30_000)
@example(*_changed_before_it_is_asked(), 30_000)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine draws slowly
@pytest.mark.parametrize("protocol", ["official", "whence"])
def test_solutions_are_those_of_the_reference(protocol: str, store: WordStore, schema: Schema, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "LARGEST_BLOCK", block)  # small blocks are split at every slot
        found = Solver(store, protocol, None).solve(schema)  # type: ignore[arg-type]
    assert list(found.solutions().solutions) == reference.solve(schema, store, protocol == "official")
    assert found.complete
