"""Linearised graphs: what is read and refused, and the edge orders against their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError, UsageError
from whence.formats.graphs import EDGE_ORDERS, format_graph, ordered, parse_graph
from whence.structures.graph import Edge, Graph, has_cycle, roots


def graph(text: str) -> Graph:
    """`a>b b>c`: edges, the number of each as its relation, so that parallel ones differ."""
    pairs = (edge.split(">") for edge in text.split())
    return Graph(tuple(Edge(head, f"r{number}", tail) for number, (head, tail) in enumerate(pairs)))


def written(edges: list[tuple[str, str]]) -> Graph:
    return graph(" ".join(f"{head}>{tail}" for head, tail in edges))


def pairs(found: Graph) -> str:
    return " ".join(f"{edge.head}>{edge.tail}" for edge in found.edges)


@pytest.mark.parametrize(
    "text, edges",
    [
        ("(rain; causes; mud)", [("rain", "causes", "mud")]),
        ("(a; r; b)(b; r; c)", [("a", "r", "b"), ("b", "r", "c")]),
        ("  (a; r; b)\n", [("a", "r", "b")]),  # blanks around the whole
        ("(a; r; b)(a; r; b)", [("a", "r", "b")] * 2),  # duplicates count (spec, 3.)
        ("(A; R; B)", [("A", "R", "B")]),  # case is kept
        ("( a ; r;b; c )", [(" a ", "r;b", "c ")]),  # only '; ' separates
        ("(a (b); r; c)", [("a (b)", "r", "c")]),
        ("(; r; b)", [("", "r", "b")]),  # an empty concept is a problem of the graph, not of the text
        ("(a; r; b;)", [("a", "r", "b;")]),
    ],
)
def test_parse(text, edges):
    assert parse_graph(text) == Graph(tuple(Edge(*edge) for edge in edges))


@pytest.mark.parametrize(
    "edges",
    [
        [("a;", " r", "b")],
        [("a", "r", ")"), ("(", "r", "b")],
        [("", "", "")],
        [("a", "r", "b")] * 2,
    ],
)
def test_odd_graphs_that_can_be_written(edges):
    found = Graph(tuple(Edge(*edge) for edge in edges))
    assert parse_graph(format_graph(found)) == found


@pytest.mark.parametrize(
    "text, found",
    [
        ("", "''"),
        ("(", "'('"),
        (")", "')'"),
        ("()", "'()'"),
        ("no graph", "'no graph'"),
        ("(a; r; b", "'(a; r; b'"),  # truncated
        ("a; r; b)", "'a; r; b)'"),
        ("(a; r)", "'(a; r)'"),
        ("(a; r; b; c)", "'(a; r; b; c)'"),
        ("(a; r; b) (c; r; d)", "'(a; r; b) (c; r; d)'"),  # a blank between edges: read as one of five parts
        ("(a; r; b)()", "'()'"),
        ("(a; r; b)(c)", "'(c)'"),
        ("(a,r,b)", "'(a,r,b)'"),
    ],
)
def test_refused(text, found):
    with pytest.raises(DataError) as caught:
        parse_graph(text)
    assert caught.value.found == found


@pytest.mark.parametrize(
    "edges",
    [
        [],  # no edge
        [("a; b", "r", "c")],
        [("a", "r; s", "c")],
        [("a", "r", "b; c")],
        [("a)(b", "r", "c")],
    ],
)
def test_not_written(edges):
    with pytest.raises(DataError):
        format_graph(Graph(tuple(Edge(*edge) for edge in edges)))


# One graph with a cross edge and two roots, its orders by hand. Roots: a, f.
#   a -> b -> d -> e,  a -> c -> d,  f -> c
CROSSING = graph("b>d a>b f>c a>c d>e c>d")


@pytest.mark.parametrize(
    "order, expected",
    [
        ("given", "b>d a>b f>c a>c d>e c>d"),
        ("dfs", "a>b b>d d>e a>c c>d f>c"),  # down to the end, then back
        ("bfs", "a>b a>c b>d c>d d>e f>c"),  # level by level
        ("topological", "a>b a>c f>c b>d c>d d>e"),  # a, f free first; then b, c; then d
    ],
)
def test_orders_by_hand(order, expected):
    assert pairs(ordered(CROSSING, order)) == expected


@pytest.mark.parametrize(
    "edges, order, expected",
    [
        ("a>b b>a", "dfs", "a>b b>a"),  # no root: from the first concept
        ("a>b b>a", "bfs", "a>b b>a"),
        ("a>a", "dfs", "a>a"),
        ("c>d d>c a>b", "dfs", "a>b c>d d>c"),  # roots first; what only a cycle leads to comes after
        ("c>d d>c a>b", "bfs", "a>b c>d d>c"),
        ("a>b a>b", "dfs", "a>b a>b"),
        ("", "dfs", ""),
    ],
)
def test_traversals_of_odd_graphs(edges, order, expected):
    assert pairs(ordered(graph(edges), order)) == expected


def test_a_cyclic_graph_has_no_topological_order():
    with pytest.raises(UsageError, match="cyclic"):
        format_graph(graph("a>b b>a"), "topological")


def test_an_unknown_order_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match=r"'depth' is no edge order; there are .*dfs"):
        format_graph(CROSSING, "depth")


def test_the_random_order_is_of_the_seed_and_stays():
    # Random(7).shuffle is the same in every Python since 3.2; runs must be repeatable elsewhere.
    assert pairs(ordered(graph("a>b b>c c>d d>e e>f"), "random", seed=7)) == "e>f a>b d>e b>c c>d"


plain_concepts = st.sampled_from(("rain", "wet mud", "a;b", "(x)", "Ünï", ""))
graphs = st.lists(
    st.builds(Edge, plain_concepts, st.sampled_from(("is a", "causes")), plain_concepts), min_size=1
).map(lambda edges: Graph(tuple(edges)))
letters = st.sampled_from("abcdef")
small_graphs = st.lists(st.tuples(letters, letters), min_size=1, max_size=9).map(written)
dags = st.permutations("abcdef").flatmap(
    lambda names: st.lists(st.sampled_from([*combinations(names, 2)]), min_size=1, max_size=9).map(written)
)


@settings(deadline=None)
@given(graphs, st.sampled_from(sorted(EDGE_ORDERS)), st.integers())
def test_written_in_any_order_a_graph_keeps_its_edges(found, order, seed):
    if order == "topological" and has_cycle(found):
        return
    assert Counter(parse_graph(format_graph(found, order, seed)).edges) == Counter(found.edges)


@settings(deadline=None)
@given(graphs)
def test_written_as_given_a_graph_is_the_same(found):
    assert parse_graph(format_graph(found)) == found


@settings(deadline=None)
@given(st.one_of(small_graphs, dags), st.sampled_from(("dfs", "bfs", "topological", "random")), st.integers())
def test_an_order_is_a_permutation_and_always_the_same(found, order, seed):
    if order == "topological" and has_cycle(found):
        return
    arranged = ordered(found, order, seed)
    assert Counter(arranged.edges) == Counter(found.edges)
    assert ordered(found, order, seed) == arranged


@settings(deadline=None)
@given(st.integers(), st.integers(0, 8))
def test_the_random_order_is_the_shuffle_of_positions_alone(seed, count):
    """Two graphs of the same size are shuffled alike: the seed decides, not the concepts."""
    one = Graph(tuple(Edge(f"a{number}", "r", "x") for number in range(count)))
    other = Graph(tuple(Edge(f"b{number}", "s", "y") for number in range(count)))
    assert [edge.head[1:] for edge in ordered(one, "random", seed).edges] == [
        edge.head[1:] for edge in ordered(other, "random", seed).edges
    ]


def edge_dfs(found: Graph) -> list[Edge]:
    """`networkx.edge_dfs` from every root in order of appearance, by its definition; for DAGs.

    From a node follow each leaving edge that was not followed before, and go on from its end at once.
    """
    followed: list[int] = []

    def follow(node: str) -> None:
        for number, edge in enumerate(found.edges):
            if edge.head == node and number not in followed:
                followed.append(number)
                follow(edge.tail)

    for root in roots(found):
        follow(root)
    return [found.edges[number] for number in followed]


@settings(deadline=None)
@given(dags)
def test_depth_first_is_that_of_networkx(found):
    assert list(ordered(found, "dfs").edges) == edge_dfs(found)


@settings(deadline=None)
@given(dags)
def test_breadth_first_goes_level_by_level(found):
    """From a single root, edges leave concepts in the order of their distance."""
    single = Graph((*found.edges, *(Edge("start", f"to {node}", node) for node in roots(found))))
    distance = {"start": 0}
    while len(distance) < len(single.nodes):
        distance |= {
            e.tail: distance[e.head] + 1 for e in single.edges if e.head in distance and e.tail not in distance
        }
    levels = [distance[edge.head] for edge in ordered(single, "bfs").edges]
    assert levels == sorted(levels)


@settings(deadline=None)
@given(dags)
def test_topological_leaves_no_concept_before_all_edges_to_it_are_out(found):
    arranged = ordered(found, "topological").edges
    for number, edge in enumerate(arranged):
        assert all(later.tail != edge.head for later in arranged[number:])


@pytest.mark.parametrize("order", ["dfs", "bfs", "topological"])
def test_a_long_chain_is_ordered_without_recursion(order):
    edges = tuple(Edge(str(number), "r", str(number + 1)) for number in range(5_000))
    assert ordered(Graph(edges[::-1]), order).edges == edges
