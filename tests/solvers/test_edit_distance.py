"""Edit distances: by hand, against brute force on small graphs, and under a time limit."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from whence.errors import UsageError
from whence.solvers import edit_prices, edit_search
from whence.solvers.edit_bounds import DualBound, LocalBound
from whence.solvers.edit_distance import (
    LabelledGraph,
    edit_cost,
    from_graph,
    graph_edit_distance,
    smallest_distance,
)
from whence.solvers.edit_prices import EdgePrices, edge_prices
from whence.solvers.edit_problem import edit_problem
from whence.structures.graph import Edge, Graph

NOTHING = LabelledGraph((), {})


def small(text: str) -> LabelledGraph:
    """`a b? | 0x1 1y0`: labels of nodes, `?` unlabelled, then edges with a one-letter label between two digits."""
    nodes, _, edges = text.partition("|")
    labels = tuple(None if label == "?" else label for label in nodes.split())
    return LabelledGraph(labels, {(int(edge[0]), int(edge[2])): edge[1] for edge in edges.split()})


def brute_force(first: LabelledGraph, second: LabelledGraph) -> int:
    """The least cost of all partial injective maps: every node goes to another node, or to a None."""
    targets = [*range(len(second.nodes)), *[None] * len(first.nodes)]
    return min(
        edit_cost(first, second, enumerate(chosen)) for chosen in set(permutations(targets, len(first.nodes)))
    )


def graphs(size: int, labels: str = "ab?", relations: str = "xy") -> st.SearchStrategy[LabelledGraph]:
    def with_edges(nodes: list[str]) -> st.SearchStrategy[LabelledGraph]:
        places = [(start, end) for start in range(len(nodes)) for end in range(len(nodes))]
        edges = (
            st.dictionaries(st.sampled_from(places), st.sampled_from(relations), max_size=8)
            if places
            else st.just({})
        )
        named = tuple(None if label == "?" else label for label in nodes)
        return edges.map(lambda found: LabelledGraph(named, found))

    return st.lists(st.sampled_from(labels), max_size=size).flatmap(with_edges)


def random_graph(seed: int, nodes: int, edges: int, labels: int = 1, relations: int = 1) -> LabelledGraph:
    source = random.Random(seed)
    places = [(start, end) for start in range(nodes) for end in range(nodes) if start != end]
    return LabelledGraph(
        tuple(str(source.randrange(labels)) for _ in range(nodes)),
        {place: str(source.randrange(relations)) for place in source.sample(places, edges)},
    )


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("", "", 0),
        ("", "a b | 0x1", 3),  # two nodes and an edge are inserted
        ("a", "a", 0),
        ("a", "b", 1),
        ("?", "?", 0),  # unlabelled equals unlabelled
        ("?", "a", 1),  # and nothing else
        ("a b | 0x1", "b a | 1x0", 0),  # the order of nodes means nothing
        ("a b | 0x1", "a b | 0y1", 1),  # another relation
        ("a b | 0x1", "a b | 1x0", 2),  # a turned edge: delete and insert, or two new labels
        ("a b c | 0x1 1x2", "a b | 0x1", 2),  # a node goes with its edge
        ("a | 0x0", "a", 1),  # an edge from a node to itself
        ("a | 0x0", "b | 0y0", 2),
        ("a b | 0x0 0x1", "a b | 1x1 0x1", 2),
        # Equal labels need not meet: to exchange p and q costs 2 labels, to move their five edges costs more.
        ("p q r s t | 0x1 0x2 0x3 0x4 2x0", "q p r s t | 0x1 0x2 0x3 0x4 2x0", 2),
    ],
)
def test_by_hand(first, second, expected):
    found = graph_edit_distance(small(first), small(second))
    assert (found.lower, found.upper, found.is_optimal) == (expected, expected, True)
    assert edit_cost(small(first), small(second), found.mapping) == expected


@settings(max_examples=400, deadline=None)
@given(graphs(5), graphs(4))
def test_is_the_least_of_all_edit_paths(first, second):
    found = graph_edit_distance(first, second)
    assert found.lower == found.upper == brute_force(first, second)


@settings(max_examples=150, deadline=None)
@given(graphs(5, labels="a", relations="x"), graphs(5, labels="a", relations="x"))
def test_shape_alone(first, second):
    assert graph_edit_distance(first, second).upper == brute_force(first, second)


@settings(max_examples=150, deadline=None)
@given(first=graphs(5), second=graphs(5))
def test_the_relaxation_finds_the_same(first, second):
    """The second stage alone, which small graphs never reach."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edit_search, "_QUICK_VISITS", 0)
        found = graph_edit_distance(first, second)
    assert found.is_optimal
    assert edit_cost(first, second, found.mapping) == found.upper
    assert found.upper == brute_force(first, second)


