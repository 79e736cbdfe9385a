"""How much room the texts of a diagram take."""

from __future__ import annotations

from dataclasses import dataclass

from whence.drawing.diagram import SIGNS, Link, Node
from whence.drawing.text_size import clean, text_width, wrap

NODE_TEXT, NODE_LINE = 14.0, 18.0
NOTE_TEXT, NOTE_LINE = 11.5, 15.0
LABEL_TEXT, LABEL_LINE = 12.5, 16.0
ICON, SIGN = 16.0, 17.0
"""The room for what says that a link is negated, before its label, and the size of the sign of a mark."""

_PADDING, _MARGIN = 13.0, 9.0
_LEAST_WIDTH, _LEAST_HEIGHT = 44.0, 34.0
_LABEL_WIDTH = 150.0


@dataclass(frozen=True, slots=True)
class Size:
    """The width and height of a text with its padding, its lines, and those of a smaller text below it."""

    width: float
    height: float
    lines: tuple[str, ...] = ()
    note: tuple[str, ...] = ()


def node_size(node: Node, width: float) -> Size:
    """The size of a box whose text is at most `width` wide."""
    bold = node.kind == "root"
    lines = wrap(node.label, width, NODE_TEXT, bold=bold)
    note = wrap(node.note, width, NOTE_TEXT)
    widths = [text_width(line, NODE_TEXT, bold=bold) for line in lines]
    widths += [text_width(line, NOTE_TEXT) for line in note]
    height = len(lines) * NODE_LINE + len(note) * NOTE_LINE + 2 * _MARGIN
    return Size(max(_LEAST_WIDTH, max(widths, default=0) + 2 * _PADDING), max(_LEAST_HEIGHT, height), lines, note)


def label_size(link: Link) -> Size | None:
    """The size of what is written on a link, the sign of its mark included; None where there is nothing."""
    icon = ICON if link.kind == "negated" else 0.0
    if not clean(link.label) and not icon:
        return Size(SIGN, SIGN) if link.mark in SIGNS else None
    lines = wrap(f"{SIGNS.get(link.mark, '')} {link.label}", _LABEL_WIDTH, LABEL_TEXT)
    width = max((text_width(line, LABEL_TEXT) for line in lines), default=0.0)
    return Size(width + icon, max(1, len(lines)) * LABEL_LINE + 2, lines)
