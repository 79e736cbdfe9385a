"""What models can learn to judge about CIDER's dialogues: its four sub-tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from whence.errors import UsageError, quoted
from whence.models.items import FoundSpan, Item, Pair, SpanItem, Verdict
from whence.structures.dialogue import Answer, ChoiceQuestion, DialogueClaim, SpanPair, SpanQuestion
from whence.structures.results import Example, Label
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED, dialogue_id
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.heads.joined_spans import JOINED, joined_items
from whence.tasks.dialogue_triplets.heads.questions import asked_about, relation_question, statement
from whence.tasks.dialogue_triplets.heads.span_tags import TAGS, marked_items
from whence.tasks.dialogue_triplets.heads.windows import Window, around, whole
from whence.tasks.head import Head, Source

WORDS = {"claim": 36, "option": 32, "relation": 40, "answer": 120}
"""How many words of a dialogue a head reads in the form `window`.

Answers are looked for around the head alone, so theirs are wide: of fold 1's answers 96 of 100 stand in them.
"""

VERDICTS = (ENTAILED, NOT_ENTAILED)
Reading = TypeVar("Reading")


def _claim(inputs: DialogueClaim) -> str:
    return statement(inputs.head, inputs.relation, inputs.tail)


def _claim_in_window(inputs: DialogueClaim) -> Pair:
    return around(inputs.context, (inputs.head, inputs.tail), WORDS["claim"]).text, _claim(inputs)


def _claim_in_dialogue(inputs: DialogueClaim) -> Pair:
    return inputs.context, _claim(inputs)


def _claim_alone(inputs: DialogueClaim) -> Pair:
    return _claim(inputs), ""


def _claim_in_two(inputs: DialogueClaim) -> Pair:
    return statement(inputs.head, inputs.relation, "").strip(), inputs.tail


CLAIM_FORMS: Mapping[str, Callable[[DialogueClaim], Pair]] = {
    "window": _claim_in_window,
    "full": _claim_in_dialogue,
    "no-context": _claim_alone,
    "spans": _claim_in_two,
}
"""`spans` is `no-context` for models that compare two texts: head with relation, and tail."""


def _option_in_window(inputs: ChoiceQuestion, option: str) -> Pair:
    # Each option is read where it and the head stand: both are inputs.
    window = around(inputs.context, (asked_about(inputs.question), option), WORDS["option"])
    return f"{window.text} {inputs.question}", option


def _option_after_question(inputs: ChoiceQuestion, option: str) -> Pair:
    # What comes first is the same for all options, so that a language model reads it once.
    window = around(inputs.context, (asked_about(inputs.question),), WORDS["option"])
    return f"{window.text} {inputs.question}", option


def _option_in_dialogue(inputs: ChoiceQuestion, option: str) -> Pair:
    return f"{inputs.context} {inputs.question}", option


def _option_of_question(inputs: ChoiceQuestion, option: str) -> Pair:
    return inputs.question, option


def _option_alone(_: ChoiceQuestion, option: str) -> Pair:
    return option, ""


OPTION_FORMS: Mapping[str, Callable[[ChoiceQuestion, str], Pair]] = {
    "window": _option_in_window,
    "question-window": _option_after_question,
    "full": _option_in_dialogue,
    "no-context": _option_of_question,
    "options-only": _option_alone,
}
"""The paper's settings C&Q and Q (Table 7) are `full` and `no-context`."""


def _spans_in_window(inputs: SpanPair) -> Pair:
    window = around(inputs.context, (inputs.head, inputs.tail), WORDS["relation"])
    return window.text, relation_question(inputs.head, inputs.tail)


def _spans_in_dialogue(inputs: SpanPair) -> Pair:
    return inputs.context, relation_question(inputs.head, inputs.tail)


def _spans_alone(inputs: SpanPair) -> Pair:
    return relation_question(inputs.head, inputs.tail), ""


def _spans_in_two(inputs: SpanPair) -> Pair:
    return inputs.head, inputs.tail


RELATION_FORMS: Mapping[str, Callable[[SpanPair], Pair]] = {
    "window": _spans_in_window,
    "full": _spans_in_dialogue,
    "no-context": _spans_alone,
    "spans": _spans_in_two,
}
"""The paper's settings with and without conversational context (Table 8) are `full` and `no-context`."""


def question_window(inputs: SpanQuestion) -> Window:
    """The part of the context around the head that is asked about: the answer has no say in it."""
    return around(inputs.context, (asked_about(inputs.question),), WORDS["answer"], with_end=True)


def _all_of_it(inputs: SpanQuestion) -> Window:
    return whole(inputs.context)


ANSWER_FORMS: Mapping[str, Callable[[SpanQuestion], Window]] = {"window": question_window, "full": _all_of_it}


def claim_items(source: Source) -> Sequence[Item]:
    """One claim an example."""
    read = _form(source, CLAIM_FORMS)
    return [
        Item(example.id, ((read(example.inputs),),), _gold(example, VERDICTS), _dialogue(example))
        for example in source.dataset().examples
    ]


