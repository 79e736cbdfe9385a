"""Examples in lists: found by words, told in a line."""

from __future__ import annotations

from typing import Any

from whence.pipeline.report.items import input_rows
from whence.pipeline.report.markup import shortened
from whence.structures.results import Example

EXCERPT = 140


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
