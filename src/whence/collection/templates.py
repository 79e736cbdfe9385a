"""Pointers into JSON values, and templates that are filled from them.

A template is a JSON value whose texts that start with `/` are pointers: each is replaced by what it points at. An
object `{each = POINTER, make = TEMPLATE}` becomes a list: the template filled for each element, `/each` there. An
object `{join = [TEMPLATE, ...]}` becomes one list of what the templates give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whence.errors import UsageError, quoted
from whence.files import Json

MISSING: Any = object()
"""What a pointer that leads nowhere finds."""


def at(value: Json, pointer: str) -> Json:
    """What a pointer such as `/facts/3` points at; `MISSING` if at nothing. The empty one is the whole."""
    for step in _steps(pointer):
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list | tuple) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
    return value


def _steps(pointer: str) -> Iterator[str]:
    # RFC 6901: ~1 is a slash, ~0 a tilde
    return (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def elements(value: Json, pointer: str) -> dict[str, Json]:
    """The elements of the list that a pointer points at, by their own pointers; none where there is no list."""
    found = at(value, pointer)
    if not isinstance(found, list | tuple):
        return {}
    return {f"{pointer}/{number}": element for number, element in enumerate(found)}


def fill(template: Json, scope: Mapping[str, Json]) -> Json:
    """The template with its pointers replaced. Parts of objects and lists that point nowhere are left out."""
    if isinstance(template, str):
        return at(scope, template) if template.startswith("/") else template
    if isinstance(template, Mapping) and template.keys() == {"each", "make"}:
        found = at(scope, template["each"])
        rows = found if isinstance(found, list | tuple) else ()
        return [fill(template["make"], {**scope, "each": row}) for row in rows]
    if isinstance(template, Mapping) and template.keys() == {"join"}:
        parts = (fill(part, scope) for part in template["join"])
        return [element for part in parts if part is not MISSING for element in part]
    if isinstance(template, Mapping):
        filled = {name: fill(part, scope) for name, part in template.items()}
        return {name: part for name, part in filled.items() if part is not MISSING}
    if isinstance(template, list | tuple):
        return [part for part in (fill(part, scope) for part in template) if part is not MISSING]
    return template


def pointers(template: Json) -> Iterator[str]:
    """The pointers that a template holds."""
    if isinstance(template, str):
        if template.startswith("/"):
            yield template
    elif isinstance(template, Mapping):
        for part in template.values():
            yield from pointers(part)
    elif isinstance(template, list | tuple):
        for part in template:
            yield from pointers(part)


def required(value: Json, pointer: str, where: str) -> Json:
    """What a pointer points at, which must be there."""
    found = at(value, pointer)
    if found is MISSING:
        raise UsageError(f"{where}: nothing stands at {quoted(pointer)}")
    return found
