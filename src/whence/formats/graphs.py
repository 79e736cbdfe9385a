"""Linearised graphs: `(a; relation; b)(c; relation; d)`, in any edge order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from whence.errors import DataError, UsageError, quoted
from whence.formats.lossless import one_line
from whence.structures.graph import Edge, Graph, roots, topological_nodes

_BETWEEN_EDGES = ")("
_BETWEEN_PARTS = "; "


def parse_graph(text: str) -> Graph:
    """A linearised graph. Concepts are kept as they stand, whatever their length or case."""
    body = text.strip()
    if not (len(body) > 1 and body.startswith("(") and body.endswith(")")):
        raise DataError(expected="a graph like '(a; relation; b)(c; relation; d)'", found=quoted(text))
    return Graph(tuple(_parse_edge(piece) for piece in body[1:-1].split(_BETWEEN_EDGES)))


def _parse_edge(piece: str) -> Edge:
    parts = piece.split(_BETWEEN_PARTS)
    if len(parts) != 3:
        raise DataError(expected="an edge of three parts, '(a; relation; b)'", found=quoted(f"({piece})"))
    head, relation, tail = parts
    return Edge(head, relation, tail)


def format_graph(graph: Graph, order: str = "given", seed: int = 0) -> str:
    """The graph on one line, its edges in one of the `EDGE_ORDERS`."""
    arranged = ordered(graph, order, seed)
    text = "".join(
        f"({edge.head}{_BETWEEN_PARTS}{edge.relation}{_BETWEEN_PARTS}{edge.tail})" for edge in arranged.edges
    )
    expected = "one edge or more, without '; ', ')(' or line and field ends in its parts"
    return one_line(text, parse_graph, arranged, expected, also_not="\t")


def ordered(graph: Graph, order: str, seed: int = 0) -> Graph:
    """The same edges in another order; the seed matters for `random` only."""
    if order not in EDGE_ORDERS:
        raise UsageError(f"'{order}' is no edge order; there are {', '.join(EDGE_ORDERS)}")
    return Graph(EDGE_ORDERS[order](graph, seed))


def _given(graph: Graph, _seed: int) -> tuple[Edge, ...]:
    return graph.edges


def _random(graph: Graph, seed: int) -> tuple[Edge, ...]:
    edges = list(graph.edges)
    random.Random(seed).shuffle(edges)
    return tuple(edges)


def _depth_first(graph: Graph, _seed: int) -> tuple[Edge, ...]:
    found: list[Edge] = []
    seen: set[str] = set()
    leaving = _edges_by_head(graph)
    for start in _starts(graph):
        if start in seen:
            continue
        seen.add(start)
        waiting = [iter(leaving[start])]
        while waiting:
            edge = next(waiting[-1], None)
            if edge is None:
                waiting.pop()
                continue
            found.append(edge)
            if edge.tail not in seen:
                seen.add(edge.tail)
                waiting.append(iter(leaving[edge.tail]))
    return tuple(found)


def _breadth_first(graph: Graph, _seed: int) -> tuple[Edge, ...]:
    found: list[Edge] = []
    seen: set[str] = set()
    leaving = _edges_by_head(graph)
    for start in _starts(graph):
        if start in seen:
            continue
        seen.add(start)
        waiting = [start]
        for node in waiting:
            for edge in leaving[node]:
                found.append(edge)
                if edge.tail not in seen:
                    seen.add(edge.tail)
                    waiting.append(edge.tail)
    return tuple(found)


def _topological(graph: Graph, _seed: int) -> tuple[Edge, ...]:
    nodes = topological_nodes(graph)
    if nodes is None:
        raise UsageError("a cyclic graph has no topological order")
    leaving = _edges_by_head(graph)
    return tuple(edge for node in nodes for edge in leaving[node])


def _edges_by_head(graph: Graph) -> dict[str, list[Edge]]:
    leaving: dict[str, list[Edge]] = {node: [] for node in graph.nodes}
    for edge in graph.edges:
        leaving[edge.head].append(edge)
    return leaving


def _starts(graph: Graph) -> Sequence[str]:
    """Where a traversal starts: at the roots; what only a cycle leads to comes after, as it appears."""
    return (*roots(graph), *graph.nodes)


EDGE_ORDERS: dict[str, Callable[[Graph, int], tuple[Edge, ...]]] = {
    "given": _given,
    "dfs": _depth_first,
    "bfs": _breadth_first,
    "topological": _topological,
    "random": _random,
}
"""Edge orders by name: functions of a graph and a seed."""
