"""Where everything of a diagram goes."""

from __future__ import annotations

from collections.abc import Iterator

from whence.drawing.diagram import Diagram
from whence.drawing.layered import layered_parts
from whence.drawing.placed import Layout
from whence.drawing.proof import proof_parts

_WIDE, _WIDEST = 1100.0, 1400.0
_TEXT_WIDTHS = (190.0, 160.0, 132.0)
_BETWEEN_PARTS = 40.0


def lay_out(diagram: Diagram) -> Layout:
    """A place for every node, link and label: nothing overlaps, and equal diagrams get equal layouts.

    Of several layouts, from the most generous to the most compact, the first that is not too wide.
    """
    layout = Layout(0.0, 0.0, (), ())
    for limit, parts in _attempts(diagram):
        layout = _side_by_side(parts)
        if layout.width <= limit:
            break
    return layout


def _attempts(diagram: Diagram) -> Iterator[tuple[float, list[Layout]]]:
    """Parts of the picture as they could be, and how wide they may then be together."""
    if diagram.direction == "down":
        yield _WIDEST, layered_parts(diagram, _TEXT_WIDTHS[0])
        return
    yield _WIDE, proof_parts(diagram, _TEXT_WIDTHS[0], compact=False)
    for width in _TEXT_WIDTHS:
        yield _WIDEST, proof_parts(diagram, width, compact=True)


def _side_by_side(parts: list[Layout]) -> Layout:
    """Parts from left to right, the highest first, in as many rows as the width asks for."""
    limit = max([_WIDE, *(part.width for part in parts)])
    x = y = row = width = 0.0
    placed = []
    for part in sorted(parts, key=lambda part: -part.height):
        if x and x + part.width > limit:
            x, y, row = 0.0, y + row + _BETWEEN_PARTS, 0.0
        placed.append(part.moved(x, y))
        width = max(width, x + part.width)
        row = max(row, part.height)
        x += part.width + _BETWEEN_PARTS
    nodes = tuple(node for part in placed for node in part.nodes)
    links = tuple(link for part in placed for link in part.links)
    return Layout(width, y + row, nodes, links)
