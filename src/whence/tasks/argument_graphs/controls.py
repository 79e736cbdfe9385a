"""Argument graphs whose worth is known: gold, gold made wrong by rule, graphs of random words.

All of them have the gold stance and pass the gate of StCA, so that what a metric makes of them is the work of its
model. Metrics that compare with gold are given it in other words: each relation is said differently. A similarity
that only knows equal texts would otherwise look perfect.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example, Prediction
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.graph_state import pieces_of
from whence.tasks.argument_graphs.scoring import judge
from whence.tasks.controls import GOLD, PERTURBED, RANDOM, Control, Controls
from whence.tasks.dataset import AnyDataset

GraphExample = Example[Argument, StanceGraph]
Make = Callable[[GraphExample, random.Random], Graph]

LEAST_SECA = 0.75
"""What SeCA must give gold graphs: each of them was accepted by the people who wrote and checked them."""

_TRIES = 50

_IN_OTHER_WORDS = {
    "antonym of": "is the opposite of",
    "synonym of": "means the same as",
    "at location": "is found in",
    "not at location": "is never found in",
    "capable of": "can do",
    "not capable of": "cannot do",
    "causes": "leads to",
    "not causes": "does not lead to",
    "created by": "comes from",
    "not created by": "does not come from",
    "is a": "belongs to the kind",
    "is not a": "does not belong to the kind",
    "desires": "wants",
    "not desires": "does not want",
    "has subevent": "includes",
    "not has subevent": "does not include",
    "part of": "belongs to",
    "not part of": "does not belong to",
    "has context": "occurs with",
    "not has context": "does not occur with",
    "has property": "is marked by",
    "not has property": "is not marked by",
    "made of": "consists of",
    "not made of": "does not consist of",
    "receives action": "undergoes",
    "not receives action": "does not undergo",
    "used for": "serves for",
    "not used for": "does not serve for",
}

_OPPOSITES = {
    "antonym of": "synonym of",
    "synonym of": "antonym of",
    "is a": "is not a",
    "is not a": "is a",
}


def gold_graph(example: GraphExample, _: random.Random) -> Graph:
    """The graph that people gave."""
    return example.golds[0].graph


def with_negated_relations(example: GraphExample, _: random.Random) -> Graph:
    """Every edge says the opposite."""
    edges = example.golds[0].graph.edges
    return Graph(tuple(replace(edge, relation=_opposite(edge.relation)) for edge in edges))


def _opposite(relation: str) -> str:
    if relation in _OPPOSITES:
        return _OPPOSITES[relation]
    return relation.removeprefix("not ") if relation.startswith("not ") else f"not {relation}"


def with_exchanged_concepts(example: GraphExample, chance: random.Random) -> Graph:
    """Every concept stands where another one stood."""
    graph = example.golds[0].graph
    names = chance.sample(graph.nodes, len(graph.nodes))
    other = dict(zip(names, (*names[1:], names[0]), strict=True))
    return Graph(tuple(Edge(other[edge.head], edge.relation, other[edge.tail]) for edge in graph.edges))


def random_graph(example: GraphExample, chance: random.Random) -> Graph:
    """A chain of random words of both texts, as long as the gold graph, joined by random relations."""
    texts = [pieces_of(text) for text in (example.inputs.belief, example.inputs.argument)]
    count = len(example.golds[0].graph.edges) + 1
    graph = Graph(())
    for _ in range(_TRIES):
        pieces = list(dict.fromkeys(chance.choice(texts[index % 2]) for index in range(2 * count)))[:count]
        pairs = pairwise(pieces)
        graph = Graph(tuple(Edge(head, chance.choice(RELATIONS), tail) for head, tail in pairs))
        judged = judge(example, _answer(example, graph), "official")
        if judged and not judged.cause:
            break
    return graph


_WRONG: tuple[tuple[str, str, Make], ...] = (
    (PERTURBED, "every relation negated", with_negated_relations),
    (PERTURBED, "every concept exchanged for another one of the graph", with_exchanged_concepts),
    (RANDOM, "a chain of random words of the texts", random_graph),
)


def _answer(example: GraphExample, graph: Graph) -> Prediction[StanceGraph]:
    return Prediction(example.id, StanceGraph(example.golds[0].stance, graph))


def graph_controls(dataset: AnyDataset, chance: random.Random) -> Sequence[Control]:
    """Gold and wrong graphs, for models that judge a graph."""
    examples: Sequence[GraphExample] = dataset.examples
    kinds = ((GOLD, "gold graphs", gold_graph), *_WRONG)
    return [
        Control(kind, name, dataset, [_answer(example, make(example, chance)) for example in examples])
        for kind, name, make in kinds
    ]


def reworded_controls(dataset: AnyDataset, chance: random.Random) -> Sequence[Control]:
    """The same, to be compared with gold in other words."""
    reworded = replace(dataset, examples=tuple(map(in_other_words, dataset.examples)))
    return [replace(control, dataset=reworded) for control in graph_controls(dataset, chance)]


def in_other_words(example: GraphExample) -> GraphExample:
    """The example with gold graphs whose relations are said differently."""
    golds = tuple(
        replace(
            gold, graph=Graph(tuple(replace(e, relation=_IN_OTHER_WORDS[e.relation]) for e in gold.graph.edges))
        )
        for gold in example.golds
    )
    return replace(example, golds=golds)


CONTROLS = (
    Controls("graph_classifier", ("SeCA",), graph_controls, "explagraphs/seca", LEAST_SECA),
    Controls("stance_classifier", ("EA",), graph_controls, "explagraphs/ea"),
    Controls("similarity", ("G-BS",), reworded_controls),
)
