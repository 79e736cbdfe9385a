"""The best graph within limits: equal to brute force, equal to an integer programme, always well-formed."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from whence.errors import UsageError
from whence.solvers.graph_decoding import (
    DecodedGraph,
    EdgeScores,
    GraphLimits,
    decode,
    decode_chain,
    decode_connected,
)
from whence.structures.graph import Edge, Graph, is_connected, is_connected_dag, is_linear

RELATIONS = 4


def random_scores(random: np.random.Generator, count: int) -> EdgeScores:
    """From mostly-positive to mostly-negative gains, some of them probabilities, some with many ties."""
    shape = (count, count, RELATIONS + 1)
    kind = random.integers(3)
    if kind == 0:
        drawn = random.dirichlet(np.full(RELATIONS + 1, 0.4), size=shape[:2])
    elif kind == 1:
        drawn = random.normal(size=shape)
    else:
        drawn = random.integers(-2, 3, size=shape).astype(float)
    return EdgeScores(drawn[..., :-1], drawn[..., -1] + random.choice([-1.0, 0.0, 1.0]))


def random_limits(random: np.random.Generator, count: int) -> GraphLimits:
    texts = tuple(
        frozenset(np.flatnonzero(random.random(count) < share).tolist()) for share in random.random(2) * 0.7 + 0.3
    )
    required = (
        frozenset(range(count)) if random.random() < 0.3 else frozenset({0} if random.random() < 0.3 else ())
    )
    most = int(random.integers(4, 9))
    return GraphLimits(most_edges=most, texts=texts, required=required)


def as_graph(found: DecodedGraph) -> Graph:
    return Graph(tuple(Edge(str(edge.head), str(edge.relation), str(edge.tail)) for edge in found.edges))


def keeps(found: DecodedGraph, limits: GraphLimits) -> bool:
    nodes = {int(node) for node in as_graph(found).nodes}
    return (
        limits.least_edges <= len(found.edges) <= limits.most_edges
        and is_connected_dag(as_graph(found))
        and limits.required <= nodes
        and all(len(text & nodes) >= limits.least_of_text for text in limits.texts)
    )


def worth(found: DecodedGraph, scores: EdgeScores, concept_scores: np.ndarray) -> float:
    """Counted anew: the sum over all ordered pairs, and over the concepts that are used."""
    chosen = {(edge.head, edge.tail): edge.relation for edge in found.edges}
    pairs = [(i, j) for i in range(scores.concepts) for j in range(scores.concepts) if i != j]
    edges = sum(scores.relations[(*pair, chosen[pair])] if pair in chosen else scores.none[pair] for pair in pairs)
    return float(edges + concept_scores[[int(node) for node in as_graph(found).nodes]].sum())


@cache
def every_graph(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every connected acyclic graph of some of the concepts: arcs, concepts, how many edges."""
    pairs = list(combinations(range(count), 2))
    ways = np.array(list(product((0, 1, 2), repeat=len(pairs))))
    arcs = np.zeros((len(ways), count, count))
    for way, (first, second) in zip(ways.T, pairs, strict=True):
        arcs[:, first, second], arcs[:, second, first] = way == 1, way == 2
    used = arcs.any(axis=1) | arcs.any(axis=2)
    walks, reach = np.eye(count) + arcs, np.eye(count) + arcs + arcs.transpose(0, 2, 1)
    acyclic = np.trace(np.linalg.matrix_power(walks, count), axis1=1, axis2=2) == count
    apart = np.linalg.matrix_power(reach, count) == 0
    connected = ~(apart & used[:, :, None] & used[:, None, :]).any(axis=(1, 2))
    fits = acyclic & connected
    return arcs[fits].reshape(fits.sum(), -1), used[fits].astype(float), arcs[fits].sum(axis=(1, 2))


def brute_force(scores: EdgeScores, limits: GraphLimits, concept_scores: np.ndarray) -> float | None:
    arcs, used, sizes = every_graph(scores.concepts)
    fits = (sizes >= limits.least_edges) & (sizes <= limits.most_edges)
    fits &= used[:, sorted(limits.required)].all(axis=1)
    for text in limits.texts:
        fits &= used[:, sorted(text)].sum(axis=1) >= limits.least_of_text
    if not fits.any():
        return None
    none = scores.none.sum() - np.trace(scores.none)
    return float((arcs @ scores.gains.ravel() + used @ concept_scores)[fits].max() + none)


@pytest.mark.parametrize("count, problems", [(3, 100), (4, 700), (5, 200)])
def test_the_best_graph_of_a_thousand_problems_is_that_of_brute_force(count, problems):
    random = np.random.default_rng(count)
    impossible = 0
    for _ in range(problems):
        scores, limits = random_scores(random, count), random_limits(random, count)
        concept_scores = random.normal(size=count) * random.integers(2)
        found, best = decode(scores, limits, concept_scores.tolist()), brute_force(scores, limits, concept_scores)
        if best is None:
            impossible += 1
            assert found is None
            continue
        assert found is not None
        assert keeps(found, limits)
        assert found.score == pytest.approx(best, abs=1e-9)
        assert found.score == pytest.approx(worth(found, scores, concept_scores), abs=1e-9)
    assert impossible < problems * 2 / 3


