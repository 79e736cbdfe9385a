"""Records as rows of a table: every row has every column, as Hugging Face `datasets`, pandas and Arrow ask.

A row is a record of our own form with nothing left out: fields that have no value are null, a field of another
member of a union is null, and `meta`, which is free, is a JSON text. `"whence": "rows-1"` tells it from a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, parse_json_object

VERSION = "rows-1"


def is_row(record: Mapping[str, Json]) -> bool:
    """Whether a record came as a row."""
    return record.get("whence") == VERSION


def row_of(record: Mapping[str, Json], kind: Any) -> dict[str, Json]:
    """The record of a value of that type, as `json.loads` would give it, with every field there."""
    row: dict[str, Json] = filled(record, kind)
    if "meta" in row:
        row["meta"] = dump_json(record.get("meta") or {})
    return {"whence": VERSION, "task": record["task"], **row}


def record_of(row: Mapping[str, Json], version: int) -> dict[str, Json]:
    """The record that a row was made of."""
    record = {name: bare(value) for name, value in row.items() if value is not None and name != "meta"}
    if "inputs" not in row:
        record["explanation"] = bare(row.get("explanation"))
    meta = row.get("meta")
    if meta is not None:
        if not isinstance(meta, str):
            raise DataError(expected="'meta' as a JSON text, as rows have it", found=quoted(str(meta)))
        record["meta"] = parse_json_object(meta)
    return {**record, "whence": version}


def filled(value: Json, kind: Any) -> Json:
    """A JSON value of that type with null for every field that it leaves out."""
    if value is None:
        return None
    if is_structure(kind):
        return {name: filled(value.get(name), inner) for name, inner in columns(kind).items()}
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return [filled(one, item) for one in value]
    return value


def columns(kind: Any) -> dict[str, Any]:
    """The fields of a structure and their types; of a union, those of all its members."""
    if _is_union(kind):
        return {name: inner for member in get_args(kind) for name, inner in columns(member).items()}
    origin = get_origin(kind) or kind
    given = dict(zip(getattr(origin, "__parameters__", ()), get_args(kind), strict=True))
    hints = get_type_hints(origin)
    return {field.name: _without_none(_bound(hints[field.name], given)) for field in fields(origin)}


def is_structure(kind: Any) -> bool:
    """Whether values of a type have columns of their own."""
    return _is_union(kind) or is_dataclass(get_origin(kind) or kind)


def _is_union(kind: Any) -> bool:
    return isinstance(kind, UnionType) or get_origin(kind) is Union


def _bound(kind: Any, given: Mapping[Any, Any]) -> Any:
    """The type with its parameters put in."""
    parameters = getattr(kind, "__parameters__", ())
    if kind in given:
        return given[kind]
    return kind[tuple(given[parameter] for parameter in parameters)] if parameters else kind


def _without_none(kind: Any) -> Any:
    if not _is_union(kind):
        return kind
    members = [member for member in get_args(kind) if member is not type(None)]
    return members[0] if len(members) == 1 else Union[tuple(members)]  # noqa: UP007 (made at run time)


def bare(value: Json) -> Json:
    """The value without the fields that are null."""
    if isinstance(value, Mapping):
        return {name: bare(inner) for name, inner in value.items() if inner is not None}
    return [bare(inner) for inner in value] if isinstance(value, list) else value
