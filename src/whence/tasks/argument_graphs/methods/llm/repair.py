"""The well-formed graph that is nearest to one that is not: most of its edges kept, fewest others added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whence.solvers.graph_decoding import EdgeScores, decode
from whence.structures.graph import Argument, Edge, Graph
from whence.tasks.argument_graphs.concepts import LEAST_OF_TEXT, is_writable
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.graph_state import FILLER, Sources, graph_limits, sources

_MOST_KEPT = 10  # concepts of the graph that is mended; texts lend four more at most
_KEPT, _ADDED = 1.0, -1.0


def mend(inputs: Argument, graph: Graph) -> Graph | None:
    """The graph that keeps the rules and as many of these edges as it can; None if a text has no two concepts.

    An edge is kept or not, never changed. Edges that are added to join parts, or for want of concepts of a text,
    say as little as can be said.
    """
    found = sources(inputs)
    if found is None:
        return None
    usable = [edge for edge in graph.edges if _is_usable(edge)]
    concepts = list(Graph(tuple(usable)).nodes)[:_MOST_KEPT]
    concepts += _pieces_to_add(found, concepts)
    place = {concept: number for number, concept in enumerate(concepts)}
    none = np.zeros((len(concepts), len(concepts)))
    relations = np.full((*none.shape, len(RELATIONS)), 2 * _ADDED)
    relations[:, :, RELATIONS.index(FILLER)] = _ADDED
    for number, edge in enumerate(usable):
        if edge.head in place and edge.tail in place:
            # Of edges that exclude each other the earlier ones are kept.
            value = _KEPT - number / 1000
            relations[place[edge.head], place[edge.tail], RELATIONS.index(edge.relation)] = value
    best = decode(EdgeScores(relations, none), graph_limits(inputs, concepts))
    if best is None:
        return None
    edges = [Edge(concepts[edge.head], RELATIONS[edge.relation], concepts[edge.tail]) for edge in best.edges]
    return Graph(tuple(sorted(edges, key=lambda edge: usable.index(edge) if edge in usable else len(usable))))


def _is_usable(edge: Edge) -> bool:
    whole = all(is_writable(concept) and concept == concept.lower() for concept in (edge.head, edge.tail))
    return whole and edge.relation in RELATIONS and edge.head != edge.tail


def _pieces_to_add(found: Sources, concepts: Sequence[str]) -> list[str]:
    """Pieces of each text that the graph may need: two, of those that it does not have."""
    lent: list[str] = []
    for pieces in (found.belief, found.argument):
        lent += [piece for piece in pieces if piece not in concepts and piece not in lent][:LEAST_OF_TEXT]
    return lent
