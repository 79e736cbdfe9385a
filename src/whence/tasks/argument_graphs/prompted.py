"""Argument graphs by a language model: how it is asked, how its answer is read and mended."""

from __future__ import annotations

from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json
from whence.structures.graph import Argument, Edge, Graph, StanceGraph, components, has_cycle
from whence.tasks.argument_graphs import EXPLAGRAPHS
from whence.tasks.argument_graphs.data import RELATIONS, STANCES
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.explainers import Method
from whence.tasks.prompting import Prompt, choice_of, list_of, prompted_method, record, some, text_of, words
from whence.tasks.task import Dataset

LEAST_EDGES, MOST_EDGES, MOST_WORDS = 3, 8, 3

INSTRUCTION = f"""You explain how an argument bears on a belief. Say whether the argument supports or counters \
the belief, and give a graph of commonsense facts that leads from one to the other. A fact joins a head concept \
to a tail concept by a relation.
Rules:
- {LEAST_EDGES} to {MOST_EDGES} facts.
- A concept is one to {MOST_WORDS} words, in lower case.
- At least two concepts are words of the belief, exactly as they stand there, and at least two of the argument.
- All facts hang together: the graph is in one piece. No way along the facts leads back to where it began.
- Two concepts are joined at most once.
- Relations: {", ".join(RELATIONS)}.
Answer with JSON only: {{"stance": "support" or "counter", \
"graph": [{{"head": ..., "relation": ..., "tail": ...}}]}}"""


def ask(inputs: Argument) -> str:
    """The two texts."""
    return f"Belief: {inputs.belief}\nArgument: {inputs.argument}"


def schema(_: Argument) -> dict[str, Any]:
    """A stance and edges."""
    edge = record(head=words(40), relation=choice_of(RELATIONS), tail=words(40))
    return record(stance=choice_of(STANCES), graph=some(edge, LEAST_EDGES, MOST_EDGES))


def show(_: Argument, explanation: StanceGraph) -> Json:
    """A graph as an answer."""
    edges = [{"head": e.head, "relation": e.relation, "tail": e.tail} for e in explanation.graph.edges]
    return {"stance": explanation.stance, "graph": edges}


def parse(_: Argument, answer: Json) -> StanceGraph:
    """An answer as a graph. Concepts are in lower case, as in the data."""
    edges = tuple(
        Edge(*(text_of(edge, name).lower() for name in ("head", "relation", "tail")))
        for edge in list_of(answer, "graph")
    )
    if not edges:
        raise DataError(expected="facts in 'graph'", found="none")
    for edge in edges:
        for part in (edge.head, edge.tail):
            if any(mark in part for mark in ("; ", ")(")):
                raise DataError(expected="concepts of words", found=quoted(part))
    return StanceGraph(text_of(answer, "stance").lower(), Graph(edges))


def repair(_: Argument, explanation: StanceGraph) -> StanceGraph:
    """What is well-formed in a graph: its edges in order, but for those that break a rule by themselves, join what
    is joined already or lead back; of separate parts the largest; of too many edges not the last ones that can go.
    """
    kept: list[Edge] = []
    for edge in explanation.graph.edges:
        is_short = all(0 < len(concept.split(" ")) <= MOST_WORDS for concept in (edge.head, edge.tail))
        joined = any({edge.head, edge.tail} == {other.head, other.tail} for other in kept)
        if (
            is_short
            and edge.relation in RELATIONS
            and edge.head != edge.tail
            and not joined
            and not has_cycle(Graph((*kept, edge)))
        ):
            kept.append(edge)
    parts = components(Graph(tuple(kept)))
    largest = max(parts, key=lambda part: sum(edge.head in part for edge in kept), default=frozenset())
    edges = [edge for edge in kept if edge.head in largest]
    while len(edges) > MOST_EDGES:
        # The last edge may hold the graph together; then the last one that does not is taken off.
        whole = (place for place in reversed(range(len(edges))) if _is_whole(edges[:place] + edges[place + 1 :]))
        edges.pop(next(whole))
    return StanceGraph(explanation.stance, Graph(tuple(edges)))


def _is_whole(edges: list[Edge]) -> bool:
    return len(components(Graph(tuple(edges)))) == 1


PROMPT = Prompt(EXPLAGRAPHS, INSTRUCTION, ask, schema, show, parse, rules("paper", Dataset((), ())), repair)

METHODS: dict[str, tuple[Method, ...]] = {"explagraphs": (prompted_method(PROMPT),)}
