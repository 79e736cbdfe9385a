"""What a model may write so that a well-formed graph comes out, character by character.

An automaton over linearised graphs, `(a; relation; b)(c; relation; d)`, in any order of edges. Parts may be
written apart and joined later, concepts may be copied or new; but no edge closes a circle or joins two concepts
again, and as long as parts are to be joined or concepts of a text are wanting, enough edges are left for them.
Where a model would end though something is wanting, it is held to what is: else it fills the graph up with edges
that mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from whence.structures.graph import Edge, Graph
from whence.tasks.argument_graphs.concepts import LONGEST, is_writable
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.graph_state import ANY_OTHER, FILLER, MOST_EDGES, Sources, State

_DIVIDER = "; "
_LONGEST_WORD = 24
_NEW = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]*)?(?: [^\W\d_]+(?:[-'’][^\W\d_]*)?)* ?")
"""Words of letters, each with one hyphen or apostrophe at most: 2 of 3,634 concepts of neither text are not."""


@dataclass(frozen=True)
class GraphText:
    """Graphs that explain how an argument bears on a belief, as texts: a `Constraint` on what a model writes."""

    sources: Sources
    ended: str | None = None
    """Where the model would have ended: edges behind it must bring the graph nearer to being whole."""

    def finishing(self, text: str) -> GraphText:
        """The same once a model would end behind this text, which is not whole."""
        return GraphText(self.sources, text)

    def may_begin(self, text: str) -> bool:
        """Whether some well-formed graph begins so."""
        *whole, rest = text.split(")")
        state = self._state("".join(f"{part})" for part in whole))
        if state is None:
            return False
        if not rest:
            return True
        return rest.startswith("(") and len(state.edges) < MOST_EDGES and self._may_begin_edge(state, rest[1:])

    def may_end(self, text: str) -> bool:
        """Whether this is a well-formed graph."""
        state = self._state(text)
        return state is not None and state.is_whole

    def way_on(self, text: str) -> str:
        """The rest of a well-formed graph; empty if it is one."""
        *whole, rest = text.split(")")
        state = self._state("".join(f"{part})" for part in whole))
        if state is None:
            raise ValueError(f"no graph begins with {text}")
        found = ""
        if rest:
            edge = next(self._endings(state, rest[1:]))
            found = _written(edge)[len(rest) :]
            state = state.after(edge)
        return found + "".join(map(_written, state.completion()))

    def graph(self, text: str) -> Graph:
        """The graph that a whole text is; one that was broken off is brought to its end."""
        state = self._state(text + self.way_on(text))
        if state is None or not state.is_whole:
            raise ValueError(f"not a graph: {text}")
        return state.graph

    def _state(self, text: str) -> State | None:
        """The graph of whole edges; None if it is none that can be gone on with."""
        if text in self._states:
            return self._states[text]
        cut = text.rfind("(")
        before = self._state(text[:cut]) if cut >= 0 else None
        found = None
        parts = text[cut + 1 : -1].split(_DIVIDER)
        if before is not None and text.endswith(")") and len(parts) == 3 and parts[1] in RELATIONS:
            head, relation, tail = parts
            if self._is_concept(before, head) and self._is_concept(before, tail) and before.allows(head, tail):
                found = self._at(text, before.after(Edge(head, relation, tail)))
        self._states[text] = found
        return found

    @cached_property
    def _states(self) -> dict[str, State | None]:
        return {"": self._at("", State(self.sources))}

    def _at(self, text: str, state: State) -> State:
        """The state behind a text, in a hurry if the model would have ended."""
        return replace(state, finishing=self.ended is not None and len(text) >= len(self.ended))

    def _may_begin_edge(self, state: State, written: str) -> bool:
        *done, part = _parts(written)
        if len(done) > 2 or not all(self._is_concept(state, concept) for concept in done[::2]):
            return False
        if not done:
            return self._may_begin_concept(state, part, state.allows_head)
        if not state.allows_head(done[0]):
            return False
        if len(done) == 1:
            return any(relation.startswith(part) for relation in RELATIONS)
        return done[1] in RELATIONS and self._may_begin_concept(
            state, part, lambda tail: state.allows(done[0], tail)
        )

    def _may_begin_concept(self, state: State, part: str, allowed: Callable[[str], bool]) -> bool:
        """Whether an allowed concept begins so: one that is known, or any other where new ones are allowed."""
        if _may_grow(part) and allowed(ANY_OTHER):
            return True
        return any(allowed(one) for one in self._known(state) if one.startswith(part))

    def _is_concept(self, state: State, text: str) -> bool:
        """Whether it is a concept that is known, or can be a new one."""
        return _is_concept(text) and (_is_new(text) or text in self._known(state))

    def _known(self, state: State) -> tuple[str, ...]:
        return (*state.nodes, *self.sources.pieces)

    def _endings(self, state: State, written: str) -> Iterator[Edge]:
        """Edges that begin as written and may be next; what leads to a whole graph sooner is not looked for."""
        *done, part = _parts(written)
        heads = [done[0]] if done else [*self._concepts(state, part)]
        relations = [done[1]] if len(done) > 1 else [FILLER, *RELATIONS]
        for head in heads:
            for tail in self._concepts(state, part if len(done) == 2 else ""):
                for relation in relations:
                    if state.allows(head, tail) and (len(done) != 1 or relation.startswith(part)):
                        yield Edge(head, relation, tail)

    def _concepts(self, state: State, part: str) -> Iterator[str]:
        """Concepts that begin so: known ones, and what is written, with a letter more where that is needed."""
        yield from (one for one in self._known(state) if one.startswith(part))
        for grown in (part, f"{part}s", f"{part}x"):
            if part and _is_concept(grown) and _is_new(grown):
                yield grown


def _written(edge: Edge) -> str:
    return f"({edge.head}{_DIVIDER}{edge.relation}{_DIVIDER}{edge.tail})"


def _parts(written: str) -> list[str]:
    """The parts of an edge so far; a divider that is half written divides."""
    return (f"{written} " if written.endswith(";") else written).split(_DIVIDER)


def _is_concept(text: str) -> bool:
    """Whether it can be a concept: one to three words of lower case, none too long."""
    return is_writable(text) and _is_plain(text) and max(map(len, text.split(" "))) <= _LONGEST_WORD


def _may_grow(part: str) -> bool:
    """Whether concepts that no text has begin so."""
    if not part:
        return True
    words = part.split(" ")
    return (
        _NEW.fullmatch(part) is not None
        and _is_plain(part)
        and len(words) <= LONGEST
        and max(map(len, words)) + (not part[-1].isalpha()) < _LONGEST_WORD
    )


def _is_new(text: str) -> bool:
    """Whether it can be a concept that no text has."""
    return _NEW.fullmatch(text) is not None and text[-1].isalpha()


def _is_plain(text: str) -> bool:
    """Whether its letters are small ones that can be shown: none of half a letter's bytes."""
    return text == text.lower() and text.isprintable() and ANY_OTHER not in text
