"""No overlaps, nothing outside, whatever the diagram; and that plain things look plain."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.drawing import Box, Diagram, Layout, Link, Node, lay_out
from whence.errors import UsageError

NEAR = 0.01  # for errors of rounding


def overlap(a: Box, b: Box) -> bool:
    across = min(a.right, b.right) - max(a.x, b.x)
    along = min(a.bottom, b.bottom) - max(a.y, b.y)
    return across > NEAR and along > NEAR


def pieces(layout: Layout) -> list[Box]:
    """What every piece of a line covers at most: a curve stays between its ends."""
    return [
        Box(min(x0, x1) - 0.1, min(y0, y1), abs(x1 - x0) + 0.2, abs(y1 - y0))
        for placed in layout.links
        for stroke in placed.strokes
        for (x0, y0), (x1, y1) in pairwise(stroke)
    ]


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_boxes_and_labels_do_not_overlap(diagram: Diagram) -> None:
    layout = lay_out(diagram)
    boxes = [placed.box for placed in layout.nodes]
    labels = [placed.label for placed in layout.links if placed.label]
    assert not any(overlap(a, b) for a, b in combinations([*boxes, *labels], 2))


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_lines_pass_by_boxes_and_labels(diagram: Diagram) -> None:
    layout = lay_out(diagram)
    boxes = [placed.box for placed in layout.nodes] + [placed.label for placed in layout.links if placed.label]
    assert not any(overlap(piece, box) for piece in pieces(layout) for box in boxes)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_everything_is_inside_and_drawn(diagram: Diagram) -> None:
    layout = lay_out(diagram)
    boxes = [placed.box for placed in layout.nodes] + [placed.label for placed in layout.links if placed.label]
    inside = Box(-NEAR, -NEAR, layout.width + 2 * NEAR, layout.height + 2 * NEAR)
    assert all(inside.x <= box.x and box.right <= inside.right for box in boxes)
    assert all(inside.y <= box.y and box.bottom <= inside.bottom for box in boxes)
    assert {placed.node.id for placed in layout.nodes} == {node.id for node in diagram.nodes}
    assert sorted(map(repr, diagram.links)) == sorted(repr(placed.link) for placed in layout.links)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_links_begin_and_end_at_their_nodes(diagram: Diagram) -> None:
    layout = lay_out(diagram)
    for placed in layout.links:
        for id, (x, y) in ((placed.link.tail, placed.strokes[0][0]), (placed.link.head, placed.strokes[-1][-1])):
            boxes = [node.box for node in layout.nodes if node.node.id == id]
            assert any(
                box.x - NEAR <= x <= box.right + NEAR and box.y - NEAR <= y <= box.bottom + NEAR for box in boxes
            )


def chain(count: int, direction: str = "down") -> Diagram:
    nodes = tuple(Node(str(number), "concept " * (number % 3 + 1)) for number in range(count))
    links = tuple(Link(str(number), str(number + 1), "is a") for number in range(count - 1))
    return Diagram(nodes, links, direction=direction)  # type: ignore[arg-type]


@pytest.mark.parametrize("direction", ["down", "up"])
def test_a_chain_is_straight_and_follows_its_direction(direction: str) -> None:
    layout = lay_out(chain(9, direction))
    centres = {placed.node.id: placed.box.centre for placed in layout.nodes}
    assert len({round(x, 3) for x, _ in centres.values()}) == 1
    heights = [centres[str(number)][1] for number in range(9)]
    assert heights == sorted(heights, reverse=direction == "up")


def tree(premises: dict[str, str], direction: str) -> Diagram:
    ids = dict.fromkeys(" ".join([*premises, *premises.values()]).split())
    links = [(child, parent) for parent, family in premises.items() for child in family.split()]
    ends = [(a, b) if direction == "up" else (b, a) for a, b in links]
    nodes = tuple(Node(id, f"the text of {id}") for id in ids)
    return Diagram(nodes, tuple(Link(a, b) for a, b in ends), direction=direction)  # type: ignore[arg-type]


@pytest.mark.parametrize("direction", ["down", "up"])
@pytest.mark.parametrize(
    "premises", [{"r": "a b", "a": "c d", "b": "e f"}, {"r": "a b", "a": "c d e", "c": "f g"}, {"r": "a b c d e"}]
)
def test_parents_are_above_the_middle_of_their_children(premises: dict[str, str], direction: str) -> None:
    x = {placed.node.id: placed.box.centre[0] for placed in lay_out(tree(premises, direction)).nodes}
    for parent, family in premises.items():
        children = [x[child] for child in family.split()]
        assert x[parent] == pytest.approx((min(children) + max(children)) / 2, abs=16)


def test_the_premises_of_a_step_share_one_line() -> None:
    layout = lay_out(tree({"r": "a b c"}, "up"))
    turns = {stroke[1][1] for placed in layout.links for stroke in placed.strokes if len(stroke) == 4}
    ends = {placed.strokes[-1][-1] for placed in layout.links}
    assert len(turns) == 1
    assert len(ends) == 1


def test_a_long_proof_does_not_drift() -> None:
    steps = {f"c{number}": f"c{number + 1} leaf{number}" for number in range(16)}
    layout = lay_out(tree(steps, "up"))
    assert layout.width < 700


def test_a_shared_premise_is_shown_at_each_step() -> None:
    layout = lay_out(tree({"r": "a b", "a": "s t", "b": "s u"}, "up"))
    shared = [placed for placed in layout.nodes if placed.node.id == "s"]
    assert [placed.note for placed in shared] == [("(shown 2 times)",)] * 2


def test_many_parts_fill_rows() -> None:
    layout = lay_out(Diagram(tuple(Node(str(number), "alone") for number in range(200)), ()))
    assert layout.width < 1400


def test_hundreds_of_nodes_and_deep_chains() -> None:
    assert len(lay_out(chain(300)).nodes) == 300
    assert len(lay_out(chain(300, "up")).nodes) == 300


def test_bad_diagrams_are_refused() -> None:
    with pytest.raises(UsageError, match="two nodes"):
        Diagram((Node("a", ""), Node("a", "")), ())
    with pytest.raises(UsageError, match="no node"):
        Diagram((Node("a", ""),), (Link("a", "b"),))
