"""Writers promise that what they write reads back as what it was. This is how they keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from whence.errors import DataError, quoted

Value = TypeVar("Value")


def reads_back(text: str, parse: Callable[[str], Value], value: Value, expected: str) -> str:
    """The text, if `parse` makes the value of it; otherwise an error that asks for what `expected` says."""
    try:
        same = parse(text) == value
    except DataError:
        same = False
    if not same:
        raise DataError(expected=expected, found=quoted(text))
    return text


def one_line(text: str, parse: Callable[[str], Value], value: Value, expected: str, *, also_not: str = "") -> str:
    """The same for a text that must be one line, and may be asked to have no other characters either."""
    if set(text) & {"\n", "\r", *also_not}:
        raise DataError(expected=expected, found=quoted(text))
    return reads_back(text, parse, value, expected)
