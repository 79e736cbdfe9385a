"""Triplets of a dialogue: a span, a relation, a span, a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.collection.configuration import Write
from whence.files import Json, objects, string
from whence.tasks.task import Relation
from whence.web.collect.fields import Fields
from whence.web.typed import typed_number

LATENT = "latent"
_MORE = 2


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A span as its fields have it."""

    text: str = ""
    turn: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class TripletRow:
    """One triplet, as far as it is written."""

    head: SpanRow = SpanRow()
    relation: str = ""
    tail: SpanRow = SpanRow()


@dataclass(frozen=True, slots=True)
class TripletsView:
    """Rows to write in, turns to choose from, and relations by category."""

    rows: tuple[TripletRow, ...]
    turns: tuple[tuple[str, str], ...]
    relations: Mapping[str, tuple[str, ...]]


def read(fields: Fields, item: Mapping[str, Json], operation: str) -> Json:
    """Rows in which something stands; a button removes one."""
    removed = operation.partition(":")[2] if operation.startswith("remove:") else ""
    said = [string(turn.get("text")) for turn in objects(item.get("utterances"))]
    found = []
    for number, row in fields.rows():
        head, tail = _span(row.within("head"), said), _span(row.within("tail"), said)
        if (head["text"] or tail["text"]) and str(number) != removed:
            found.append({"head": head, "relation": row.text("relation"), "tail": tail})
    return found or None


def _span(fields: Fields, said: list[str]) -> dict[str, Json]:
    """A span; where it starts is what a script says, or the first place of its turn where its text stands."""
    text, turn = fields.text("text"), typed_number(fields.text("turn"))
    if turn is None or turn >= len(said):
        place = _place_of(text, said) if fields.text("turn") != LATENT else None
        return {"text": text, "turn": place[0] if place else None, "start": place[1] if place else None}
    start, utterance = typed_number(fields.text("start")), said[turn]
    if start is not None and utterance[start:].startswith(text):
        return {"text": text, "turn": turn, "start": start}
    found = utterance.find(text)
    return {"text": text, "turn": turn, "start": found if found >= 0 else None}


def _place_of(text: str, said: list[str]) -> tuple[int, int] | None:
    """The first turn in which a text stands, where no turn was chosen."""
    return next(((turn, words.find(text)) for turn, words in enumerate(said) if text and text in words), None)


def view(
    _field: Write, value: Json, item: Mapping[str, Json], operation: str, relations: Sequence[Relation]
) -> TripletsView:
    """The rows with empty ones behind them."""
    rows = [
        TripletRow(_row(one.get("head")), string(one.get("relation")), _row(one.get("tail")))
        for one in objects(value)
    ]
    empty = 1 + (_MORE if operation == "more" else 0)
    turns = tuple(
        (str(number), f"{number + 1} {string(turn.get('speaker'))}")
        for number, turn in enumerate(objects(item.get("utterances")))
    )
    by_category = {
        category: tuple(relation.name for relation in relations if relation.category == category)
        for category in dict.fromkeys(relation.category for relation in relations)
    }
    return TripletsView((*rows, *(TripletRow() for _ in range(empty))), turns, by_category)


def _row(value: Json) -> SpanRow:
    if not isinstance(value, Mapping):
        return SpanRow()
    turn, start, text = value.get("turn"), value.get("start"), string(value.get("text"))
    told = str(turn) if isinstance(turn, int) else (LATENT if text else "")
    return SpanRow(text, told, str(start) if isinstance(start, int) else "")
