"""What a user may type, and how it becomes the inputs of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from whence.errors import UsageError
from whence.structures.results import Example

TYPED = "typed"
"""The id of an example that a user typed."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a user may type: its name, what it is, and how many there may be of it."""

    name: str
    meaning: str
    least: int = 1
    most: int | None = 1

    def taken(self, given: Sequence[str]) -> str | tuple[str, ...]:
        """The text, empty where none is needed; all of them where there may be several. Refused if missing."""
        if self.most != 1:
            if len(given) < self.least or (self.most is not None and len(given) > self.most):
                wanted = " ".join([f"--{self.name} TEXT"] * self.least)
                raise UsageError(f"{wanted} is needed, and there are {len(given)} of them")
            return tuple(given)
        if len(given) > 1:
            raise UsageError(f"--{self.name} is one text here, not {len(given)}")
        if self.least and not "".join(given).strip():
            raise UsageError(f"say what is to be explained: --{self.name} TEXT")
        return "".join(given)


@dataclass(frozen=True, slots=True)
class FormField:
    """How a page asks for a field of the inputs, where its name and its type do not say enough."""

    label: str
    hint: str = ""
    """Else that of its type."""
    lines: int = 0
    """The height of its box; 0: that of its type."""
    read: Callable[[str], Any] | None = None
    """From what was typed to the value; else as values of its type are read."""


@dataclass(frozen=True, slots=True)
class FormInputs:
    """The texts that become the inputs of a task, and what makes inputs of them, in that order."""

    texts: tuple[Text, ...]
    read: Callable[..., Any]
    fields: Mapping[str, FormField] = field(default_factory=dict)
    """Fields of the inputs by name, as pages ask for them."""


def plain_inputs(inputs: type) -> FormInputs:
    """Inputs whose texts are named as the options are."""
    needed = {entry.name: entry.default is MISSING for entry in fields(inputs) if entry.type in ("str", str)}

    def read(*given: str) -> Any:
        return inputs(**{name: text for name, text in zip(needed, given, strict=True) if text})

    return FormInputs(tuple(Text(name, f"the {name}", least=int(must)) for name, must in needed.items()), read)


def typed_example(form: FormInputs, given: Mapping[str, Sequence[str]]) -> Example[Any, Any]:
    """The example that a user typed. What is needed and not there is refused, and what nobody needs."""
    known = [text.name for text in form.texts]
    for name in given:
        if name not in known:
            listed = ", ".join(f"--{one}" for one in known)
            raise UsageError(f"this task has no input --{name}; it has {listed}")
    return Example(TYPED, form.read(*(text.taken(given.get(text.name, ())) for text in form.texts)))
