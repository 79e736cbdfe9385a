"""The automaton over linearised graphs: gold graphs pass, all else that passes is well-formed, it never sticks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.checks.rule import check
from whence.formats.graphs import EDGE_ORDERS, format_graph, parse_graph
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.graph_state import State, pieces_of, sources
from whence.tasks.argument_graphs.heads.texts import gold_graph
from whence.tasks.argument_graphs.methods.llm.repair import mend
from whence.tasks.argument_graphs.methods.written.graph_automaton import GraphText
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.argument_graphs.task import EXPLAGRAPHS
from whence.tasks.dataset import Dataset
from whence.tasks.loading import load, samples

NO_DATA: Dataset = Dataset((), ())
INPUTS = Argument("Zoos should close.", "Zoos save rare animals.")


def constraint(inputs: Argument = INPUTS) -> GraphText:
    found = sources(inputs)
    assert found is not None
    return GraphText(found)


def problems(inputs: Argument, graph: Graph) -> list:
    explanation = StanceGraph("support", graph)
    return [
        problem for name in ("official", "paper") for problem in check(inputs, explanation, rules(name, NO_DATA))
    ]


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("", True, False),
        ("(", True, False),
        ("zoos", False, False),
        ("(zoos;", True, False),
        ("(zoos; cap", True, False),
        ("(zoos; likes", False, False),  # no relation of the set
        ("(a zoo in a", False, False),  # a fourth word
        ("(Zoos", False, False),  # graphs are written in lower case
        ("(peace*", False, False),  # no sign of words, and neither text has it
        ("(peace*; causes; ", False, False),
        ("(zoos; causes; peace*)", False, False),
        ("(zoos; causes; animals' e-mails", True, False),
        ("(zoos; causes; peace'", True, False),
        ("(zoos; causes; peace')", False, False),  # an apostrophe that nothing follows
        ("(zoos; causes; peace-is-war", False, False),  # hyphens are no way to a fourth word
        ("(zoos; causes; peace2", False, False),  # nor figures to another concept of the same name
        ("(zoos; causes; zoos)", False, False),  # a circle of one
        ("(zoos; causes; peace)(peace; causes; zoos)", False, False),  # back again
        ("(zoos; causes; peace)(zoos; is a; peace)", False, False),  # joined twice
        ("(zoos; causes; peace)(peace; causes; close)(peace; causes; animals)", True, True),
        ("(zoos; causes; peace)(peace; causes; close)(save; causes; animals)", True, False),  # two parts, so far
        ("(zoos; causes; a)(a; causes; b)(b; causes; c)", True, False),  # no second concept of a text yet
    ],
)
def test_what_may_begin_and_what_may_end(text, begins, ends):
    assert constraint().may_begin(text) is begins
    assert constraint().may_end(text) is ends


def test_enough_edges_are_always_left():
    apart = "".join(f"(a{number}x; causes; b{number}x)" for number in range(4))
    # Four parts take three edges to join, one of which could bring no concept: eight edges would not do.
    assert not constraint().may_begin(apart)
    joined = "(zoos; causes; q)(q; causes; w)(w; causes; e)(e; causes; r)(r; causes; t)"
    assert constraint().may_begin(f"{joined}(t; causes; close)(q; causes; animals)(t; causes; u)")
    assert constraint().may_begin(f"{joined}(t; causes; y)")
    assert not constraint().may_begin(f"{joined}(t; causes; y)(y; causes; u)")  # one edge for two concepts
    assert constraint().may_begin(f"{joined}(t; causes; close)(y; causes; animals)")  # one edge is left to join it
    assert not constraint().may_begin(f"{joined}(t; causes; close)(y; causes; u)")
    assert constraint().may_begin(f"{joined}(t; causes; close)(q; causes; ani")


def test_a_model_that_would_end_is_held_to_what_is_wanting():
    begun = "(zoos; causes; q)(q; causes; w)(w; causes; e)"
    limit = constraint().finishing(begun)
    assert limit.may_begin(begun)
    assert not limit.may_begin(f"{begun}(e; causes; u")  # a new concept
    assert not limit.may_begin(f"{begun}(q; causes; e")  # an edge more between the old ones
    assert limit.may_begin(f"{begun}(e; causes; close)")
    nearer = f"{begun}(e; causes; close)"
    assert not limit.may_begin(f"{nearer}(e; causes; should")  # the belief has two now
    whole = f"{nearer}(q; causes; animals)"
    assert limit.may_end(whole)
    assert not limit.may_begin(f"{whole}(")
    assert constraint().may_begin(f"{whole}(")


def walk(text: str, limit: GraphText, chance: random.Random, steps: int) -> str:
    """Goes on with letters, pieces and relations by chance, as far as they are allowed."""
    letters = [*"abcdes ;()'", "; ", ")(", *limit.sources.pieces, *RELATIONS[:6]]
    for _ in range(steps):
        fits = next((one for one in chance.sample(letters, len(letters)) if limit.may_begin(text + one)), None)
        if fits is None:
            if not limit.way_on(text):
                return text
            fits = limit.way_on(text)[0]
            assert limit.may_begin(text + fits)
        text += fits
    return text


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 120), st.booleans())
def test_whatever_is_written_can_be_brought_to_a_well_formed_end(seed, steps, would_end):
    chance = random.Random(seed)
    inputs = chance.choice([example.inputs for example in samples(EXPLAGRAPHS).examples])
    limit = constraint(inputs)
    text = walk("", limit, chance, steps)
    if would_end and not limit.may_end(text):
        limit = limit.finishing(text)
        text = walk(text, limit, chance, steps // 2)
    whole = text + limit.way_on(text)
    assert limit.may_end(whole)
    assert limit.way_on(whole) == ""
    assert limit.graph(text) == parse_graph(whole)
    assert problems(inputs, limit.graph(text)) == []


@pytest.mark.parametrize("order", EDGE_ORDERS)
def test_our_samples_can_be_written_in_every_order(order):
    for example in samples(EXPLAGRAPHS).examples:
        limit, text = constraint(example.inputs), format_graph(gold_graph(example), order, seed=1)
        assert all(limit.may_begin(text[:end]) for end in range(len(text) + 1))
        assert limit.may_end(text)


@pytest.mark.real_data
@pytest.mark.parametrize("order", ["dfs", "random"])
def test_gold_graphs_can_be_written(order, real_data: Path):
    """All but those that are not well-formed, and those with other letters than graphs may have."""
    refused = []
    for example in load(EXPLAGRAPHS, "dev", lambda: real_data).examples[:150]:
        limit, text = constraint(example.inputs), format_graph(gold_graph(example), order, seed=1)
        if not limit.may_end(text):
            refused.append(text)
    assert refused == []


def test_other_signs_are_copied_from_the_texts_alone():
    limit = constraint(Argument("Save LGBTQ+ people.", "People are people."))
    assert limit.may_begin("(lgbtq+ people; ")
    assert limit.may_begin("(people; is a; lgbtq+ people)")
    assert not limit.may_begin("(lgbtq+ peoples; ")


def test_texts_of_one_word_are_no_sources():
    assert sources(Argument("Ban", "Guns kill people.")) is None
    assert pieces_of("Guns kill.") == ("guns", "kill", "guns kill")


def test_missing_edges_are_counted():
    found = sources(INPUTS)
    assert found is not None
    assert State(found).missing == 2  # zoos with one of each text
    state = State(found, (Edge("zoos", "causes", "close"), Edge("joy", "causes", "peace")))
    assert state.missing == 2  # to join, and a concept of the argument


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["zoos", "close", "rare animals", "joy", "peace", "a b c d", "Zoos", "x; y", ""]),
            st.sampled_from(["causes", "is a", "likes"]),
            st.sampled_from(["zoos", "save", "animals", "harm", "joy", "peace", "law", "f", "g", "h"]),
        ),
        max_size=14,
    )
)
def test_every_graph_can_be_mended(edges):
    graph = Graph(tuple(Edge(*edge) for edge in edges))
    found = mend(INPUTS, graph)
    assert found is not None
    assert problems(INPUTS, found) == []


def test_mending_keeps_what_it_can():
    good = parse_graph("(zoos; causes; peace)(peace; causes; close)(peace; causes; animals)")
    assert mend(INPUTS, good) == good
    circle = Graph((*good.edges, Edge("animals", "causes", "zoos")))
    assert mend(INPUTS, circle) == good  # the last edge goes
    apart = parse_graph("(zoos; causes; close)(joy; causes; animals)")
    found = mend(INPUTS, apart)
    assert found is not None
    assert set(apart.edges) <= set(found.edges)
    assert len(found.edges) == 3
    assert mend(Argument("Ban", "Guns kill"), good) is None
