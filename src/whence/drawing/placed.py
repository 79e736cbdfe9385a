"""What a layout gives: everything of a diagram with its place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.drawing.diagram import Link, Node

Point = tuple[float, float]
Stroke = tuple[Point, ...]
"""A line without a gap, by its corners."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower side."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, x: float, y: float) -> Box:
        """The same rectangle elsewhere."""
        return Box(self.x + x, self.y + y, self.width, self.height)


def box_around(centre: Point, width: float, height: float) -> Box:
    """The rectangle with a centre and a size."""
    return Box(centre[0] - width / 2, centre[1] - height / 2, width, height)


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node, its box, and the lines of its label and its note."""

    node: Node
    box: Box
    lines: tuple[str, ...]
    note: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link, its strokes from tail to head, and the box and lines of its label, where it has one.

    `angular` strokes have upright and level pieces only; in others a slanting piece stands for a curve.
    """

    link: Link
    strokes: tuple[Stroke, ...]
    label: Box | None
    lines: tuple[str, ...]
    angular: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """All things placed in a rectangle that begins at (0, 0)."""

    width: float
    height: float
    nodes: tuple[PlacedNode, ...]
    links: tuple[PlacedLink, ...]

    def moved(self, x: float, y: float) -> Layout:
        """The same things elsewhere; width and height stay."""
        nodes = tuple(replace(placed, box=placed.box.moved(x, y)) for placed in self.nodes)
        links = tuple(
            replace(
                placed,
                strokes=tuple(tuple((px + x, py + y) for px, py in stroke) for stroke in placed.strokes),
                label=placed.label and placed.label.moved(x, y),
            )
            for placed in self.links
        )
        return Layout(self.width, self.height, nodes, links)
