"""Random diagrams: cyclic, disconnected, with loops, parallel links, and any text as label.

Tests ask for them by type, with `st.from_type(Diagram)`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from whence.drawing import Diagram, Link, Node

KINDS = ("plain", "internal", "external", "leaf", "conclusion", "root", "latent", "span")
MARKS = ("", "added", "removed", "changed")
AWKWARD = (
    "",
    " ",
    "<b>&amp;\"'</b>",
    "]]>",
    "a\x00b\x1b[31mc",
    "\ud800",
    "\uffff",
    "日本語 🐄",
    "é" * 80,
    "x\n\ty",
    "…",
)


@st.composite
def _sentences(draw: st.DrawFn) -> str:
    words = draw(
        st.lists(st.sampled_from(["rain", "is", "a", "kind", "of", "precipitation", "water"]), max_size=25)
    )
    return " ".join(words)


labels = st.one_of(_sentences(), st.sampled_from(AWKWARD), st.text(max_size=12))


@st.composite
def diagrams(draw: st.DrawFn) -> Diagram:
    ids = [f"n{number}" for number in range(draw(st.integers(0, 9)))]
    mark, kind = st.sampled_from(MARKS), st.sampled_from(KINDS)
    nodes = [Node(id, draw(labels), draw(kind), draw(mark), draw(st.sampled_from(("", "sent3")))) for id in ids]
    ends = st.sampled_from(ids) if ids else st.nothing()
    link = st.builds(Link, ends, ends, st.one_of(st.just(""), labels), st.sampled_from(("plain", "negated")), mark)
    links = draw(st.lists(link, max_size=14)) if ids else []
    return Diagram(
        tuple(nodes),
        tuple(links),
        draw(st.sampled_from(("", "Why?", "<&>\x07"))),
        draw(st.sampled_from(((), (("belief", "Rain is wet."), ("stance", "counter")), (("stance", "perhaps"),)))),
        draw(st.sampled_from(("down", "up"))),
    )


st.register_type_strategy(Diagram, diagrams())
