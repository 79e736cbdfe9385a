"""JSON values in a text, as models write them.

Besides JSON itself: single and typographic quotation marks, names and values without any, trailing commas,
comments, Python's `None`, `True` and `False`, line ends within texts. A value that is cut off or broken is said to
be, and what it holds is not read as if it stood alone.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import key_of
from whence.formats.llm_text.clean import plain_quotes

DEPTH = 60
"""Brackets within brackets that are followed."""

_BLANK = re.compile(r"(?:\s+|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_LITERALS = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "undefined": None,
}
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][-+]?\d{1,3})?(?![\w.])")
_BARE_KEY = re.compile(r"[^\W\d]\w*")
_BARE_VALUE = re.compile(r"[^\W\d_][\w .'’/&>-]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", "b": " ", "f": " "}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_CLOSING = {'"': '"', "'": "'", "“": "”", "”": "”", "‘": "’", "’": "’", "„": "“", "«": "»"}
_AFTER_TEXT = re.compile(r"\s*(?:[,:}\]]|//|#|/\*|\Z)")


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A JSON value of a text and where it stands."""

    value: Json
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonParts:
    """All JSON values of a text, in order."""

    parts: tuple[JsonPart, ...]
    fault: str = ""
    """What is wrong with the last value that is not whole; empty if all are."""
    fault_start: int = -1

    @property
    def values(self) -> list[Json]:
        """The values alone."""
        return [part.value for part in self.parts]

    def rest(self, text: str) -> str:
        """The text without its JSON values."""
        kept, end = [], 0
        for part in self.parts:
            kept.append(text[end : part.start])
            end = part.end
        return "\n".join([*kept, text[end:]])


class _FaultError(Exception):
    """The value that was begun is not JSON."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index, self.reason = index, reason


def json_parts(text: str) -> JsonParts:
    """The objects and arrays of a text that stand alone, none within another."""
    parts: list[JsonPart] = []
    fault, fault_start, index = "", -1, 0
    strict = text.isascii() and "\\" not in text and text.count("{") + text.count("[") <= DEPTH
    while (start := _next_bracket(text, index)) >= 0:
        part = _strict_part(text, start) if strict else None
        if part is not None:
            parts.append(part)
            index = part.end
            continue
        parser = _Parser(text)
        try:
            value, end = parser.value(start, 0)
            parts.append(JsonPart(value, start, end))
            index = end
        except _FaultError as error:
            if parser.entries:  # some of it was JSON, so that all of it was meant to be
                fault, fault_start = error.reason, start
                index = max(error.index, start + 1)
            else:
                index = max(start + 1, error.index if error.reason == _TOO_DEEP else 0)
    return JsonParts(tuple(parts), fault, fault_start)


def _strict_part(text: str, start: int) -> JsonPart | None:
    """The value as Python's own decoder reads it, which is much faster; None where ours may read it otherwise."""
    try:
        value, end = _STRICT.raw_decode(text, start)
    except ValueError:
        return None
    return JsonPart(value, start, end)


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name stands twice")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_finite, parse_float=_finite)

_TOO_DEEP = "its JSON has brackets nested too deeply"


def _next_bracket(text: str, index: int) -> int:
    starts = [start for start in (text.find("{", index), text.find("[", index)) if start >= 0]
    return min(starts, default=-1)


