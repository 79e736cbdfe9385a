"""Small tables written by hand, and schemas over them."""

from __future__ import annotations

from collections.abc import Mapping

from whence.formats.schemas import parse_schemas
from whence.solvers.schemas.combine import Solved
from whence.solvers.schemas.solve import Solver, SolverProtocol
from whence.structures.facts import FactBase, Table
from whence.structures.words import WordStore
from whence.tasks.ranked_facts.schemas.words import word_store


def lemma(word: str) -> str:
    """Lower case without a plural's s: a lemma that can be told by looking."""
    return word.lower().removesuffix("s")


def store(tables: Mapping[str, str]) -> WordStore:
    """Tables by name: a line of headers, then rows, cells between bars; ids are NAME-1, NAME-2 in lower case."""
    found = []
    for name, text in tables.items():
        headers, *rows = ([cell.strip() for cell in line.split("|")] for line in text.strip().splitlines())
        filled = [(*row, f"{name.lower()}-{number}") for number, row in enumerate(rows, start=1)]
        found.append(Table(name, (*headers, "[SKIP] UID"), tuple(filled)))
    return word_store(FactBase(tuple(found)), lemma)


def solved(tables: WordStore, rows: str, protocol: SolverProtocol = "whence", limit: int | None = None) -> Solved:
    """The solutions of a pattern with these rows."""
    (schema,) = parse_schemas(f"inferencepattern p {rows} endinferencepattern")
    return Solver(tables, protocol, limit).solve(schema)


def ids(found: Solved) -> list[tuple[str, ...]]:
    """The ids of solutions, a tuple each."""
    return list(found.solutions().solutions)
