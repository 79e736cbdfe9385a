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
from whence.structures.results import Problem

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
            [("stance", "/stance", "'maybe' is not a stance (support, counter)")],
        ),
        (
            explanation(*CLEAN, stance="Support"),
            [("stance", "/stance", "'Support' is not a stance (support, counter)")],
        ),
        # edge-count
        (
            explanation("zoos; causes; space", "space; desires; animals"),
            [("edge-count", "/graph", "2 edges, at least 3 are needed")],
        ),
        (
            explanation(*CLEAN, "space; is a; thing", "thing; causes; fun"),
            [("edge-count", "/graph", "5 edges, at most 4 are allowed")],
        ),
        # concept-length
        (
            explanation(*CLEAN, "space; is a; thing of great value"),
            [("concept-length", "/graph/edges/3/tail", "'thing of great value' has 4 words, more than 3")],
        ),
        (
            explanation("too many words here; is a; animals", *CLEAN),
            [("concept-length", "/graph/edges/0/head", "'too many words here' has 4 words, more than 3")],
        ),
        (
            explanation(
                *CLEAN, "space; is a; two  words "
            ),  # single blanks separate: four pieces, as the spec says
            [("concept-length", "/graph/edges/3/tail", "'two  words ' has 4 words, more than 3")],
        ),
        (
            explanation(*CLEAN, "space; is a; "),
            [("concept-length", "/graph/edges/3/tail", "the concept is empty")],
        ),
        # relation
        (
            explanation(*CLEAN, "space; likes; fun"),
            [("relation", "/graph/edges/3/relation", "'likes' is not one of the relations")],
        ),
        (
            explanation(*CLEAN, "space; IS A; fun"),
            [("relation", "/graph/edges/3/relation", "'IS A' is not one of the relations")],
        ),
        # concepts: at least two of each text; one may count for both
        (
            explanation("animals; desires; space", "space; causes; joy", "joy; is a; good"),
            [("concepts", "/graph", "1 concepts of the belief (animals), at least 2 are needed")],
        ),
        (
            explanation("cruel; is a; bad", "bad; causes; harm", "harm; causes; zoos"),
            [("concepts", "/graph", "1 concepts of the argument (zoos), at least 2 are needed")],
        ),
        (
            explanation("x; is a; y", "y; is a; v", "v; is a; q"),
            [
                ("concepts", "/graph", "0 concepts of the belief, at least 2 are needed"),
                ("concepts", "/graph", "0 concepts of the argument, at least 2 are needed"),
            ],
        ),
        # connected
        (
            explanation("animals; desires; space", "space; causes; zoos", "p; causes; o"),
            [("connected", "/graph", "2 separate parts; one holds only: o, p")],
        ),
        # acyclic
        (
            explanation("animals; desires; space", "space; causes; zoos", "zoos; causes; animals"),
            [("acyclic", "/graph", "the edges lead round in a circle")],
        ),
        (explanation(*CLEAN, "space; is a; space"), [("acyclic", "/graph", "the edges lead round in a circle")]),
        # pair-once
        (
            explanation(*CLEAN, "animals; causes; space"),
            [("pair-once", "/graph/edges/3", "'animals' and 'space' are joined by edge 0 already")],
        ),
        (
            explanation(*CLEAN, "space; causes; animals"),  # backwards it is a pair too, and a circle
            [
                ("acyclic", "/graph", "the edges lead round in a circle"),
                ("pair-once", "/graph/edges/3", "'space' and 'animals' are joined by edge 0 already"),
            ],
        ),
        # nothing at all
        (
            StanceGraph("", Graph(())),
            [
                ("stance", "/stance", "'' is not a stance (support, counter)"),
                ("edge-count", "/graph", "0 edges, at least 3 are needed"),
                ("concepts", "/graph", "0 concepts of the belief, at least 2 are needed"),
                ("concepts", "/graph", "0 concepts of the argument, at least 2 are needed"),
            ],
        ),
    ],
)
def test_rules(found, problems):
    assert check(INPUTS, found, RULES) == tuple(Problem(*problem) for problem in problems)


def test_the_official_protocol_has_no_upper_limit_of_edges():
    many = explanation(*(f"a{number}; is a; b" for number in range(100)))
    assert not check(INPUTS, many, [edge_count(3, None)])


def test_statements_name_their_bounds():
    assert edge_count(3, 8).statement == "the graph has 3 to 8 edges"
    assert edge_count(3, None).statement == "the graph has at least 3 edges"
