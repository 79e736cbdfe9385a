"""How graphs are put to models that judge them: the texts are exactly those of the released evaluator (sec. 6)."""

from __future__ import annotations

from whence.metrics import graph as measures
from whence.metrics.similarity import Pair
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example

ArgumentExample = Example[Argument, StanceGraph]


def lowered(graph: Graph) -> Graph:
    """The graph in lower case, as all that is measured of it."""
    return Graph(tuple(Edge(edge.head.lower(), edge.relation.lower(), edge.tail.lower()) for edge in graph.edges))


def gold_graph(example: ArgumentExample) -> Graph:
    """The first gold graph in lower case, one edge a pair of concepts; empty if there is none."""
    return measures.with_last_relations(lowered(example.golds[0].graph)) if example.golds else Graph(())


def semantic_pair(inputs: Argument, graph: Graph) -> Pair:
    """What SeCA's classifier reads: the belief, in lower case here and nowhere else, and the bracketed graph."""
    return inputs.belief.lower(), measures.depth_first(graph)


def stance_pair(inputs: Argument, graph: Graph) -> Pair:
    """What the stance is inferred from with a graph: the belief; the argument and the graph as sentences."""
    return _with_text(inputs, measures.depth_first(graph))


def stance_pairs(inputs: Argument, graph: Graph) -> list[Pair]:
    """What EA's classifier reads: all of the graph, then the graph without each of its edges."""
    text = measures.depth_first(graph)
    return [_with_text(inputs, each) for each in (text, *measures.without_each_edge(text))]


def _with_text(inputs: Argument, text: str) -> Pair:
    return inputs.belief, f"{inputs.argument} {measures.flattened(text)}"
