"""What differs is marked, and what does not is not."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from whence.drawing import Diagram, Link, Node, compare, differences, to_svg, to_text

BEFORE = Diagram(
    (Node("a", "rain"), Node("b", "water"), Node("c", "snow")),
    (Link("a", "b", "is a"), Link("c", "b", "made of"), Link("a", "c", "antonym of")),
    caption=(("belief", "Rain is wet."), ("stance", "support")),
)
AFTER = Diagram(
    (Node("a", "rain"), Node("b", "cold water"), Node("d", "ice")),
    (Link("a", "b", "causes"), Link("d", "b", "made of")),
    caption=(("belief", "Rain is wet."), ("stance", "counter")),
)


def marks(diagram: Diagram) -> list[str]:
    return [thing.mark for thing in (*diagram.nodes, *diagram.links)]


def test_an_example() -> None:
    assert compare(BEFORE, AFTER) == Diagram(
        (
            Node("a", "rain"),
            Node("b", "cold water", mark="changed", note="was: water"),
            Node("c", "snow", mark="removed"),
            Node("d", "ice", mark="added"),
        ),
        (
            Link("a", "b", "is a → causes", mark="changed"),
            Link("c", "b", "made of", mark="removed"),
            Link("a", "c", "antonym of", mark="removed"),
            Link("d", "b", "made of", mark="added"),
        ),
        caption=(("belief", "Rain is wet."), ("stance", "support → counter")),
    )
    assert differences(BEFORE, AFTER) == (
        "stance: “support” became “counter”",
        "changed: “water” became “cold water”",
        "removed: “snow”",
        "added: “ice”",
        "changed: rain → cold water: “is a” became “causes”",
        "removed: snow —made of→ cold water",
        "removed: rain —antonym of→ snow",
        "added: ice —made of→ cold water",
    )


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_a_diagram_does_not_differ_from_itself(diagram: Diagram) -> None:
    assert set(marks(compare(diagram, diagram))) <= {""}
    assert differences(diagram, diagram) == ()


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram), st.randoms(use_true_random=False))
def test_a_link_taken_away_is_marked(diagram: Diagram, random: object) -> None:
    if diagram.links:
        gone = diagram.links[random.randrange(len(diagram.links))]  # type: ignore[attr-defined]
        less = replace(diagram, links=tuple(link for link in diagram.links if link is not gone))
        (removed,) = (link for link in compare(diagram, less).links if link.mark)
        (added,) = (link for link in compare(less, diagram).links if link.mark)
        assert (removed.mark, added.mark) == ("removed", "added")
        assert (removed.tail, removed.head, removed.label) == (gone.tail, gone.head, gone.label)
        assert len(differences(diagram, less)) == 1


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram), st.from_type(Diagram))
def test_the_union_is_drawn(before: Diagram, after: Diagram) -> None:
    union = compare(before, after)
    assert {node.id for node in union.nodes} == {node.id for node in (*before.nodes, *after.nodes)}
    assert len(union.links) <= len(before.links) + len(after.links)
    assert to_svg(union)
    assert isinstance(to_text(union), str)
    assert bool(differences(before, after)) == (any(marks(union)) or union.caption != after.caption)
