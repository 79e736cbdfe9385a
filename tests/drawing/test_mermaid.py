"""Diagrams as Mermaid text."""

from __future__ import annotations

from whence.drawing import Diagram, Link, Node, to_mermaid


def test_nodes_links_kinds_and_captions() -> None:
    nodes = (
        Node("a", 'say "no" #1', "internal"),
        Node("b", "rain\nfalls", "external", "added"),
        Node("c", "", note="x"),
    )
    links = (Link("a", "b", "not causes", "negated"), Link("b", "c"))
    assert to_mermaid(Diagram(nodes, links, caption=(("belief", "a\nb"),))) == (
        "flowchart TD\n"
        "  %% belief: a\\nb\n"
        '  n0["say #34;no#34; #35;1"]\n'
        '  n1(["rain falls"])\n'
        '  n2["c<br/>x"]\n'
        '  n0 -.->|"not causes"| n1\n'
        "  n1 --> n2\n"
        "  classDef external stroke-dasharray: 4 3\n"
        "  class n1 external\n"
        "  classDef added stroke: #1a7f37\n"
        "  class n1 added\n"
    )


def test_proofs_point_up_and_notebooks_have_pictures() -> None:
    proof = Diagram((Node("a", "a", "leaf"), Node("b", "b", "root")), (Link("a", "b"),), direction="up")
    assert to_mermaid(proof).startswith("flowchart BT\n")
    assert proof._repr_svg_() == proof._repr_html_()
    assert proof._repr_svg_().startswith("<svg")
