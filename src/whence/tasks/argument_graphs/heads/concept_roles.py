"""Where concepts stand, in words: which texts hold them, and in what order.

Where concepts stand says much about how they are joined: what belief and argument share leads on to what the
argument adds, that to commonsense of neither text, and commonsense to the rest of the belief.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from whence.models.items import Item, Pair
from whence.structures.graph import Argument, Edge
from whence.tasks.argument_graphs.heads.edge_questions import EDGE_LABELS, NO_RELATION, relation_index

ADDED = "added"
"""The role of concepts that stand in neither text."""
ROLES: Mapping[tuple[bool, ...], str] = {
    (True, True): "both",
    (True, False): "belief",
    (False, True): "argument",
    (False, False): ADDED,
}
"""By whether the belief has a concept, and whether the argument has."""
_STEPS = {1: "next", -1: "last"}


def role(inputs: Argument, concept: str) -> str:
    """Which of the texts have the concept verbatim, case aside; `added` if neither has."""
    lowered = concept.lower()
    return ROLES[lowered in inputs.belief.lower(), lowered in inputs.argument.lower()]


def place_pairs(inputs: Argument, concepts: Sequence[str], stance: str) -> Mapping[tuple[str, str], Pair]:
    """For every ordered pair of concepts where they stand, and the stance (empty: not known).

    `both argument next`: the tail is, of these concepts, the one that follows the head in a text that has both,
    the argument rather than the belief. `last` is the one before, `later` and `earlier` are further off.
    """
    roles = {concept: role(inputs, concept) for concept in concepts}
    orders = [_order(text.lower(), concepts) for text in (inputs.argument, inputs.belief)]
    return {
        (head, tail): (f"{roles[head]} {roles[tail]} {_step(orders, head, tail)}".strip(), stance)
        for head, tail in permutations(concepts, 2)
    }


def _order(text: str, concepts: Sequence[str]) -> list[str]:
    found = [concept for concept in concepts if concept.lower() in text]
    return sorted(found, key=lambda concept: (text.find(concept.lower()), len(concept)))


def _step(orders: Sequence[list[str]], head: str, tail: str) -> str:
    for order in orders:
        if head in order and tail in order:
            apart = order.index(tail) - order.index(head)
            return _STEPS.get(apart, "later" if apart > 0 else "earlier")
    return ""


def place_questions(name: str, inputs: Argument, concepts: Sequence[str], stance: str = "") -> list[Item]:
    """A question for every ordered pair of concepts, head by head."""
    found = place_pairs(inputs, concepts, stance)
    return [Item(f"{name}/{number}", ((pair,),)) for number, pair in enumerate(found.values())]


def gold_place_questions(name: str, inputs: Argument, edges: Sequence[Edge], stance: str) -> list[Item]:
    """The same of the concepts of a gold graph, with the relation that joins them, if one does."""
    joined = {(edge.head, edge.tail): relation_index(edge, name) for edge in edges}
    concepts = tuple(dict.fromkeys(node for pair in joined for node in pair))
    none = EDGE_LABELS.index(NO_RELATION)
    return [
        Item(f"{name}/{number}", ((pair,),), joined.get(ends, none), group=inputs.belief.lower())
        for number, (ends, pair) in enumerate(place_pairs(inputs, concepts, stance).items())
    ]
