"""The sentences of a passage, and the one that decides the claim."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.facts import Fact
from whence_rationales.data import Rationale, Statement


def diagram(statement: Statement, rationale: Rationale | None, _: Mapping[str, Fact]) -> Diagram:
    """Draw an arrow from the rationale to the claim; the other sentences are dashed."""
    text = rationale.text if rationale else ""
    nodes = [
        Node(f"sentence {number}", sentence, "leaf" if sentence == text else "external")
        for number, sentence in enumerate(statement.sentences, 1)
    ]
    nodes.append(Node("claim", statement.claim, "root", note="claim"))
    if rationale is None:
        return Diagram(tuple(nodes), ())
    start = next((node.id for node in nodes[:-1] if node.label == text), "rationale")
    if start == "rationale":
        nodes.append(Node(start, text, "latent", note="not in the passage"))
    kind = "negated" if rationale.label == "refuted" else "plain"
    return Diagram(tuple(nodes), (Link(start, "claim", rationale.label, kind),))
