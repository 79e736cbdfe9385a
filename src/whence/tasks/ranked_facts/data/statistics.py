"""Sizes of WorldTree and CoSaTa: tables, facts, questions, roles, schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from whence.errors import DataError
from whence.files import read_text
from whence.formats.schemas import parse_schemas
from whence.structures.facts import FactBase, FactSet
from whence.structures.schema import Schema
from whence.tasks.ranked_facts.data.files import ROLES, SPLITS, read, read_fact_base, read_solutions
from whence.tasks.ranked_facts.heads.heads import RATED
from whence.tasks.ranked_facts.shortlists import rating_tables
from whence.tasks.statistics import StatisticsTable, figures, mean


def worldtree(folder: Path) -> Iterator[StatisticsTable]:
    """The fact base, the questions, and the roles that facts play."""
    base = read_fact_base(folder / "worldtree")
    yield _fact_base("Fact base", base)
    yield _largest_tables(base)
    questions, roles = {}, {}
    for name, split in SPLITS.items():
        examples = read(split.file(folder)).examples
        uses = [u for e in examples for gold in e.golds if isinstance(gold, FactSet) for u in gold.facts]
        sizes = [len(gold.facts) for e in examples for gold in e.golds if isinstance(gold, FactSet)]
        unknown = sum(use.id not in base.facts for use in uses)
        questions[name] = (len(examples), len(sizes), mean(sizes), len({use.id for use in uses}), unknown)
        counts = Counter(use.role for use in uses)
        roles[name] = tuple(counts[role] for role in ROLES)
    yield figures(
        "Questions",
        ("questions", "explained", "facts an explanation", "different facts used", "uses of unknown facts"),
        questions,
        {
            "train": (2207, None, None, None, None),
            "dev": (496, None, None, None, None),
            "test": (1664, None, None, None, None),
        },
        ("The expert-ratings paper speaks of 4.4k questions, about 9k facts and 6 facts an explanation.",),
    )
    yield figures("Roles of facts", ROLES, roles)
    for name, split in RATED.items():
        if split.file(folder).is_file():
            for table in rating_tables(read(split.file(folder))):
                yield replace(table, title=f"{table.title}, {name}")


def cosata(folder: Path) -> Iterator[StatisticsTable]:
    """The table store of the schemas, the schemas, and the released solutions."""
    yield _fact_base("Fact base", read_fact_base(folder / "cosata/tablestore"))
    files = sorted((folder / "cosata/patterns").glob("*.iml"))
    schemas = [schema for file in files for schema in _schemas(file)]
    rows = [row for schema in schemas for row in schema.rows]
    cells = [cell for row in rows for cell in row.cells]
    yield figures(
        "Schemas",
        ("files", "schemas", "rows", "optional rows", "cells", "constraints", "inclusions"),
        {
            "all": (
                len(files),
                len(schemas),
                len(rows),
                sum(row.optional for row in rows),
                len(cells),
                sum(len(schema.constraints) for schema in schemas),
                sum(len(schema.includes) for schema in schemas),
            )
        },
        {"all": (354, 385, None, None, None, None, None)},
    )
    released = [
        found for file in sorted((folder / "cosata/solutions").glob("*.json")) for found in read_solutions(file)
    ]
    solutions = sum(len(found.solutions) for found in released)
    yield figures("Released solutions", ("schemas", "solutions"), {"all": (len(released), solutions)})


def _schemas(path: Path) -> tuple[Schema, ...]:
    try:
        return parse_schemas(read_text(path))
    except DataError as error:
        raise error.at(path) from None


def _fact_base(title: str, base: FactBase) -> StatisticsTable:
    rows = sum(len(table.rows) for table in base.tables)
    reasons = ("deprecated", "no id", "no text", "repeated id", "table without ids")
    tables = sum("id" in table.roles for table in base.tables)
    dropped = [base.dropped[reason] for reason in reasons]
    return figures(
        title,
        ("tables", "rows", "facts", *reasons),
        {"all": (tables, rows, len(base.facts), *dropped)},
        {"all": (81, *(None for _ in range(7)))},
        ("Rows that are deprecated, have no id or no text are no facts; of a repeated id the last row stands.",),
    )


def _largest_tables(base: FactBase, shown: int = 12) -> StatisticsTable:
    counts = Counter(fact.table for fact in base.facts.values())
    return figures(f"The {shown} largest tables", ("facts",), {name: [n] for name, n in counts.most_common(shown)})
