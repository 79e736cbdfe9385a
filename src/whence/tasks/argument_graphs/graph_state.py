"""A graph that is being built, edge by edge, and whether it can still become well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from whence.solvers.graph_decoding import GraphLimits
from whence.structures.graph import Argument, Edge, Graph, components, has_cycle
from whence.tasks.argument_graphs.concepts import LEAST_OF_TEXT, pieces
from whence.tasks.argument_graphs.heads.concept_roles import ROLES

LEAST_EDGES, MOST_EDGES = 3, 8
FILLER = "has context"
"""The relation that says least, for edges that only join."""
ANY_OTHER = "\N{REPLACEMENT CHARACTER}"
"""Stands for any concept that is in neither text and not in the graph yet."""


def graph_limits(inputs: Argument, concepts: Sequence[str]) -> GraphLimits:
    """The rules of section 3 for a graph of these concepts, as the decoder takes them."""
    texts = tuple(
        frozenset(index for index, concept in enumerate(concepts) if concept.lower() in text.lower())
        for text in (inputs.belief, inputs.argument)
    )
    return GraphLimits(LEAST_EDGES, MOST_EDGES, texts, LEAST_OF_TEXT)


def pieces_of(text: str) -> tuple[str, ...]:
    """Every run of one to three words of a text that can be a concept: single words first, longer words first."""
    found = dict.fromkeys(piece for piece, _, _ in pieces(text.lower()))
    return tuple(sorted(found, key=lambda piece: (piece.count(" "), -len(piece))))


@dataclass(frozen=True)
class Sources:
    """The texts that concepts are taken from."""

    inputs: Argument
    belief: tuple[str, ...]
    argument: tuple[str, ...]

    def role(self, concept: str) -> str:
        """Which texts have it, as whole words: the evaluator counts letters too, a writer should not."""
        known = self._roles.get(concept)
        if known is None:
            whole = re.compile(rf"(?<!\w){re.escape(concept)}(?!\w)")
            found = (whole.search(text.lower()) is not None for text in (self.inputs.belief, self.inputs.argument))
            known = self._roles[concept] = ROLES[tuple(found)]
        return known

    @cached_property
    def _roles(self) -> dict[str, str]:
        return {}

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Of either text."""
        return tuple(dict.fromkeys((*self.belief, *self.argument)))


def sources(inputs: Argument) -> Sources | None:
    """The texts as sources of concepts; None if one of them has no two."""
    found = Sources(inputs, pieces_of(inputs.belief), pieces_of(inputs.argument))
    return found if min(len(found.belief), len(found.argument)) >= LEAST_OF_TEXT else None


@dataclass(frozen=True)
class State:
    """Edges so far. Whatever is added, `missing` says how many more are needed at least."""

    sources: Sources = field(repr=False)
    edges: tuple[Edge, ...] = ()
    finishing: bool = False
    """Whether every further edge must bring the graph nearer to being well-formed."""

    @cached_property
    def graph(self) -> Graph:
        """The edges as a graph."""
        return Graph(self.edges)

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The concepts so far."""
        return self.graph.nodes

    @cached_property
    def missing(self) -> int:
        """How many edges more make the graph connected, with two concepts of each text.

        Parts are joined by one edge each; a concept more takes one edge, and may count for both texts.
        """
        roles = [self.sources.role(node) for node in self.nodes]
        both, belief, argument = (roles.count(name) for name in ("both", "belief", "argument"))
        belief, argument = max(LEAST_OF_TEXT - both - belief, 0), max(LEAST_OF_TEXT - both - argument, 0)
        free = sum(self.sources.role(one) == "both" and one not in self.nodes for one in self.sources.pieces)
        shared = min(belief, argument, free)
        parts = len(components(self.graph))
        return max(parts - 1, 0) + belief + argument - shared - (not self.edges and belief + argument > shared)

    @property
    def is_whole(self) -> bool:
        """Whether the graph is well-formed as it is."""
        return len(self.edges) >= LEAST_EDGES and not self.missing

    @property
    def can_be_whole(self) -> bool:
        """Whether enough edges are left."""
        return len(self.edges) + self.missing <= MOST_EDGES

    def allows(self, head: str, tail: str) -> bool:
        """Whether the graph may have an edge from the one concept to the other next."""
        if head == tail or len(self.edges) == MOST_EDGES:
            return False
        if any({head, tail} == {edge.head, edge.tail} for edge in self.edges):
            return False
        after = self.after(Edge(head, FILLER, tail))
        if self.finishing and not self._is_nearer(after):
            return False
        return after.can_be_whole and not has_cycle(after.graph)

    def allows_head(self, head: str) -> bool:
        """Whether some edge may leave the concept next."""
        known = self._heads.get(head)
        if known is None:
            known = self._heads[head] = any(self.allows(head, tail) for tail in self.representatives())
        return known

    @cached_property
    def _heads(self) -> dict[str, bool]:
        return {}

    def after(self, edge: Edge) -> State:
        """The state with one edge more."""
        return State(self.sources, (*self.edges, edge), self.finishing)

    def _is_nearer(self, after: State) -> bool:
        """Whether an edge more brings what is wanting; the first one, or one of too few, need not."""
        if self.is_whole:
            return False
        return after.missing < self.missing or not (self.missing and self.edges)

    def representatives(self) -> Iterator[str]:
        """Concepts that stand for all there are: what may not be joined with these may be joined with none."""
        yield from self.nodes
        left: dict[str, int] = {}
        for piece in self.sources.pieces:
            own = self.sources.role(piece)
            if piece not in self.nodes and left.setdefault(own, 2):
                left[own] -= 1
                yield piece
        yield ANY_OTHER

    def completion(self) -> tuple[Edge, ...]:
        """Edges that make the graph whole."""
        if self.is_whole:
            return ()
        following = (
            self.after(Edge(head, FILLER, tail))
            for head in self.nodes or self.sources.pieces
            for tail in (*self.nodes, *self.sources.pieces)
            if self.allows(head, tail)
        )
        nearer = next(one for one in following if self._is_nearer(one))
        return (nearer.edges[-1], *nearer.completion())
