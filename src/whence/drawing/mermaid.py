"""A diagram as Mermaid text, which Markdown pages of many sites draw."""

from __future__ import annotations

from whence.drawing.diagram import Diagram, Link, Node
from whence.errors import printable

_DIRECTIONS = {"down": "TD", "up": "BT"}
_SHAPES = {"external": ('(["', '"])'), "latent": ('(["', '"])'), "root": ('[["', '"]]'), "leaf": ('("', '")')}
_PLAIN = ('["', '"]')
_CLASSES = {
    "external": "stroke-dasharray: 4 3",
    "latent": "stroke-dasharray: 4 3",
    "root": "stroke-width: 3px",
    "added": "stroke: #1a7f37",
    "removed": "stroke: #b42318",
    "changed": "stroke: #9a6700",
}
"""How kinds and marks look; what has no entry looks as Mermaid draws it."""


def to_mermaid(diagram: Diagram) -> str:
    """A flow chart: nodes by number, captions as comments, negated links dotted. It cannot be read back."""
    numbers = {node.id: f"n{number}" for number, node in enumerate(diagram.nodes)}
    lines = [f"flowchart {_DIRECTIONS[diagram.direction]}"]
    lines += [f"  %% {name}: {printable(text)}" for name, text in diagram.caption]
    lines += [f"  {numbers[node.id]}{_node(node)}" for node in diagram.nodes]
    lines += [f"  {numbers[link.tail]} {_arrow(link)} {numbers[link.head]}" for link in diagram.links]
    for name, style in _CLASSES.items():
        members = [numbers[node.id] for node in diagram.nodes if name in (node.kind, node.mark)]
        lines += [f"  classDef {name} {style}", f"  class {','.join(members)} {name}"] if members else []
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    before, after = _SHAPES.get(node.kind, _PLAIN)
    label = _escaped(node.label or node.id)
    return f"{before}{label}{f'<br/>{_escaped(node.note)}' if node.note else ''}{after}"


def _arrow(link: Link) -> str:
    arrow = "-.->" if link.kind == "negated" else "-->"
    return f'{arrow}|"{_escaped(link.label)}"|' if link.label else arrow


def _escaped(text: str) -> str:
    """Text between quotes: what Mermaid would read as its own is written by its number."""
    return "".join(f"#{ord(letter)};" if letter in '"#<>&`\\' else letter for letter in " ".join(text.split()))
