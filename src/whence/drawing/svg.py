"""A diagram as one self-contained SVG."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from whence.drawing.caption import Caption, Words, set_caption
from whence.drawing.diagram import SIGNS, Diagram, describe
from whence.drawing.layout import lay_out
from whence.drawing.palette import stylesheet
from whence.drawing.placed import Box, PlacedLink, PlacedNode, Point, Stroke
from whence.drawing.sizes import ICON, LABEL_LINE, LABEL_TEXT, NODE_LINE, NODE_TEXT, NOTE_LINE, NOTE_TEXT, SIGN
from whence.drawing.text_size import clean

_BORDER = 16.0
_ARROW, _ARROW_HALF = 9.0, 4.2
_ROUND, _TURN = 8.0, 9.0
_BASELINE = 0.35  # of the font size: from the middle of a line down to where its letters stand


def to_svg(diagram: Diagram, *, identifier: str = "", styled: bool = True) -> str:
    """The drawing as valid XML without references to anything outside.

    All ids and styles in it begin with `identifier`, so that several drawings can share a page; without one it
    is made from the content. Light or dark follows the reader's setting, or `data-theme` of an enclosing element.
    Unstyled, it is for a page that has the style of `.whence-drawing` itself (`palette.stylesheet`).
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "-", identifier or f"drawing-{_digest(diagram)}")
    name = name if name[:1].isalpha() else f"d{name}"
    layout = lay_out(diagram)
    caption = set_caption(diagram, layout.width)
    width = max(layout.width, caption.width) + 2 * _BORDER
    height = layout.height + caption.height + 2 * _BORDER
    picture = layout.moved((width - layout.width) / 2, _BORDER + caption.height)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" class="whence-drawing" role="img"'
            f' aria-labelledby="{name}-title {name}-desc" viewBox="0 0 {_number(width)} {_number(height)}"'
            f' width="{_number(width)}" height="{_number(height)}">',
            f'<title id="{name}-title">{_text(diagram.title or "Explanation")}</title>',
            f'<desc id="{name}-desc">{_text(_description(diagram))}</desc>',
            f"<style>{escape(stylesheet(f'#{name}'), quote=False)}</style>" if styled else "",
            f'<rect class="paper" width="{_number(width)}" height="{_number(height)}" rx="10"/>',
            *_caption(caption),
            # Marked links last: where links share a line, the difference is what must be seen.
            *(_link(placed) for placed in sorted(picture.links, key=lambda placed: bool(placed.link.mark))),
            *(_node(placed) for placed in picture.nodes),
            "</svg>",
        ]
    )


def _digest(diagram: Diagram) -> str:
    return hashlib.sha256(repr(diagram).encode("utf-8", "backslashreplace")).hexdigest()[:10]


def _description(diagram: Diagram) -> str:
    rows = [f"{name}: {text.rstrip('.')}" for name, text in diagram.caption]
    return ". ".join([*rows, describe(diagram)])


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    return escape(clean(text), quote=False)


def _attribute(text: str) -> str:
    return f'"{escape(clean(text))}"'


def _caption(caption: Caption) -> Iterator[str]:
    for words in caption.words:
        yield _words(words)
    if caption.badge:
        name, x, y = caption.badge
        x, y = x + _BORDER, y + _BORDER
        shape = "M0 5L5 -4L10 5Z" if name == "support" else "M0 -4L5 5L10 -4Z"
        yield f'<path class="{name}" transform="translate({_number(x)} {_number(y)})" d="{shape}"/>'


def _words(words: Words) -> str:
    return (
        f'<text class="{words.style}" x="{_number(words.x + _BORDER)}" y="{_number(words.y + _BORDER)}"'
        f' font-size="{words.size}">{escape(words.text, quote=False)}</text>'
    )


def _node(placed: PlacedNode) -> str:
    node, box = placed.node, placed.box
    middle = box.x + box.width / 2
    top = box.y + (box.height - len(placed.lines) * NODE_LINE - len(placed.note) * NOTE_LINE) / 2
    note_top = top + len(placed.lines) * NODE_LINE
    return "".join(
        [
            f'<g class="{_classes("node", node.kind, node.mark)}" data-id={_attribute(node.id)}>',
            f"<title>{_text(' — '.join(part for part in (node.label, node.note) if part))}</title>",
            f'<rect x="{_number(box.x)}" y="{_number(box.y)}" width="{_number(box.width)}"'
            f' height="{_number(box.height)}" rx="{_number(_ROUND)}"/>',
            _lines(placed.lines, (middle, top), NODE_TEXT, NODE_LINE),
            _lines(placed.note, (middle, note_top), NOTE_TEXT, NOTE_LINE, "quiet"),
            _sign(node.mark, (box.x + 1, box.y + 1)),
            "</g>",
        ]
    )


def _classes(*names: str) -> str:
    return " ".join(re.sub(r"[^A-Za-z0-9_-]", "-", name) for name in names if name)


