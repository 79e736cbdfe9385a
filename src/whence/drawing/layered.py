"""The layered layout (Sugiyama et al. 1981) of any directed multigraph."""

from __future__ import annotations

from collections.abc import Sequence

from whence.drawing.coordinates import places
from whence.drawing.diagram import Diagram, Link, Node
from whence.drawing.grid import LEAST_MARGIN, NODE_MARGIN, Cell, build_grid
from whence.drawing.layers import closing_arcs, components
from whence.drawing.ordering import ordered
from whence.drawing.placed import Box, Layout, PlacedLink, PlacedNode, box_around
from whence.drawing.routes import Routes, route
from whence.drawing.sizes import Size, label_size, node_size

_LABEL_SPACE = 6.0
_LOOP_REACH, _LOOP_HEIGHT = 22.0, 20.0

_Arrow = tuple[int, int, Link]
"""A link with the numbers of its tail and head."""


def layered_parts(diagram: Diagram, width: float) -> list[Layout]:
    """Every connected part of a diagram, its texts at most `width` wide, its arrows pointing down."""
    number = {node.id: index for index, node in enumerate(diagram.nodes)}
    arrows = [(number[link.tail], number[link.head], link) for link in diagram.links]
    parts = []
    for members in components(len(number), [(tail, head) for tail, head, _ in arrows]):
        inside = {member: index for index, member in enumerate(members)}
        part = [(diagram.nodes[member], node_size(diagram.nodes[member], width)) for member in members]
        parts.append(_part(part, [(inside[t], inside[h], link) for t, h, link in arrows if t in inside]))
    return parts


def _part(nodes: list[tuple[Node, Size]], arrows: list[_Arrow]) -> Layout:
    """The layout of one connected part."""
    loops = [[link for tail, head, link in arrows if tail == head == number] for number in range(len(nodes))]
    between = [arrow for arrow in arrows if arrow[0] != arrow[1]]
    arcs = [(tail, head) for tail, head, _ in between]
    closing = closing_arcs(len(nodes), arcs)
    arcs = [(head, tail) if number in closing else (tail, head) for number, (tail, head) in enumerate(arcs)]
    labels = [label_size(link) for _, _, link in between]
    cells = [_node_cell(size, own) for (_, size), own in zip(nodes, loops, strict=True)]
    grid = build_grid(cells, arcs, [(size.width, size.height) if size else None for size in labels])
    above, below = grid.neighbours()
    layers = ordered([list(layer) for layer in grid.layers], above, below)
    extents = [(cell.left, cell.right) for cell in grid.cells]
    x = places(layers, above, below, extents, set(range(len(nodes), len(extents))))
    left = min(place - reach for place, (reach, _) in zip(x, extents, strict=True)) + LEAST_MARGIN
    right = max(place + reach for place, (_, reach) in zip(x, extents, strict=True)) - LEAST_MARGIN
    routes = route(grid, [place - left for place in x])
    placed = [
        PlacedNode(node, box_around(centre, size.width, cell.height), size.lines, size.note)
        for (node, size), centre, cell in zip(nodes, routes.centres, cells, strict=False)
    ]
    links = [
        _placed_link(link, routes, number, size, turned=number in closing)
        for number, ((_, _, link), size) in enumerate(zip(between, labels, strict=True))
    ]
    links += [link for node, own in zip(placed, loops, strict=True) for link in _placed_loops(node.box, own)]
    return Layout(right - left, routes.height, tuple(placed), tuple(links))


def _placed_link(link: Link, routes: Routes, number: int, size: Size | None, *, turned: bool) -> PlacedLink:
    strokes, centre = routes.strokes[number], routes.labels[number]
    if turned:
        strokes = tuple(stroke[::-1] for stroke in reversed(strokes))
    if size is None or centre is None:
        return PlacedLink(link, strokes, None, (), angular=False)
    return PlacedLink(link, strokes, box_around(centre, size.width, size.height), size.lines, angular=False)


# Loops: on the right side of their node, one below the other, each with its label beside it.


def _node_cell(size: Size, loops: Sequence[Link]) -> Cell:
    half = size.width / 2 + NODE_MARGIN
    if not loops:
        return Cell(half, half, size.height)
    labels = [label_size(link) or Size(0, 0) for link in loops]
    reach = _LOOP_REACH + _LABEL_SPACE + max(label.width for label in labels)
    return Cell(half, half + reach, max(size.height, sum(_loop_height(label) for label in labels)))


def _loop_height(label: Size) -> float:
    return max(_LOOP_HEIGHT, label.height) + _LABEL_SPACE


def _placed_loops(box: Box, loops: Sequence[Link]) -> list[PlacedLink]:
    labels = [label_size(link) for link in loops]
    heights = [_loop_height(label or Size(0, 0)) for label in labels]
    side, out = box.right, box.right + _LOOP_REACH
    top = box.centre[1] - sum(heights) / 2
    placed = []
    for link, label, height in zip(loops, labels, heights, strict=True):
        middle = top + height / 2
        upper, lower = middle - _LOOP_HEIGHT / 2, middle + _LOOP_HEIGHT / 2
        stroke = ((side, upper), (out, upper), (out, lower), (side, lower))
        room: Box | None = None
        lines: tuple[str, ...] = ()
        if label:
            room = Box(out + _LABEL_SPACE, middle - label.height / 2, label.width, label.height)
            lines = label.lines
        placed.append(PlacedLink(link, (stroke,), room, lines, angular=True))
        top += height
    return placed
