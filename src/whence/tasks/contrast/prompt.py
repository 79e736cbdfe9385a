"""How a language model is asked for a verdict."""

from __future__ import annotations

from typing import Any

from whence.files import Json
from whence.models.verifier.entailment import Inference, sentence
from whence.structures.results import Label
from whence.structures.verdict import CONTRADICTS, FOLLOWS, LABELS, UNKNOWN
from whence.tasks.contrast.rules import rules
from whence.tasks.contrast.task import CONTRAST
from whence.tasks.prompting import Prompt, choice_of, prompted_method, record, text_of

INSTRUCTION = f"""Judge whether a claim follows from facts, by the facts alone, whatever else you know. \
"{FOLLOWS}": it must hold if the facts hold. "{CONTRADICTS}": it cannot hold if the facts hold. "{UNKNOWN}": the \
facts do not say. Answer with JSON only: {{"answer": "{FOLLOWS}"}}, {{"answer": "{CONTRADICTS}"}} or \
{{"answer": "{UNKNOWN}"}}"""


def _ask(inputs: Inference) -> str:
    facts = "\n".join(f"- {sentence(premise)}" for premise in inputs.premises)
    return f"Facts:\n{facts}\nClaim: {sentence(inputs.conclusion)}"


def _schema(_: Inference) -> dict[str, Any]:
    return record(answer=choice_of(LABELS))


def _show(_: Inference, label: Label) -> Json:
    return {"answer": label.name}


def _parse(_: Inference, answer: Json) -> Label:
    return Label(text_of(answer, "answer").casefold())


PROMPT = Prompt(CONTRAST, INSTRUCTION, _ask, _schema, _show, _parse, rules("paper", None))
LLM = prompted_method(PROMPT)
