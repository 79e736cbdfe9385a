"""Argument graphs: concepts joined by relations, and the stance that they explain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact: two concepts and the relation between them."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges in the order in which they were written."""

    edges: tuple[Edge, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """Concepts in the order of their first appearance."""
        return tuple(dict.fromkeys(node for edge in self.edges for node in (edge.head, edge.tail)))


@dataclass(frozen=True, slots=True)
class Argument:
    """What an argument graph explains: how an argument bears on a belief."""

    belief: str
    argument: str


@dataclass(frozen=True, slots=True)
class StanceGraph:
    """A stance and the graph that says why."""

    stance: str
    graph: Graph


def children(graph: Graph) -> dict[str, list[str]]:
    """For each concept, the concepts its edges lead to, in order of writing; a parallel edge repeats one."""
    found: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for edge in graph.edges:
        found[edge.head].append(edge.tail)
    return found


def roots(graph: Graph) -> tuple[str, ...]:
    """Concepts that no edge leads to."""
    targets = {edge.tail for edge in graph.edges}
    return tuple(node for node in graph.nodes if node not in targets)


def components(graph: Graph) -> tuple[frozenset[str], ...]:
    """The parts of the graph that are connected when directions are ignored, in order of appearance."""
    neighbours: dict[str, set[str]] = {node: set() for node in graph.nodes}
    for edge in graph.edges:
        neighbours[edge.head].add(edge.tail)
        neighbours[edge.tail].add(edge.head)
    found: list[frozenset[str]] = []
    seen: set[str] = set()
    for start in graph.nodes:
        if start in seen:
            continue
        part, waiting = {start}, [start]
        while waiting:
            fresh = neighbours[waiting.pop()] - part
            part |= fresh
            waiting.extend(fresh)
        seen |= part
        found.append(frozenset(part))
    return tuple(found)


def is_connected(graph: Graph) -> bool:
    """Whether every concept can be reached from every other when directions are ignored."""
    return len(components(graph)) <= 1


def topological_nodes(graph: Graph) -> tuple[str, ...] | None:
    """Concepts such that every edge leads forward, in the order in which they get free; None if cyclic."""
    waiting_for = dict.fromkeys(graph.nodes, 0)
    for edge in graph.edges:
        waiting_for[edge.tail] += 1
    following = children(graph)
    ready = [node for node in graph.nodes if not waiting_for[node]]
    ordered: list[str] = []
    while ready:
        node = ready.pop(0)
        ordered.append(node)
        for child in following[node]:
            waiting_for[child] -= 1
            if not waiting_for[child]:
                ready.append(child)
    return tuple(ordered) if len(ordered) == len(waiting_for) else None


def has_cycle(graph: Graph) -> bool:
    """Whether some concept leads back to itself."""
    return topological_nodes(graph) is None


def is_connected_dag(graph: Graph) -> bool:
    """The shape that ExplaGraphs asks of every explanation (sec. 3)."""
    return is_connected(graph) and not has_cycle(graph)


def depth(graph: Graph) -> int | None:
    """Number of edges on the longest directed path; None if the graph is cyclic."""
    ordered = topological_nodes(graph)
    if ordered is None:
        return None
    longest = dict.fromkeys(ordered, 0)
    following = children(graph)
    for node in ordered:
        for child in following[node]:
            longest[child] = max(longest[child], longest[node] + 1)
    return max(longest.values(), default=0)


def is_linear(graph: Graph) -> bool:
    """Whether the graph is one chain: connected, and no concept has two edges in or two edges out."""
    heads = [edge.head for edge in graph.edges]
    tails = [edge.tail for edge in graph.edges]
    return is_connected_dag(graph) and len(set(heads)) == len(heads) and len(set(tails)) == len(tails)


def concepts_within(nodes: Iterable[str], text: str) -> tuple[str, ...]:
    """Concepts that stand verbatim, case aside, somewhere in the text."""
    lowered = text.lower()
    return tuple(node for node in nodes if node.lower() in lowered)


def external_concepts(graph: Graph, inputs: Argument) -> tuple[str, ...]:
    """Concepts of neither text: the commonsense that the graph adds."""
    known = {*concepts_within(graph.nodes, inputs.belief), *concepts_within(graph.nodes, inputs.argument)}
    return tuple(node for node in graph.nodes if node not in known)
