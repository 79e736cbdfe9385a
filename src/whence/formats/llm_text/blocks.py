"""Lines of an answer as Markdown means them: headings, list items, labels, fences, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from whence.formats.llm_text.clean import plain_quotes, without_emphasis

Mark = Literal["", "heading", "bullet", "number"]

_FENCE = re.compile(r"^\s*(?:```|~~~)+\s*([\w+#.-]*)\s*$")
_ONE_LINE_FENCE = re.compile(r"^\s*```(?:[\w+-]+\s)?\s*([^`]+?)\s*```\s*$")
_QUOTE = re.compile(r"^\s*(?:>\s+)+")
_HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+•‣◦·▪●○–—]|\[[ xX]\])\s+(.*)$")
_NUMBER = re.compile(
    r"^\s*(?:\*\*|__)?\(?(?:(?:step|edge|triplet|triple|fact|inference|hop)\s*#?\s*)?(\d{1,3})\s*[.):]"
    r"(?:\*\*|__)?(?:\s+|(?=[\"'(\[<*_`]))(.*)$",
    re.IGNORECASE,
)
_WORD_NUMBER = re.compile(
    r"^\s*(?:\*\*|__)?(?:step|edge|triplet|triple|fact|inference|hop)\s+#?(\d{1,3})\s*(?:[.):–—-]|\*\*|__)+\s*(.*)$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^([^\W\d_][\w /'’#&()-]{0,48}?)\s*(?:[:：]|=(?![=>]))\s*(.*)$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")


def names(text: str) -> tuple[str, ...]:
    """The words of a text, as a list of names."""
    return tuple(text.split())


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something, without its marks."""

    text: str
    """Without list mark and emphasis."""
    marked: str
    """The same with its emphasis."""
    mark: Mark = ""
    number: int | None = None
    """Of a numbered item."""
    fence: int = 0
    """The fence that the line is in, counted from 1; 0 outside."""
    tag: str = ""
    """The language that its fence names."""
    after_blank: bool = False
    indent: int = 0
    """Blanks before its mark."""

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list."""
        return self.mark in ("bullet", "number")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of Markdown; `header` is empty where the first row is not one."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def lines_of(text: str) -> list[Line]:
    """The lines of a text that say something."""
    lines: list[Line] = []
    fence, fences, tag, blank = 0, 0, "", True
    for raw in text.split("\n"):
        edge = _FENCE.match(raw)
        if edge:
            fence, fences, tag = (0, fences, "") if fence else (fences + 1, fences + 1, edge[1].lower())
            blank = True
        elif not raw.strip():
            blank = True
        else:
            lines.append(_line(raw, fence, tag, blank))
            blank = False
    return [line for line in lines if line.text]


def _line(raw: str, fence: int, tag: str, after_blank: bool) -> Line:
    indent = len(raw) - len(raw.lstrip())
    alone = _ONE_LINE_FENCE.match(raw)
    raw = _QUOTE.sub("", alone[1] if alone else raw)
    mark: Mark = ""
    number: int | None = None
    heading = _HEADING.match(raw)
    if heading:
        mark, raw = "heading", heading[1]
    else:
        bullet = _BULLET.match(raw)
        if bullet and not _TABLE_RULE.match(raw):
            mark, raw = "bullet", bullet[1]
    numbered = _WORD_NUMBER.match(raw) or _NUMBER.match(raw)
    if numbered and (numbered[2] or not heading):
        mark, number, raw = mark if heading else "number", int(numbered[1]), numbered[2]
    marked = plain_quotes(raw).strip()
    return Line(without_emphasis(marked).strip(), marked, mark, number, fence, tag, after_blank, indent)


def label_of(line: Line) -> tuple[str, str] | None:
    """The label of a line in lower case, and what stands behind it; of a heading, which needs "
    "no colon, the whole."""
    match = _LABEL.match(line.text)
    if match:
        return _key(match[1]), match[2].strip()
    return (_key(line.text), "") if line.mark == "heading" else None


def _key(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def key_of(name: str) -> str:
    """The name of a field as it is looked for: `finalAnswer`, `Final answer` and `final-answer` are one."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return "_".join(re.split(r"[\W_]+", words.casefold().strip(" :*`'\"")))


def fenced(text: str) -> list[str]:
    """What the fences of a text hold, in order."""
    contents: list[str] = []
    inside: list[str] | None = None
    for raw in text.split("\n"):
        if _FENCE.match(raw):
            if inside is not None:
                contents.append("\n".join(inside))
            inside = None if inside is not None else []
        elif inside is not None:
            inside.append(raw)
        elif alone := _ONE_LINE_FENCE.match(raw):
            contents.append(alone[1])
    if inside:
        contents.append("\n".join(inside))
    return [content for content in contents if content.strip()]


def tables_in(text: str) -> list[Table]:
    """The tables of a text: rows of cells between bars under a header and a rule."""
    rows = [raw.strip() for raw in text.split("\n")]
    tables: list[Table] = []
    index = 0
    while index < len(rows):
        if not _TABLE_RULE.match(rows[index]) or "|" not in rows[index]:
            index += 1
            continue
        header = _cells(rows[index - 1]) if index and "|" in rows[index - 1] else ()
        body = []
        index += 1
        while index < len(rows) and "|" in rows[index] and not _TABLE_RULE.match(rows[index]):
            body.append(_cells(rows[index]))
            index += 1
        tables.append(Table(header, tuple(body)))
    return tables


def _cells(row: str) -> tuple[str, ...]:
    cells = row.removeprefix("|").removesuffix("|").replace("\\|", "\0").split("|")
    return tuple(without_emphasis(plain_quotes(cell.replace("\0", "|"))).strip() for cell in cells)


def columns(table: Table, names: Sequence[frozenset[str]]) -> list[int] | None:
    """The index of the column that each set of names means; None if the header lacks one of them."""
    keys = [key_of(cell) for cell in table.header]
    indexes = [next((index for index, key in enumerate(keys) if key in wanted), -1) for wanted in names]
    return None if -1 in indexes or len(set(indexes)) < len(indexes) else indexes
