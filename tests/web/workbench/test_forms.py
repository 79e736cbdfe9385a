from __future__ import annotations

import pytest

from whence.errors import UsageError
from whence.structures.dialogue import Dialogue, Utterance
from whence.structures.tree import Sentence
from whence.tasks import TASKS, methods_of
from whence.web.workbench.forms import read_inputs, setting_fields


def test_turns_have_speakers_or_take_turns() -> None:
    expected = Dialogue((Utterance("A", "Hello there."), Utterance("B", "Hi!")))
    assert read_inputs(TASKS["cider"], {"utterances": "A: Hello there.\nB: Hi!"}) == expected
    assert read_inputs(TASKS["cider"], {"utterances": "Hello there.\r\n\r\nHi!"}) == expected


def test_a_dialogue_as_context_loses_its_speakers() -> None:
    given = {"context": "A: It rains.\nB: Take a coat.", "head": "rains", "relation": "Causes", "tail": "coat"}
    assert read_inputs(TASKS["cider-nli"], given).context == "It rains. Take a coat."


def test_facts_are_numbered_and_options_lettered() -> None:
    claim = read_inputs(TASKS["entailmentbank-1"], {"hypothesis": "h", "context": "ice melts\nsent7: water flows"})
    assert claim.context == (Sentence("sent1", "ice melts"), Sentence("sent7", "water flows"))
    question = read_inputs(TASKS["worldtree"], {"question": "q", "answer": "a", "options": "B) two\nthree"})
    assert question.options == (("B", "two"), ("A", "three"))
    with pytest.raises(UsageError, match="two facts are called sent1"):
        read_inputs(TASKS["entailmentbank-1"], {"hypothesis": "h", "context": "sent1: a\nsent1: b"})


def test_settings_say_what_they_are() -> None:
    (method,) = (method for method in methods_of("worldtree").values() if method.name == "facts")
    hints = {field.name: field.hint for field in setting_fields(method.settings, {"count": "4"})}
    assert hints["count"] == "The most facts that make an explanation. Usually 6."


@pytest.mark.parametrize("task", TASKS)
def test_settings_of_every_method_can_be_shown(task: str) -> None:
    for method in methods_of(task).values():
        assert all(field.label for field in setting_fields(method.settings, {}))
