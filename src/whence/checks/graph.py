"""Rules for argument graphs (ExplaGraphs, sec. 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.structures.graph import Argument, StanceGraph, components, concepts_within, has_cycle

GraphRule = Rule[Argument, StanceGraph]


def stance_known(stances: Collection[str]) -> GraphRule:
    """The stance is one of the names."""

    def find(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
        if explanation.stance not in stances:
            yield "/stance", f"{quoted(explanation.stance)} is not a stance ({', '.join(stances)})"

    return Rule("stance", f"the stance is one of {', '.join(stances)}", find)


def edge_count(least: int, most: int | None) -> GraphRule:
    """The graph has so many edges, repeated ones counted."""

    def find(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
        count = len(explanation.graph.edges)
        if count < least:
            yield "/graph", f"the graph has {count} of the {least} edges that it needs at least"
        if most is not None and count > most:
            yield "/graph", f"the graph has {count} edges, at most {most} are allowed"

    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    return Rule("edge-count", f"the graph has {bounds} edges", find)


def concept_length(most: int) -> GraphRule:
    """A concept has words, at most so many, as single blanks separate them."""

    def find(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
        for number, edge in enumerate(explanation.graph.edges):
            for side, concept in (("head", edge.head), ("tail", edge.tail)):
                words = len(concept.split(" "))
                if not concept:
                    yield f"/graph/edges/{number}/{side}", "the concept is empty"
                elif words > most:
                    yield f"/graph/edges/{number}/{side}", f"{quoted(concept)} has {words} words, more than {most}"

    return Rule("concept-length", f"a concept has one to {most} words", find)


def relation_known(relations: Collection[str]) -> GraphRule:
    """Every relation is of the set."""
    known = frozenset(relations)

    def find(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
        for number, edge in enumerate(explanation.graph.edges):
            if edge.relation not in known:
                yield f"/graph/edges/{number}/relation", f"{quoted(edge.relation)} is not one of the relations"

    return Rule("relation", f"every relation is one of the {len(known)}", find)


def concepts_from_texts(least: int) -> GraphRule:
    """So many concepts stand verbatim in the belief, and so many in the argument; one may count for both."""

    def find(inputs: Argument, explanation: StanceGraph) -> Iterator[Finding]:
        for name, text in (("belief", inputs.belief), ("argument", inputs.argument)):
            found = concepts_within(explanation.graph.nodes, text)
            if len(found) < least:
                shown = f" ({', '.join(map(quoted, found))})" if found else ""
                yield "/graph", f"the {name} has {len(found)} of the concepts{shown}, at least {least} are needed"

    return Rule("concepts", f"at least {least} concepts are of the belief and {least} of the argument", find)


def _find_disconnected(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
    parts = sorted((sorted(part) for part in components(explanation.graph)), key=lambda part: (len(part), part))
    if len(parts) > 1:
        yield "/graph", f"{len(parts)} separate parts; one holds only: {', '.join(map(quoted, parts[0]))}"


def _find_cycle(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
    if has_cycle(explanation.graph):
        yield "/graph", "the edges lead round in a circle"


def _find_repeated_pair(_: Argument, explanation: StanceGraph) -> Iterator[Finding]:
    seen: dict[frozenset[str], int] = {}
    for number, edge in enumerate(explanation.graph.edges):
        first = seen.setdefault(frozenset((edge.head, edge.tail)), number)
        if first != number:
            yield (
                f"/graph/edges/{number}",
                f"{quoted(edge.head)} and {quoted(edge.tail)} are joined by edge {first} already",
            )


CONNECTED: Rule[Any, StanceGraph] = Rule("connected", "the graph is in one piece", _find_disconnected)
ACYCLIC: Rule[Any, StanceGraph] = Rule("acyclic", "no concept leads back to itself", _find_cycle)
PAIR_ONCE: Rule[Any, StanceGraph] = Rule("pair-once", "no two concepts are joined twice", _find_repeated_pair)
