"""Dialogues, claims and questions as users type them."""

from __future__ import annotations

import re
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import read_text
from whence.formats.dialogues import context_of, parse_typed_dialogue
from whence.structures.dialogue import ChoiceQuestion, Dialogue, DialogueClaim, SpanPair, SpanQuestion
from whence.tasks.dialogue_triplets.data.relations import BY_LABEL, RELATIONS
from whence.tasks.form_inputs import FormField, FormInputs, Text


def _dialogue(dialogue: str) -> Dialogue:
    """The dialogue in a file, or as it was typed."""
    if "\n" not in dialogue and Path(dialogue).is_file():
        return parse_typed_dialogue(read_text(Path(dialogue)))
    if " " not in dialogue.strip():
        raise MissingDataError(
            f"{dialogue}: no such file; give one, or the dialogue itself: --dialogue 'A: ... B: ...'"
        )
    return parse_typed_dialogue(dialogue)


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

_NAMED_TURN = re.compile(r"\s*\w+[:.)]\s+\S")


def _typed_context(text: str) -> str:
    """A dialogue as one text: turns that were typed a line each lose their speakers, as in the data."""
    is_turns = len(text.strip().splitlines()) > 1 or _NAMED_TURN.match(text) is not None
    return context_of(parse_typed_dialogue(text)) if is_turns else " ".join(text.split())


_FIELDS = {
    "utterances": FormField("Dialogue"),
    "context": FormField("Dialogue", "A turn a line, or one text", 6, _typed_context),
    "head": FormField("First span"),
    "tail": FormField("Second span"),
}

FORM_INPUTS: dict[str, FormInputs] = {
    "cider": FormInputs((_DIALOGUE,), _dialogue, _FIELDS),
    "cider-nli": FormInputs((_DIALOGUE, _HEAD, _RELATION, _TAIL), _claim, _FIELDS),
    "cider-span": FormInputs((_DIALOGUE, _QUESTION), _question, _FIELDS),
    "cider-choice": FormInputs((_DIALOGUE, _QUESTION, _OPTIONS), _choice, _FIELDS),
    "cider-relation": FormInputs((_DIALOGUE, _HEAD, _TAIL), _pair, _FIELDS),
}
