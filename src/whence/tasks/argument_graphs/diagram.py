"""An argument graph as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.facts import Fact
from whence.structures.graph import Argument, StanceGraph, external_concepts
from whence.tasks.argument_graphs.data.files import is_negated


def diagram(inputs: Argument, explanation: StanceGraph | None, _: Mapping[str, Fact]) -> Diagram:
    """Concepts of the texts solid, added ones dashed, negated relations marked."""
    caption: tuple[tuple[str, str], ...] = (("belief", inputs.belief), ("argument", inputs.argument))
    if explanation is None:
        return Diagram((), (), caption=caption)
    graph = explanation.graph
    external = set(external_concepts(graph, inputs))
    nodes = (Node(node, node, "external" if node in external else "internal") for node in graph.nodes)
    links = (
        Link(edge.head, edge.tail, edge.relation, "negated" if is_negated(edge.relation) else "plain")
        for edge in graph.edges
    )
    return Diagram(tuple(nodes), tuple(links), caption=(*caption, ("stance", explanation.stance)))
