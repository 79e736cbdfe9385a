"""Schemas: CoSaTa's inference patterns over fact tables, and the solutions found for them.

A schema lists rows that together make one kind of explanation. A row is either any row of a table or one
given row, and its cells must be tiled by literals and variables; a variable has one value throughout.
Names, tables, columns and uids are kept as written: what exists is known only to who holds the tables.
`line` says where a thing stands in its file, for messages; it takes no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Literal:
    """Words that the cell must hold; `POS:NN` stands for any word with that tag.

    `optional` (`*`): may be missing. `relaxable` (`~`): in any order and with gaps. Never both.
    """

    text: str
    optional: bool = False
    relaxable: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """One or more words of the cell, which get a name. The marks are those of `Literal`."""

    name: str
    optional: bool = False
    relaxable: bool = False


Term = Literal | Variable


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Terms that tile a cell from left to right. At least one."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CellPattern:
    """What the cell of a column must look like: one of the alternatives, at least one."""

    column: str
    alternatives: tuple[Concatenation, ...]
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TableSource:
    """Any row of a table."""

    table: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class UidSource:
    """The one row with this uid."""

    uid: str
    line: int | None = field(default=None, compare=False)


Source = TableSource | UidSource


@dataclass(frozen=True, slots=True)
class RowPattern:
    """One slot of a schema: where its row comes from and what its cells must look like.

    An `optional` row may be left out. Two rows of a schema may have the same name.
    """

    name: str
    source: Source
    cells: tuple[CellPattern, ...] = ()
    optional: bool = False
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """A row's uid or a variable's value: `<name>`, or `INCLUDE.<name>` for one of an included schema."""

    name: str
    include: str = ""
    line: int | None = field(default=None, compare=False)


Operand = Reference | str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands that must be equal, or different. An omitted row and an unset variable equal ""."""

    left: Operand
    right: Operand
    equal: bool = True


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part must hold. At least two."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the parts must hold. At least two."""

    parts: tuple[Condition, ...]


Condition = Comparison | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Constraint:
    """`musthaveoromit`: a solution is kept only where the condition holds."""

    condition: Condition
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Include:
    """`infpat`: the solutions are combined with those of another schema, which `reference` stands for."""

    reference: str
    pattern: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """One inference pattern. `description` is empty where there is none."""

    name: str
    rows: tuple[RowPattern, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    includes: tuple[Include, ...] = ()
    description: str = ""
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SchemaSolutions:
    """The solutions of one pattern: per solution one uid for each slot, "" where the row is omitted.

    `slots` are the row names in file order; it may be empty where there are no solutions.
    """

    pattern: str
    slots: tuple[str, ...]
    solutions: tuple[tuple[str, ...], ...]


def row_terms(row: RowPattern) -> Iterator[Term]:
    """The terms of all cells of a row, in file order."""
    for cell in row.cells:
        for alternative in cell.alternatives:
            yield from alternative.terms


def always_fits(row: RowPattern) -> bool:
    """Whether the row is given by its uid and has literals only; the solver then ignores its cells."""
    return isinstance(row.source, UidSource) and all(isinstance(term, Literal) for term in row_terms(row))
