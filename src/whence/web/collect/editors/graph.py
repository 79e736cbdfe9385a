"""Facts of a graph: a concept, a relation, a concept, a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.collection.configuration import Write
from whence.files import Json, objects, string
from whence.tasks.task import Relation
from whence.web.collect.fields import Fields

_ROWS = 4
_MORE = 2
_PARTS = ("head", "relation", "tail")


@dataclass(frozen=True, slots=True)
class Row:
    """One fact, as far as it is written."""

    head: str = ""
    relation: str = ""
    tail: str = ""
    was: str = ""
    """How it differs from the graph that is refined: `new`, or nothing."""


@dataclass(frozen=True, slots=True)
class GraphView:
    """Rows to write in, the relations, and facts of an earlier graph that are no longer there."""

    rows: tuple[Row, ...]
    relations: tuple[str, ...]
    removed: tuple[Row, ...] = ()

    @property
    def concepts(self) -> tuple[str, ...]:
        """Those that are written already: a fact hangs together with others by using one of them again."""
        written = (concept for row in self.rows for concept in (row.head, row.tail) if concept)
        return tuple(dict.fromkeys(written))


def read(fields: Fields, item: Mapping[str, Json], operation: str) -> Json:
    """Rows in which something stands; a button removes one."""
    removed = operation.partition(":")[2] if operation.startswith("remove:") else ""
    edges = []
    for number, row in fields.rows():
        edge = {part: " ".join(row.text(part).split()) for part in _PARTS}
        if any(edge.values()) and str(number) != removed:
            edges.append(edge)
    # In refinement a page without facts is one on which all were removed: the earlier graph does not return.
    return {"edges": edges} if edges or item.get("graph") else None


def view(
    _field: Write, value: Json, item: Mapping[str, Json], operation: str, relations: Sequence[Relation]
) -> GraphView:
    """The rows with empty ones behind them; in refinement, the graph that was begun from, and what changed."""
    earlier = _edges(item.get("graph"))
    given = _edges(value) if value is not None else list(earlier)
    rows = [Row(*edge, "new" if earlier and edge not in earlier else "") for edge in given]
    empty = max(_ROWS - len(rows), 1) + (_MORE if operation == "more" else 0)
    removed = tuple(Row(*edge) for edge in earlier if edge not in given)
    return GraphView((*rows, *(Row() for _ in range(empty))), tuple(one.name for one in relations), removed)


def _edges(value: Json) -> list[tuple[str, str, str]]:
    found = objects(value.get("edges")) if isinstance(value, Mapping) else []
    return [(string(edge.get("head")), string(edge.get("relation")), string(edge.get("tail"))) for edge in found]
