"""Chains of thought as argument graphs: what each sentence says of two concepts, and the best graph of that.

A sentence says an edge where words such as *leads to* join two concepts. The edges that are said, and, as far as
a graph needs more, those that the bundled judge of edges finds likely, go into the exact search for a graph within
all rules. The stance is what the text says, or what the bundled judge of stances says of belief and argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from whence.models.items import Item
from whence.models.learners import Judge
from whence.models.trained import bundled
from whence.solvers.graph_decoding import EdgeScores, decode
from whence.structures.graph import Argument, Edge, Graph, StanceGraph, concepts_within
from whence.tasks.argument_graphs.concepts import LEAST_OF_TEXT
from whence.tasks.argument_graphs.data.files import RELATIONS, STANCES
from whence.tasks.argument_graphs.graph_state import graph_limits, pieces_of
from whence.tasks.argument_graphs.heads.edge_questions import all_edge_questions
from whence.tasks.argument_graphs.methods.llm.prompt import ask
from whence.tasks.argument_graphs.methods.thoughts.relations_in_text import SaidEdge, said_edge
from whence.tasks.method import Explained, Reason
from whence.tasks.thinking import Structure, Thought, failure, thoughts_method

Floats = NDArray[np.float64]

MOST_CONCEPTS = 10
_SAID = 6.0
"""What an edge that the text says is worth: more than one that is only likely."""
_UNSAID = -2.0

INSTRUCTION = """Does an argument support or counter a belief? Think step by step, from the argument to the \
belief, by four to seven short sentences.
Each joins two concepts of one to three words, words of the argument or of the belief where possible, by one of:
causes, is a, is part of, is used for, is capable of, desires, has, is at, is not, does not cause.
Write one sentence a line. At the end write “It supports the belief.” or “It counters the belief.”"""

_STANCE_WORDS = (
    (re.compile(r"\b(?:supports?|in favou?r of|agrees? with|backs?)\b", re.IGNORECASE), "support"),
    (
        re.compile(
            r"\b(?:counters?|opposes?|contradicts?|against|refutes?|disagrees?|undermines?)\b", re.IGNORECASE
        ),
        "counter",
    ),
)

Likely = Callable[[Argument, Sequence[str]], Floats]
"""By head, tail and relation: how likely an edge is, as odds (logarithms) against none."""


def graph_of_thoughts(
    inputs: Argument, thoughts: Sequence[Thought], likely: Likely, stance_of: Callable[[Argument], str]
) -> Explained:
    """The graph that a chain of thought says, with the sentence behind each edge."""
    said: dict[SaidEdge, str] = {}
    left = []
    for thought in thoughts:
        edge = said_edge(thought.text, inputs)
        if edge is not None and said_stance([thought]) == "":
            said.setdefault(edge, thought.text)
        elif said_stance([thought]) == "":
            left.append(Reason(thought.text, because=("it joins no two concepts",)))
    if not said:
        return failure("no sentence of the text joins two concepts")
    stance = said_stance(thoughts) or stance_of(inputs)
    if not stance:
        return failure("the text does not say whether the argument supports or counters the belief")
    concepts = _concepts(inputs, list(said))
    scores = _scores(inputs, concepts, said, likely)
    found = decode(scores, graph_limits(inputs, concepts))
    if found is None:
        return failure("no graph within the rules has what the text says")
    edges, reasons = [], []
    for head, relation, tail, gain in found.edges:
        edge = SaidEdge(concepts[head], RELATIONS[relation], concepts[tail])
        edges.append(Edge(edge.head, edge.relation, edge.tail))
        because = said.get(edge, "not said: it joins what is said")
        reasons.append(Reason(f"({edge.head}; {edge.relation}; {edge.tail})", gain, (because,)))
    dropped = [
        Reason(f"({edge.head}; {edge.relation}; {edge.tail})", because=("it does not fit the others", text))
        for edge, text in said.items()
        if Edge(edge.head, edge.relation, edge.tail) not in edges
    ]
    made = StanceGraph(stance, Graph(tuple(edges)))
    own_edges = tuple(Edge(edge.head, edge.relation, edge.tail) for edge in said)
    own = StanceGraph(said_stance(thoughts), Graph(own_edges))
    # What the text does not say was added, what does not fit was dropped: then the graph is not the text's own.
    is_own = own.stance == made.stance and set(own.graph.edges) == set(made.graph.edges)
    return Explained(made, tuple(reasons), (*dropped, *left), said=None if is_own else own)


def said_stance(thoughts: Sequence[Thought]) -> str:
    """The stance that the last sentence with one says; empty if none does."""
    for thought in reversed(thoughts):
        if "belief" in thought.text.lower():
            said = [stance for pattern, stance in _STANCE_WORDS if pattern.search(thought.text)]
            if len(said) == 1:
                denied = re.search(r"\b(?:not|n't|never)\b", thought.text) is not None
                return said[0] if not denied else next(name for name in STANCES if name != said[0])
    return ""


def _concepts(inputs: Argument, said: Sequence[SaidEdge]) -> list[str]:
    """Those that are said, the first ones if there are too many; and more of a text that has too few of them."""
    found = list(dict.fromkeys(part for edge in said for part in (edge.head, edge.tail)))[:MOST_CONCEPTS]
    for text in (inputs.belief, inputs.argument):
        missing = max(0, LEAST_OF_TEXT - len(concepts_within(found, text)))
        found += [piece for piece in pieces_of(text) if piece not in found][:missing]
    return found


def _scores(inputs: Argument, concepts: Sequence[str], said: dict[SaidEdge, str], likely: Likely) -> EdgeScores:
    worth = likely(inputs, concepts) + _UNSAID
    places = {concept: place for place, concept in enumerate(concepts)}
    for edge in said:
        if edge.head in places and edge.tail in places:
            worth[places[edge.head], places[edge.tail], RELATIONS.index(edge.relation)] += _SAID - _UNSAID
    return EdgeScores(worth, np.zeros(worth.shape[:2]))


@cache
def _judge(lesson: str) -> tuple[Judge, str]:
    model = bundled(lesson)
    return model.judge(lesson), str(model.card["lessons"][lesson]["form"])


def judged_edges(inputs: Argument, concepts: Sequence[str]) -> Floats:
    """What the bundled judge of edges says."""
    judge, form = _judge("explagraphs/edges")
    verdicts = iter(judge.judge(all_edge_questions("thoughts", inputs, concepts, form)))
    found = np.zeros((len(concepts), len(concepts), len(RELATIONS)))
    for pair in permutations(range(len(concepts)), 2):
        *relations, none = np.log(np.clip(next(verdicts).probabilities, 1e-6, 1.0))
        found[pair] = np.array(relations) - none
    return found


def judged_stance(inputs: Argument) -> str:
    """What the bundled judge of stances says."""
    judge, _ = _judge("explagraphs/stance")
    (verdict,) = judge.judge([Item("stance", (((inputs.belief, inputs.argument),),))])
    return STANCES[verdict.best]


def equal_edges(_: Argument, concepts: Sequence[str]) -> Floats:
    """Nothing is known but that `has context` says least."""
    found = np.full((len(concepts), len(concepts), len(RELATIONS)), -1.0)
    found[:, :, RELATIONS.index("has context")] = 0.0
    return found


def structure_of(links: str) -> Structure:
    """What makes it of texts, by the embedded weights or by words alone."""
    likely, stance_of = (equal_edges, lambda _: "") if links == "words" else (judged_edges, judged_stance)

    def structure(inputs: Argument, thoughts: Sequence[Thought]) -> Explained:
        return graph_of_thoughts(inputs, thoughts, likely, stance_of)

    return structure


METHOD = thoughts_method(INSTRUCTION, ask, structure_of)
