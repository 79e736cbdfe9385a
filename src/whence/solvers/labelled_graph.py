"""Directed graphs with labels on nodes and edges: what edit distances compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.errors import UsageError
from whence.structures.graph import Graph
from whence.structures.tree import HYPOTHESIS, Tree, conclusions


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


def from_tree(tree: Tree, texts: Mapping[str, str] | None = None) -> LabelledGraph:
    """Sentences are nodes, edges lead from premise to conclusion and are all labelled alike.

    Leaves and the hypothesis are labelled by their id, or by their text where `texts` has one. What steps
    conclude on the way has ids that mean nothing outside the tree, so it is unlabelled.
    """
    named = {HYPOTHESIS: HYPOTHESIS, **(texts or {})}
    inner = set(conclusions(tree)) - {HYPOTHESIS}
    ids = tuple(dict.fromkeys(name for step in tree.steps for name in (*step.premises, step.conclusion)))
    number = {name: index for index, name in enumerate(ids)}
    labels = tuple(None if name in inner else named.get(name, name) for name in ids)
    return LabelledGraph(
        labels,
        {(number[premise], number[step.conclusion]): "" for step in tree.steps for premise in step.premises},
    )
