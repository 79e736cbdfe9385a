"""When the triplets of a dialogue, and the answers of the sub-tasks, are well-formed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from whence.checks.rule import Finding, Rule
from whence.checks.triplets import NOT_EMPTY, NOT_SELF, VERBATIM, TripletRule, relation_known, stated_once
from whence.errors import quoted
from whence.structures.dialogue import Answer, ChoiceQuestion, SpanQuestion
from whence.structures.results import Label
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS

_TRIPLET_RULES = (NOT_EMPTY, VERBATIM, relation_known(RELATIONS), NOT_SELF, stated_once(RELATIONS))


def triplet_rules(_protocol: str, _dataset: object) -> Sequence[TripletRule]:
    """The rules of section 4.2; there is no released checker that differs."""
    return _TRIPLET_RULES


def _find_unknown_verdict(_: object, label: Label) -> Iterator[Finding]:
    if label.name not in (ENTAILED, NOT_ENTAILED):
        yield "/name", f"{quoted(label.name)} is neither '{ENTAILED}' nor '{NOT_ENTAILED}'"


def _find_unknown_relation(_: object, label: Label) -> Iterator[Finding]:
    if label.name not in RELATIONS:
        yield "/name", f"{quoted(label.name)} is not one of the relations"


def _find_no_option(inputs: ChoiceQuestion, label: Label) -> Iterator[Finding]:
    numbers = [str(number) for number in range(len(inputs.options))]
    if label.name not in numbers:
        yield "/name", f"{quoted(label.name)} is not the number of an option ({', '.join(numbers)})"


def _find_not_in_context(inputs: SpanQuestion, answer: Answer) -> Iterator[Finding]:
    if not answer.text.strip():
        yield "/text", "the answer is empty"
    elif answer.text.strip() not in inputs.context:
        yield "/text", f"{quoted(answer.text)} does not stand in the context"


_NLI_RULES: tuple[Rule[Any, Label], ...] = (
    Rule("label", f"the label is '{ENTAILED}' or '{NOT_ENTAILED}'", _find_unknown_verdict),
)
_RELATION_RULES: tuple[Rule[Any, Label], ...] = (
    Rule("relation", f"the relation is one of the {len(RELATIONS)}", _find_unknown_relation),
)
_CHOICE_RULES = (Rule("label", "the label is the number of an option", _find_no_option),)
_SPAN_RULES = (Rule("verbatim", "the answer stands verbatim in the context", _find_not_in_context),)


def nli_rules(_protocol: str, _dataset: object) -> Sequence[Rule[Any, Label]]:
    """The rules of `cider-nli`."""
    return _NLI_RULES


def relation_rules(_protocol: str, _dataset: object) -> Sequence[Rule[Any, Label]]:
    """The rules of `cider-relation`."""
    return _RELATION_RULES


def choice_rules(_protocol: str, _dataset: object) -> Sequence[Rule[ChoiceQuestion, Label]]:
    """The rules of `cider-choice`."""
    return _CHOICE_RULES


def span_rules(_protocol: str, _dataset: object) -> Sequence[Rule[SpanQuestion, Answer]]:
    """The rules of `cider-span`."""
    return _SPAN_RULES
