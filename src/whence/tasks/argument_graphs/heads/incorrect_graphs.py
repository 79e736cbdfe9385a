"""Graphs that say nothing, or the wrong thing, of a belief: what SeCA's classifier learns to tell apart (sec. 6).

People left some: a graph that was refined did not let its verifiers infer the stance. The paper makes more
"by randomly adding, removing, or replacing edges" of correct ones and says neither how many nor how. Here a row
without a refined graph is given one made from its gold graph by one to three such edits. An added fact is one of
another belief, tied to a concept of the graph. Edits are drawn until they leave a graph that the paper's rules
accept, since the classifier is asked of such graphs only: it is not to go by the shape.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from whence.formats.graphs import parse_graph
from whence.metrics.graph import with_last_relations
from whence.structures.graph import Edge, Graph, StanceGraph
from whence.tasks.argument_graphs.heads.texts import ArgumentExample, gold_graph, lowered
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.dataset import Dataset

MOST_EDITS = 3
_COURSES, _TRIES = 20, 20
"""How many courses of edits are tried, and how often each: else few would be left that remove an edge."""
_EMPTY: Dataset[Any, Any] = Dataset((), ())


@dataclass(frozen=True, slots=True)
class ForeignFacts:
    """The facts of gold graphs by the belief they were written for."""

    by_belief: dict[str, list[Edge]]
    beliefs: Sequence[str]

    def draw(self, belief: str, rng: random.Random) -> Edge | None:
        """A fact of another belief; None where there is no other."""
        if len(self.beliefs) < 2:
            return None
        other = belief
        while other == belief:
            other = rng.choice(self.beliefs)
        return rng.choice(self.by_belief[other])


def foreign_facts(examples: Sequence[ArgumentExample]) -> ForeignFacts:
    """The facts of the gold graphs."""
    found: dict[str, list[Edge]] = {}
    for example in examples:
        for edge in gold_graph(example).edges:
            found.setdefault(example.inputs.belief.lower(), []).append(edge)
    return ForeignFacts(found, tuple(found))


def refined_graphs(example: ArgumentExample) -> list[Graph]:
    """The graphs of a row that were refined, without those that equal the gold graph or an earlier one."""
    seen = {frozenset(gold_graph(example).edges)}
    found = []
    for text in example.meta.get("earlier_graphs", ()):
        graph = with_last_relations(lowered(parse_graph(text)))
        if frozenset(graph.edges) not in seen:
            seen.add(frozenset(graph.edges))
            found.append(graph)
    return found


def make_incorrect(example: ArgumentExample, facts: ForeignFacts, seed: int) -> Graph | None:
    """The gold graph after one to three random edits, still well-formed; None where no such edits were found."""
    rng = random.Random(f"{seed}:{example.id}")
    gold = gold_graph(example)
    for _ in range(_COURSES):
        course = rng.choices(_EDITS, k=rng.randint(1, MOST_EDITS))
        for _ in range(_TRIES):
            edges = list(gold.edges)
            for edit in course:
                edges = edit(edges, facts, example.inputs.belief.lower(), rng)
            if {*edges} != {*gold.edges} and _is_well_formed(example, Graph(tuple(edges))):
                return Graph(tuple(edges))
    return None


def _is_well_formed(example: ArgumentExample, graph: Graph) -> bool:
    found = StanceGraph(example.golds[0].stance, graph)
    return not any(True for rule in rules("paper", _EMPTY) for _ in rule.find(example.inputs, found))


def _add_edge(edges: list[Edge], facts: ForeignFacts, belief: str, rng: random.Random) -> list[Edge]:
    fact = facts.draw(belief, rng)
    nodes = Graph(tuple(edges)).nodes
    if fact is None or not nodes:
        return edges
    node = rng.choice(nodes)
    tied = rng.choice((Edge(node, fact.relation, fact.tail), Edge(fact.head, fact.relation, node)))
    edges = [*edges]
    edges.insert(rng.randint(0, len(edges)), tied)
    return edges


def _remove_edge(edges: list[Edge], _facts: ForeignFacts, _belief: str, rng: random.Random) -> list[Edge]:
    gone = rng.randrange(len(edges)) if edges else 0
    return edges[:gone] + edges[gone + 1 :]


def _replace_edge(edges: list[Edge], facts: ForeignFacts, belief: str, rng: random.Random) -> list[Edge]:
    return _add_edge(_remove_edge(edges, facts, belief, rng), facts, belief, rng)


_EDITS: tuple[Callable[[list[Edge], ForeignFacts, str, random.Random], list[Edge]], ...] = (
    _add_edge,
    _remove_edge,
    _replace_edge,
)
