"""What a language model is asked for each task, how its answers are read, and what becomes of bad ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import jsonschema
import pytest

from whence.checks.rule import check
from whence.errors import DataError, UsageError
from whence.models.generators import Reply, Request, Told, failed, untold
from whence.models.generators.json_text import JsonText
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example
from whence.structures.tree import Claim, Sentence, Step, Tree
from whence.tasks import TASKS, methods_of
from whence.tasks.argument_graphs.methods.llm import prompt as graphs
from whence.tasks.dialogue_triplets.methods.llm import prompt as dialogues
from whence.tasks.entailment_trees.methods.llm import prompt as trees
from whence.tasks.loading import samples
from whence.tasks.method import Setup
from whence.tasks.prompting import PromptedExplainer, PromptSettings, json_object
from whence.tasks.ranked_facts.methods.llm import prompt as facts


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indexes of facts are not left in the user's cache."""
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


class Scripted:
    """A generator that says what it is told to, request by request, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self._answer = answer
        self.asked: list[Request] = []

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        self.asked += requests
        found = [self._answer(request) for request in requests]
        for place, reply in enumerate(found):
            told(place, reply)
        return found


def _explainer(
    task: str, answer: Callable[[Request], Reply], **settings: Any
) -> tuple[PromptedExplainer, Scripted]:
    """The method `llm` of a task, with another generator in the place of its own."""
    asked = Scripted(answer)
    found = methods_of(task)["llm"].make(
        PromptSettings(endpoint="http://127.0.0.1:1/v1", model="none", cache=False, **settings),
        Setup(lambda: TASKS[task].data.samples.parent, samples(TASKS[task]).facts),
    )
    assert isinstance(found, PromptedExplainer)
    found._asked = asked
    return found, asked


@pytest.mark.parametrize("task", TASKS)
def test_gold_answers_come_back_as_they_were(task: str) -> None:
    """Gold, shown as an answer, keeps the schema, is read as the same explanation, and keeps every rule."""
    found, asked = _explainer(task, lambda _: Reply("{}"), rounds=1)
    prompt = found._prompt
    dataset = samples(TASKS[task])
    views = (facts._sample_view if task == "worldtree" else found._view)(dataset.examples)
    shown = 0
    for example, view in zip(dataset.examples, views, strict=True):
        for gold in example.golds[:1]:
            try:
                answer = json.loads(json.dumps(prompt.show(view, gold)))
            except DataError:
                continue
            shown += 1
            jsonschema.validate(answer, prompt.schema(view))
            assert JsonText(prompt.schema(view)).may_end(json.dumps(answer, ensure_ascii=False))
            explanation = prompt.parse(view, answer)
            assert not check(view, explanation, prompt.rules)
            assert prompt.show(view, explanation) == prompt.show(view, gold)
            assert prompt.show(view, prompt.repair(view, explanation)) == prompt.show(view, gold)
    assert shown >= 3
    assert not asked.asked


@pytest.mark.parametrize("task", TASKS)
def test_samples_are_shown_but_never_the_example_itself(task: str) -> None:
    found, asked = _explainer(task, lambda _: Reply("{}"), rounds=1, shots=3)
    examples = samples(TASKS[task]).examples[:3]
    found.explain(examples)
    for request, example in zip(asked.asked, examples, strict=True):
        roles = [message.role for message in request.messages]
        assert roles[:1] + roles[-1:] == ["system", "user"]
        assert 1 <= roles.count("assistant") <= 3
        question = request.messages[-1].text
        first = next(iter(vars_of(example.inputs)))
        assert not any(first in message.text for message in request.messages[:-1] if first)
        assert question


def vars_of(inputs: Any) -> list[str]:
    """The texts of inputs that are long enough to tell of them."""
    values = (getattr(inputs, name) for name in inputs.__slots__)
    return [value for value in values if isinstance(value, str) and len(value) > 20] or [""]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    "text", ["", "no JSON at all", "{", "[]", '{"steps": 3}', '{"answer": {}}', '{"graph": [[]]}']
)
def test_no_garbage_leaves(task: str, text: str) -> None:
    found, asked = _explainer(task, lambda _: Reply(text), rounds=2, shots=0)
    (explained,) = found.explain(samples(TASKS[task]).examples[:1])
    assert explained.explanation is None
    assert explained.problems and explained.raw == text
    assert len(asked.asked) == 2
    again = asked.asked[1].messages[-1].text
    assert again.startswith("This answer has problems:\n- ")


GRAPH = {
    "stance": "support",
    "graph": [
        {"head": "Dimming street lights", "relation": "causes", "tail": "nature"},
        {"head": "bright lamp", "relation": "causes", "tail": "moths"},
        {"head": "moths", "relation": "part of", "tail": "nature"},
    ],
}


def test_facts_that_a_model_chooses_come_with_their_sentences() -> None:
    found, _ = _explainer("worldtree", lambda _: Reply(json.dumps({"facts": [2, 1]})), shots=0)
    (explained,) = found.explain(samples(TASKS["worldtree"]).examples[:1])
    chosen = [use.id for use in explained.explanation.facts]
    assert len(chosen) == 2
    assert all(explained.facts[name].text for name in chosen)


def test_a_bad_answer_is_asked_for_again_with_its_problems() -> None:
    bad = json.dumps({**GRAPH, "graph": GRAPH["graph"][:2]})
    answers = iter([Reply(bad, read=5, written=3), Reply(json.dumps(GRAPH), read=9, written=4, cached=True)])
    found, asked = _explainer("explagraphs", lambda _: next(answers))
    (explained,) = found.explain(samples(TASKS["explagraphs"]).examples[:1])
    assert [edge.head for edge in explained.explanation.graph.edges] == [
        "dimming street lights",
        "bright lamp",
        "moths",
    ]
    told = asked.asked[1].messages
    assert told[-2].text == bad
    assert "the graph has 2 of the 3 edges that it needs at least" in told[-1].text
    assert "2 separate parts" in told[-1].text
    assert explained.usage is not None
    assert (explained.usage.requests, explained.usage.cached, explained.usage.read, explained.usage.written) == (
        2,
        1,
        14,
        7,
    )
    assert explained.refused[0].text == bad


def test_what_is_wrong_to_the_end_is_kept_as_the_models_own() -> None:
    """It is no explanation, and it is not changed."""
    circle = {"head": "nature", "relation": "causes", "tail": "bright lamp"}
    answers = iter([json.dumps({**GRAPH, "graph": [*GRAPH["graph"], circle]}), "no graph", "nothing"])
    found, _ = _explainer("explagraphs", lambda _: Reply(next(answers)))
    (explained,) = found.explain(samples(TASKS["explagraphs"]).examples[:1])
    assert explained.explanation is None
    assert len(explained.said.graph.edges) == 4  # of the last answer that could be read
    assert any("circle" in problem.message for problem in explained.problems)


def test_what_is_wrong_to_the_end_is_mended_where_that_is_wanted() -> None:
    circle = {"head": "nature", "relation": "causes", "tail": "bright lamp"}
    mended, _ = _explainer(
        "explagraphs", lambda _: Reply(json.dumps({**GRAPH, "graph": [*GRAPH["graph"], circle]})), mend=True
    )
    (explained,) = mended.explain(samples(TASKS["explagraphs"]).examples[:1])
    assert len(explained.explanation.graph.edges) == 3
    assert len(explained.said.graph.edges) == 4
    assert "mending" in mended.name
    assert any("circle" in line for line in explained.reasons[0].because)
    little, _ = _explainer("explagraphs", lambda _: Reply(json.dumps({**GRAPH, "graph": [circle]})), mend=True)
    (explained,) = little.explain(samples(TASKS["explagraphs"]).examples[:1])
    assert len(explained.explanation.graph.edges) >= 3
    assert [line[:6] for line in explained.reasons[0].because] == ["mended"] * 3
    unsure = json.dumps({**GRAPH, "stance": "maybe"})
    hopeless, asked = _explainer("explagraphs", lambda _: Reply(unsure), rounds=4, mend=True)
    (explained,) = hopeless.explain(samples(TASKS["explagraphs"]).examples[:1])
    assert (explained.explanation, len(asked.asked), explained.unanswered) == (None, 4, "")
    assert [problem.rule for problem in explained.problems] == ["stance"]


def test_an_endpoint_that_fails_is_not_asked_again_here() -> None:
    found, asked = _explainer("anli", lambda _: failed("nobody is there"))
    (explained,) = found.explain(samples(TASKS["anli"]).examples[:1])
    assert (explained.explanation, explained.unanswered, len(asked.asked)) == (None, "nobody is there", 1)


def test_a_refusal_and_a_cut_answer_are_told_as_such() -> None:
    refusing, asked = _explainer("anlg", lambda _: Reply("No.", "refused"))
    (explained,) = refusing.explain(samples(TASKS["anlg"]).examples[:1])
    assert explained.problems[0].message == "the model refused to answer"
    assert len(asked.asked) == 1
    cut, asked = _explainer("anlg", lambda _: Reply('{"hypothesis": "the', "length"), rounds=2)
    cut.explain(samples(TASKS["anlg"]).examples[:1])
    assert "cut off" in asked.asked[1].messages[-1].text


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        'Sure!\n```json\n{"a": 1}\n```\nDone.',
        '<think>{"a": 2}? no, {</think> {"a": 1}',
        'set {x} then {"a": 1} and {"a": 2}',
        '{"a": 1',
    ],
)
def test_json_in_what_models_say(text: str) -> None:
    if text.endswith("1"):
        with pytest.raises(DataError, match="a JSON object"):
            json_object(text)
    else:
        assert json_object(text) == {"a": 1}


def test_wrong_settings() -> None:
    for name in ("rounds", "tokens"):
        with pytest.raises(UsageError, match="at least 1"):
            _explainer("anli", lambda _: Reply(""), **{name: 0})


def _graph(*edges: str) -> StanceGraph:
    return StanceGraph("counter", Graph(tuple(Edge(*edge.split(";")) for edge in edges)))


@pytest.mark.parametrize(
    "edges, kept",
    [
        (["a;causes;b", "b;causes;a"], 1),  # joined already
        (["a;causes;b", "b;causes;c", "c;causes;a"], 2),  # leads back
        (["a;causes;a", "a;causes;b"], 1),  # to itself
        (["a;hugs;b", "b;causes;c"], 1),  # no relation
        (["one two three four;causes;b", "b;causes;c"], 1),  # too long
        (["a;causes;b", "c;causes;d", "d;causes;e"], 3),  # two parts, which can be joined
        ([f"zoos;causes;b{number}" for number in range(11)], 6),  # too many, and no second concept of a text
        (
            [f"n{number};causes;n{number + 1}" for number in range(11)],
            5,
        ),  # a chain, and three concepts are wanting
        ([], 0),
    ],
)
def test_graphs_are_mended(edges: list[str], kept: int) -> None:
    inputs, given = Argument("Zoos should close.", "Zoos save rare animals."), _graph(*edges)
    found = graphs.repair(inputs, given)
    assert len(set(found.graph.edges) & set(given.graph.edges)) == kept
    assert not check(inputs, found, graphs.PROMPT.rules)


CLAIM = Claim("h", tuple(Sentence(f"sent{number}", f"text {number}") for number in range(1, 5)))


@pytest.mark.parametrize(
    "steps, mended",
    [
        ("1 2 > a; a 3 > h", "1 2 > a; a 3 > h"),
        ("9 1 > a; a z > h", "1 > a; a > h"),  # unknown ids
        ("b 1 > a; 2 > b; a b > h", "1 > a; 2 > b; a b > h"),  # used before it is concluded
        ("1 > a; 2 > b; b 3 > h", "2 > a; a 3 > h"),  # concluded and not used
        ("1 2 > a; 3 4 > b; z > h", "1 2 > a; 3 4 > b; a b > h"),  # nothing that is known leads to the hypothesis
    ],
)
def test_trees_are_mended(steps: str, mended: str) -> None:
    names = {**{str(number): f"sent{number}" for number in range(1, 10)}, "a": "int1", "b": "int2", "z": "int9"}

    def tree(text: str) -> Tree:
        found = []
        for step in text.split("; "):
            left, right = step.split(" > ")
            premises = tuple(names[name] for name in left.split())
            found.append(Step(premises, "hypothesis") if right == "h" else Step(premises, names[right], "t"))
        return Tree(tuple(found))

    found = trees.repair(CLAIM, tree(steps))
    assert found == tree(mended)
    assert not check(CLAIM, found, trees._RULES)


def test_names_of_steps_as_models_write_them() -> None:
    steps = [
        {"premises": ["sent1", "sent1"], "conclusion": "x; y"},
        {"premises": ["Step 1", "sent2"], "conclusion": ""},
    ]
    found = trees.parse(CLAIM, {"steps": steps})
    assert found == Tree((Step(("sent1",), "int1", "x, y"), Step(("int1", "sent2"), "hypothesis")))


def test_spans_are_found_case_aside_and_in_other_turns() -> None:
    dialogue = samples(TASKS["cider"]).examples[0].inputs
    one = {
        "head": {"turn": 1, "text": "DOWNPOUR"},
        "relation": "causes",
        "tail": {"turn": 99, "text": "soaked"},
    }
    (found,) = dialogues.parse_triplets(dialogue, {"triplets": [one]}).triplets
    assert (found.head.text, found.head.turn, found.relation, found.tail.turn) == ("downpour", 2, "Causes", 0)
    wrong = {**one, "head": {"turn": 1, "text": "nowhere to be seen"}}
    parsed = dialogues.parse_triplets(dialogue, {"triplets": [wrong, one]})
    assert len(dialogues.repair_triplets(dialogue, parsed).triplets) == 1


def test_the_name_tells_what_was_asked() -> None:
    names = {
        _explainer("anli", lambda _: Reply(""), **settings)[0].name
        for settings in ({}, {"shots": 0}, {"rounds": 1}, {"temperature": 0.5}, {"seed": 3})
    }
    assert len(names) == 5


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    found, _ = _explainer("anli", lambda _: Reply('{"hypothesis": "1"}'))
    examples: Sequence[Example[Any, Any]] = samples(TASKS["anli"]).examples[:3]
    found.explain(examples, lambda *one: told.append(one))
    assert told == [("asking", number, 3) for number in (1, 2, 3)]


def test_a_tree_without_sentences_has_a_schema_that_servers_take() -> None:
    """An empty enumeration is none."""
    made = trees.schema(Claim("ice melts", ()))
    assert made["properties"]["steps"]["items"]["properties"]["premises"]["items"]["type"] == "string"
