"""What relation leads from one concept to another: the questions of the edge module (appendix C.3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

from whence.errors import DataError, UsageError, quoted
from whence.models.items import Item, Pair
from whence.structures.graph import Argument, Edge
from whence.tasks.argument_graphs.data.files import RELATIONS

NO_RELATION = "no relation"
EDGE_LABELS = (*RELATIONS, NO_RELATION)
"""28 relations and none, in the order of the released code."""

NEGATIVES_PER_EDGE = 2
"""Pairs without an edge for each one with. The gold graphs of train have 4.35, all of which the paper learns from.

Drawn evenly, so that p(no relation) of all pairs is had by multiplying its odds by 4.35 / 2.
"""


def _in_context(inputs: Argument | None, head: str, tail: str) -> Pair:
    return f"{head}; {tail}", f"{inputs.belief} {inputs.argument}".lower() if inputs else ""


def _alone(_: Argument | None, head: str, tail: str) -> Pair:
    return head, tail


EDGE_FORMS: Mapping[str, Callable[[Argument | None, str, str], Pair]] = {
    "context": _in_context,
    "concepts": _alone,
}
"""Two concepts before the belief and the argument that they are to explain, as in the paper; or by themselves."""


def edge_pair(form: str) -> Callable[[Argument | None, str, str], Pair]:
    """How two concepts are put in a form, with or without inputs; the usual form if it is empty."""
    if form and form not in EDGE_FORMS:
        raise UsageError(f"edges are not asked in the form {quoted(form)}; there are {', '.join(EDGE_FORMS)}")
    return EDGE_FORMS[form or next(iter(EDGE_FORMS))]


def all_edge_questions(name: str, inputs: Argument, concepts: Sequence[str], form: str = "") -> list[Item]:
    """A question for every ordered pair of concepts, head by head: what a graph is decoded from."""
    put = edge_pair(form)
    nodes = [concept.lower() for concept in concepts]
    return [
        Item(f"{name}/{head}-{tail}", ((put(inputs, nodes[head], nodes[tail]),),))
        for head, tail in permutations(range(len(nodes)), 2)
    ]


def gold_edge_questions(
    name: str, inputs: Argument, edges: Sequence[Edge], form: str = "", seed: int = 0
) -> list[Item]:
    """A question for each edge of a gold graph, and for some pairs of its concepts that no edge joins."""
    put = edge_pair(form)
    joined = {(edge.head, edge.tail): relation_index(edge, name) for edge in edges}
    nodes = tuple(dict.fromkeys(node for pair in joined for node in pair))
    apart = [pair for pair in permutations(nodes, 2) if pair not in joined]
    drawn = random.Random(f"{seed}:{name}").sample(apart, min(len(apart), NEGATIVES_PER_EDGE * len(joined)))
    answers = {**joined, **dict.fromkeys(drawn, EDGE_LABELS.index(NO_RELATION))}
    return [
        Item(
            f"{name}/{nodes.index(head)}-{nodes.index(tail)}",
            ((put(inputs, head, tail),),),
            gold,
            group=inputs.belief.lower(),
        )
        for (head, tail), gold in answers.items()
    ]


def relation_index(edge: Edge, name: str) -> int:
    """The index of an edge's relation among the labels."""
    if edge.relation not in RELATIONS:
        raise DataError(expected="one of the 28 relations", found=f"{quoted(edge.relation)} in {name}")
    return RELATIONS.index(edge.relation)


def triple_questions(triples: Sequence[tuple[str, Edge]], form: str = "", seed: int = 0) -> list[Item]:
    """A question for each triple, by its name, and one with the tail of another, which answers `no relation`."""
    put = edge_pair(form)
    joined = {(edge.head, edge.tail) for _, edge in triples}
    tails = [edge.tail for _, edge in triples]
    items = []
    for name, edge in triples:
        pair = ((put(None, edge.head, edge.tail),),)
        items.append(Item(name, pair, relation_index(edge, name), group=edge.head))
        other = _other_tail(edge, tails, joined, random.Random(f"{seed}:{name}"))
        if other is not None:
            unrelated = ((put(None, edge.head, other),),)
            items.append(Item(f"{name}/shuffled", unrelated, EDGE_LABELS.index(NO_RELATION), group=edge.head))
    return items


_DRAWS = 20


def _other_tail(edge: Edge, tails: Sequence[str], joined: set[tuple[str, str]], rng: random.Random) -> str | None:
    """A tail of another triple that nothing joins with the head; None if none was drawn."""
    drawn = (rng.choice(tails) for _ in range(_DRAWS))
    return next((tail for tail in drawn if tail != edge.head and (edge.head, tail) not in joined), None)
