"""JSON of a schema as a constraint on what is written, letter by letter: for models that have no grammars.

The schemas are those of our prompts: objects all of whose properties are needed, in order; arrays with bounds;
enumerations; texts; truth values. What is written has one space after commas and colons, as `json.dumps` has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whence.errors import UsageError, quoted

_ESCAPED = '"\\/nt'
_LONGEST = 400
"""Letters of a text for which the schema has no limit."""


@dataclass(frozen=True, slots=True)
class _Open:
    """The text ended within a value; `rest` is a way to end the value."""

    rest: str


class _WrongTextError(Exception):
    """No value of the schema is written so."""


class JsonText:
    """Texts that are JSON of a schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    def may_begin(self, text: str) -> bool:
        """Whether some JSON of the schema begins so."""
        try:
            found = _read(self._schema, text, 0)
        except _WrongTextError:
            return False
        return isinstance(found, _Open) or found == len(text)

    def may_end(self, text: str) -> bool:
        """Whether this is JSON of the schema."""
        try:
            return _read(self._schema, text, 0) == len(text)
        except _WrongTextError:
            return False

    def way_on(self, text: str) -> str:
        """What may follow; empty if the text is whole, or is none (some tokenizers lack letters)."""
        try:
            found = _read(self._schema, text, 0)
        except _WrongTextError:
            return ""
        return found.rest if isinstance(found, _Open) else ""


def shortest(schema: Mapping[str, Any]) -> str:
    """A short JSON text of a schema."""
    found = _read(schema, "", 0)
    return found.rest if isinstance(found, _Open) else ""


def _read(schema: Mapping[str, Any], text: str, start: int) -> int | _Open:
    """Where the value that starts there ends, or how it may go on."""
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return _one_of([json.dumps(value, ensure_ascii=False) for value in values], text, start)
    kind = schema.get("type")
    if kind == "object":
        return _parts(_object(schema["properties"]), text, start)
    if kind == "array":
        return _array(schema, text, start)
    if kind == "string":
        return _string(schema, text, start)
    if kind == "boolean":
        return _one_of(["true", "false"], text, start)
    raise UsageError(f"no text can be held to a schema of the type {quoted(str(kind))}")


def _object(properties: Mapping[str, Any]) -> Iterator[str | Mapping[str, Any]]:
    for number, (name, schema) in enumerate(properties.items()):
        yield f"{', ' if number else '{'}{json.dumps(name)}: "
        yield schema
    yield "}" if properties else "{}"


def _parts(parts: Iterator[str | Mapping[str, Any]], text: str, start: int) -> int | _Open:
    """Literal texts and values, one after the other."""
    at: int | _Open = start
    for part in parts:
        if isinstance(at, _Open):
            at = _Open(at.rest + (part if isinstance(part, str) else shortest(part)))
        else:
            at = _one_of([part], text, at) if isinstance(part, str) else _read(part, text, at)
    return at


def _one_of(literals: list[str], text: str, start: int) -> int | _Open:
    """The longest of the literals that stands there; else, or if more is there, one that it begins."""
    longest = max((len(literal) for literal in literals if text.startswith(literal, start)), default=-1)
    rest = text[start:]
    if len(rest) > longest:  # of 1 and 100, `10` begins the latter
        for literal in literals:
            if literal.startswith(rest):
                return _Open(literal[len(rest) :])
    if longest < 0:
        raise _WrongTextError
    return start + longest


def _array(schema: Mapping[str, Any], text: str, start: int) -> int | _Open:
    items, least, most = schema["items"], schema.get("minItems", 0), schema.get("maxItems")
    at, count = _one_of(["["], text, start), 0
    while not isinstance(at, _Open):
        may_close, may_grow = count >= least, most is None or count < most
        if may_close and (at == len(text) or text[at] == "]"):
            return _one_of(["]"], text, at)
        if not may_grow:
            raise _WrongTextError
        if count:
            at = _one_of([", "], text, at)
        at = _parts(iter([items]), text, at) if not isinstance(at, _Open) else _Open(at.rest + shortest(items))
        count += 1
    missing = max(0, least - count)
    if not count and missing:  # nothing but the bracket is there
        return _Open(at.rest + ", ".join([shortest(items)] * missing) + "]")
    return _Open(at.rest + "".join(f", {shortest(items)}" for _ in range(missing)) + "]")


def _string(schema: Mapping[str, Any], text: str, start: int) -> int | _Open:
    """A text within quotation marks."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    opened = _one_of(['"'], text, start)
    if isinstance(opened, _Open):
        return _Open(opened.rest + "x" * least + '"')
    at, count = opened, 0
    while at < len(text):
        letter = text[at]
        if letter == '"':
            if count < least:
                raise _WrongTextError
            return at + 1
        if count >= most or not letter.isprintable():
            raise _WrongTextError
        if letter == "\\":
            at += 1
            if at == len(text):
                return _Open('"' + "x" * max(0, least - count - 1) + '"')
            if text[at] not in _ESCAPED:
                raise _WrongTextError
        at, count = at + 1, count + 1
    return _Open("x" * max(0, least - count) + '"')
