"""Tables of statistics: figures counted from the files beside those the papers print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.structures.results import Measurement


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """Rows of measurements under columns; a cell is None where there is nothing to say."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Measurement | None, ...]], ...]
    remarks: tuple[str, ...] = ()
    """What a reader must know to compare: where the release differs from the paper, and why."""


def figures(
    title: str,
    columns: Sequence[str],
    values: Mapping[str, Sequence[float | None]],
    published: Mapping[str, Sequence[float | None]] | None = None,
    remarks: Sequence[str] = (),
) -> StatisticsTable:
    """A table of values by row name, and the published ones of the same shape where there are any."""
    rows = []
    for name, row in values.items():
        beside = (published or {}).get(name) or [None] * len(columns)
        cells = tuple(
            None if value is None and paper is None else Measurement(column, value, published=paper)
            for column, value, paper in zip(columns, row, beside, strict=True)
        )
        rows.append((name, cells))
    return StatisticsTable(title, tuple(columns), tuple(rows), tuple(remarks))


def as_json(table: StatisticsTable) -> dict[str, Any]:
    """The table for machines: every figure under its row and column."""
    return {
        "title": table.title,
        "rows": {
            name: {
                measured.name: {"value": measured.value, "published": measured.published}
                for measured in cells
                if measured is not None
            }
            for name, cells in table.rows
        },
        "remarks": list(table.remarks),
    }


def mean(values: Sequence[float]) -> float | None:
    """The plain mean; None of nothing."""
    return sum(values) / len(values) if values else None


def percentage(values: Sequence[bool]) -> float | None:
    """How many of a hundred are true; None of nothing."""
    return 100 * sum(values) / len(values) if values else None
