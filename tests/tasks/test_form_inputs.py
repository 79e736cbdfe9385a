"""What users type becomes the inputs of a task; what is missing, too much or strange is refused in a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from whence.commands.application import application
from whence.errors import UsageError
from whence.tasks import TASKS, form_inputs
from whence.tasks.form_inputs import FormInputs, Text, plain_inputs, typed_example


@dataclass(frozen=True, slots=True)
class Riddle:
    riddle: str
    hint: str = "none"
    tries: int = 3


SEVERAL = FormInputs((Text("name", "a name"), Text("clue", "a clue", least=2, most=3)), lambda *given: given)
TALK = "A: You look soaked! B: My bicycle got a puncture."


@pytest.mark.parametrize("task", TASKS)
def test_every_task_can_be_typed(task: str) -> None:
    typed = form_inputs(TASKS[task])
    words = {"dialogue": TALK, "relation": "Causes"}
    given = {text.name: [words.get(text.name, "rain")] * max(text.least, 1) for text in typed.texts}
    assert isinstance(typed_example(typed, given).inputs, TASKS[task].inputs)


def test_help_names_every_text_and_its_task() -> None:
    told = CliRunner().invoke(application, ["explain", "--help"], env={"COLUMNS": "300"}).output
    for task in TASKS:
        for text in form_inputs(TASKS[task]).texts:
            line = next(line for line in told.splitlines() if f"│ --{text.name} " in line)
            assert task in line and text.meaning in line


def test_no_text_is_named_as_an_option_that_all_tasks_have() -> None:
    verb: Any = get_command(application).commands["explain"]  # type: ignore[attr-defined]
    parameters = verb.get_params(verb.make_context("explain", ["worldtree"]))
    names = [name for one in parameters for name in (one.name, *one.opts)]
    assert len(names) - len(set(names)) == 1  # the argument's own name is what it is called by too


def test_plain_inputs_have_the_names_of_their_fields() -> None:
    typed = plain_inputs(Riddle)
    assert typed_example(typed, {"riddle": ["What falls?"]}).inputs == Riddle("What falls?")
    assert typed_example(typed, {"riddle": ["What falls?"], "hint": ["wet"]}).inputs == Riddle(
        "What falls?", "wet"
    )


@pytest.mark.parametrize(
    ("typed", "given", "said"),
    [
        (plain_inputs(Riddle), {"hint": ["wet"]}, "say what is to be explained: --riddle TEXT"),
        (plain_inputs(Riddle), {"riddle": [" "]}, "say what is to be explained: --riddle TEXT"),
        (plain_inputs(Riddle), {"riddle": ["a", "b"]}, "--riddle is one text here, not 2"),
        (plain_inputs(Riddle), {"tries": ["4"]}, "this task has no input --tries; it has --riddle, --hint"),
        (SEVERAL, {"name": ["a"], "clue": ["b"]}, "--clue TEXT --clue TEXT is needed, and there are 1 of them"),
        (SEVERAL, {"name": ["a"], "clue": list("bcde")}, "is needed, and there are 4 of them"),
    ],
)
def test_what_is_refused(typed: FormInputs, given: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        typed_example(typed, given)
