"""Rules for argument graphs: each row is run through all of them, so it says which one it breaks and which not."""

from __future__ import annotations

import pytest

from whence.checks.graph import (
    ACYCLIC,
    CONNECTED,
    PAIR_ONCE,
    concept_length,
    concepts_from_texts,
    edge_count,
    relation_known,
    stance_known,
)
from whence.checks.rule import check
from whence.structures.graph import Argument, Edge, Graph, StanceGraph

INPUTS = Argument("Zoos are cruel to animals.", "Wild animals need space, and zoos are small.")
RULES = (
    stance_known(("support", "counter")),
    edge_count(3, 4),
    concept_length(3),
    relation_known(("is a", "causes", "desires")),
    concepts_from_texts(2),
    CONNECTED,
    ACYCLIC,
    PAIR_ONCE,
)


def edge(text: str) -> Edge:
    return Edge(*text.split("; "))


def explanation(*edges: str, stance: str = "support") -> StanceGraph:
    return StanceGraph(stance, Graph(tuple(map(edge, edges))))


CLEAN = ("animals; desires; space", "zoos; causes; boredom", "boredom; causes; animals")


@pytest.mark.parametrize(
    "found, problems",
    [
        (explanation(*CLEAN), []),
        (explanation(*CLEAN, stance="counter"), []),
        (explanation(*CLEAN, "space; is a; very good thing"), []),  # four edges, three words
        # stance
        (
            explanation(*CLEAN, stance="maybe"),
            [("stance", "/stance", "'maybe'")],
        ),
        (
            explanation(*CLEAN, stance="Support"),
            [("stance", "/stance", "'Support'")],
        ),
        # edge-count
        (
            explanation("zoos; causes; space", "space; desires; animals"),
            [("edge-count", "/graph", "2")],
        ),
        (
            explanation(*CLEAN, "space; is a; thing", "thing; causes; fun"),
            [("edge-count", "/graph", "5 edges")],
        ),
        # concept-length
        (
            explanation(*CLEAN, "space; is a; thing of great value"),
            [("concept-length", "/graph/edges/3/tail", "'thing of great value' has 4 words")],
        ),
        (
            explanation("too many words here; is a; animals", *CLEAN),
            [("concept-length", "/graph/edges/0/head", "'too many words here' has 4 words")],
        ),
        (
            explanation(
                *CLEAN, "space; is a; two  words "
            ),  # single blanks separate: four pieces, as the spec says
            [("concept-length", "/graph/edges/3/tail", "'two  words ' has 4 words")],
        ),
        (
            explanation(*CLEAN, "space; is a; "),
            [("concept-length", "/graph/edges/3/tail", "empty")],
        ),
        # relation
        (
            explanation(*CLEAN, "space; likes; fun"),
            [("relation", "/graph/edges/3/relation", "'likes'")],
        ),
        (
            explanation(*CLEAN, "space; IS A; fun"),
            [("relation", "/graph/edges/3/relation", "'IS A'")],
        ),
        # concepts: at least two of each text; one may count for both
        (
            explanation("animals; desires; space", "space; causes; joy", "joy; is a; good"),
            [("concepts", "/graph", "belief has 1 of the concepts ('animals')")],
        ),
        (
            explanation("cruel; is a; bad", "bad; causes; harm", "harm; causes; zoos"),
            [("concepts", "/graph", "argument has 1 of the concepts ('zoos')")],
        ),
        (
            explanation("x; is a; y", "y; is a; v", "v; is a; q"),
            [
                ("concepts", "/graph", "belief has 0"),
                ("concepts", "/graph", "argument has 0"),
            ],
        ),
        # connected
        (
            explanation("animals; desires; space", "space; causes; zoos", "p; causes; o"),
            [("connected", "/graph", "2 separate parts; one holds only: 'o', 'p'")],
        ),
        # acyclic
        (
            explanation("animals; desires; space", "space; causes; zoos", "zoos; causes; animals"),
            [("acyclic", "/graph", "circle")],
        ),
        (explanation(*CLEAN, "space; is a; space"), [("acyclic", "/graph", "circle")]),
        # pair-once
        (
            explanation(*CLEAN, "animals; causes; space"),
            [("pair-once", "/graph/edges/3", "'animals' and 'space' are joined by edge 0")],
        ),
        (
            explanation(*CLEAN, "space; causes; animals"),  # backwards it is a pair too, and a circle
            [
                ("acyclic", "/graph", "circle"),
                ("pair-once", "/graph/edges/3", "'space' and 'animals' are joined by edge 0"),
            ],
        ),
        # nothing at all
        (
            StanceGraph("", Graph(())),
            [
                ("stance", "/stance", "''"),
                ("edge-count", "/graph", "0"),
                ("concepts", "/graph", "belief has 0"),
                ("concepts", "/graph", "argument has 0"),
            ],
        ),
    ],
)
def test_rules(found, problems):
    got = check(INPUTS, found, RULES)
    assert [(problem.rule, problem.where) for problem in got] == [(rule, where) for rule, where, _ in problems]
    assert all(said in problem.message for problem, (_, _, said) in zip(got, problems, strict=True))


def test_the_official_protocol_has_no_upper_limit_of_edges():
    many = explanation(*(f"a{number}; is a; b" for number in range(100)))
    assert not check(INPUTS, many, [edge_count(3, None)])


def test_statements_name_their_bounds():
    assert edge_count(3, 8).statement == "the graph has 3 to 8 edges"
    assert edge_count(3, None).statement == "the graph has at least 3 edges"
