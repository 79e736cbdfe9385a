"""What the released solver left beside the patterns: lemmas in row comments, and solutions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whence.errors import DataError, quoted
from whence.files import Json
from whence.formats.schemas.tokens import tokens
from whence.structures.schema import (
    SchemaSolutions,
)

_CELL_COMMENT = r'[A-Za-z0-9_]+:[ ]?"[^"\n]*"[ \t]*'
_ROW_COMMENT = re.compile(rf"\(([\w-]+)\)[ \t]*\[[ \t]*((?:{_CELL_COMMENT}(?:,[ \t]*{_CELL_COMMENT})*)?)\]")
_CELL_PARTS = re.compile(r'([A-Za-z0-9_]+):[ ]?"([^"\n]*)"')


def row_comment_lemmas(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The content lemmas that row comments tell of a cell's alternatives: uid -> column -> alternatives.

    A row comment holds `(uid) [ COLUMN:"lemmas", OTHER:"lemmas;other lemmas" ]`; other comments are passed
    over. Where a uid occurs more than once, the first counts. Lemmas are given as they stand: before the lemma
    `1` the published comments have a byte-order mark, or `?` for it, that came from the solver's word list.
    """
    rows: dict[str, dict[str, tuple[str, ...]]] = {}
    for token in tokens(text):
        if token.kind == "comment":
            for uid, cells in _ROW_COMMENT.findall(token.text):
                rows.setdefault(uid, {column: _alternatives(cell) for column, cell in _CELL_PARTS.findall(cells)})
    return rows


def parse_solutions(value: Json) -> tuple[SchemaSolutions, ...]:
    """The solutions in a JSON value `[{"pattern", "slots", "solutions": [[uid or ""]]}]`, one uid a slot."""
    if not isinstance(value, list):
        raise DataError(expected="a list of patterns with solutions", found=_shown_json(value))
    return tuple(_parse_pattern_solutions(item, number) for number, item in enumerate(value, start=1))


def format_solutions(solutions: Iterable[SchemaSolutions]) -> list[dict[str, Json]]:
    """The JSON value of solutions, such that `parse_solutions` gives equal values."""
    return [
        {
            "pattern": pattern.pattern,
            "slots": list(pattern.slots),
            "solutions": [list(solution) for solution in pattern.solutions],
        }
        for pattern in solutions
    ]


def _alternatives(cell: str) -> tuple[str, ...]:
    return tuple(alternative.strip() for alternative in cell.split(";"))


def _parse_pattern_solutions(item: Json, number: int) -> SchemaSolutions:
    fields = ("pattern", "slots", "solutions")
    if not isinstance(item, dict) or set(item) != set(fields):
        raise DataError(
            expected=f"an object with the fields {', '.join(fields)} as item {number}",
            found=_shown_json(item),
        )
    pattern, slots, solutions = (item[name] for name in fields)
    if not isinstance(pattern, str):
        raise DataError(expected=f"the name of a pattern in item {number}", found=_shown_json(pattern))
    if not _is_strings(slots):
        raise DataError(expected=f"a list of slot names for {quoted(pattern)}", found=_shown_json(slots))
    if not isinstance(solutions, list):
        raise DataError(expected=f"a list of solutions for {quoted(pattern)}", found=_shown_json(solutions))
    for place, solution in enumerate(solutions, start=1):
        if not _is_strings(solution) or len(solution) != len(slots):
            raise DataError(
                expected=f"a list of {len(slots)} uids, one a slot, as solution {place} of {quoted(pattern)}",
                found=_shown_json(solution),
            )
    return SchemaSolutions(pattern, tuple(slots), tuple(tuple(solution) for solution in solutions))


def _is_strings(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


_JSON_KINDS = {type(None): "null", bool: "true or false", int: "a number", float: "a number"}


def _shown_json(value: Json) -> str:
    if isinstance(value, dict):
        return f"an object with the fields {quoted(', '.join(map(str, value)))}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if _is_strings(value) else f"a list of {len(value)}, not all strings"
    if isinstance(value, str):
        return quoted(value)
    return _JSON_KINDS.get(type(value), f"a {type(value).__name__}")
