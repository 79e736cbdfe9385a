"""Contrasts: does a conclusion follow from premises, contradict them, or is it unknown?

Where things are: `data/` has the samples and the sets written by hand, `files.py` reads these and makes the
others; `rules.py` says when an answer is well-formed, `scoring.py` measures, `judging.py` asks the verifier,
`prompt.py` a language model.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from whence.formats.llm_text import Unread
from whence.models.verifier.entailment import Inference
from whence.plugins import API
from whence.structures.results import Label
from whence.structures.verdict import LABELS
from whence.tasks.contrast import files
from whence.tasks.contrast.diagram import diagram
from whence.tasks.contrast.rules import rules
from whence.tasks.dataset import AnyDataset
from whence.tasks.task import Collecting, DataFiles, Questions, Task

if TYPE_CHECKING:
    from whence.tasks.floors import Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring


def _scoring() -> Scoring:
    from whence.tasks.contrast.scoring import SCORING

    return SCORING


def _floors() -> tuple[Floor, ...]:
    from whence.tasks.contrast.floors import FLOORS

    return FLOORS


def _methods() -> tuple[Method, ...]:
    from whence.tasks.contrast.judging import VERIFIER
    from whence.tasks.contrast.prompt import LLM

    return VERIFIER, LLM


def _prompt() -> Prompt[Inference, Label]:
    from whence.tasks.contrast.prompt import PROMPT

    return PROMPT


def _read_text(text: str, inputs: Inference, dataset: AnyDataset) -> Label | Unread:
    from whence.tasks.contrast.llm_answers import read_verdict_text

    return read_verdict_text(text, inputs, dataset)


def _form_inputs() -> FormInputs:
    from whence.tasks.contrast.form_inputs import FORM_INPUTS

    return FORM_INPUTS


def _evaluation(_: str) -> tuple[str, ...]:
    """All sets but the one that bounds are set with."""
    return "trial", "families", "steps-dev", "steps-test"


def _asked(inputs: Inference) -> str:
    return " ".join((*inputs.premises, inputs.conclusion))


def _options(_: Inference) -> dict[str, str]:
    return {name: name for name in LABELS}


CONTRAST: Task[Inference, Label] = Task(
    api=API,
    name="contrast",
    family="contrast",
    title="premises, conclusion -> does it follow?",
    paper="ours",
    position=60,
    inputs=Inference,
    explanation=Label,
    data=DataFiles(
        samples=files.FOLDER / "contrast.jsonl",
        read=files.read,
        write=files.write,
        read_predictions=files.read_predictions,
        splits=files.SPLITS,
    ),
    rules=rules,
    diagram=diagram,
    scoring=_scoring,
    floors=_floors,
    methods=_methods,
    prompt=_prompt,
    read_text=_read_text,
    form_inputs=_form_inputs,
    options=_options,
    questions=Questions(origin="contrasts", text=_asked, evaluation=_evaluation),
    collecting=Collecting(configuration=Path(__file__).parent / "contrast.toml"),
)
