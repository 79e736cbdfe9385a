"""What models would write is read for what it says, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contracts.built_in import BUILT_IN
from tests.formats.llm_text import answers_traps
from tests.formats.llm_text.answers_blind import GOLD, ROWS, SAFE, UNREAD, Written, data
from tests.formats.llm_text.test_styles import meaning

from whence.formats.llm_text import Unread
from whence.structures.facts import Ranking
from whence.structures.results import Example
from whence.structures.tree import Tree, texts


def _says(example: Example[Any, Any], explanation: Any) -> Any:
    """What an explanation says; of a tree, whatever its conclusions are called and its steps' order."""
    if isinstance(explanation, Ranking):
        return set(explanation.ids)
    if not isinstance(explanation, Tree):
        return meaning(example, explanation)
    known = texts(explanation, example.inputs)
    return {
        (frozenset(known[one] for one in step.premises), known.get(step.conclusion, step.conclusion).rstrip("."))
        for step in explanation.steps
    }


def _fault(row: Written) -> str:
    read_text = BUILT_IN[row.task].read_text
    assert read_text is not None
    answer = read_text(row.text, row.example.inputs, data(row.task))
    value = None if isinstance(answer, Unread) else answer
    same = value is not None and _says(row.example, value) in [
        _says(row.example, one) for one in row.example.golds
    ]
    right = {GOLD: same, UNREAD: value is None, SAFE: value is None or same}
    expected = row.expected
    fits = right[expected] if isinstance(expected, str) else expected(value, row.example.golds[0])
    return "" if fits else f"{row.name}: {row.text!r} is read as {answer}"


@pytest.mark.parametrize("task", BUILT_IN)
def test_answers_are_read_for_what_they_say(task: str) -> None:
    faults = [fault for row in ROWS if row.task == task and (fault := _fault(row))]
    assert not faults, "\n".join(faults)


def test_there_are_many_of_every_task() -> None:
    assert all(sum(row.task == task for row in ROWS) >= 12 for task in BUILT_IN)
    assert len(ROWS) - answers_traps.START >= 250
    assert len({(row.task, row.text) for row in ROWS if row.expected == UNREAD}) >= 180
