"""Triplets of dialogues, and answers to the sub-tasks, by a language model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from whence.checks.rule import check
from whence.errors import DataError
from whence.files import Json
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    Span,
    SpanPair,
    SpanQuestion,
    Triplet,
    Triplets,
)
from whence.structures.results import Label
from whence.tasks.dialogue_triplets import rules as rules_of
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.task import TASKS
from whence.tasks.prompting import Prompt, choice_of, list_of, record, some, text_of, words

MOST_TRIPLETS = 16
_BY_NAME = {task.name: task for task in TASKS}
_NAMES = {name.casefold(): name for name in RELATIONS}

TRIPLETS = f"""You explain what happens in a dialogue by triplets: a head span, a relation, a tail span. A span \
is a few words exactly as they stand in one turn. A triplet says something that the dialogue shows or implies: \
what causes what, who wants what and why, what is where.
Rules: head and tail differ; no triplet twice. Relations: {", ".join(RELATIONS)}.
Answer with JSON only: {{"triplets": [{{"head": {{"turn": 1, "text": ...}}, "relation": ..., \
"tail": {{"turn": 2, "text": ...}}}}]}}"""

CLAIM = f"""Does a dialogue entail a triplet of two of its spans and a relation? Answer with JSON only: \
{{"answer": "{ENTAILED}"}} or {{"answer": "{NOT_ENTAILED}"}}"""

SPAN = """Answer a question about a dialogue by a span: a few words exactly as they stand in it. Answer with JSON \
only: {"answer": "..."}"""

CHOICE = """Choose the right answer to a question about a dialogue. Answer with JSON only: {"answer": number}"""

RELATION = f"""Which relation leads from one span of a dialogue to another? Relations: {", ".join(RELATIONS)}. \
Answer with JSON only: {{"answer": "..."}}"""


def ask_triplets(dialogue: Dialogue) -> str:
    """The turns by number."""
    return "\n".join(
        f"{number}. {turn.speaker}: {turn.text}" for number, turn in enumerate(dialogue.utterances, 1)
    )


def triplets_schema(dialogue: Dialogue) -> dict[str, Any]:
    """Triplets of spans with their turns."""
    span = record(turn=choice_of(list(range(1, len(dialogue.utterances) + 1))), text=words(80))
    triplet = record(head=span, relation=choice_of(list(RELATIONS)), tail=span)
    return record(triplets=some(triplet, 1, MOST_TRIPLETS))


def show_triplets(_: Dialogue, explanation: Triplets) -> Json:
    """Triplets as an answer, but for those with a span that no turn has; a `DataError` if there are no others."""
    shown = [
        {"head": _shown(one.head), "relation": one.relation, "tail": _shown(one.tail)}
        for one in explanation.triplets
        if not one.head.is_latent and not one.tail.is_latent
    ]
    if not shown:
        raise DataError(expected="triplets of spans of turns", found="none")
    return {"triplets": shown}


def _shown(span: Span) -> Json:
    return {"turn": (span.turn or 0) + 1, "text": span.text}


def parse_triplets(dialogue: Dialogue, answer: Json) -> Triplets:
    """An answer as triplets. A span is looked for in its turn, then in the others, case aside."""
    found = []
    for one in list_of(answer, "triplets"):
        head, tail = (
            _span(dialogue, one.get(side) if isinstance(one, dict) else None) for side in ("head", "tail")
        )
        relation = text_of(one, "relation")
        found.append(Triplet(head, _NAMES.get(relation.casefold(), relation), tail))
    return Triplets(tuple(found))


def _span(dialogue: Dialogue, answer: Json) -> Span:
    text, number = text_of(answer, "text"), text_of(answer, "turn")
    if not text:
        raise DataError(expected="the words of a span", found="none")
    turn = int(number) - 1 if number.isdecimal() else -1
    places = [turn, *range(len(dialogue.utterances))]
    for place in (place for place in places if 0 <= place < len(dialogue.utterances)):
        said = dialogue.utterances[place].text
        start = _place(text, said)
        if start is not None:
            return Span(said[start : start + len(text)], place, start)
    return Span(text, max(turn, 0), None)  # it stands nowhere: the rule `verbatim` says so


def _place(text: str, within: str) -> int | None:
    """Where a text stands, case aside; None if it does not."""
    start = within.find(text)
    if start < 0 and len(within.lower()) == len(within):
        start = within.lower().find(text.lower())
    return start if start >= 0 else None


def repair_triplets(dialogue: Dialogue, explanation: Triplets) -> Triplets:
    """The triplets that break no rule, taken in order."""
    kept: tuple[Triplet, ...] = ()
    for triplet in explanation.triplets:
        if not check(dialogue, Triplets((*kept, triplet)), rules_of.triplet_rules("paper", None)):
            kept = (*kept, triplet)
    return Triplets(kept)


def _ask_claim(inputs: DialogueClaim) -> str:
    return f"Dialogue: {inputs.context}\nTriplet: ({inputs.head}; {inputs.relation}; {inputs.tail})"


def _ask_span(inputs: SpanQuestion) -> str:
    return f"Dialogue: {inputs.context}\nQuestion: {inputs.question}"


def _ask_choice(inputs: ChoiceQuestion) -> str:
    options = "\n".join(f"{number}. {option}" for number, option in enumerate(inputs.options))
    return f"Dialogue: {inputs.context}\nQuestion: {inputs.question}\n{options}"


def _ask_relation(inputs: SpanPair) -> str:
    return f"Dialogue: {inputs.context}\nFrom: {inputs.head}\nTo: {inputs.tail}"


def _one_of(*names: str) -> Any:
    return lambda _: record(answer=choice_of(names))


def _choice_schema(inputs: ChoiceQuestion) -> dict[str, Any]:
    return record(answer=choice_of(list(range(len(inputs.options)))))


def _show_label(_: object, label: Label) -> Json:
    return {"answer": int(label.name) if label.name.isdecimal() else label.name}


def _parse_label(_: object, answer: Json) -> Label:
    return Label(text_of(answer, "answer"))


def _parse_relation(_: object, answer: Json) -> Label:
    name = text_of(answer, "answer")
    return Label(_NAMES.get(name.casefold(), name))


def _show_span(_: SpanQuestion, answer: Answer) -> Json:
    return {"answer": answer.text}


def _parse_span(inputs: SpanQuestion, answer: Json) -> Answer:
    text = text_of(answer, "answer")
    start = _place(text, inputs.context) if text else None
    return Answer(text) if start is None else Answer(inputs.context[start : start + len(text)], start)


def _prompts() -> Iterator[Prompt[Any, Any]]:
    yield Prompt(
        _BY_NAME["cider"],
        TRIPLETS,
        ask_triplets,
        triplets_schema,
        show_triplets,
        parse_triplets,
        rules_of.triplet_rules("paper", None),
        repair_triplets,
    )
    label: Any = partial(Prompt, show=_show_label)
    verdicts = _one_of(ENTAILED, NOT_ENTAILED)
    yield label(
        _BY_NAME["cider-nli"],
        CLAIM,
        _ask_claim,
        verdicts,
        parse=_parse_label,
        rules=rules_of.nli_rules("paper", None),
    )
    yield label(
        _BY_NAME["cider-choice"],
        CHOICE,
        _ask_choice,
        _choice_schema,
        parse=_parse_label,
        rules=rules_of.choice_rules("paper", None),
    )
    yield label(
        _BY_NAME["cider-relation"],
        RELATION,
        _ask_relation,
        _one_of(*RELATIONS),
        parse=_parse_relation,
        rules=rules_of.relation_rules("paper", None),
    )
    answer_words = record(answer=words(120))
    yield Prompt(
        _BY_NAME["cider-span"],
        SPAN,
        _ask_span,
        lambda _: answer_words,
        _show_span,
        _parse_span,
        rules_of.span_rules("paper", None),
    )


PROMPTS: dict[str, Prompt[Any, Any]] = {prompt.task.name: prompt for prompt in _prompts()}