def _lines(lines: Sequence[str], top: Point, size: float, height: float, style: str = "") -> str:
    """Lines of text below each other, centred at the x of `top`."""
    if not lines:
        return ""
    x = _number(top[0])
    down = height / 2 + _BASELINE * size
    spans = [
        f'<tspan x="{x}" y="{_number(top[1] + index * height + down)}">{escape(line, quote=False)}</tspan>'
        for index, line in enumerate(lines)
    ]
    style = f' class="{style}"' if style else ""
    return f'<text{style} font-size="{size:g}">{"".join(spans)}</text>'


def _sign(mark: str, centre: Point) -> str:
    if mark not in SIGNS:
        return ""
    x, y = _number(centre[0]), _number(centre[1])
    return (
        f'<circle class="sign" cx="{x}" cy="{y}" r="{_number(SIGN / 2)}"/>'
        f'<text class="sign-text" x="{x}" y="{_number(centre[1] + 5)}" font-size="14">{SIGNS[mark]}</text>'
    )


def _link(placed: PlacedLink) -> str:
    link = placed.link
    strokes, head = _with_head(placed.strokes)
    path = _angular if placed.angular else _curved
    return "".join(
        [
            f'<g class="{_classes("link", link.kind, link.mark)}" data-tail={_attribute(link.tail)}'
            f" data-head={_attribute(link.head)}>",
            f"<title>{_text(link.label)}</title>" if link.label else "",
            f'<path class="stroke" d="{"".join(path(stroke) for stroke in strokes)}"/>',
            f'<path class="head" d="{head}"/>',
            _label(placed),
            "</g>",
        ]
    )


def _label(placed: PlacedLink) -> str:
    box = placed.label
    if box is None:
        return ""
    if not placed.lines and placed.link.kind != "negated":
        return _sign(placed.link.mark, box.centre)
    if placed.link.kind == "negated":
        return _negation(box) + _lines(placed.lines, (box.x + ICON, box.y + 1), LABEL_TEXT, LABEL_LINE, "start")
    return _lines(placed.lines, (box.centre[0], box.y + 1), LABEL_TEXT, LABEL_LINE)


def _negation(box: Box) -> str:
    """A circle with a stroke through it, at the left end of a label."""
    radius, slant = 5.0, 3.5
    x, y = box.x + radius + 1, box.y + box.height / 2
    return (
        f'<path class="icon" d="M{_number(x - radius)} {_number(y)}a5 5 0 1 1 10 0a5 5 0 1 1 -10 0'
        f'M{_number(x - slant)} {_number(y - slant)}l7 7"/>'
    )


def _with_head(strokes: tuple[Stroke, ...]) -> tuple[list[Stroke], str]:
    """The strokes, the last of them shortened by the length of the arrow head, and the path of the head."""
    *others, last = strokes
    (x0, y0), (x1, y1) = last[-2], last[-1]
    # All lines arrive upright or level; a curve arrives upright.
    level = abs(y1 - y0) < 1e-6
    dx, dy = (1.0 if x1 > x0 else -1.0, 0.0) if level else (0.0, 1.0 if y1 > y0 else -1.0)
    neck = (x1 - dx * (_ARROW - 1), y1 - dy * (_ARROW - 1))
    back = (x1 - dx * _ARROW, y1 - dy * _ARROW)
    corners = [
        (x1, y1),
        (back[0] - dy * _ARROW_HALF, back[1] + dx * _ARROW_HALF),
        (back[0] + dy * _ARROW_HALF, back[1] - dx * _ARROW_HALF),
    ]
    return [*others, (*last[:-1], neck)], "M" + "L".join(_point(corner) for corner in corners) + "Z"


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _curved(stroke: Stroke) -> str:
    """The path of a stroke, each slanting piece a curve that begins and ends upright."""
    parts = [f"M{_point(stroke[0])}"]
    for (x0, y0), (x1, y1) in pairwise(stroke):
        middle = (y0 + y1) / 2
        straight = abs(x0 - x1) < 0.05
        parts.append(
            f"L{_point((x1, y1))}"
            if straight
            else f"C{_point((x0, middle))} {_point((x1, middle))} {_point((x1, y1))}"
        )
    return "".join(parts)


def _angular(stroke: Stroke) -> str:
    """The path of a stroke of upright and level pieces, its corners rounded."""
    parts = [f"M{_point(stroke[0])}"]
    for before, corner, after in zip(stroke, stroke[1:], stroke[2:], strict=False):
        entry, exit_ = _towards(corner, before), _towards(corner, after)
        parts.append(f"L{_point(entry)}Q{_point(corner)} {_point(exit_)}")
    return "".join([*parts, f"L{_point(stroke[-1])}"])


def _towards(corner: Point, end: Point) -> Point:
    """The point at which the rounding of a corner begins: at most half-way to the end of the piece."""
    (x, y), (to_x, to_y) = corner, end
    distance = abs(to_x - x) + abs(to_y - y)
    share = min(_TURN, distance / 2) / distance if distance else 0.0
    return x + (to_x - x) * share, y + (to_y - y) * share
