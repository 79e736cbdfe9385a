"""Forms made from dataclasses: the inputs of a task, and the settings of a method."""

from __future__ import annotations

import ast
import inspect
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from itertools import pairwise
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from whence.errors import UsageError
from whence.formats.dialogues import parse_typed_dialogue
from whence.structures.dialogue import Utterance
from whence.structures.tree import Sentence
from whence.tasks import form_inputs
from whence.tasks.form_inputs import FormField
from whence.tasks.task import AnyTask

_NAMED = re.compile(r"(\w+)[:.)]\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form as it is shown."""

    name: str
    label: str
    value: str
    hint: str = ""
    required: bool = False
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """How values of a type are written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    hint: str = ""
    lines: int = 2


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _words(text: str) -> str:
    return " ".join(text.split())


def _sentences(text: str) -> tuple[Sentence, ...]:
    """A sentence a line, under its id; those without one are numbered."""
    found: dict[str, Sentence] = {}
    for number, line in enumerate(_lines(text), 1):
        named = re.fullmatch(r"(sent\d+):\s*(.+)", line)
        name, words = (named[1], named[2]) if named else (f"sent{number}", line)
        if name in found:
            raise UsageError(f"two facts are called {name}")
        found[name] = Sentence(name, words)
    return tuple(found.values())


def _options(text: str) -> tuple[tuple[str, str], ...]:
    """An option a line, behind its letter; those without one get the next."""
    lines = [(_NAMED.fullmatch(line), line) for line in _lines(text)]
    taken = {named[1] for named, _ in lines if named}
    free = (letter for letter in string.ascii_uppercase if letter not in taken)
    return tuple((named[1], named[2]) if named else (next(free, "?"), line) for named, line in lines)


def _spoken(turns: tuple[Utterance, ...]) -> str:
    return "\n".join(f"{turn.speaker}: {turn.text}" for turn in turns)


_KINDS: Mapping[Any, Kind] = {
    str: Kind(str, _words),
    tuple[str, ...]: Kind("\n".join, lambda text: tuple(_lines(text)), "One a line", 4),
    tuple[tuple[str, str], ...]: Kind(
        lambda found: "\n".join(f"{letter}: {text}" for letter, text in found), _options, "One a line: A: text", 4
    ),
    tuple[Sentence, ...]: Kind(
        lambda found: "\n".join(f"{one.id}: {one.text}" for one in found), _sentences, "One a line", 6
    ),
    tuple[Utterance, ...]: Kind(
        _spoken,
        lambda text: parse_typed_dialogue(text).utterances,
        "A turn a line: A: text. Without speakers, two take turns",
        6,
    ),
}


def _kind(hint: Any) -> Kind:
    """How values of a type are typed; those of any other type as JSON."""
    if hint in _KINDS:
        return _KINDS[hint]
    adapter: TypeAdapter[Any] = TypeAdapter(hint)

    def read(text: str) -> Any:
        try:
            return adapter.validate_json(text)
        except ValidationError as error:
            raise UsageError(f"expected JSON for this field: {error.errors()[0]['msg'].lower()}") from None

    return Kind(lambda value: adapter.dump_json(value).decode(), read, "As JSON", 4)


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def input_fields(task: AnyTask, value: Any = None, typed: Mapping[str, str] | None = None) -> list[Field]:
    """The fields of a task's inputs: with what was typed, else with those of a value, else empty."""
    asked = form_inputs(task).fields
    shown = []
    for entry, hint in _entries(task.inputs):
        kind, own = _kind(hint), asked.get(entry.name) or FormField(_label(entry.name))
        text = kind.write(getattr(value, entry.name)) if value is not None else ""
        if typed is not None:
            text = typed.get(entry.name, "")
        field = Field(
            entry.name, own.label, text, own.hint or kind.hint, _is_required(entry), own.lines or kind.lines
        )
        shown.append(field)
    return shown


def read_inputs(task: AnyTask, typed: Mapping[str, str]) -> Any:
    """The inputs that were typed; what is missing is named."""
    asked = form_inputs(task).fields
    values = {}
    for entry, hint in _entries(task.inputs):
        own = asked.get(entry.name) or FormField(_label(entry.name))
        text = typed.get(entry.name, "")
        if text.strip():
            values[entry.name] = (own.read or _kind(hint).read)(text)
        elif _is_required(entry):
            raise UsageError(f"{own.label}: this is needed")
    return task.inputs(**values)


def _entries(form: type) -> list[tuple[Any, Any]]:
    hints = get_type_hints(form)
    return [(entry, hints[entry.name]) for entry in fields(form)]


def _is_required(entry: Any) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def setting_fields(settings: type, typed: Mapping[str, str]) -> list[Field]:
    """The settings of a method; one that is left empty has its default, which its hint tells."""
    notes = _notes(settings)
    return [
        Field(entry.name, entry.name.replace("_", " "), typed.get(entry.name, ""), _setting_hint(entry, notes))
        for entry in fields(settings)
    ]


def read_settings(typed: Mapping[str, str]) -> dict[str, str]:
    """What was set; the method checks it."""
    return {name: text.strip() for name, text in typed.items() if text.strip()}


def _setting_hint(entry: Any, notes: Mapping[str, str]) -> str:
    default = "" if entry.default in (MISSING, "", None) else f"Usually {entry.default}."
    return " ".join(part for part in (notes.get(entry.name, ""), default) if part)


@cache
def _notes(form: type) -> Mapping[str, str]:
    """What the source says below each field."""
    found = {}
    for part in (part for part in reversed(form.__mro__) if is_dataclass(part)):
        body = ast.parse(inspect.cleandoc(inspect.getsource(part))).body[0]
        for before, after in pairwise(body.body if isinstance(body, ast.ClassDef) else []):
            if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name):
                text = after.value if isinstance(after, ast.Expr) else None
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found[before.target.id] = _words(text.value)
    return found
