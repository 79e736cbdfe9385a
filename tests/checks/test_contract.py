"""What holds for every rule. A new one is covered at once; a new factory asks for its `ARGUMENTS`."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whence.checks
from whence.checks import facts, graph, hypothesis, tree, triplets
from whence.checks.rule import Rule, check
from whence.structures.dialogue import Dialogue, Relation, Span, Triplet, Triplets, Utterance
from whence.structures.facts import FactSet, FactUse, Question, Ranking
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.hypothesis import Hypothesis, Observations
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree

RELATIONS = {"causes": Relation("causes", "causal"), "synonym": Relation("synonym", "lexical", symmetric=True)}
ARGUMENTS: dict[Callable[..., Rule[Any, Any]], tuple[Any, ...]] = {
    graph.stance_known: (("support", "counter"),),
    graph.edge_count: (3, 8),
    graph.concept_length: (3,),
    graph.relation_known: (("is a", "causes"),),
    graph.concepts_from_texts: (2,),
    facts.fact_known: (("a", "b"),),
    facts.role_known: (("CENTRAL", "LEXGLUE"),),
    triplets.relation_known: (RELATIONS,),
    triplets.stated_once: (RELATIONS,),
    hypothesis.word_count: (10,),
    hypothesis.edit_budget: (4,),
}

CHAIN = Graph((Edge("rain", "causes", "mud"), Edge("mud", "is a", "dirt"), Edge("dirt", "causes", "work")))
# module: inputs, explanation of no fault, type of explanations
TASKS: dict[Any, tuple[Any, Any, Any]] = {
    graph: (Argument("Rain brings mud.", "Mud is dirt."), StanceGraph("support", CHAIN), StanceGraph),
    facts: (Question("Why?", "so"), FactSet((FactUse("a", "CENTRAL"), FactUse("b"))), FactSet | Ranking),
    triplets: (
        Dialogue((Utterance("A", "It rains ."),)),
        Triplets((Triplet(Span("rains", 0, 3), "causes", Span("mud")),)),
        Triplets,
    ),
    hypothesis: (
        Observations("It rained.", "He slipped."),
        Hypothesis("There was mud.", "There was no mud."),
        Hypothesis,
    ),
    tree: (
        Claim("h", (Sentence("sent1", "a"), Sentence("sent2", "b"))),
        Tree((Step(("sent1", "sent2"), "int1", "c"), Step(("int1", "sent1"), HYPOTHESIS))),
        Tree,
    ),
}


def is_factory(value: object, module: Any) -> bool:
    if not inspect.isfunction(value) or value.__module__ != module.__name__ or value.__name__.startswith("_"):
        return False
    return "Rule" in str(value.__annotations__.get("return"))


def rules_of(module: Any) -> list[Rule[Any, Any]]:
    constants = [value for value in vars(module).values() if isinstance(value, Rule)]
    factories = [value for value in vars(module).values() if is_factory(value, module)]
    return constants + [factory(*ARGUMENTS[factory]) for factory in factories]


def short(module: Any) -> str:
    return str(module.__name__).rpartition(".")[2]


RULES = [(module, rule) for module in TASKS for rule in rules_of(module)]
every_rule = pytest.mark.parametrize(
    "module, rule", RULES, ids=[f"{short(module)} {rule.name}" for module, rule in RULES]
)
every_task = pytest.mark.parametrize("module", TASKS, ids=short)


def test_every_module_with_rules_is_covered():
    found = {module.name for module in pkgutil.iter_modules(whence.checks.__path__, "whence.checks.")}
    assert found == {"whence.checks.rule", *(module.__name__ for module in TASKS)}
    assert len(RULES) >= 29


@every_rule
def test_a_clean_explanation_gives_no_problem(module, rule):
    inputs, clean, _ = TASKS[module]
    assert list(rule.find(inputs, clean)) == []


@every_rule
def test_a_rule_says_what_must_hold(module, rule):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert re.fullmatch(r"[a-z][^\n]*[^.\s]", rule.statement)


@every_task
def test_names_are_unique_within_a_task(module):
    assert {
        name: count for name, count in Counter(rule.name for rule in rules_of(module)).items() if count > 1
    } == {}


def part(explanation: Any, pointer: str) -> Any:
    """What a pointer such as `/graph/edges/2` points to; it fails where there is no such part."""
    found = explanation
    for step in pointer.split("/")[1:]:
        found = found[int(step)] if isinstance(found, tuple) else getattr(found, step)
    return found


words = st.sampled_from(
    ("a", "b", "rain", "mud", "sent1", "int1", HYPOTHESIS, "", " ", "is a", "causes", "two\nlines")
)


def explanations(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of the type, and values of few words, which meet each other's more often."""
    edges = st.builds(Edge, words, words, words)
    steps = st.builds(Step, st.lists(words, max_size=3).map(tuple), words, words)
    spans = st.builds(Span, words, st.none() | st.integers(-2, 2), st.none() | st.integers(-2, 9))
    small = {
        StanceGraph: st.builds(StanceGraph, words, st.builds(Graph, st.lists(edges, max_size=9).map(tuple))),
        FactSet | Ranking: st.builds(Ranking, st.lists(words).map(tuple))
        | st.builds(FactSet, st.lists(st.builds(FactUse, words, words)).map(tuple)),
        Triplets: st.builds(Triplets, st.lists(st.builds(Triplet, spans, words, spans), max_size=5).map(tuple)),
        Hypothesis: st.builds(Hypothesis, words, st.none() | words),
        Tree: st.builds(Tree, st.lists(steps, max_size=6).map(tuple)),
    }
    return small[kind] | st.from_type(kind)


@every_task
@settings(deadline=None, max_examples=35)
@given(data=st.data())
def test_any_explanation_gives_problems_and_no_exception(module, data):
    inputs, _, kind = TASKS[module]
    rules = rules_of(module)
    given_inputs = data.draw(st.just(inputs) | st.from_type(type(inputs)))
    explanation = data.draw(explanations(kind))
    for problem in check(given_inputs, explanation, rules):
        assert problem.rule in {rule.name for rule in rules}
        assert problem.message
        if not isinstance(explanation, Ranking):  # see test_facts: the pointers of rankings are wrong
            part(explanation, problem.where)
    assert check(given_inputs, explanation, rules) == check(given_inputs, explanation, rules)


def break_lines(value: Any) -> Any:
    """The same value with a line break, and a screen control, in each of its texts."""
    if isinstance(value, str):
        return f"{value}\n\x1b[2J"
    if isinstance(value, tuple):
        return tuple(map(break_lines, value))
    if dataclasses.is_dataclass(value):
        inside = {field.name: break_lines(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **inside)
    return value


@pytest.mark.parametrize("module", [graph, facts, triplets, tree], ids=short)  # rules for hypotheses quote nothing
def test_a_message_is_one_line_whatever_it_quotes(module):
    inputs, clean, _ = TASKS[module]
    problems = check(inputs, break_lines(clean), rules_of(module))
    assert problems
    assert all(problem.message.isprintable() for problem in problems)


def test_check_gives_problems_in_the_order_of_the_rules():
    first = Rule("first", "s", lambda *_: [("/b", "2"), ("/a", "1")])
    second = Rule("second", "s", lambda *_: iter([("", "3")]))
    found = check(None, None, [second, first])
    assert [(problem.rule, problem.where, problem.message) for problem in found] == [
        ("second", "", "3"),
        ("first", "/b", "2"),
        ("first", "/a", "1"),
    ]
    assert check(None, None, []) == ()
