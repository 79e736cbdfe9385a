from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.editable import format_lines, parse_lines
from whence.structures.dialogue import Answer, Dialogue, Span, Triplet, Triplets, Utterance
from whence.structures.facts import Fact, FactSet, FactUse, Ranking
from whence.structures.graph import Edge, Graph, StanceGraph
from whence.structures.hypothesis import Hypothesis
from whence.tasks import TASKS
from whence.tasks.loading import samples


def _essential(explanation: Any) -> Any:
    """What lines say of it."""
    if isinstance(explanation, FactSet):
        return FactSet(tuple(replace(use, ratings=()) for use in explanation.facts if use.gold))
    if isinstance(explanation, Hypothesis):
        return Hypothesis(explanation.text)
    if isinstance(explanation, Answer):
        return Answer(explanation.text)
    return explanation


@pytest.mark.parametrize("task", TASKS)
def test_every_sample_reads_back(task: str) -> None:
    dataset = samples(TASKS[task])
    for example in dataset.examples:
        for gold in example.golds:
            text = format_lines(gold, example.inputs, dataset.facts)
            found = parse_lines(type(gold), text, example.inputs, dataset.facts)
            assert _essential(found) == _essential(gold)


_WORDS = st.text("abc-'&|>é ", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(st.tuples(_WORDS, _WORDS, _WORDS), max_size=6), st.sampled_from(["support", "counter", "maybe"]))
def test_any_graph_reads_back(edges: list[tuple[str, str, str]], stance: str) -> None:
    graph = StanceGraph(stance, Graph(tuple(Edge(*edge) for edge in edges)))
    assert parse_lines(StanceGraph, format_lines(graph, None, {}), None, {}) == graph


def test_the_published_form_of_a_graph_is_read_too() -> None:
    found = parse_lines(StanceGraph, "support\n(a; is a; b)(c; causes; b)", None, {})
    assert found == StanceGraph("support", Graph((Edge("a", "is a", "b"), Edge("c", "causes", "b"))))


_TALK = Dialogue((Utterance("A", "rain and rain"), Utterance("B", "so much rain")))


@pytest.mark.parametrize(
    ("span", "written"),
    [
        (Span("rain", 0, 0), "rain"),  # its first place needs no words
        (Span("rain", 1, 8), "[2] rain"),
        (Span("rain", 0, 9), "[1@9] rain"),
        (Span("sun"), "sun"),  # nowhere in the dialogue
        (Span("rain"), "[latent] rain"),
    ],
)
def test_spans_are_found_again(span: Span, written: str) -> None:
    triplets = Triplets((Triplet(span, "Causes", Span("so", 1, 0)),))
    assert format_lines(triplets, _TALK, {}) == f"{written}; Causes; so"
    assert parse_lines(Triplets, f"{written}; Causes; so", _TALK, {}) == triplets


def test_a_fact_is_known_by_its_words() -> None:
    facts = {"f1": Fact("f1", "ice is frozen water")}
    assert parse_lines(FactSet, "Ice is frozen water | CENTRAL", None, facts) == FactSet(
        (FactUse("f1", "CENTRAL"),)
    )
    assert parse_lines(FactSet, "f1 | CENTRAL | ice is frozen water", None, facts).facts[0].id == "f1"
    assert parse_lines(Ranking, "f2\nf1", None, facts) == Ranking(("f2", "f1"))


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        ("explagraphs", "", "line 1: expected a stance"),
        ("explagraphs", "a; b; c", "line 1: expected the stance, alone"),
        ("explagraphs", "support\n\na; b", "line 3: expected head; relation; tail"),
        ("entailmentbank-1", "sent1 & sent2 -> int1: x\nnothing", "line 2: expected a step"),
        ("cider", "[99] x; Causes; y", "line 1: expected words of turn 99"),
        ("cider", "x; y", "line 1: expected span; relation; span"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(task: str, text: str, said: str) -> None:
    example = samples(TASKS[task]).examples[0]
    with pytest.raises(DataError, match=said):
        parse_lines(TASKS[task].explanation, text, example.inputs, {})


@dataclass(frozen=True)
class _Own:
    """An explanation of a type that this package does not know."""

    label: str
    rationale: str
    spans: tuple[tuple[int, int], ...] = ()


@given(st.text(), st.text(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2).map(tuple))
def test_an_explanation_of_any_dataclass_reads_back(
    label: str, rationale: str, spans: tuple[tuple[int, int], ...]
) -> None:
    own = _Own(label, rationale, spans)
    assert parse_lines(_Own, format_lines(own, None, {}), None, {}) == own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label: yes", "rationale: field required"),
        ("label: yes\nwhy: so", "line 2: expected one of label, rationale, spans"),
        ("label: yes\nlabel: no", "line 2: expected one of"),
        ("label: yes\nrationale: so\nspans: [1", "line 3: expected JSON"),
        ("label: yes\nrationale: so\nspans: 1", "spans: input should be"),
    ],
)
def test_fields_that_cannot_be_read_are_told(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse_lines(_Own, text, None, {})
