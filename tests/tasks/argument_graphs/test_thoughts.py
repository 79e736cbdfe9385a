"""Chains of thought as argument graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.checks.rule import check
from whence.structures.graph import Argument, Edge, StanceGraph
from whence.tasks import task_named
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.methods.thoughts.graph_of_thoughts import (
    equal_edges,
    graph_of_thoughts,
    said_stance,
)
from whence.tasks.argument_graphs.methods.thoughts.relations_in_text import SaidEdge, said_edge
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.dataset import Dataset
from whence.tasks.loading import load, samples
from whence.tasks.method import Explained
from whence.tasks.thinking import thoughts_of

INPUTS = Argument(
    "Dimming street lights helps nature.", "Moths circle a bright lamp until they die of exhaustion."
)
RULES = rules("paper", Dataset((), ()))


def _explained(text: str, inputs: Argument = INPUTS) -> Explained:
    return graph_of_thoughts(inputs, thoughts_of(text), equal_edges, lambda _: "")


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("A bright lamp causes exhaustion.", ("bright lamp", "causes", "exhaustion")),
        ("Dark nights do not lead to exhaustion", ("dark nights", "not causes", "exhaustion")),
        ("Moths are part of nature", ("moths", "part of", "nature")),
        ("A moth is not a bird", ("moth", "is not a", "bird")),
        ("A moth is a kind of insect", ("moth", "is a", "insect")),
        ("Moths cannot resist lamps", ("moths", "not capable of", "resist lamps")),
        # of a long part, words of the texts; what stands aside is left out
        ("As moths circle it, a lamp, which burns all night, causes the complete sudden exhaustion of moths",
         ("lamp", "causes", "exhaustion")),
        ("Moths!", None),
        ("It is so", None),  # no concept on either side
        ("", None),
    ],
)  # fmt: skip
def test_what_a_sentence_joins(sentence: str, expected: tuple[str, str, str] | None) -> None:
    assert said_edge(sentence, INPUTS) == (SaidEdge(*expected) if expected else None)


@pytest.mark.parametrize(
    "text, stance",
    [
        ("It supports the belief.", "support"),
        ("So the argument contradicts the belief.", "counter"),
        ("It does not support the belief", "counter"),
        ("It supports the belief. No, it counters the belief.", "counter"),  # the last word
        ("Poles support lamps.", ""),
        ("It may support or oppose the belief.", ""),
    ],
)
def test_the_stance_that_is_said(text: str, stance: str) -> None:
    assert said_stance(thoughts_of(text)) == stance


def test_a_text_becomes_a_graph_with_the_sentence_behind_each_edge() -> None:
    found = _explained(
        "1. A bright lamp causes exhaustion.\n2. Moths do not want exhaustion.\n3. Moths are part of nature.\n"
        "4. Hm.\n5. Dimming street lights causes darker nights.\nIt supports the belief."
    )
    assert isinstance(found.explanation, StanceGraph)
    assert found.explanation.stance == "support"
    edges = set(found.explanation.graph.edges)
    assert {
        Edge("bright lamp", "causes", "exhaustion"),
        Edge("moths", "not desires", "exhaustion"),
        Edge("moths", "part of", "nature"),
        Edge("dimming street lights", "causes", "darker nights"),
    } <= edges
    assert not check(INPUTS, found.explanation, RULES)
    assert len(found.reasons) == len(edges) == 5  # one more joins the two parts
    assert [reason.because for reason in found.reasons].count(("not said: it joins what is said",)) == 1


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "no sentence of the text joins two concepts"),
        ("Hm. Well!", "no sentence of the text joins two concepts"),
        ("A bright lamp causes exhaustion.", "the text does not say whether"),
    ],
)
def test_what_cannot_be_made(text: str, problem: str) -> None:
    found = _explained(text)
    assert found.explanation is None
    assert problem in found.problems[0].message


_WORDS = st.sampled_from(
    ("moths", "lamp", "nature", "lights", "nights", "stars", "exhaustion", "towns", "dark", "sleep")
)
_SENTENCES = st.builds(lambda a, r, b: f"{a} {r} {b}.", _WORDS, st.sampled_from(("causes", "is a", "has")), _WORDS)


@settings(max_examples=40, deadline=None)
@given(st.lists(_SENTENCES, min_size=1, max_size=12))
def test_whatever_is_said_the_graph_keeps_every_rule(said: Sequence[str]) -> None:
    found = _explained(" ".join([*said, "It counters the belief."]).replace(". ", ".\n"))
    assert (found.explanation is None) == bool(found.problems)
    if found.explanation is not None:
        assert not check(INPUTS, found.explanation, RULES)


SAID = {
    "antonym of": "is the opposite of",
    "synonym of": "is the same as",
    "has subevent": "involves",
    "not has subevent": "does not involve",
    "not causes": "does not cause",
    "not desires": "does not desire",
    "has property": "has",
    "not has property": "has no",
    **{name: f"is {name}" for name in ("capable of", "part of", "made of", "created by", "used for")},
    **{f"not {name}": f"is not {name}" for name in ("capable of", "part of", "made of", "created by", "used for")},
}


@pytest.mark.parametrize(
    "relation", [name for name in RELATIONS if "context" not in name and "action" not in name]
)
def test_every_relation_can_be_said(relation: str) -> None:
    words = SAID.get(
        relation, relation if not relation.endswith("location") else relation.replace("at location", "at")
    )
    words = {"at": "is at", "not at": "is not at"}.get(words, words)
    assert said_edge(f"moths {words} nature", INPUTS) == SaidEdge("moths", relation, "nature")


def test_gold_graphs_that_are_told_come_back() -> None:
    kept, total = _told_and_back(samples(task_named("explagraphs")))
    assert kept / total > 0.8


@pytest.mark.real_data
def test_published_graphs_that_are_told_come_back(real_data: Path) -> None:
    dataset = load(task_named("explagraphs"), "dev", lambda: real_data)
    kept, total = _told_and_back(Dataset(dataset.examples[:60], dataset.lines[:60]))
    assert kept / total > 0.7


def _told_and_back(dataset: Dataset[Argument, StanceGraph]) -> tuple[int, int]:
    """How many edges of gold graphs come back, told as sentences; of how many."""
    kept = total = 0
    for example in dataset.examples:
        gold = example.golds[0]
        lines = [f"{edge.head} {SAID.get(edge.relation, edge.relation)} {edge.tail}." for edge in gold.graph.edges]
        found = _explained("\n".join([*lines, f"It {gold.stance}s the belief."]), example.inputs).explanation
        assert not check(example.inputs, found, RULES)
        assert found.stance == gold.stance
        wanted = {Edge(edge.head.lower(), edge.relation, edge.tail.lower()) for edge in gold.graph.edges}
        kept, total = kept + len(wanted & set(found.graph.edges)), total + len(wanted)
    return kept, total
