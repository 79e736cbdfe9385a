"""CIDER's dialogues on one line, `A: ...    B: ...`, with triplets by character position."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whence.errors import DataError, UsageError, quoted
from whence.formats.lossless import reads_back
from whence.structures.dialogue import Dialogue, Span, Triplet, Utterance

_BETWEEN_TURNS = "    "
_TURN_START = re.compile(r"    (?=[A-Z]: )")
_NOWHERE = (-1, -1)
_SPEAKER = re.compile(r"(?:^|(?<=\s))([A-Z]|[A-Z][a-z]{1,19}):\s+", re.MULTILINE)
_NAMES = "AB"


def parse_dialogue(text: str) -> Dialogue:
    """Turns of one-letter speakers; white space inside and after a turn is kept."""
    turns = []
    for piece in _TURN_START.split(text):
        if not re.match(r"[A-Z]: ", piece):
            raise DataError(expected="turns like 'A: text    B: text'", found=quoted(piece))
        turns.append(Utterance(piece[0], piece[3:]))
    return Dialogue(tuple(turns))


def format_dialogue(dialogue: Dialogue) -> str:
    """The dialogue on one line."""
    text = _BETWEEN_TURNS.join(f"{turn.speaker}: {turn.text}" for turn in dialogue.utterances)
    return reads_back(text, parse_dialogue, dialogue, "speakers of one capital letter, and turns that read back")


def parse_typed_dialogue(text: str) -> Dialogue:
    """Read turns that begin with a speaker (`A: ` or `Anna: `); without any, lines of two who take turns."""
    matches = list(_SPEAKER.finditer(text))
    if matches and not text[: matches[0].start()].strip():
        ends = [match.start() for match in matches[1:]] + [len(text)]
        turns = [(match[1], text[match.end() : end]) for match, end in zip(matches, ends, strict=True)]
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        turns = [(_NAMES[number % 2], line) for number, line in enumerate(lines)]
    said = tuple(Utterance(speaker, " ".join(words.split())) for speaker, words in turns if words.strip())
    if not said:
        raise UsageError("the dialogue is empty")
    return Dialogue(said)


def context_of(dialogue: Dialogue) -> str:
    """The dialogue as the sub-tasks have it: utterances without speakers, one after the other."""
    return " ".join(" ".join(turn.text.split()) for turn in dialogue.utterances)


def parse_triplet(record: Mapping[str, Any], dialogue: Dialogue) -> Triplet:
    """A published triplet: `head`, `relation`, `tail` and their `headpos`, `tailpos` in the one-line text."""
    for key in ("head", "relation", "tail"):
        if not isinstance(record.get(key), str):
            raise DataError(expected=f"a triplet with the text '{key}'", found=quoted(str(dict(record))))
    return Triplet(
        _span(record["head"], record.get("headpos"), dialogue),
        record["relation"],
        _span(record["tail"], record.get("tailpos"), dialogue),
    )


def _span(text: str, position: Any, dialogue: Dialogue) -> Span:
    if position is None:
        return Span(text)
    first, last = _two_numbers(position)
    if (first, last) == _NOWHERE:
        return Span(text)
    offset = 0
    for number, turn in enumerate(dialogue.utterances):
        start = offset + 3  # behind 'A: '
        if start <= first <= last <= start + len(turn.text):
            if turn.text[first - start : last - start] != text:
                break
            return Span(text, number, first - start)
        offset = start + len(turn.text) + len(_BETWEEN_TURNS)
    raise DataError(expected=f"the span {quoted(text)} at {first}-{last} of the dialogue", found="another text")


def _two_numbers(position: Any) -> tuple[int, int]:
    if isinstance(position, list | tuple) and len(position) == 2:
        first, last = position
        if type(first) is int and type(last) is int:
            return first, last
    raise DataError(expected="a position like [12, 19]", found=quoted(str(position)))


def format_triplet(triplet: Triplet, dialogue: Dialogue) -> dict[str, Any]:
    """The published form; `latent` is there only where a span is latent. Spans must stand where they say."""
    latent = {"latent": True} if triplet.head.is_latent or triplet.tail.is_latent else {}
    record = {
        "head": triplet.head.text,
        "relation": triplet.relation,
        "tail": triplet.tail.text,
        **latent,
        "headpos": _position(triplet.head, dialogue),
        "tailpos": _position(triplet.tail, dialogue),
    }
    if parse_triplet(record, dialogue) != triplet:
        raise DataError(expected="spans with turn and start, or latent ones", found=quoted(str(triplet)))
    return record


def _position(span: Span, dialogue: Dialogue) -> list[int]:
    if span.turn is None or span.start is None:
        return list(_NOWHERE)
    before = sum(3 + len(turn.text) + len(_BETWEEN_TURNS) for turn in dialogue.utterances[: span.turn])
    start = before + 3 + span.start
    return [start, start + len(span.text)]
