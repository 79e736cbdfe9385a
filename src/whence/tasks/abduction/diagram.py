"""Two observations with hypotheses between them, as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.facts import Fact
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Label

_BEFORE, _AFTER = "observed first", "observed later"


def choice_diagram(inputs: HypothesisPair, label: Label | None, _: Mapping[str, Fact]) -> Diagram:
    """Both hypotheses between the observations; the one that is not chosen dashed and not joined."""
    chosen = label.name if label else ""
    hypotheses = (("hypothesis 1", inputs.hyp1, chosen == "1"), ("hypothesis 2", inputs.hyp2, chosen == "2"))
    nodes = tuple(
        Node(name, text, "conclusion" if right else "external", note=name) for name, text, right in hypotheses
    )
    links = tuple(
        link for name, _text, right in hypotheses if right for link in (Link(_BEFORE, name), Link(name, _AFTER))
    )
    return Diagram((_observed(_BEFORE, inputs.obs1), *nodes, _observed(_AFTER, inputs.obs2)), links)


def written_diagram(inputs: Observations, hypothesis: Hypothesis | None, _: Mapping[str, Fact]) -> Diagram:
    """The hypothesis between the observations."""
    before, after = _observed(_BEFORE, inputs.obs1), _observed(_AFTER, inputs.obs2)
    if hypothesis is None:
        return Diagram((before, after), (Link(_BEFORE, _AFTER, "?"),))
    between = Node("hypothesis", hypothesis.text, "conclusion", note="hypothesis")
    return Diagram((before, between, after), (Link(_BEFORE, "hypothesis"), Link("hypothesis", _AFTER)))


def _observed(name: str, text: str) -> Node:
    return Node(name, text, "leaf", note=name)
