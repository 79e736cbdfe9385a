"""Configurations from TOML: read, checked as a whole, told apart by their versions."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.collection.configuration import Configuration
from whence.collection.consistency import faults
from whence.errors import DataError, UsageError, quoted
from whence.files import Json, read_text
from whence.tasks import TASKS

_BUNDLED = Path(__file__).parent / "configurations"


def bundled_files() -> dict[str, Path]:
    """The configurations that ship with this package, those of the five papers, and with tasks, by name."""
    with_tasks = [task.collecting.configuration for task in TASKS.values()]
    shipped = [*(path for path in with_tasks if path is not None), *_BUNDLED.glob("*.toml")]
    return {path.stem: path for path in sorted(shipped, key=lambda path: path.stem)}


def parse_configuration(text: str) -> Configuration:
    """A configuration from TOML, checked as a whole."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(expected="TOML", found=str(error)) from None
    try:
        found = _adapter().validate_python(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = _place(first["loc"], document)
        raise DataError(expected=f"a configuration, with {where}", found=_told(first)) from None
    for where, message in faults(found):
        raise DataError(expected=f"a configuration that holds together, with {where}", found=message)
    return found


@cache
def _adapter() -> TypeAdapter[Configuration]:
    return TypeAdapter(Configuration)


def _told(fault: Any) -> str:
    """What is wrong in words."""
    if fault["type"] == "unexpected_keyword_argument":
        return "a key that is none here"
    if fault["type"].startswith("missing"):
        return "nothing there"
    shown = quoted(str(fault["input"]), 40)
    return f"{shown}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"


def _place(location: tuple[int | str, ...], document: Json) -> str:
    """`stages[graph-creation].overlap.count`: a key, with the names of the tables it stands in."""
    shown, value = "", document
    for step in location:
        value = _inside(value, step)
        if isinstance(step, int):
            named = value.get("name", step) if isinstance(value, dict) else step
            shown += f"[{named}]"
        else:
            shown += f".{step}" if shown else step
    return shown or "its keys"


def _inside(value: Json, step: int | str) -> Json:
    """The element or part, where there is one."""
    if isinstance(value, dict):
        return value.get(step)
    return value[step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else None


def _file(where: str) -> Path:
    """The file that a user means: a path, or the name of a bundled one."""
    path = Path(where)
    if path.is_file():
        return path
    bundled = bundled_files()
    if where not in bundled:
        raise UsageError(f"{quoted(where)} is neither a file nor a bundled configuration ({', '.join(bundled)})")
    return bundled[where]


def read_configuration(where: str) -> tuple[Configuration, str]:
    """The configuration that a user means, and its text."""
    path = _file(where)
    text = read_text(path)
    try:
        return parse_configuration(text), text
    except DataError as error:
        raise error.at(path) from None


def fingerprint(text: str) -> str:
    """The version of a configuration: what it says, not when."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
