"""What is drawn: nodes, links between them, and the words above the picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from whence.errors import UsageError, quoted

Direction = Literal["down", "up"]

SIGNS = {"added": "+", "removed": "−", "changed": "~"}
"""The sign of every mark: a comparison must be readable without colour."""

STANCES = {"support": "▲", "counter": "▼"}
"""The sign of every value that a caption's stance row can have."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box. Kinds: internal, external, leaf, conclusion, root, latent, span, plain; marks: see `SIGNS`.

    The label is the text in the box, the note a smaller one below it.
    """

    id: str
    label: str
    kind: str = "plain"
    mark: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow from the node `tail` to the node `head`. Kinds: plain, negated; marks as for nodes."""

    tail: str
    head: str
    label: str = ""
    kind: str = "plain"
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Any directed multigraph; cycles, loops and separate parts are welcome, for predictions have them.

    `direction` is where arrows point. With "up" the picture is a proof: the root is on top, and the links
    that end at one node are joined, as the premises of one step. Rows of the caption are (name, text).
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    title: str = ""
    caption: tuple[tuple[str, str], ...] = ()
    direction: Direction = "down"

    def __post_init__(self) -> None:
        count = Counter(node.id for node in self.nodes)
        if repeated := [id for id in count if count[id] > 1]:
            raise UsageError(f"two nodes of a diagram have the id {quoted(repeated[0])}")
        if unknown := [end for link in self.links for end in (link.tail, link.head) if end not in count]:
            raise UsageError(f"a link of a diagram ends at {quoted(unknown[0])}, which is no node of it")

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        """What notebooks keep as a picture, and what tools that have no HTML show."""
        from whence.drawing.svg import to_svg  # only this method needs it, and it needs this module

        return to_svg(self)


def describe(diagram: Diagram) -> str:
    """The diagram in words: its links, then the nodes without any."""
    labels = {node.id: node.label or node.id for node in diagram.nodes}
    linked = {end for link in diagram.links for end in (link.tail, link.head)}
    sentences = [describe_link(link, labels) for link in diagram.links]
    sentences += [_signed(node.mark, labels[node.id]) for node in diagram.nodes if node.id not in linked]
    return "; ".join(sentences)


def describe_link(link: Link, labels: dict[str, str]) -> str:
    """One link in words, its ends named by their labels: `a —capable of→ b`."""
    arrow = f"—{link.label}→" if link.label else "→"
    return _signed(link.mark, f"{labels[link.tail]} {arrow} {labels[link.head]}")


def _signed(mark: str, text: str) -> str:
    return f"{mark}: {text}" if mark else text
