"""Our own file form: one JSON object a line, versioned, the same envelope for every task.

An example: `{"whence": 1, "task": NAME, "id": ..., "inputs": {...}, "golds": [...], "meta": {...}}`.
A prediction: `{"whence": 1, "task": NAME, "id": ..., "explanation": {...}, "raw": "..."}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, parse_json_object
from whence.formats.rows import VERSION as ROW_VERSION
from whence.formats.rows import bare, columns, is_row, record_of, row_of
from whence.structures.results import Example, Prediction

if TYPE_CHECKING:
    from pydantic import TypeAdapter

VERSION = 1
Kind = Literal["example", "prediction"]


@dataclass(frozen=True, slots=True)
class RecordForm:
    """Whose records: the task's name, and the types of its inputs and explanations."""

    task: str
    inputs: Any
    explanation: Any


def is_record(first_line: str) -> bool:
    """Whether a file that starts so is in our own form."""
    try:
        return "whence" in parse_json_object(first_line)
    except DataError:
        return False


def is_prediction(record: Mapping[str, Json]) -> bool:
    """Whether a record is a prediction and not an example."""
    return "explanation" in record and "inputs" not in record


def parse_example(text: str, form: RecordForm) -> Example[Any, Any]:
    """One line as an example of the task."""
    if is_prediction(parse_json_object(text)):
        advice = "Name the examples that predictions are for with --gold."
        raise DataError(expected=f"an example of '{form.task}'", found="a prediction", advice=advice)
    found: Example[Any, Any] = _validated(text, form, "example")
    return found


def parse_prediction(text: str, form: RecordForm) -> Prediction[Any]:
    """One line as a prediction for the task."""
    found: Prediction[Any] = _validated(text, form, "prediction")
    return found


def parse_inputs(value: Mapping[str, Json], form: RecordForm) -> Any:
    """The inputs of a task from their fields, as a record or a row has them; other fields are passed over."""
    names = columns(form.inputs)
    return _parsed({name: inner for name, inner in value.items() if name in names}, form, "inputs")


def parse_explanation(value: Mapping[str, Json], form: RecordForm) -> Any:
    """An explanation from its fields, as a record or a row has them."""
    return _parsed(value, form, "explanation")


def format_record(record: Example[Any, Any] | Prediction[Any], form: RecordForm) -> str:
    """One line of our own form. Fields that have their default value are left out."""
    kind: Kind = "example" if isinstance(record, Example) else "prediction"
    body = _adapter(form, kind).dump_python(record, exclude_defaults=True)
    return dump_json({"whence": VERSION, "task": form.task, **body})


def published_fields(example: Example[Any, Any], form: RecordForm) -> dict[str, Json]:
    """What our own form writes of an example's id, inputs and golds."""
    body: dict[str, Json] = _adapter(form, "example").dump_python(
        example, include={"id", "inputs", "golds"}, exclude_defaults=True
    )
    return body


def record_type(form: RecordForm, kind: Kind) -> Any:
    """The type whose fields are the columns of rows."""
    if kind == "example":
        return Example[form.inputs, form.explanation]  # type: ignore[name-defined]
    return Prediction[form.explanation]  # type: ignore[name-defined]


def format_row(record: Example[Any, Any] | Prediction[Any], form: RecordForm) -> dict[str, Json]:
    """The record as a row, which has every field (see `whence.formats.rows`)."""
    kind: Kind = "example" if isinstance(record, Example) else "prediction"
    body = _adapter(form, kind).dump_python(record, mode="json")
    return row_of({"task": form.task, **body}, record_type(form, kind))


def json_schema(form: RecordForm, kind: Kind) -> dict[str, Json]:
    """The JSON schema of one line."""
    schema = _adapter(form, kind).json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if "properties" in part:
            part["additionalProperties"] = False
    schema["properties"] = {
        "whence": {"const": VERSION, "description": "version of this form"},
        "task": {"const": form.task},
        **schema["properties"],
    }
    schema["required"] = ["whence", "task", *schema.get("required", [])]
    schema["title"] = f"{form.task} {kind}"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@cache