class _Parser:
    """Reads one value; `entries` counts what was read of objects and arrays before a fault."""

    def __init__(self, text: str) -> None:
        self._text, self.entries, self._in_object = text, 0, 0

    def value(self, index: int, depth: int) -> tuple[Json, int]:
        """The value at an index, and where it ends."""
        if depth > DEPTH:
            raise _FaultError(index, _TOO_DEEP)
        first = self._text[index : index + 1]
        if first == "{":
            return self._object(index, depth)
        if first == "[":
            return self._array(index, depth)
        if first in _CLOSING and first:
            return self._string(index)
        number = _NUMBER.match(self._text, index)
        if number:
            return _number(number[0]), number.end()
        word = _BARE_KEY.match(self._text, index)
        if word and word[0] in _LITERALS and not self._goes_on(word.end()):
            return _LITERALS[word[0]], word.end()
        bare = _BARE_VALUE.match(self._text, index) if self._in_object else None
        if bare and not self._goes_on(bare.end()):
            return bare[0].strip(), bare.end()
        raise self._fault(index)

    def _goes_on(self, index: int) -> bool:
        return _AFTER_TEXT.match(self._text, index) is None and self._text[index : index + 1] != "\n"

    def _object(self, start: int, depth: int) -> tuple[dict[str, Json], int]:
        self._in_object += 1
        members: dict[str, Json] = {}
        index = self._skip(start + 1)
        while self._text[index : index + 1] != "}":
            name, index = self._name(index)
            index = self._skip(index)
            if self._text[index : index + 1] != ":":
                raise self._fault(index)
            value, index = self.value(self._skip(index + 1), depth + 1)
            if name in members and members[name] != value:
                self.entries += 1
                raise _FaultError(index, f"its JSON has the key {quoted(name, 40)} twice, with different values")
            members[name] = value
            self.entries += 1
            index = self._next(index, "}")
        self._in_object -= 1
        return members, index + 1

    def _name(self, index: int) -> tuple[str, int]:
        if self._text[index : index + 1] in _CLOSING and index < len(self._text):
            return self._string(index)
        bare = _BARE_KEY.match(self._text, index)
        if not bare:
            raise self._fault(index)
        return bare[0], bare.end()

    def _array(self, start: int, depth: int) -> tuple[list[Json], int]:
        items: list[Json] = []
        index = self._skip(start + 1)
        while self._text[index : index + 1] != "]":
            value, index = self.value(index, depth + 1)
            items.append(value)
            # `[sic` and `[1` open remarks and references as well as arrays.
            self.entries += not isinstance(value, int | float)
            index = self._next(index, "]")
        return items, index + 1

    def _next(self, index: int, closing: str) -> int:
        """The index of the next entry, or of the closing bracket."""
        index = self._skip(index)
        if self._text[index : index + 1] == ",":
            return self._skip(index + 1)
        if self._text[index : index + 1] != closing:
            raise self._fault(index)
        return index

    def _skip(self, index: int) -> int:
        match = _BLANK.match(self._text, index)
        return match.end() if match else index

    def _string(self, start: int) -> tuple[str, int]:
        closing = _CLOSING[self._text[start]]
        letters: list[str] = []
        index = start + 1
        special = re.compile(f"[\\\\{closing}]")
        while match := special.search(self._text, index):
            letters.append(self._text[index : match.start()])
            index = match.end()
            if match[0] == "\\":
                letter, index = self._escape(index)
                letters.append(letter)
            elif _AFTER_TEXT.match(self._text, index):
                return plain_quotes("".join(letters)), index
            else:
                letters.append(match[0])  # a quotation mark within the text
        self.entries += 1
        raise self._fault(len(self._text))

    def _escape(self, index: int) -> tuple[str, int]:
        letter = self._text[index : index + 1]
        if letter == "u" and (digits := _HEX.match(self._text, index + 1)):
            first = int(digits[0], 16)
            follows = self._text[digits.end() : digits.end() + 2]
            if 0xD800 <= first < 0xDC00 and follows == "\\u" and (low := _HEX.match(self._text, digits.end() + 2)):
                second = int(low[0], 16)
                if 0xDC00 <= second < 0xE000:
                    return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00), low.end()
            return ("" if 0xD800 <= first < 0xE000 else chr(first)), digits.end()
        return _ESCAPES.get(letter, letter), index + 1

    def _fault(self, index: int) -> _FaultError:
        if not self._text[index:].strip("`~ \n\t"):
            return _FaultError(len(self._text), "its JSON is cut off")
        return _FaultError(index, f"its JSON has a fault near {quoted(self._text[index : index + 20], 20)}")


def _number(digits: str) -> int | float:
    return float(digits) if any(mark in digits for mark in ".eE") else int(digits)


def members(value: Json) -> dict[str, Json]:
    """The members of an object under comparable names; of two with the same name, the first; else {}."""
    if not isinstance(value, dict):
        return {}
    named: dict[str, Json] = {}
    for name, inner in value.items():
        named.setdefault(key_of(str(name)), inner)
    return named


def member(value: Json, names: Any) -> Json:
    """The first member of an object that one of the names means; None if it has none."""
    named = members(value)
    return next((named[name] for name in names if named.get(name) is not None), None)
