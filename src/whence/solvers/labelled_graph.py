"""Directed graphs with labels on nodes and edges: what edit distances compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.errors import UsageError
from whence.structures.graph import Graph


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """Nodes by number, edges by the numbers of their two nodes: at most one edge from a node to another."""

    nodes: tuple[str | None, ...]
    """The label of each node; None is unlabelled, which equals unlabelled only."""
    edges: Mapping[tuple[int, int], str] = field(hash=False)
    """Labels by (from, to)."""

    def __post_init__(self) -> None:
        for edge in self.edges:
            if not all(0 <= node < len(self.nodes) for node in edge):
                raise UsageError(f"edge {edge} leaves the graph: it has nodes 0 to {len(self.nodes) - 1}")


def from_graph(graph: Graph) -> LabelledGraph:
    """Concepts are nodes under their own label; of parallel edges the last relation stays, as in ExplaGraphs."""
    number = {node: index for index, node in enumerate(graph.nodes)}
    return LabelledGraph(
        graph.nodes, {(number[edge.head], number[edge.tail]): edge.relation for edge in graph.edges}
    )
