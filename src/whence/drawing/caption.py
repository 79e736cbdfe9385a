"""The words above a picture: its title, and rows such as the belief, the argument and the stance."""

from __future__ import annotations

from dataclasses import dataclass

from whence.drawing.diagram import STANCES, Diagram
from whence.drawing.text_size import clean, text_width, wrap

_TITLE_TEXT, _TITLE_LINE = 16.0, 22.0
_NAME_TEXT, _ROW_TEXT, _ROW_LINE = 12.0, 14.0, 19.0
_WIDEST, _NAME_SPACE, _ROW_SPACE, _BELOW = 480.0, 14.0, 5.0, 18.0
_BADGE = 16.0


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text, by its left end and base line."""

    text: str
    x: float
    y: float
    size: float
    style: str


@dataclass(frozen=True, slots=True)
class Caption:
    """Lines of text in a rectangle that begins at (0, 0), and the place of the sign of the stance, if any."""

    width: float
    height: float
    words: tuple[Words, ...]
    badge: tuple[str, float, float] | None = None


def set_caption(diagram: Diagram, width: float) -> Caption:
    """The caption of a picture of a width: as wide as the picture, or as it needs where the picture is narrow."""
    room = max(_WIDEST, min(width, 1.6 * _WIDEST))
    words: list[Words] = []
    y = 0.0
    for line in wrap(diagram.title, room, _TITLE_TEXT, bold=True):
        words.append(Words(line, 0, y + 16, _TITLE_TEXT, "heading"))
        y += _TITLE_LINE
    y += _ROW_SPACE if words and diagram.caption else 0
    names = [clean(name) for name, _ in diagram.caption]
    indent = max((text_width(name, _NAME_TEXT) for name in names), default=0.0) + _NAME_SPACE
    badge = None
    for name, (_, text) in zip(names, diagram.caption, strict=True):
        words.append(Words(name, 0, y + 14, _NAME_TEXT, "quiet"))
        stance = text if name == "stance" and text in STANCES else ""
        if stance:
            badge = (stance, indent, y + 9)
        for line in wrap(text, room - indent, _ROW_TEXT) or ("",):
            x = indent + (_BADGE if stance else 0)
            words.append(Words(line, x, y + 14, _ROW_TEXT, f"badge {stance}" if stance else "value"))
            y += _ROW_LINE
        y += _ROW_SPACE
    if not words:
        return Caption(0.0, 0.0, ())
    used = max(word.x + text_width(word.text, word.size, bold=True) for word in words)
    return Caption(used, y + _BELOW, tuple(words), badge)
