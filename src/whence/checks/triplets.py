"""Rules for the triplets of a dialogue (CIDER, sec. 3-4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.structures.dialogue import Dialogue, Relation, Span, Triplets

TripletRule = Rule[Dialogue, Triplets]


def _find_not_verbatim(dialogue: Dialogue, explanation: Triplets) -> Iterator[Finding]:
    for number, triplet in enumerate(explanation.triplets):
        for side, span in (("head", triplet.head), ("tail", triplet.tail)):
            if not span.is_latent and not _stands_there(span, dialogue):
                yield f"/triplets/{number}/{side}", f"{quoted(span.text)} does not stand in turn {span.turn}"


def _stands_there(span: Span, dialogue: Dialogue) -> bool:
    if span.turn is None or not 0 <= span.turn < len(dialogue.utterances):
        return False
    text = dialogue.utterances[span.turn].text
    if span.start is None:
        return span.text in text
    return span.start >= 0 and text[span.start : span.start + len(span.text)] == span.text


def _find_empty(_: Dialogue, explanation: Triplets) -> Iterator[Finding]:
    for number, triplet in enumerate(explanation.triplets):
        for side, span in (("head", triplet.head), ("tail", triplet.tail)):
            if not span.text.strip():
                yield f"/triplets/{number}/{side}", "the span is empty"


def relation_known(relations: Mapping[str, Relation]) -> TripletRule:
    """Every relation is of the set."""

    def find(_: Dialogue, explanation: Triplets) -> Iterator[Finding]:
        for number, triplet in enumerate(explanation.triplets):
            if triplet.relation not in relations:
                yield f"/triplets/{number}/relation", f"{quoted(triplet.relation)} is not one of the relations"

    return Rule("relation", f"every relation is one of the {len(relations)}", find)


def _find_self(_: Dialogue, explanation: Triplets) -> Iterator[Finding]:
    for number, triplet in enumerate(explanation.triplets):
        if triplet.head.text.strip().lower() == triplet.tail.text.strip().lower():
            yield f"/triplets/{number}", f"head and tail are both {quoted(triplet.head.text)}"


def stated_once(relations: Mapping[str, Relation]) -> TripletRule:
    """No triplet is there twice; a symmetric relation read backwards is the same triplet."""

    def find(_: Dialogue, explanation: Triplets) -> Iterator[Finding]:
        seen: dict[tuple[str, str, str], int] = {}
        for number, triplet in enumerate(explanation.triplets):
            head, tail = triplet.head.text.strip().lower(), triplet.tail.text.strip().lower()
            relation = relations.get(triplet.relation)
            backwards = relation is not None and relation.symmetric and head > tail
            key = (tail, triplet.relation, head) if backwards else (head, triplet.relation, tail)
            first = seen.setdefault(key, number)
            if first != number:
                yield f"/triplets/{number}", f"says the same as triplet {first}"

    return Rule("stated-once", "no triplet is repeated, nor a symmetric one reversed", find)


VERBATIM: TripletRule = Rule(
    "verbatim", "a span stands verbatim in its turn, unless it is latent", _find_not_verbatim
)
NOT_EMPTY: TripletRule = Rule("not-empty", "no span is empty", _find_empty)
NOT_SELF: TripletRule = Rule("head-is-not-tail", "head and tail differ", _find_self)
