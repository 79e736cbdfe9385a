"""Drawings as plain text, and how texts are measured and wrapped."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.drawing import Diagram, Link, Node, to_text
from whence.drawing.text_size import clean, columns, text_width, wrap, wrap_columns

labels = st.text(max_size=60) | st.lists(st.sampled_from(["a", "plant", "photosynthesis", "日本語"])).map(" ".join)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram), st.sampled_from(["tree", "graph"]))
def test_every_label_is_there(diagram: Diagram, style: str) -> None:
    text = to_text(diagram, width=100_000, style=style)  # type: ignore[arg-type]
    assert all((clean(node.label) or "(empty)") in text for node in diagram.nodes)
    assert all(clean(link.label) in text for link in diagram.links)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram), st.sampled_from(["tree", "graph"]))
def test_every_word_is_there_when_lines_are_short(diagram: Diagram, style: str) -> None:
    text = to_text(diagram, width=60, style=style)  # type: ignore[arg-type]
    assert all(
        word in text for node in diagram.nodes for word in node.label.split() if word.isascii() and word.isalpha()
    )


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_ascii_is_ascii(diagram: Diagram) -> None:
    assert to_text(diagram, ascii_only=True).isascii()


def test_a_graph() -> None:
    nodes = [Node(id, id, "external" if id in "bd" else "internal") for id in "abcde"]
    links = [Link("a", "b", "causes"), Link("b", "c", "is a"), Link("b", "d", "not desires", "negated")]
    links += [Link("e", "c", "part of"), Link("d", "a")]
    diagram = Diagram(tuple(nodes), tuple(links[:-1]), caption=(("belief", "A."), ("stance", "support")))
    assert to_text(diagram) == "\n".join(
        [
            "belief  A.",
            "stance  ▲ support",
            "",
            "a ──causes──▶ ⟨b⟩",
            "              ├──is a──▶ c",
            "              └╌╌not desires╌╌▶ ⟨d⟩",
            "e ──part of──▶ c (above)",
        ]
    )
    cyclic = Diagram(tuple(nodes), tuple(links))
    assert to_text(cyclic).endswith("└╌╌not desires╌╌▶ ⟨d⟩ ──▶ a (above)")
    assert to_text(cyclic, ascii_only=True).endswith("`..not desires..> <d> --> a (above)")


def test_a_long_chain_goes_on_below() -> None:
    nodes = tuple(Node(str(number), f"concept {number}") for number in range(5))
    links = tuple(Link(str(number), str(number + 1), "is a") for number in range(4))
    assert to_text(Diagram(nodes, links), width=54) == "\n".join(
        [
            "concept 0 ──is a──▶ concept 1 ──is a──▶ concept 2",
            "    ──is a──▶ concept 3 ──is a──▶ concept 4",
        ]
    )


def test_a_tree() -> None:
    sentence = "a plant requires water and light to grow"
    nodes = (
        Node("s1", sentence, note="s1"),
        Node("s2", "rain", note="s2"),
        Node("i1", "so", mark="changed", note="i1"),
        Node("h", "hence"),
    )
    links = (Link("s1", "i1"), Link("s2", "i1"), Link("i1", "h"), Link("s2", "h", mark="added"))
    diagram = Diagram(nodes, links, direction="up")
    assert to_text(diagram, width=36) == "\n".join(
        [
            "hence",
            "├─ ~ so (i1)",
            "│  ├─ a plant requires water and",
            "│  │     light to grow (s1)",
            "│  └─ rain (s2)",
            "└─+─ s2 (above)",
        ]
    )


def test_nothing() -> None:
    assert to_text(Diagram((), ())) == ""


@settings(max_examples=35, deadline=None)
@given(labels, st.floats(30, 300))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: float) -> None:
    lines = wrap(text, width, 14)
    assert all(text_width(line, 14) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == clean(text).replace(" ", "")


@settings(max_examples=35, deadline=None)
@given(labels, st.integers(4, 60))
def test_columns_fit(text: str, width: int) -> None:
    assert all(columns(line) <= width for line in wrap_columns(text, width))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.0),
        ("a", 5.56),  # Helvetica, 556 thousandths
        ("é", 5.56),  # as its letter
        ("e\u0301", 5.56),  # an accent of its own has no width
        ("日", 10.0),
    ],
)
def test_widths(text: str, expected: float) -> None:
    assert text_width(text, 10) / 1.08 == pytest.approx(expected)


def test_lines_are_even() -> None:
    assert wrap("one two three four five", 120, 14) == ("one two three", "four five")
