"""Dialogues as users type them."""

from __future__ import annotations

import pytest

from whence.errors import UsageError
from whence.formats.dialogues import parse_typed_dialogue
from whence.structures.dialogue import Dialogue, Utterance
from whence.tasks.dialogue_triplets.form_inputs import relation_of


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("A: Hi.    B: Hello.", (("A", "Hi."), ("B", "Hello."))),  # the release's own form
        (
            "Anna: Hi there.\nBen:  Hello.\nAnna: Bye.",
            (("Anna", "Hi there."), ("Ben", "Hello."), ("Anna", "Bye.")),
        ),
        ("Hi.\n\nHello.\nBye.", (("A", "Hi."), ("B", "Hello."), ("A", "Bye."))),  # two speakers by turns
        ("Just one line", (("A", "Just one line"),)),
        ("It is at 10: why?\nNo.", (("A", "It is at 10: why?"), ("B", "No."))),  # no speaker is a number
        ("Hi.\nB: Hello.", (("A", "Hi."), ("B", "B: Hello."))),  # the first turn has no speaker
    ],
)
def test_turns(text: str, turns: tuple[tuple[str, str], ...]) -> None:
    assert parse_typed_dialogue(text) == Dialogue(tuple(Utterance(*turn) for turn in turns))


def test_an_empty_dialogue_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        parse_typed_dialogue("A:  ")


@pytest.mark.parametrize(
    ("name", "relation"),
    [("causes", "Causes"), ("Happens On", "Happens On"), ("happens in", "Happens On"), ("is not a", "Not Is A")],
)
def test_relations_by_either_name(name: str, relation: str) -> None:
    assert relation_of(name) == relation
