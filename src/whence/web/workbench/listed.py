"""Examples in lists: found by words, told in a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from whence.pipeline.report.items import input_rows
from whence.pipeline.report.markup import shortened
from whence.structures.results import Example

EXCERPT = 140


class Listed(Protocol):
    """A line of a list."""

    @property
    def number(self) -> int:
        """Of the example, counted from 1."""

    @property
    def address(self) -> str:
        """Of the example's page."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where an example is in a list, in words, and the addresses of those before and after it; empty if none."""

    said: str = ""
    before: str = ""
    after: str = ""


def neighbours(lines: Sequence[Listed], number: int) -> Neighbours:
    """What stands beside the example with that number; nothing, if it is not in the list."""
    place = next((place for place, line in enumerate(lines) if line.number == number), None)
    if place is None:
        return Neighbours()
    before = lines[place - 1].address if place else ""
    after = lines[place + 1].address if place + 1 < len(lines) else ""
    return Neighbours(f"{place + 1:,} of {len(lines):,}", before, after)


def texts_of(inputs: Any) -> list[str]:
    """All texts of inputs, in order."""
    found: list[str] = []
    for _, value in input_rows(inputs):
        found += [value] if isinstance(value, str) else value
    return found


def excerpt(inputs: Any) -> str:
    """The beginning of what inputs say, on a line."""
    return shortened(" · ".join(" ".join(text.split()) for text in texts_of(inputs)), EXCERPT)


def holds(example: Example[Any, Any], words: str) -> bool:
    """Whether every word stands in the id or in the inputs, case aside."""
    if not words.strip():
        return True
    text = "\n".join([example.id, *texts_of(example.inputs)]).casefold()
    return all(word in text for word in words.casefold().split())
