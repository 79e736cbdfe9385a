"""A text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.collection.configuration import Write
from whence.files import Json, string
from whence.tasks.task import Relation
from whence.web.collect.fields import Fields


def read(fields: Fields, _item: Mapping[str, Json], _operation: str) -> Json:
    """What was written, on one line: the texts of all five collections are sentences."""
    return " ".join(fields.text().split()) or None


def view(
    _field: Write, value: Json, _item: Mapping[str, Json], _operation: str, _relations: Sequence[Relation]
) -> str:
    """The text."""
    return string(value)
