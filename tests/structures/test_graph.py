"""Graph questions: small graphs by hand, and brute force on random ones."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.structures.graph import (
    Argument,
    Edge,
    Graph,
    children,
    components,
    concepts_within,
    depth,
    external_concepts,
    has_cycle,
    is_connected,
    is_connected_dag,
    is_linear,
    roots,
    topological_nodes,
)


def graph(text: str) -> Graph:
    """`a>b b>c`: edges whose relation does not matter."""
    return Graph(tuple(Edge(head, "r", tail) for head, tail in (edge.split(">") for edge in text.split())))


def parts(text: str) -> tuple[frozenset[str], ...]:
    """`ab c`: sets of one-letter concepts."""
    return tuple(map(frozenset, text.split()))


@pytest.mark.parametrize(
    "edges, connected, cyclic, longest, linear, pieces, starts",
    [
        ("", True, False, 0, True, "", ""),  # nothing is trivially one piece
        ("a>b", True, False, 1, True, "ab", "a"),
        ("a>b b>c", True, False, 2, True, "abc", "a"),  # a chain
        ("b>c a>b", True, False, 2, True, "abc", "a"),  # the same chain, written backwards
        ("a>b a>c", True, False, 1, False, "abc", "a"),  # two edges out
        ("a>b c>b", True, False, 1, False, "abc", "ac"),  # two edges in; connected only without directions
        ("a>b b>c a>c", True, False, 2, False, "abc", "a"),  # the short cut does not shorten the depth
        ("a>b a>c b>d c>d d>e", True, False, 3, False, "abcde", "a"),  # a diamond with a tail
        ("a>b a>b", True, False, 1, False, "ab", "a"),  # parallel edges: two edges out
        ("a>b c>d", False, False, 1, False, "ab cd", "ac"),  # two chains are not one
        ("a>b c>d d>e f>f", False, True, None, False, "ab cde f", "ac"),
        ("a>a", True, True, None, False, "a", ""),  # a loop is a cycle
        ("a>b b>a", True, True, None, False, "ab", ""),
        ("a>b b>c c>a", True, True, None, False, "abc", ""),
        ("d>a a>b b>c c>a", True, True, None, False, "abcd", "d"),  # a way into a cycle
    ],
)
def test_shape(edges, connected, cyclic, longest, linear, pieces, starts):
    found = graph(edges)
    assert is_connected(found) is connected
    assert has_cycle(found) is cyclic
    assert is_connected_dag(found) is (connected and not cyclic)
    assert depth(found) == longest
    assert is_linear(found) is linear
    assert components(found) == parts(pieces)
    assert roots(found) == tuple(starts)


def test_nodes_come_in_the_order_of_their_first_appearance():
    assert graph("b>c a>b c>a").nodes == ("b", "c", "a")


def test_children_come_in_the_order_of_writing_and_repeat_parallel_edges():
    assert children(graph("a>c a>b a>c b>c")) == {"a": ["c", "b", "c"], "c": [], "b": ["c"]}


@pytest.mark.parametrize(
    "edges, expected",
    [
        ("", ()),
        ("b>c a>b", ("a", "b", "c")),
        ("c>d a>b", ("c", "a", "d", "b")),  # both c and a are free at the start, c is written first
        ("a>b b>a", None),
    ],
)
def test_topological_nodes(edges, expected):
    assert topological_nodes(graph(edges)) == expected


def test_topological_nodes_come_in_the_order_in_which_they_get_free():
    assert topological_nodes(graph("a>z c>b")) == ("a", "c", "z", "b")  # a and c are free from the start


@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_chain_needs_no_recursion(backwards):
    edges = [Edge(str(number), "r", str(number + 1)) for number in range(5_000)]
    chain = Graph(tuple(reversed(edges) if backwards else edges))
    assert depth(chain) == 5_000
    assert is_linear(chain)
    assert len(components(chain)) == 1


@pytest.mark.parametrize(
    "nodes, text, expected",
    [
        (("cars", "red cars", "trucks"), "Red cars are fast.", ("cars", "red cars")),
        (("CARS",), "red cars", ("CARS",)),  # case aside
        (("car",), "scared of scars", ("car",)),  # a substring, as in the released evaluator (spec, 3.)
        (("fast red",), "red fast", ()),
        (("",), "anything", ("",)),  # the empty text stands everywhere; `concept-length` reports it
        ((), "anything", ()),
        (("a",), "", ()),
    ],
)
def test_concepts_within(nodes, text, expected):
    assert concepts_within(nodes, text) == expected


@pytest.mark.parametrize(
    "edges, belief, argument, expected",
    [
        ("rain>mud mud>dirt", "Rain is bad.", "It makes mud.", ("dirt",)),
        ("rain>mud", "rain", "mud", ()),
        ("rain>mud", "RAIN and MUD", "", ()),
        ("sun>heat", "", "", ("sun", "heat")),
        ("sun>heat heat>sun", "It is the sun.", "sun", ("heat",)),  # in both texts: still known, and named once
    ],
)
def test_external_concepts(edges, belief, argument, expected):
    assert external_concepts(graph(edges), Argument(belief, argument)) == expected


small_graphs = st.lists(st.tuples(*[st.sampled_from("abcde")] * 2), max_size=7).map(
    lambda pairs: graph(" ".join(f"{head}>{tail}" for head, tail in pairs))
)


def leads_forward(order: tuple[str, ...], found: Graph) -> bool:
    return all(order.index(edge.head) < order.index(edge.tail) for edge in found.edges)


def longest_path(found: Graph, node: str) -> int:
    return max((1 + longest_path(found, edge.tail) for edge in found.edges if edge.head == node), default=0)


@settings(deadline=None)
@given(small_graphs)
def test_against_brute_force(found):
    orders = [order for order in permutations(found.nodes) if leads_forward(order, found)]
    assert has_cycle(found) is not bool(orders)
    if orders:
        assert topological_nodes(found) in orders
        assert depth(found) == max((longest_path(found, node) for node in found.nodes), default=0)


@settings(deadline=None)
@given(small_graphs)
def test_components_part_the_nodes_and_no_edge_crosses(found):
    pieces = components(found)
    assert sorted(node for piece in pieces for node in piece) == sorted(found.nodes)
    assert all(any({edge.head, edge.tail} <= piece for piece in pieces) for edge in found.edges)
    for piece in pieces:  # no smaller part is closed under edges
        inside = Graph(tuple(edge for edge in found.edges if edge.head in piece))
        assert components(inside) == (piece,)


@settings(deadline=None)
@given(small_graphs)
def test_a_linear_graph_has_one_edge_less_than_nodes_and_all_of_them_in_its_depth(found):
    chain = is_connected(found) and depth(found) == len(found.edges)
    assert is_linear(found) is chain
