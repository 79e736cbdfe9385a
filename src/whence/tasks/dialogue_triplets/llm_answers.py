"""Triplets, and answers to the sub-tasks, in what language models write."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from whence.formats.llm_text import Unread
from whence.formats.llm_text.blocks import Line
from whence.formats.llm_text.choice import Options, read_choice
from whence.formats.llm_text.clean import normal
from whence.formats.llm_text.relation_names import RelationNames
from whence.formats.llm_text.span import read_span
from whence.formats.llm_text.triples import TripleReader
from whence.formats.llm_text.triplets import read_triplets
from whence.formats.llm_text.unread import UnreadError
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    SpanPair,
    SpanQuestion,
    Triplets,
)
from whence.structures.results import Label
from whence.tasks.dataset import AnyDataset
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED
from whence.tasks.dialogue_triplets.data.relations import BY_LABEL, RELATIONS

_RELATIONS = RelationNames(RELATIONS, BY_LABEL)
_VERDICTS = {
    **dict.fromkeys(("entailed", "entailment", "entails", "yes", "true", "it is entailed"), ENTAILED),
    **dict.fromkeys(
        ("not entailed", "not entailment", "non entailment", "no", "false", "does not entail", "no entailment"),
        NOT_ENTAILED,
    ),
    **dict.fromkeys(("unentailed", "it is not entailed", "contradiction", "neutral"), NOT_ENTAILED),
}
_DENIED = re.compile(
    r"\b(?:is|are|was) (?:therefore |thus |clearly )?not (?:\w+ly )?(?:entailed|implied|supported)\b|"
    r"\b(?:isn't|not) (?:\w+ly )?entailed\b|\b(?:does not|doesn't) (?:\w+ly )?entail\b|\bno entailment\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\b(?:is|are) (?:therefore |thus |indeed )?(?:\w+ly )?entailed\b|\b(?:dialogue|conversation|it) "
    r"(?:therefore |thus |does |indeed |clearly )?entails?\b",
    re.IGNORECASE,
)


def read_triplets_text(text: str, dialogue: Dialogue, _: AnyDataset) -> Triplets | Unread:
    """The triplets of an answer."""
    return read_triplets(text, dialogue, _RELATIONS)


def read_verdict_text(text: str, _: DialogueClaim, __: AnyDataset) -> Label | Unread:
    """Whether an answer says that the triplet is entailed."""
    options = Options(
        {name: name for name in (ENTAILED, NOT_ENTAILED)},
        nouns=("verdict", "label", "answer", "judgement", "judgment", "entailment", "classification"),
        named=_verdict,
        stated=((_DENIED, NOT_ENTAILED), (_STATED, ENTAILED)),
        flag="entailed",
    )
    return _label(read_choice(text, options))


def _verdict(words: str) -> str | None:
    plain = " ".join(re.split(r"[\s_-]+", words.casefold())).replace("doesn't", "does not").removeprefix("it's ")
    first = re.match(r"(yes|no)\b[,.;:!]", plain)
    return _VERDICTS.get(plain) or (_VERDICTS[first[1]] if first else None)


def read_span_text(text: str, question: SpanQuestion, _: AnyDataset) -> Answer | Unread:
    """The span of an answer."""
    return read_span(text, question)


def read_choice_text(text: str, question: ChoiceQuestion, _: AnyDataset) -> Label | Unread:
    """The option that an answer chooses; numbers count from zero, as in the data."""
    texts = {str(number): option for number, option in enumerate(question.options)}
    return _label(read_choice(text, Options(texts, lettered=True)))


def read_relation_text(text: str, pair: SpanPair, _: AnyDataset) -> Label | Unread:
    """The relation that an answer gives, alone or between the two spans."""

    def named(words: str) -> str | None:
        return _RELATIONS.named(words) or _relation_between(words, pair)

    options = Options(
        {name: name for name in RELATIONS},
        nouns=("relation", "relationship", "label", "answer"),
        named=named,
    )
    return _label(read_choice(text, options))


def _relation_between(words: str, pair: SpanPair) -> str | None:
    """The relation of a triplet with these spans, such as `head -> relation -> tail`."""
    try:
        triples = TripleReader(_RELATIONS).line_triples(Line(words, words, "bullet"))
    except UnreadError:
        return None
    ends = [(normal(pair.head), normal(pair.tail))]
    return triples[0].relation if [(normal(one.head), normal(one.tail)) for one in triples] == ends else None


def _label(label: str | Unread) -> Label | Unread:
    return label if isinstance(label, Unread) else Label(label)


READERS: dict[str, Callable[[str, Any, AnyDataset], Any]] = {
    "cider": read_triplets_text,
    "cider-nli": read_verdict_text,
    "cider-span": read_span_text,
    "cider-choice": read_choice_text,
    "cider-relation": read_relation_text,
}
