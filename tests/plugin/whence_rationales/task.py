"""The task `rationales`: a passage, a claim -> a label and the sentence that decides it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from whence.tasks.form_inputs import FormField, FormInputs, Text
from whence.tasks.task import Collecting, DataFiles, Task
from whence_rationales import data
from whence_rationales.data import Rationale, Statement
from whence_rationales.diagram import diagram
from whence_rationales.rules import rules

if TYPE_CHECKING:
    from whence.tasks.hardening import Filtering
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring

FOLDER = Path(__file__).parent


def _scoring() -> Scoring:
    from whence_rationales.scoring import SCORING

    return SCORING


def _methods() -> tuple[Method, ...]:
    from whence_rationales.overlap import OVERLAP
    from whence_rationales.prompt import LLM

    return (OVERLAP, LLM)


def _heads() -> tuple[Head, ...]:
    from whence_rationales.heads import LABEL

    return (LABEL,)


def _prompt() -> Prompt[Statement, Rationale]:
    from whence_rationales.prompt import PROMPT

    return PROMPT


def _hardening() -> Filtering:
    from whence_rationales.hardening import FILTERING

    return FILTERING


def _form_inputs() -> FormInputs:
    texts = (Text("passage", "what is known"), Text("claim", "what may follow from it"))
    return FormInputs(texts, Statement, {"passage": FormField("Passage", lines=6)})


RATIONALES = Task(
    api=1,
    name="rationales",
    family="rationales",
    title="passage, claim -> a label and the sentence that decides it",
    paper="an example of a plug-in",
    inputs=Statement,
    explanation=Rationale,
    data=DataFiles(
        samples=FOLDER / "samples" / "rationales.jsonl",
        read=data.read,
        write=data.write,
        read_predictions=data.read_predictions,
    ),
    rules=rules,
    diagram=diagram,
    scoring=_scoring,
    methods=_methods,
    heads=_heads,
    recipes=FOLDER / "recipes",
    prompt=_prompt,
    form_inputs=_form_inputs,
    hardening=_hardening,
    collecting=Collecting(configuration=FOLDER / "rationales.toml"),
)