def _adapter(form: RecordForm, kind: Kind) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(record_type(form, kind))


@cache
def _part_adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _parsed(value: Mapping[str, Json], form: RecordForm, part: Literal["inputs", "explanation"]) -> Any:
    from pydantic import ValidationError

    adapter, given = _part_adapter(getattr(form, part)), bare(value)
    try:
        return adapter.validate_json(dump_json(given), strict=True)
    except ValidationError as error:
        fault = max(error.errors(include_url=False, include_context=False), key=lambda fault: len(fault["loc"]))
        found = f"{_pointer(fault['loc'], given)}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
        kind = "" if part == "inputs" else " --kind prediction"
        advice = _misspelt(fault, given) or f"The fields: whence data schema {form.task}{kind}"
        raise DataError(expected=f"the {part} of '{form.task}'", found=found, advice=advice) from None


def _validated(text: str, form: RecordForm, kind: Kind) -> Any:
    from pydantic import ValidationError

    task, adapter = form.task, _adapter(form, kind)
    record = parse_json_object(text)
    if is_row(record):
        record = record_of(record, VERSION)
    version, name = record.pop("whence", None), record.pop("task", None)
    if version != VERSION or isinstance(version, bool):
        raise DataError(
            expected=f"version {VERSION} of our JSONL form ('whence': {VERSION}), or rows ('{ROW_VERSION}')",
            found=quoted(json.dumps(version)),
            advice="A later version needs a later whence.",
        )
    if name != task:
        raise DataError(expected=f"records of the task '{task}'", found=quoted(json.dumps(name)))
    try:
        value = adapter.validate_json(json.dumps(record), strict=True)
    except ValidationError as error:
        # Of a union, the member that was followed furthest is the one that was meant.
        fault = max(error.errors(include_url=False, include_context=False), key=lambda fault: len(fault["loc"]))
        where = _pointer(fault["loc"], record)
        found = f"{where}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
        advice = _misspelt(fault, record) or _wrong_kind(kind, task, record)
        raise DataError(expected=f"a record of '{task}'", found=found, advice=advice) from None
    for where in _unknown(record, adapter.dump_python(value, mode="json"), ""):
        raise DataError(
            expected=f"only the fields of '{task}'",
            found=f"{where}, which is none",
            advice=f"The fields: whence data schema {task}",
        )
    return value


def _unknown(given: Json, understood: Json, where: str) -> Iterator[str]:
    """Pointers to what was given but not understood."""
    if isinstance(given, dict) and isinstance(understood, dict):
        for key, value in given.items():
            if key not in understood:
                yield f"{where}/{key}"
            else:
                yield from _unknown(value, understood[key], f"{where}/{key}")
    elif isinstance(given, list) and isinstance(understood, list):
        for number, (left, right) in enumerate(zip(given, understood, strict=False)):
            yield from _unknown(left, right, f"{where}/{number}")


def _misspelt(fault: Any, record: Json) -> str:
    """Which field may have been meant, where one is missing."""
    value = record
    for part in fault["loc"][:-1]:
        value = value[part] if isinstance(value, dict) and part in value else value
    if fault["type"] != "missing" or not isinstance(value, dict):
        return ""
    near = get_close_matches(str(fault["loc"][-1]), list(value), 1)
    return f"Is '{near[0]}' a slip of '{fault['loc'][-1]}'?" if near else ""


def _wrong_kind(kind: Kind, task: str, record: Json) -> str:
    """What to say where an example stands in the place of a prediction, or the other way round."""
    if kind == "prediction" and "inputs" in record:
        return f"This is an example; predictions have these fields: whence data schema {task} --kind prediction"
    if kind == "example" and "explanation" in record:
        return f"This is a prediction; examples have these fields: whence data schema {task}"
    return ""


def _pointer(location: tuple[int | str, ...], record: Json) -> str:
    """Where in the record: parts that are not in it name a member of a union, but for a last, missing field."""
    shown, value = "", record
    for place, part in enumerate(location, 1):
        inside = part in (
            value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
        )
        if inside:
            value = value[part]
        if inside or place == len(location):
            shown += f"/{part}"
    return shown or "the record"
