"""What a user typed, and how it becomes the inputs of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from whence.errors import UsageError
from whence.structures.results import Example

TYPED = "typed"
"""The id of an example that a user typed."""


class Given:
    """Texts by the names of options. What is needed and not there is refused, and what nobody needs."""

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        self._texts = {name: tuple(found) for name, found in texts.items() if found}
        self._asked: list[str] = []

    def one(self, name: str) -> str:
        """A text that has to be there."""
        found = self.maybe(name)
        if not found.strip():
            raise UsageError(f"say what is to be explained: --{name} TEXT")
        return found

    def maybe(self, name: str) -> str:
        """A text that may be there; empty if it is not."""
        found = self.several(name)
        if len(found) > 1:
            raise UsageError(f"--{name} is one text here, not {len(found)}")
        return found[0] if found else ""

    def several(self, name: str, least: int = 0, most: int | None = None) -> tuple[str, ...]:
        """All texts of an option that may be repeated."""
        self._asked.append(name)
        found = self._texts.get(name, ())
        if len(found) < least or (most is not None and len(found) > most):
            wanted = " ".join([f"--{name} TEXT"] * least)
            raise UsageError(f"{wanted} is needed, and there are {len(found)} of them")
        return found

    def refuse_others(self) -> None:
        """Refuses what was typed and not asked for."""
        for name in self._texts:
            if name not in self._asked:
                known = ", ".join(f"--{one}" for one in dict.fromkeys(self._asked))
                raise UsageError(f"this task has no input --{name}; it has {known}")


Typed = Callable[[Given], Any]
"""From what was typed to the inputs of a task."""


def plain_inputs(inputs: type) -> Typed:
    """Inputs whose texts are named as the options are."""
    texts = [entry for entry in fields(inputs) if entry.type in ("str", str)]

    def read(given: Given) -> Any:
        needed = {entry.name: entry.default is MISSING for entry in texts}
        found = {name: given.maybe(name) for name in needed}
        given.refuse_others()
        missing = [name for name, must in needed.items() if must and not found[name].strip()]
        if missing:
            raise UsageError(f"say what is to be explained: {' '.join(f'--{name} TEXT' for name in missing)}")
        return inputs(**{name: text for name, text in found.items() if text})

    return read


def typed_example(read: Typed, texts: Mapping[str, Sequence[str]]) -> Example[Any, Any]:
    """The example that a user typed."""
    given = Given(texts)
    inputs = read(given)
    given.refuse_others()
    return Example(TYPED, inputs)