def option_items(source: Source) -> Sequence[Item]:
    """One question an example, with its options."""
    read = _form(source, OPTION_FORMS)
    items = []
    for example in source.dataset().examples:
        options = tuple((read(example.inputs, option),) for option in example.inputs.options)
        numbers = tuple(str(number) for number in range(len(options)))
        items.append(Item(example.id, options, _gold(example, numbers), _dialogue(example)))
    return items


def relation_items(source: Source) -> Sequence[Item]:
    """One pair of spans an example."""
    read = _form(source, RELATION_FORMS)
    return [
        Item(example.id, ((read(example.inputs),),), _gold(example, tuple(RELATIONS)), _dialogue(example))
        for example in source.dataset().examples
    ]


def answer_items(source: Source) -> Sequence[SpanItem]:
    """One question an example. An answer that the window does not hold is not known: it is not learnt from."""
    read = _form(source, ANSWER_FORMS)
    items = []
    for example in source.dataset().examples:
        window = read(example.inputs)
        found = (_inside(window, gold) for gold in example.golds)
        gold = next((place for place in found if place is not None), None)
        items.append(SpanItem(example.id, example.inputs.question, window.text, gold, _dialogue(example)))
    return items


def _inside(window: Window, gold: Answer) -> tuple[int, int] | None:
    """Where the answer stands in the window, if the context has it where it says."""
    if gold.start is None or not window.context.startswith(gold.text, gold.start):
        return None
    return window.inside(gold.start, gold.start + len(gold.text))


def _form(source: Source, forms: Mapping[str, Reading]) -> Reading:
    form = source.form or next(iter(forms))
    if form not in forms:
        raise UsageError(
            f"{source.task.name} is not read in the form {quoted(form)}; there are {', '.join(forms)}"
        )
    return forms[form]


def _gold(example: Example[Any, Label], labels: Sequence[str]) -> int | None:
    """The place of the first gold label; None where there is none, or one that is none of the labels."""
    return next((labels.index(gold.name) for gold in example.golds[:1] if gold.name in labels), None)


def _dialogue(example: Example[Any, Any]) -> str:
    """What the items of a dialogue share: its id, or its text where ids do not tell (relation files count)."""
    name = dialogue_id(example.id)
    return str(example.inputs.context) if name == example.id else name


def _verdict(_: Example[DialogueClaim, Label], verdict: Verdict) -> Label:
    return Label(VERDICTS[verdict.best])


def _option(_: Example[ChoiceQuestion, Label], verdict: Verdict) -> Label:
    return Label(str(verdict.best))


def _relation(_: Example[SpanPair, Label], verdict: Verdict) -> Label:
    return Label(tuple(RELATIONS)[verdict.best])


def _answer(example: Example[SpanQuestion, Answer], verdict: Verdict) -> Answer:
    """The most probable piece that stands in the context as it is; without a place where none does."""
    answers = (_placed(example.inputs, span) for span in verdict.spans)
    placed = next((answer for answer in answers if answer is not None), None)
    return placed or Answer(verdict.spans[0].text if verdict.spans else "")


def _placed(inputs: SpanQuestion, span: FoundSpan) -> Answer | None:
    """The piece where it stands in the context, read in whichever form it was found in.

    Of a piece that both forms have at these characters (the same words, twice), the window's place is meant.
    """
    for read in ANSWER_FORMS.values():
        window = read(inputs)
        start = window.outside(span.start) if window.text[span.start : span.end] == span.text else None
        if start is not None and inputs.context.startswith(span.text, start):
            return Answer(span.text, start)
    return None


HEADS: dict[str, tuple[Head, ...]] = {
    "cider": (
        Head(
            name="spans",
            title="which words do people mark as spans of triplets",
            shape="tags",
            items=marked_items,
            train="fold1-train",
            test="fold1-test",
            labels=TAGS,
            measure="f1",
        ),
        Head(
            name="joined",
            title="does a triplet join two spans, in this order",
            shape="label",
            items=joined_items,
            train="fold1-train",
            test="fold1-test",
            labels=JOINED,
            measure="macro_f1",
        ),
    ),
    "cider-nli": (
        Head(
            name="claim",
            title="does the dialogue entail the triplet",
            shape="label",
            items=claim_items,
            train="fold1-train",
            test="fold1-test",
            labels=VERDICTS,
            measure="macro_f1",
            forms=tuple(CLAIM_FORMS),
            answer=_verdict,
        ),
    ),
    "cider-span": (
        Head(
            name="answer",
            title="which part of the dialogue answers the question",
            shape="span",
            items=answer_items,
            train="fold1-train",
            test="fold1-test",
            measure="f1",
            forms=tuple(ANSWER_FORMS),
            answer=_answer,
        ),
    ),
    "cider-choice": (
        Head(
            name="option",
            title="which of the options answers the question",
            shape="choice",
            items=option_items,
            train="fold1-train",
            test="fold1-test",
            forms=tuple(OPTION_FORMS),
            answer=_option,
        ),
    ),
    "cider-relation": (
        Head(
            name="relation",
            title="which relation holds between two spans",
            shape="label",
            items=relation_items,
            train="fold1-train",
            test="fold1-test",
            labels=tuple(RELATIONS),
            forms=tuple(RELATION_FORMS),
            answer=_relation,
        ),
    ),
}