@settings(max_examples=200, deadline=None)
@given(graphs(6, "abc?", "xyz"), graphs(6, "abc?", "xyz"))
def test_is_symmetric_and_its_mapping_costs_it(first, second):
    there, back = graph_edit_distance(first, second), graph_edit_distance(second, first)
    assert there.upper == back.upper
    for one, other, found in ((first, second, there), (second, first, back)):
        assert edit_cost(one, other, found.mapping) == found.upper
        assert sorted(old for old, _ in found.mapping if old is not None) == list(range(len(one.nodes)))
        assert sorted(new for _, new in found.mapping if new is not None) == list(range(len(other.nodes)))


@settings(max_examples=150, deadline=None)
@given(graphs(5), graphs(5), graphs(5))
def test_a_way_round_is_no_shorter(first, second, third):
    def distance(one: LabelledGraph, other: LabelledGraph) -> float:
        return graph_edit_distance(one, other).upper

    assert distance(first, third) <= distance(first, second) + distance(second, third)


@settings(max_examples=150, deadline=None)
@given(graphs(7), st.randoms(use_true_random=False))
def test_nothing_between_a_graph_and_its_renumbering(graph, source):
    places = list(range(len(graph.nodes)))
    source.shuffle(places)
    nodes = [None] * len(places)
    for node, place in enumerate(places):
        nodes[place] = graph.nodes[node]
    moved = LabelledGraph(
        tuple(nodes), {(places[start], places[end]): label for (start, end), label in graph.edges.items()}
    )
    assert graph_edit_distance(graph, moved).upper == 0


@settings(max_examples=150, deadline=None)
@given(graphs(4, "ab"), graphs(4, "ab"))
def test_nothing_only_between_equals(first, second):
    equal = len(first.nodes) == len(second.nodes) and any(
        all(first.nodes[node] == second.nodes[place] for node, place in enumerate(places))
        and {(places[start], places[end]): label for (start, end), label in first.edges.items()} == second.edges
        for places in permutations(range(len(first.nodes)))
    )
    assert (graph_edit_distance(first, second).upper == 0) == equal


@settings(max_examples=100, deadline=None)
@given(graphs(5))
def test_nothing_has_to_be_built_up(graph):
    size = len(graph.nodes) + len(graph.edges)
    assert graph_edit_distance(NOTHING, graph).upper == graph_edit_distance(graph, NOTHING).upper == size


@settings(max_examples=150, deadline=None)
@given(graphs(5), st.lists(graphs(5), min_size=1, max_size=4))
def test_the_nearest_gold(found, golds):
    distances = [graph_edit_distance(found, gold).upper for gold in golds]
    nearest = smallest_distance(found, golds)
    assert nearest.lower == nearest.upper == min(distances)
    assert nearest.gold == distances.index(min(distances))
    assert edit_cost(found, golds[nearest.gold], nearest.mapping) == nearest.upper


def test_no_gold_and_no_time_are_refused():
    with pytest.raises(UsageError, match="at least one gold"):
        smallest_distance(NOTHING, ())
    for limit in (-1, float("nan")):
        with pytest.raises(UsageError, match="number of seconds"):
            graph_edit_distance(NOTHING, NOTHING, time_limit=limit)


def test_edges_lead_to_nodes():
    with pytest.raises(UsageError, match=r"edge \(0, 1\) leaves the graph"):
        LabelledGraph(("a",), {(0, 1): "x"})


def test_twins_change_nothing():
    """Stars of 12 rays: without the rule for twins, 12! ways to assign them look alike."""
    first = LabelledGraph(("c",) * 13, {(0, ray): "x" for ray in range(1, 13)})
    second = LabelledGraph(("c",) * 13, {(0, ray): "y" if ray < 4 else "x" for ray in range(1, 13)})
    assert graph_edit_distance(first, second, time_limit=20).lower == 3


