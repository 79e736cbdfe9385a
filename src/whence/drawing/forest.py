"""A diagram read as trees: from every root to what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from whence.drawing.diagram import Diagram, Link, Node


@dataclass(frozen=True, slots=True)
class Branch:
    """A node at one place of a tree, and the link that joins it to the branch `parent`, by number, if any.

    A node that has been shown before is shown `again`, without what is below it.
    """

    node: Node
    link: Link | None = None
    parent: int | None = None
    again: bool = False


def forest(diagram: Diagram) -> tuple[Branch, ...]:
    """All trees of a diagram, depth first; every node and every link is in one of them, whatever the diagram.

    Below a node are the tails of its links where arrows point up, and the heads where they point down.
    """
    up = diagram.direction == "up"
    below: dict[str, list[tuple[str, Link]]] = {node.id: [] for node in diagram.nodes}
    for link in diagram.links:
        upper, lower = (link.head, link.tail) if up else (link.tail, link.head)
        below[upper].append((lower, link))
    resting = {lower for upper, links in below.items() for lower, _ in links if lower != upper}
    nodes = {node.id: node for node in diagram.nodes}
    branches: list[Branch] = []
    seen: set[str] = set()
    # Roots first; what is left then is reached from no root: cycles.
    for start in sorted(nodes, key=lambda id: id in resting):
        waiting: list[tuple[str, Link | None, int | None]] = [(start, None, None)] if start not in seen else []
        while waiting:
            id, way, parent = waiting.pop()
            branches.append(Branch(nodes[id], way, parent, id in seen))
            number = len(branches) - 1
            if id not in seen:
                seen.add(id)
                waiting += [(lower, link, number) for lower, link in reversed(below[id])]
    return tuple(branches)


def children(branches: tuple[Branch, ...]) -> list[list[int]]:
    """For every branch the numbers of those below it."""
    result: list[list[int]] = [[] for _ in branches]
    for number, branch in enumerate(branches):
        if branch.parent is not None:
            result[branch.parent].append(number)
    return result
