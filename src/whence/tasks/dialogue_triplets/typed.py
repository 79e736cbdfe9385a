"""Dialogues, claims and questions as users type them."""

from __future__ import annotations

import re
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import read_text
from whence.structures.dialogue import ChoiceQuestion, Dialogue, DialogueClaim, SpanPair, SpanQuestion, Utterance
from whence.tasks.dialogue_triplets.data import context_of
from whence.tasks.dialogue_triplets.relations import BY_LABEL, RELATIONS
from whence.tasks.typed import Given, Typed

_SPEAKER = re.compile(r"(?:^|(?<=\s))([A-Z]|[A-Z][a-z]{1,19}):\s+", re.MULTILINE)
_NAMES = "AB"


def typed_dialogue(given: Given) -> Dialogue:
    """The dialogue in a file, or as it was typed."""
    text = given.one("dialogue")
    if "\n" not in text and Path(text).is_file():
        return dialogue_of(read_text(Path(text)))
    if " " not in text.strip():
        raise MissingDataError(
            f"{text}: no such file; give one, or the dialogue itself: --dialogue 'A: ... B: ...'"
        )
    return dialogue_of(text)


def dialogue_of(text: str) -> Dialogue:
    """Turns that begin with a speaker (`A: ` or `Anna: `); without any, lines of two who take turns."""
    found = list(_SPEAKER.finditer(text))
    if found and not text[: found[0].start()].strip():
        ends = [match.start() for match in found[1:]] + [len(text)]
        turns = [(match[1], text[match.end() : end]) for match, end in zip(found, ends, strict=True)]
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        turns = [(_NAMES[number % 2], line) for number, line in enumerate(lines)]
    said = tuple(Utterance(speaker, " ".join(words.split())) for speaker, words in turns if words.strip())
    if not said:
        raise UsageError("the dialogue is empty")
    return Dialogue(said)


def relation_of(name: str) -> str:
    """A relation under the paper's name or the released label, case aside."""
    names = {**{known.casefold(): known for known in RELATIONS}, **BY_LABEL}
    if name.casefold() not in names:
        raise UsageError(f"there is no relation {quoted(name)}; there are {', '.join(RELATIONS)}")
    return names[name.casefold()]


def _context(given: Given) -> str:
    return context_of(typed_dialogue(given))


def _claim(given: Given) -> DialogueClaim:
    relation = given.one("relation")
    return DialogueClaim(_context(given), given.one("head"), relation_of(relation), given.one("tail"))


def _question(given: Given) -> SpanQuestion:
    return SpanQuestion(_context(given), given.one("question"))


def _choice(given: Given) -> ChoiceQuestion:
    return ChoiceQuestion(_context(given), given.one("question"), given.several("option", least=2))


def _pair(given: Given) -> SpanPair:
    return SpanPair(_context(given), given.one("head"), given.one("tail"))


TYPED: dict[str, Typed] = {
    "cider": typed_dialogue,
    "cider-nli": _claim,
    "cider-span": _question,
    "cider-choice": _choice,
    "cider-relation": _pair,
}
