"""Premises joined to a conclusion."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.models.verifier.entailment import Inference
from whence.structures.facts import Fact
from whence.structures.results import Label
from whence.structures.verdict import CONTRADICTS, FOLLOWS


def diagram(inputs: Inference, label: Label | None, _: Mapping[str, Fact]) -> Diagram:
    """The conclusion with its label; premises are joined to it if it follows from them or contradicts them."""
    premises = tuple(
        Node(f"premise {number}", text, "leaf", note=f"premise {number}")
        for number, text in enumerate(inputs.premises, 1)
    )
    conclusion = Node("conclusion", inputs.conclusion, "root", note=label.name if label else "conclusion")
    if label is None:
        return Diagram((*premises, conclusion), (), direction="up")
    kind = {FOLLOWS: "plain", CONTRADICTS: "negated"}.get(label.name)
    links = tuple(Link(node.id, conclusion.id, kind=kind) for node in premises) if kind else ()
    return Diagram((*premises, conclusion), links, caption=(("label", label.name),), direction="up")
