"""Triplets of a dialogue: two of its spans and a relation, however they are written."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from whence.files import Json
from whence.formats.llm_text.candidates import Kind, read
from whence.formats.llm_text.clean import normal, plain_quotes
from whence.formats.llm_text.json_values import members
from whence.formats.llm_text.relation_names import RelationNames
from whence.formats.llm_text.triples import HEAD, TAIL, Triple, TripleReader
from whence.formats.llm_text.triples_json import JsonTriples
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.dialogue import Dialogue, Span, Triplet, Triplets

_LABELS = frozenset({"triplets", "triples", "triplet", "explanation", "relations", "edges"})
_PLACED = re.compile(
    r"^\[(?:(?P<latent>latent)|(?:turn )?(?P<turn>\d{1,4})(?:@(?P<start>\d{1,6}))?)\]\s*", re.IGNORECASE
)
_TURN_LAST = re.compile(r"\s*[\[(](?:turn|utterance|line|u|t)[ #]*(?P<turn>\d{1,4})[\])]$", re.IGNORECASE)
_LATENT_LAST = re.compile(r"\s*[\[(](?:latent|implicit)[\])]$", re.IGNORECASE)


def read_triplets(text: str, dialogue: Dialogue, relations: RelationNames) -> Triplets | Unread:
    """The triplets that a text gives for a dialogue."""
    reader = _TripletsReader(dialogue, relations)
    return read(text, Kind("list of triplets", _LABELS, reader.from_json, reader.from_text, _same))


def _same(explanation: Triplets) -> Hashable:
    return frozenset((normal(one.head.text), one.relation, normal(one.tail.text)) for one in explanation.triplets)


class _TripletsReader:
    def __init__(self, dialogue: Dialogue, relations: RelationNames) -> None:
        self._turns = [turn.text for turn in dialogue.utterances]
        self._triples = TripleReader(relations)

    def from_json(self, value: Json, _: str) -> Triplets:
        """The triplets of a JSON list, or of an object that has one."""
        triples = JsonTriples(self._triples).triples(_with_places(value, 0))
        if triples is None:
            raise OtherKindError("it has no triplets")
        return self._triplets(triples)

    def from_text(self, text: str) -> Triplets:
        """The triplets of lines, a table or a drawing."""
        blocks = self._triples.triples(text)
        if not blocks:
            raise UnreadError("it has no triplets of span, relation and span")
        triplets = [self._triplets(block) for block in blocks]
        if len({_same(one) for one in triplets}) > 1:
            raise UnreadError("it gives different lists of triplets, and none is marked as final")
        return triplets[-1]

    def _triplets(self, triples: Sequence[Triple]) -> Triplets:
        found = (Triplet(self._span(one.head), one.relation, self._span(one.tail)) for one in triples)
        return Triplets(tuple(dict.fromkeys(found)))

    def _span(self, said: str) -> Span:
        """The span that words name: in the turn that they name, else where they stand first; latent if nowhere."""
        placed = _PLACED.match(said) or _TURN_LAST.search(said)
        words = said
        turn: int | None = None
        if placed:
            words = (said[: placed.start()] + said[placed.end() :]).strip(" \"'")
            if placed.groupdict().get("latent"):
                return Span(words)
            turn = int(placed["turn"]) - 1
            start = placed.groupdict().get("start")
            if start is not None and 0 <= turn < len(self._turns):
                at = int(start)
                if self._turns[turn][at : at + len(words)] == words:
                    return Span(words, turn, at)
        elif latent := _LATENT_LAST.search(said):
            return Span(said[: latent.start()])
        order = [turn] if turn is not None and 0 <= turn < len(self._turns) else []
        for index in [*order, *range(len(self._turns))]:
            start_at = _start(words, self._turns[index])
            if start_at is not None:
                return Span(self._turns[index][start_at : start_at + len(words)], index, start_at)
        return Span(words, turn if order else None, None)


def _with_places(value: Json, depth: int) -> Json:
    """The JSON value with spans that are objects as texts, `[turn@start] words`; turns count from one."""
    if isinstance(value, list) and depth < 8:
        return [_with_places(one, depth + 1) for one in value]
    if not isinstance(value, dict) or depth >= 8:
        return value
    return {
        name: _placed(inner)
        if _key(name) in HEAD | TAIL and isinstance(inner, dict)
        else _with_places(inner, depth + 1)
        for name, inner in value.items()
    }


def _key(name: str) -> str:
    return next(iter(members({name: True})))


def _placed(span: dict[str, Json]) -> Json:
    named = members(span)
    words = next(
        (named[key] for key in ("text", "span", "words", "value") if isinstance(named.get(key), str)), None
    )
    if words is None:
        return span
    turn, start = named.get("turn"), named.get("start")
    if isinstance(turn, int) and isinstance(start, int):
        return f"[{turn + 1}@{start}] {words}"  # as in our own form, whose turns count from zero
    if isinstance(turn, int):
        return f"[{turn}] {words}"
    return words


def _start(words: str, within: str) -> int | None:
    start = within.find(words)
    lowered = plain_quotes(within).lower()
    if start < 0 and words and len(lowered) == len(within):
        start = lowered.find(plain_quotes(words).lower())
    return start if start >= 0 and words else None
