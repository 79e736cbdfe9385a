"""Drawings of explanations: one `Diagram` value, drawn as SVG or as plain text, and compared with another.

    diagram = Diagram((Node("a", "rain"), Node("b", "wet streets")), (Link("a", "b", "causes"),))
    to_svg(diagram)   # for pages, reports, notebooks
    to_text(diagram)  # rain ──causes──▶ wet streets
    to_svg(compare(before, after))

How a picture is made: `sizes` measures texts; `proof` places proofs and `layered` all other diagrams, in the
steps `layers`, `grid`, `ordering`, `coordinates` and `routes`; `svg` writes what `layout` has placed.
"""

from whence.drawing.compare import compare, differences
from whence.drawing.diagram import Diagram, Direction, Link, Node, describe
from whence.drawing.layout import lay_out
from whence.drawing.mermaid import to_mermaid
from whence.drawing.placed import Box, Layout, PlacedLink, PlacedNode
from whence.drawing.svg import to_svg
from whence.drawing.terminal import graph_lines, to_text, tree_lines

__all__ = [
    "Box",
    "Diagram",
    "Direction",
    "Layout",
    "Link",
    "Node",
    "PlacedLink",
    "PlacedNode",
    "compare",
    "describe",
    "differences",
    "graph_lines",
    "lay_out",
    "to_mermaid",
    "to_svg",
    "to_text",
    "tree_lines",
]
