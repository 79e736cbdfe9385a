"""Dialogues, claims and questions as users type them."""

from __future__ import annotations

import re
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import read_text
from whence.structures.dialogue import ChoiceQuestion, Dialogue, DialogueClaim, SpanPair, SpanQuestion, Utterance
from whence.tasks.dialogue_triplets.data import context_of
from whence.tasks.dialogue_triplets.relations import BY_LABEL, RELATIONS
from whence.tasks.typed import Text, Typed

_SPEAKER = re.compile(r"(?:^|(?<=\s))([A-Z]|[A-Z][a-z]{1,19}):\s+", re.MULTILINE)
_NAMES = "AB"


def _dialogue(dialogue: str) -> Dialogue:
    """The dialogue in a file, or as it was typed."""
    if "\n" not in dialogue and Path(dialogue).is_file():
        return dialogue_of(read_text(Path(dialogue)))
    if " " not in dialogue.strip():
        raise MissingDataError(
            f"{dialogue}: no such file; give one, or the dialogue itself: --dialogue 'A: ... B: ...'"
        )
    return dialogue_of(dialogue)


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


def _context(dialogue: str) -> str:
    return context_of(_dialogue(dialogue))


def _claim(dialogue: str, head: str, relation: str, tail: str) -> DialogueClaim:
    return DialogueClaim(_context(dialogue), head, relation_of(relation), tail)


def _question(dialogue: str, question: str) -> SpanQuestion:
    return SpanQuestion(_context(dialogue), question)


def _choice(dialogue: str, question: str, option: tuple[str, ...]) -> ChoiceQuestion:
    return ChoiceQuestion(_context(dialogue), question, option)


def _pair(dialogue: str, head: str, tail: str) -> SpanPair:
    return SpanPair(_context(dialogue), head, tail)


_DIALOGUE = Text("dialogue", "a file with one turn a line, or the turns themselves")
_QUESTION = Text("question", "the question")
_OPTIONS = Text("option", "a possible answer (can be repeated)", least=2, most=None)
_HEAD, _TAIL = Text("head", "a span of the dialogue"), Text("tail", "another span")
_RELATION = Text("relation", "the relation of the head to the tail")

TYPED: dict[str, Typed] = {
    "cider": Typed((_DIALOGUE,), _dialogue),
    "cider-nli": Typed((_DIALOGUE, _HEAD, _RELATION, _TAIL), _claim),
    "cider-span": Typed((_DIALOGUE, _QUESTION), _question),
    "cider-choice": Typed((_DIALOGUE, _QUESTION, _OPTIONS), _choice),
    "cider-relation": Typed((_DIALOGUE, _HEAD, _TAIL), _pair),
}