def programme(scores: EdgeScores, limits: GraphLimits) -> float:
    """The same as an integer programme: arcs x, concepts y, an order u against circles, a flow f to connect."""
    n = scores.concepts
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    place = {pair: number for number, pair in enumerate(pairs)}
    m = len(pairs)
    x, y, root, u, f, width = 0, m, m + n, m + 2 * n, m + 3 * n, 2 * m + 3 * n
    cost = np.zeros(width)
    cost[:m] = [-scores.gains[pair] for pair in pairs]
    rows: list[tuple[np.ndarray, float, float]] = []

    def add(entries: dict[int, float], low: float, high: float) -> None:
        row = np.zeros(width)
        for column, value in entries.items():
            row[column] += value
        rows.append((row, low, high))

    for (i, j), number in place.items():
        add({x + number: 1, y + i: -1}, -np.inf, 0)
        add({x + number: 1, y + j: -1}, -np.inf, 0)
        add({u + j: 1, u + i: -1, x + number: -n}, 1 - n, np.inf)
        add({f + number: 1, x + number: -n, x + place[j, i]: -n}, -np.inf, 0)
    for node in range(n):
        into = {f + place[i, node]: 1.0 for i in range(n) if i != node}
        out = {f + place[node, j]: -1.0 for j in range(n) if j != node}
        add({**into, **out, y + node: -1.0, root + node: float(n)}, 0, np.inf)
        add({root + node: 1, y + node: -1}, -np.inf, 0)
    add({root + node: 1.0 for node in range(n)}, 1, 1)
    add(dict.fromkeys(range(m), 1.0), limits.least_edges, limits.most_edges)
    for text in limits.texts:
        add({y + node: 1.0 for node in text}, limits.least_of_text, np.inf)
    for node in limits.required:
        add({y + node: 1.0}, 1, 1)
    whole = np.r_[np.ones(m + 2 * n), np.zeros(n + m)]
    upper = np.r_[np.ones(m + 2 * n), np.full(n, n - 1), np.full(m, n)]
    matrix, low, high = (np.array(part) for part in zip(*rows, strict=True))
    # A concept that is used has an edge: without one no flow comes to it.
    solved = milp(
        cost, constraints=LinearConstraint(matrix, low, high), integrality=whole, bounds=Bounds(0, upper)
    )
    assert solved.success
    return float(-solved.fun + scores.none.sum() - np.trace(scores.none))


@pytest.mark.parametrize("seed", range(12))
def test_the_best_graph_of_more_concepts_is_that_of_an_integer_programme(seed):
    random = np.random.default_rng(seed)
    scores = random_scores(random, 6 + seed % 3)
    limits = GraphLimits(texts=(frozenset({0, 1, 2}), frozenset({2, 3, 4})))
    found = decode(scores, limits)
    assert found is not None
    assert keeps(found, limits)
    assert found.score == pytest.approx(programme(scores, limits), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 9))
def test_what_is_found_keeps_the_limits(seed, count):
    random = np.random.default_rng(seed)
    scores, limits = random_scores(random, count), random_limits(random, count)
    found = decode(scores, limits)
    assert found is None or keeps(found, limits)


def best_chain(scores: EdgeScores, limits: GraphLimits, concept_scores: np.ndarray) -> float | None:
    """By trying every order of every set of concepts."""
    none = scores.none.sum() - np.trace(scores.none)
    found = [
        sum(scores.gains[arc] for arc in pairwise(order)) + concept_scores[list(order)].sum() + none
        for size in range(limits.least_edges + 1, min(limits.most_edges + 1, scores.concepts) + 1)
        for order in permutations(range(scores.concepts), size)
        if limits.required <= set(order)
        and all(len(text & set(order)) >= limits.least_of_text for text in limits.texts)
    ]
    return max(found, default=None)


@pytest.mark.parametrize("seed", range(60))
def test_the_best_chain_is_that_of_all_orders(seed):
    random = np.random.default_rng(seed)
    scores, limits = random_scores(random, 5), random_limits(random, 5)
    concept_scores = random.normal(size=5)
    found, best = decode_chain(scores, limits, concept_scores.tolist()), best_chain(scores, limits, concept_scores)
    if best is None:
        assert found is None
        return
    assert found is not None
    assert keeps(found, limits)
    assert is_linear(as_graph(found))
    assert found.score == pytest.approx(best, abs=1e-9)
    assert found.score == pytest.approx(worth(found, scores, concept_scores), abs=1e-9)
    free = decode(scores, limits, concept_scores.tolist())
    assert free is not None
    assert free.score >= found.score - 1e-9


def test_it_is_none_where_no_graph_keeps_the_limits():
    scores = random_scores(np.random.default_rng(0), 5)
    assert decode(scores, GraphLimits(texts=(frozenset({3}),))) is None
    assert decode(random_scores(np.random.default_rng(0), 2), GraphLimits()) is None
    assert decode(scores, GraphLimits(most_edges=3, required=frozenset(range(5)))) is None


def test_too_many_concepts_are_refused():
    with pytest.raises(UsageError, match="14 concepts at the most, not 15"):
        decode(EdgeScores(np.zeros((15, 15, 1)), np.zeros((15, 15))), GraphLimits())


def test_the_released_way_takes_all_that_gains_and_joins_the_rest():
    none = np.zeros((3, 3))
    relations = np.array([[[0.0], [1.0], [-3.0]], [[0.5], [0.0], [-2.0]], [[-1.0], [-4.0], [0.0]]])
    found = decode_connected(EdgeScores(relations, none))
    assert [(edge.head, edge.tail) for edge in found.edges] == [(0, 1), (1, 0), (2, 0)]
    assert found.score == pytest.approx(0.5)
    assert is_connected(as_graph(found))
