"""Facts sorted by the category in which they are expected to be of use, and facts that are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.collection.configuration import Write
from whence.files import Json, objects, string
from whence.tasks.task import Relation
from whence.web.collect.fields import Fields

_MORE = 2


@dataclass(frozen=True, slots=True)
class WorksheetView:
    """Facts with the category of each, the categories, and facts that were added."""

    facts: tuple[tuple[str, str, str], ...]
    """Id, text, category."""
    categories: tuple[str, ...]
    own: tuple[str, ...]


def read(fields: Fields, _item: Mapping[str, Json], operation: str) -> Json:
    """The facts that have a category, and those that were added; a button removes one of these."""
    removed = operation.partition(":")[2] if operation.startswith("remove:") else ""
    own = [(number, " ".join(row.text().split())) for number, row in fields.within("own").rows()]
    facts = [text for number, text in own if text and str(number) != removed]
    categories = fields.within("category").ending()
    return {"categories": categories, "facts": facts} if categories or facts else None


def view(
    field: Write, value: Json, item: Mapping[str, Json], operation: str, _relations: Sequence[Relation]
) -> WorksheetView:
    """All facts of the pool."""
    sheet = value if isinstance(value, Mapping) else {}
    chosen = sheet.get("categories")
    chosen = chosen if isinstance(chosen, Mapping) else {}
    facts = tuple(
        (string(fact.get("id")), string(fact.get("text")), string(chosen.get(fact.get("id"))))
        for fact in objects(item.get("context"))
    )
    own = tuple(string(text) for text in sheet.get("facts") or ())
    empty = 1 + (_MORE if operation == "more" else 0)
    return WorksheetView(facts, field.options, (*own, *("" for _ in range(empty))))