def test_a_short_time_gives_bounds():
    """All labels equal: a second to prove, so 0.2 s leaves a gap, and the distance lies in it."""
    first, second = random_graph(1, 14, 24), random_graph(101, 14, 24)
    found = graph_edit_distance(first, second, time_limit=0.2)
    assert found.seconds < 1  # a second, so that a busy machine does not fail the test
    assert edit_cost(first, second, found.mapping) == found.upper
    exact = graph_edit_distance(first, second)
    assert exact.is_optimal
    assert found.lower <= exact.upper <= found.upper


def test_bounds_enclose_the_distance():
    first, second = random_graph(0, 10, 18, labels=2), random_graph(1, 10, 18, labels=2)
    exact = graph_edit_distance(first, second)
    assert exact.is_optimal
    for limit in (0, 0.001, 0.01, 0.05):
        found = graph_edit_distance(first, second, time_limit=limit)
        assert found.lower <= exact.upper <= found.upper
        several = smallest_distance(first, (random_graph(2, 10, 18), second), time_limit=limit)
        assert several.lower <= exact.upper


def test_long_chains_need_no_deep_stack():
    def chain(length: int) -> LabelledGraph:
        return LabelledGraph((None,) * length, {(node, node + 1): "" for node in range(length - 1)})

    assert graph_edit_distance(chain(150), chain(153)).upper == 6


@pytest.mark.parametrize("seed", range(10))
def test_both_bounds_hold_at_every_depth(seed):
    """What is assigned and what is estimated never sum to less than the whole assignment saves."""
    from scipy.optimize import linear_sum_assignment

    problem = edit_problem(random_graph(seed, 6, 10, 2, 2), random_graph(seed + 50, 7, 12, 2, 2))
    prices = edge_prices(problem, DualBound.scale, None)
    assert prices is not None
    source = random.Random(seed)
    for assignment in [source.sample(range(7), 6) for _ in range(20)]:
        for bound in (LocalBound(problem), DualBound(problem, prices)):
            state, saved = bound.start(), 0.0
            for row, column in enumerate(assignment):
                free = np.array([left for left in range(7) if left not in assignment[:row]])
                estimates = bound.estimates(state, row, free)
                most = saved + estimates[linear_sum_assignment(estimates, maximize=True)].sum()
                assert most >= bound.scale * problem.saved(assignment)
                saved += state[0][row, column]
                state = bound.after(state, row, column)
            assert saved >= bound.scale * problem.saved(assignment)


def test_prices_that_fall_short_are_raised(monkeypatch):
    """A solver that says 0 for everything still leads to a bound that holds, and so to the right distance."""
    solve = edit_prices.linprog

    def careless(*arguments, **options):
        answer = solve(*arguments, **options)
        answer.ineqlin.marginals = np.zeros_like(answer.ineqlin.marginals)
        answer.x = np.zeros_like(answer.x)
        return answer

    monkeypatch.setattr(edit_prices, "linprog", careless)
    monkeypatch.setattr(edit_search, "_QUICK_VISITS", 0)
    for seed in range(20):
        first, second = random_graph(seed, 5, 8, 2, 2), random_graph(seed + 50, 4, 6, 2, 2)
        assert graph_edit_distance(first, second).upper == brute_force(first, second)


def test_without_the_relaxation(monkeypatch):
    def out_of_time(*_: object) -> EdgePrices | None:
        return None

    monkeypatch.setattr(edit_prices, "edge_prices", out_of_time)
    monkeypatch.setattr(edit_search, "_QUICK_VISITS", 0)
    first, second = random_graph(0, 5, 8, 2, 2), random_graph(50, 4, 6, 2, 2)
    assert graph_edit_distance(first, second).upper == brute_force(first, second)


def test_of_parallel_edges_the_last_stays():
    graph = Graph((Edge("a", "causes", "b"), Edge("b", "is a", "c"), Edge("a", "desires", "b")))
    assert from_graph(graph) == LabelledGraph(("a", "b", "c"), {(0, 1): "desires", (1, 2): "is a"})


@given(graphs(3))
@settings(max_examples=20, deadline=None)
def test_graphs_can_be_keys(graph):
    assume(graph.edges)
    assert len({graph, LabelledGraph(graph.nodes, dict(graph.edges))}) == 1
