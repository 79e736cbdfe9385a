"""Free text to sentences, and how alike they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError, UsageError
from whence.structures.results import Example
from whence.tasks import TASKS, methods_of
from whence.tasks.loading import samples
from whence.tasks.method import Setup
from whence.tasks.thinking import Thought, ThoughtSettings, WordLinker, thoughts_of


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Ice floats. Water is dense!", [Thought("Ice floats"), Thought("Water is dense!")]),
        ("1. Ice floats.\n2) Wood floats.", [Thought("Ice floats", 1), Thought("Wood floats", 2)]),
        ("Step 3: Ice floats.", [Thought("Ice floats", 3)]),
        ("- **Ice** floats\n* Wood floats", [Thought("Ice floats"), Thought("Wood floats")]),
        ("Therefore, ice floats.", [Thought("ice floats", concludes=True)]),
        ("So we can conclude that ice floats.", [Thought("ice floats", concludes=True)]),
        ("We know that ice floats.", [Thought("ice floats")]),
        ("Ice floats (from sent2 and step 1).", [Thought("Ice floats", None, ("sent2", "#1"))]),
        ("<think>Ice floats.</think>\n\nWood floats.", [Thought("Ice floats"), Thought("Wood floats")]),
        ("Ice (frozen water) floats.", [Thought("Ice (frozen water) floats")]),  # not a reference
        ("Dr. no 3.5 kg e.g. this", [Thought("Dr. no 3.5 kg e.g. this")]),  # no sentence ends there
        ("", []),
        ("...\n\n---\n1.\n", []),
    ],
)
def test_sentences(text: str, expected: list[Thought]) -> None:
    assert list(thoughts_of(text)) == expected


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_any_text_has_sentences_that_say_something(text: str) -> None:
    for thought in thoughts_of(text):
        assert thought.text == thought.text.strip()
        assert thought.text


def test_words_say_how_alike_texts_are() -> None:
    found = WordLinker().alike(["the ice floats", "a dog barks"], ["ice is floating", "dogs bark loudly", ""])
    # by hand: 2 of 2 words shared; 2 of 2 and 2 of 3; nothing
    assert np.allclose(found, [[1.0, 0.0, 0.0], [0.0, 0.8, 0.0]])
    assert WordLinker().alike([], ["a"]).shape == (0, 1)


def _made(task: str, **settings: Any) -> Any:
    return methods_of(task)["thoughts"].make(ThoughtSettings(links="words", **settings), Setup(lambda: Path()))


@pytest.fixture
def example() -> Example[Any, Any]:
    return samples(TASKS["entailmentbank-1"]).examples[0]


def test_texts_from_a_file(tmp_path: Path, example: Example[Any, Any]) -> None:
    said = "Graphite is a material that lets electric current pass easily."
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"id": example.id, "text": said}) + "\n")
    other = Example("other", example.inputs)
    found, missing = _made("entailmentbank-1", texts=str(file)).explain([example, other])
    assert found.explanation is not None
    assert missing.explanation is None
    assert missing.problems[0].message == "texts.jsonl has no text for it"
    plain = tmp_path / "text.txt"
    plain.write_text(said)
    made = _made("entailmentbank-1", texts=str(plain))
    assert made.explain([example])[0].explanation == found.explanation
    with pytest.raises(UsageError, match="one text for 2 examples"):
        made.explain([example, other])
    file.write_text('{"id": 3}\n')
    with pytest.raises(DataError, match="line 1: expected the texts 'id' and 'text'"):
        _made("entailmentbank-1", texts=str(file))
