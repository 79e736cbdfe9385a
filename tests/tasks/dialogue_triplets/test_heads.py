"""CIDER's four questions as models read them, and what their verdicts say."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.errors import UsageError
from whence.models.items import FoundSpan, Item, SpanItem, Verdict
from whence.models.learners import KINDS
from whence.structures.dialogue import Answer, ChoiceQuestion, DialogueClaim, SpanPair, SpanQuestion
from whence.structures.results import Example, Label
from whence.tasks.dataset import Dataset
from whence.tasks.dialogue_triplets.data.relations import RELATIONS, question
from whence.tasks.dialogue_triplets.heads.heads import HEADS, question_window
from whence.tasks.dialogue_triplets.heads.questions import STATEMENTS, asked_about, statement
from whence.tasks.dialogue_triplets.task import TASKS
from whence.tasks.head import Head, Source, lesson, predictions

BY_NAME = {task.name: task for task in TASKS}
ALL = [(name, head) for name, heads in HEADS.items() for head in heads if head.answer is not None]
IDS = [f"{name}/{head.name}" for name, head in ALL]
FORMS = [(name, head, form) for name, head in ALL for form in head.forms]

FAR = " ".join(f"Then came number {place}." for place in range(60))
CONTEXT = f"It rains. Take the umbrella! {FAR} We stay dry."


def nowhere() -> Path:
    raise AssertionError("no data folder is needed")


def asked(name: str, head: Head, form: str, *examples: Example[Any, Any]) -> list[Any]:
    """The items of examples that are in no file."""
    dataset = Dataset(examples, tuple(range(1, len(examples) + 1)))
    task = BY_NAME[name]
    task = replace(task, data=replace(task.data, read=lambda _: dataset))
    return list(head.items(Source(task, __file__, nowhere, form)))


def perfect(head: Head, item: Any) -> Verdict:
    """What a model that knows the answer says."""
    if isinstance(item, SpanItem):
        start, end = item.gold or (0, 0)
        return Verdict(item.id, spans=(FoundSpan(start, end, item.context[start:end], 1.0),))
    size = len(head.labels) or len(item.options)
    return Verdict(item.id, probabilities=tuple(float(place == item.gold) for place in range(size)))


@pytest.mark.parametrize(("name", "head", "form"), FORMS)
def test_samples_are_asked_one_by_one_and_answered(name: str, head: Head, form: str) -> None:
    source = Source(BY_NAME[name], "samples", nowhere, form)
    dataset, items = source.dataset(), list(head.items(source))
    assert [item.id for item in items] == [example.id for example in dataset.examples]
    assert all(item.gold is not None and item.group.startswith("sample-dialogue-") for item in items)
    verdicts = [perfect(head, item) for item in items]
    answers = [answer.explanation for answer in predictions(head, dataset, verdicts)]
    assert answers == [example.golds[0] for example in dataset.examples]
    assert items == list(head.items(source))


@pytest.mark.parametrize(("name", "head"), ALL, ids=IDS)
def test_a_form_that_is_not_there_is_refused(name: str, head: Head) -> None:
    with pytest.raises(UsageError, match=f"{name} is not read in the form 'backwards'; there are window, "):
        head.items(Source(BY_NAME[name], "samples", nowhere, "backwards"))


CLAIM = DialogueClaim(CONTEXT, "rains", "Causes Desire", "umbrella")
OPTIONS = ChoiceQuestion(CONTEXT, "What does 'rains' cause?", ("umbrella", "stay dry"))
PAIR = SpanPair(CONTEXT, "rains", "stay dry")


@pytest.mark.parametrize(
    ("name", "inputs", "form", "expected"),
    [
        ("cider-nli", CLAIM, "full", [(CONTEXT, "rains causes the desire umbrella")]),
        ("cider-nli", CLAIM, "no-context", [("rains causes the desire umbrella", "")]),
        ("cider-choice", OPTIONS, "full", [(f"{CONTEXT} What does 'rains' cause?", o) for o in OPTIONS.options]),
        ("cider-choice", OPTIONS, "no-context", [("What does 'rains' cause?", o) for o in OPTIONS.options]),
        ("cider-choice", OPTIONS, "options-only", [("umbrella", ""), ("stay dry", "")]),
        ("cider-relation", PAIR, "full", [(CONTEXT, "How is 'rains' related to 'stay dry'?")]),
        ("cider-relation", PAIR, "no-context", [("How is 'rains' related to 'stay dry'?", "")]),
    ],
)
def test_what_is_read(name: str, inputs: Any, form: str, expected: list[tuple[str, str]]) -> None:
    (item,) = asked(name, HEADS[name][0], form, Example("d-triplet-1", inputs))
    assert isinstance(item, Item)
    assert [pair for option in item.options for pair in option] == expected
    assert (item.gold, item.group) == (None, "d")


@pytest.mark.parametrize(
    ("name", "inputs", "held"),
    [
        ("cider-nli", CLAIM, "umbrella"),
        ("cider-relation", PAIR, "stay dry"),
        ("cider-choice", OPTIONS, "umbrella"),
    ],
)
def test_windows_are_short_and_hold_the_spans(name: str, inputs: Any, held: str) -> None:
    (item,) = asked(name, HEADS[name][0], "", Example("1", inputs))
    window = item.options[0][0][0]
    assert window.startswith("It rains.") and held in window
    assert len(window.split()) < 50 < len(CONTEXT.split())
    assert item.group == CONTEXT  # an id that tells no dialogue


def _span(text: str) -> Answer:
    return Answer(text, CONTEXT.index(text))


def test_the_answer_has_no_say_in_the_window() -> None:
    (head,) = HEADS["cider-span"]
    inputs = SpanQuestion(CONTEXT, "What does 'rains' cause?")
    golds = [(), (_span("umbrella"),), (_span("stay dry"),), (Answer("umbrella"),), (Answer("umbrella", 0),)]
    items = asked("cider-span", head, "", *(Example(str(n), inputs, gold) for n, gold in enumerate(golds)))
    assert len({item.context for item in items}) == 1
    # The second is in the window, the third too far away; of the last two nobody knows where they are.
    assert [item.gold is None for item in items] == [True, False, True, True, True]
    assert items[1].context[slice(*items[1].gold)] == "umbrella"
    (item,) = asked("cider-span", head, "full", Example("0", inputs, golds[2]))
    assert item.context == CONTEXT and CONTEXT[slice(*item.gold)] == "stay dry"


def test_found_spans_stand_where_the_answer_says() -> None:
    (head,) = HEADS["cider-span"]
    context = f"It rains. {FAR} Take the umbrella! Now. {FAR} latent thing"
    example = Example("d-triplet-1", SpanQuestion(context, "What does 'umbrella' cause?"), (_span("umbrella"),))
    window = question_window(example.inputs)
    assert window.pieces[0][0] > 0 and len(window.pieces) == 2  # it starts late, and has a gap before its end

    def answer(*texts: str, within: str = window.text) -> Answer:
        found = tuple(FoundSpan(within.index(t), within.index(t) + len(t), t, 0.5) for t in texts)
        explanation: Answer = head.answer(example, Verdict("d-triplet-1", spans=found))  # type: ignore[misc]
        return explanation

    assert answer("Now") == Answer("Now", context.index("Now"))
    assert answer("latent thing") == Answer("latent thing", context.index("latent thing"))
    assert answer("It rains", within=context) == Answer("It rains", 0)  # found in the whole dialogue
    torn = window.text[-20:-5]  # across the gap: it stands nowhere
    assert answer(torn, "Now") == Answer("Now", context.index("Now"))
    assert answer(torn) == Answer(torn)
    assert answer() == Answer("")


def test_labels_are_the_tasks_own() -> None:
    def said(name: str, place: int) -> Label:
        (head,) = HEADS[name]
        size = len(head.labels) or 4
        verdict = Verdict("1", probabilities=tuple(float(n == place) for n in range(size)))
        label: Label = head.answer(Example("1", None), verdict)  # type: ignore[misc]
        return label

    assert [said("cider-nli", place).name for place in (0, 1)] == ["entailed", "not entailed"]
    assert said("cider-choice", 3) == Label("3")
    assert [said("cider-relation", place).name for place in range(31)] == list(RELATIONS)


def test_every_relation_can_be_said_and_every_question_be_asked_back() -> None:
    assert list(STATEMENTS) == list(RELATIONS)
    assert len(set(STATEMENTS.values())) == len(RELATIONS)
    assert statement("a", "NotHasA", "b") == "a not has a b"  # a released name that is none of the paper's
    for relation in RELATIONS.values():
        if relation.question:
            assert asked_about(question(relation, "the dog's 'own' bed")) == "the dog's 'own' bed"
    assert asked_about("Why?") == "Why?"


def _recipes(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads((TASKS[0].recipes / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["small", "paper"])
def test_recipes_name_what_there_is(name: str) -> None:
    tables = _recipes(name)
    assert {task for task, _ in ALL} <= set(tables) <= set(HEADS)
    for task, rows in tables.items():
        heads = {head.name: head for head in HEADS[task]}
        assert next(iter(rows)) == HEADS[task][0].name
        for row in rows.values():
            assert row["kind"] in KINDS
            assert row.get("form", "") in ("", *heads[row["head"]].forms)


def test_paper_recipes_are_those_of_appendix_c() -> None:
    rows = {(task, name): row for task, found in _recipes("paper").items() for name, row in found.items()}
    printed = {
        ("cider-nli", "claim"): (1e-5, 8, 10), ("cider-span", "answer"): (1e-5, 16, 12),
        ("cider-span", "roberta"): (1e-5, 16, 12), ("cider-choice", "bert"): (5e-5, 16, 10),
        ("cider-choice", "option"): (1e-5, 48, 20), ("cider-choice", "question-only-bert"): (5e-5, 16, 3),
        ("cider-choice", "question-only"): (1e-5, 16, 3), ("cider-relation", "relation"): (2e-5, 32, 40),
        ("cider-relation", "bert"): (2e-5, 32, 40), ("cider-relation", "no-context"): (2e-5, 32, 40),
    }  # fmt: skip
    assert {key: (row["rate"], row["batch"], row["epochs"]) for key, row in rows.items()} == printed


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "head"), ALL, ids=IDS)
def test_published_examples(name: str, head: Head, real_data: Path) -> None:
    source = Source(BY_NAME[name], head.test, lambda: real_data)
    dataset, items = source.dataset(), list(head.items(source))
    assert [item.id for item in items] == [example.id for example in dataset.examples]
    known = [(item, e) for item, e in zip(items, dataset.examples, strict=True) if item.gold is not None]
    for item, example in known:
        assert head.answer is not None
        assert head.answer(example, perfect(head, item)) == example.golds[0]
    # Of answers 840 of 863 stand around the head that is asked about; nothing else is unknown.
    assert len(known) == (840 if name == "cider-span" else len(items))


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "head"), ALL, ids=IDS)
def test_no_dialogue_is_both_learnt_from_and_held_out(name: str, head: Head, real_data: Path) -> None:
    form = head.forms[-1]  # the least to read
    train, test = (
        head.items(Source(BY_NAME[name], split, lambda: real_data, form)) for split in (head.train, head.test)
    )
    learnt = lesson(f"{name}/{head.name}", head, train, held_out=0.1, seed=0)
    groups = [{item.group for item in items} for items in (learnt.train, learnt.dev, test)]
    assert all(groups) and not any(groups[a] & groups[b] for a, b in ((0, 1), (0, 2), (1, 2)))
