"""Graphs decoded from evidence, and why their edges are there and others are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from whence.progress import Report, unreported
from whence.solvers.graph_decoding import (
    DecodedEdge,
    DecodedGraph,
    EdgeScores,
    GraphLimits,
    decode,
    decode_chain,
    decode_connected,
)
from whence.structures.graph import Argument, Edge, Graph, has_cycle, is_linear
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.graph_state import MOST_EDGES, graph_limits
from whence.tasks.argument_graphs.methods.stance_and_graph import MadeGraph
from whence.tasks.argument_graphs.methods.structured.evidence import (
    Evidence,
    Parts,
    Weights,
    edge_probabilities,
    gather_evidence,
    relation_probabilities,
    weigh_edges,
)
from whence.tasks.method import Reason

Shape = Literal["chain", "any", "released"]
Decoder = Callable[[EdgeScores, GraphLimits, Sequence[float]], DecodedGraph | None]
MOST_REFUSED = 5


def _chain_or_any(scores: EdgeScores, limits: GraphLimits, worth: Sequence[float]) -> DecodedGraph | None:
    return decode_chain(scores, limits, worth) or decode(scores, limits, worth)


DECODERS: Mapping[Shape, Decoder] = {
    "chain": _chain_or_any,
    "any": decode,
    "released": lambda scores, _limits, _worth: decode_connected(scores),
}
"""One chain, where the texts have concepts for one; any well-formed graph; and what the paper's own programme
finds, of all concepts, connected and nothing more: its graphs may break rules."""


@dataclass(frozen=True, slots=True)
class StructuredMaker:
    """Makes the best graph of judged parts."""

    parts: Parts
    weights: Weights
    shape: Shape
    most: int
    """How many pieces of the texts are considered."""
    added: int
    """How many concepts of neither text are."""

    @property
    def name(self) -> str:
        """The parts, and how they are put together."""
        return f"{self.shape} of {self.parts.name}"

    def make(
        self, inputs: Sequence[Argument], stances: Sequence[str], report: Report = unreported
    ) -> list[MadeGraph]:
        """The best graph of each belief and argument."""
        gathered = gather_evidence(self.parts, inputs, stances, self.most, self.added, report)
        return [
            MadeGraph(None) if evidence is None else best_graph(one, evidence, self.weights, self.shape)
            for one, evidence in zip(inputs, gathered, strict=True)
        ]


def best_graph(inputs: Argument, evidence: Evidence, weights: Weights, shape: Shape) -> MadeGraph:
    """The graph that the evidence speaks for, with reasons."""
    names = [one.text for one in evidence.concepts]
    scores, worth = weigh_edges(evidence, weights)
    best = DECODERS[shape](scores, graph_limits(inputs, names), worth)
    if best is None:
        return MadeGraph(None)
    graph = Graph(tuple(_edge(names, edge) for edge in best.edges))
    reasons = [_reason(names, edge, evidence, weights) for edge in best.edges]
    return MadeGraph(graph, tuple(reasons), tuple(_refused(names, scores, graph)))


def _edge(names: Sequence[str], edge: DecodedEdge) -> Edge:
    return Edge(names[edge.head], RELATIONS[edge.relation], names[edge.tail])


def _edge_text(edge: Edge) -> str:
    return f"({edge.head}; {edge.relation}; {edge.tail})"


def _reason(names: Sequence[str], edge: DecodedEdge, evidence: Evidence, weights: Weights) -> Reason:
    pair = edge.head, edge.tail
    by_places, by_words = edge_probabilities(evidence, pair)
    sure = relation_probabilities(evidence, weights)[pair]
    other = int(np.argsort(-sure, kind="stable")[1])
    because = [
        f"an edge by where they stand {by_places:.2f}, by their words {by_words:.2f}",
        f"relation {sure[edge.relation]:.2f}, next {RELATIONS[other]} {sure[other]:.2f}",
    ]
    if edge.gain < 0:
        because.append("keeps the graph in one piece, large enough, with concepts of both texts")
    return Reason(_edge_text(_edge(names, edge)), edge.gain, tuple(because))


def _refused(names: Sequence[str], scores: EdgeScores, graph: Graph) -> list[Reason]:
    """The best edges of those that are not there, and the rule that each would break, or what it lacks."""
    gains, best = scores.gains, scores.relations.argmax(axis=2)
    taken = {(edge.head, edge.tail) for edge in graph.edges}
    order = [divmod(int(index), len(names)) for index in np.argsort(-gains, axis=None, kind="stable")]
    refused: list[Reason] = []
    for head, tail in order:
        edge = Edge(names[head], RELATIONS[int(best[head, tail])], names[tail])
        if head != tail and (edge.head, edge.tail) not in taken:
            refused.append(Reason(_edge_text(edge), float(gains[head, tail]), (_why_not(edge, graph),)))
        if len(refused) == MOST_REFUSED:
            break
    return refused


def _why_not(edge: Edge, graph: Graph) -> str:
    outside = [concept for concept in (edge.head, edge.tail) if concept not in graph.nodes]
    if outside:
        return f"{' and '.join(outside)} would cost more than the edge brings, or crowd out better concepts"
    if any((other.tail, other.head) == (edge.head, edge.tail) for other in graph.edges):
        return "these concepts are joined the other way round"
    longer = Graph((*graph.edges, edge))
    if has_cycle(longer):
        return "it would lead round in a circle"
    if len(longer.edges) > MOST_EDGES:
        return f"it would be one more than {MOST_EDGES} edges"
    if is_linear(graph):
        return "the graph would be no chain any more"
    return "it is worth less than no edge"
