"""The steps of the layered layout, each against its definition."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from whence.drawing.layers import Arc, closing_arcs, components, layering
from whence.drawing.ordering import crossings, ordered


def arcs_between(count: int) -> st.SearchStrategy[list[Arc]]:
    node = st.integers(0, count - 1)
    return st.lists(st.tuples(node, node).filter(lambda arc: arc[0] != arc[1]), max_size=9)


@settings(max_examples=35, deadline=None)
@given(arcs_between(6))
def test_turning_the_closing_arcs_leaves_no_cycle(arcs: list[Arc]) -> None:
    closing = closing_arcs(6, arcs)
    turned = [(b, a) if number in closing else (a, b) for number, (a, b) in enumerate(arcs)]
    assert not closing_arcs(6, turned)


@settings(max_examples=35, deadline=None)
@given(arcs_between(5))
def test_layers_have_the_least_total_length(arcs: list[Arc]) -> None:
    arcs = [(min(arc), max(arc)) for arc in arcs] + [(0, 1), (1, 2), (1, 3), (2, 4)]  # acyclic and connected
    layer = layering(5, arcs)
    assert all(layer[a] < layer[b] for a, b in arcs)
    assert min(layer) == 0
    possible = (trial for trial in product(range(5), repeat=5) if all(trial[a] < trial[b] for a, b in arcs))
    assert sum(layer[b] - layer[a] for a, b in arcs) == min(sum(t[b] - t[a] for a, b in arcs) for t in possible)


def test_components_are_in_order() -> None:
    assert components(6, [(4, 0), (1, 3)]) == [[0, 4], [1, 3], [2], [5]]
    assert components(0, []) == []


def test_a_planar_order_is_found() -> None:
    #  0 1 2 over 3 4 5, joined crosswise
    below = [[5], [4], [3], [], [], []]
    above = [[], [], [], [2], [1], [0]]
    assert crossings([[0, 1, 2], [3, 4, 5]], below) == 3
    assert crossings(ordered([[0, 1, 2], [3, 4, 5]], above, below), below) == 0
