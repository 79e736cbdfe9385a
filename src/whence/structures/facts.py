"""Facts in tables, and explanations that rank or select them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

ColumnRole = Literal["data", "fill", "skip", "id", "deprecated"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A table row as a sentence."""

    id: str
    text: str
    table: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under headers, as published: every cell kept. A row may be shorter or longer than the header."""

    name: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def roles(self) -> tuple[ColumnRole, ...]:
        """What each column is for."""
        return tuple(column_role(header) for header in self.headers)


@dataclass(frozen=True)
class FactBase:
    """A table store: tables, and their live rows as facts."""

    tables: tuple[Table, ...]

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Live facts by id; of rows with the same id the last one stands, as in the released solver."""
        return {fact.id: fact for table in self.tables for fact in live_facts(table)}

    @cached_property
    def dropped(self) -> Counter[str]:
        """How many rows are not facts, by reason."""
        counts: Counter[str] = Counter()
        live: Counter[str] = Counter()
        for table in self.tables:
            for row in table.rows:
                reason = why_dropped(table, row)
                counts[reason] += bool(reason)
                live[cell(table, row, "id")] += not reason
        counts["repeated id"] = sum(count - 1 for count in live.values() if count > 1)
        return +counts


@dataclass(frozen=True, slots=True)
class Question:
    """What facts explain: why the answer to a question is right."""

    question: str
    answer: str
    options: tuple[tuple[str, str], ...] = ()
    """The lettered options, letter and text."""


@dataclass(frozen=True, slots=True)
class FactUse:
    """A fact in an explanation: its role there, and what each rater gave it (0 irrelevant to 3 core)."""

    id: str
    role: str = ""
    ratings: tuple[int, ...] = ()
    gold: bool = True
    """False for a fact that was rated but is not part of the explanation."""

    @property
    def rating(self) -> int | None:
        """Mean of the ratings, rounded up (expert-ratings paper, sec. 4); None if unrated."""
        return math.ceil(sum(self.ratings) / len(self.ratings)) if self.ratings else None


@dataclass(frozen=True, slots=True)
class FactSet:
    """An explanation as a whole: the facts it needs, in no meaningful order."""

    facts: tuple[FactUse, ...]


def united(explanations: Iterable[FactSet]) -> FactSet:
    """All facts of several explanations, each once, in order of first mention; ids are compared without case."""
    found: dict[str, FactUse] = {}
    for explanation in explanations:
        for use in explanation.facts:
            found.setdefault(use.id.lower(), use)
    return FactSet(tuple(found.values()))


@dataclass(frozen=True, slots=True)
class Ranking:
    """Fact ids, the most relevant first."""

    ids: tuple[str, ...]


def column_role(header: str) -> ColumnRole:
    """The role of a column by its header: `[FILL]` joins words, `[SKIP]` and `#` are not text."""
    name = header.strip().upper()
    if name.startswith("[FILL]"):
        return "fill"
    if name.startswith("[SKIP]"):
        rest = name.removeprefix("[SKIP]").strip()
        return "id" if rest.startswith("UID") else "deprecated" if rest.startswith("DEP") else "skip"
    return "skip" if name.startswith("#") or not name else "data"


def cell(table: Table, row: tuple[str, ...], role: ColumnRole) -> str:
    """The text of a row in the first column with that role, trimmed."""
    return next((text.strip() for text, found in zip(row, table.roles, strict=False) if found == role), "")


def sentence(table: Table, row: tuple[str, ...]) -> str:
    """The row as a sentence: its filled data and fill cells, joined by single spaces."""
    cells = (text for text, role in zip(row, table.roles, strict=False) if role in ("data", "fill"))
    return " ".join(" ".join(cells).split())


def why_dropped(table: Table, row: tuple[str, ...]) -> str:
    """The reason why a row is not a fact; empty if it is one."""
    if "id" not in table.roles:
        return "table without ids"
    if not cell(table, row, "id"):
        return "no id"
    if cell(table, row, "deprecated"):
        return "deprecated"
    return "" if sentence(table, row) else "no text"


def live_facts(table: Table) -> tuple[Fact, ...]:
    """The facts of a table, in order."""
    return tuple(
        Fact(cell(table, row, "id"), sentence(table, row), table.name)
        for row in table.rows
        if not why_dropped(table, row)
    )
