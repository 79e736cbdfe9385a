"""How a language model is asked for a rationale: the method `llm`."""

from __future__ import annotations

from typing import Any

from whence.files import Json
from whence.tasks.prompting import Prompt, choice_of, prompted_method, record, text_of
from whence_rationales.data import LABELS, Rationale, Statement
from whence_rationales.rules import rules
from whence_rationales.task import RATIONALES

INSTRUCTION = """Does the passage support the claim or refute it, and which of its sentences decides that? \
Answer with JSON only: {"label": "supported" or "refuted", "rationale": the sentence, word by word}"""


def _ask(statement: Statement) -> str:
    return f"Passage: {statement.passage}\nClaim: {statement.claim}"


def _schema(statement: Statement) -> dict[str, Any]:
    return record(label=choice_of(LABELS), rationale=choice_of(statement.sentences))


def _show(_: Statement, rationale: Rationale) -> Json:
    return {"label": rationale.label, "rationale": rationale.text}


def _parse(_: Statement, answer: Json) -> Rationale:
    return Rationale(text_of(answer, "label"), text_of(answer, "rationale"))


PROMPT = Prompt(RATIONALES, INSTRUCTION, _ask, _schema, _show, _parse, rules("paper", None))
LLM = prompted_method(PROMPT)
