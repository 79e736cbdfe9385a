"""The Python interface."""

from __future__ import annotations

from dataclasses import replace

import pytest

import whence
from whence.errors import UsageError
from whence.structures.graph import Edge, Graph, StanceGraph


def test_load_check_draw() -> None:
    dataset = whence.load("explagraphs")
    example = dataset.examples[0]
    assert whence.check("explagraphs", example) == ()
    broken = StanceGraph("support", Graph((Edge("a", "is a", "b"),)))
    assert {problem.rule for problem in whence.check("explagraphs", example, broken)} == {"edge-count", "concepts"}
    assert whence.draw("explagraphs", example)._repr_html_().startswith("<svg")


def test_facts_are_handed_in() -> None:
    dataset = whence.load("worldtree")
    example = dataset.examples[0]
    assert whence.check("worldtree", example, facts=dataset.facts) == ()
    shown = whence.draw("worldtree", example, facts=dataset.facts)
    assert dataset.facts[example.golds[0].facts[0].id].text in {node.label for node in shown.nodes}


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no task"):
        whence.load("nothing")
    with pytest.raises(UsageError, match="no protocol"):
        whence.check("explagraphs", whence.load("explagraphs").examples[0], protocol="mine")
    with pytest.raises(AttributeError):
        _ = whence.nothing


def test_hidden_gold_is_said_and_names_are_listed() -> None:
    hidden = replace(whence.load("explagraphs").examples[0], golds=())
    with pytest.raises(UsageError, match="no gold explanation"):
        whence.check("explagraphs", hidden)
    assert {"load", "check", "draw"} <= set(dir(whence))
