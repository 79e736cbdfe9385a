"""Hypotheses by a language model: chosen between two, or written."""

from __future__ import annotations

from typing import Any

from whence.files import Json
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Label
from whence.tasks.abduction.data.files import CHOICES
from whence.tasks.abduction.rules import ChoiceRule, anlg_rules, anli_rules
from whence.tasks.abduction.task import ANLG, ANLI
from whence.tasks.dataset import Dataset
from whence.tasks.prompting import Prompt, choice_of, record, text_of, words

CHOOSE = """Something was observed, and later something else. Which of two hypotheses explains better how the \
first led to the second? Answer with JSON only: {"hypothesis": "1"} or {"hypothesis": "2"}"""

WRITE = """Something was observed, and later something else. Write one short sentence, of fewer than ten words, \
that says what happened in between and so explains the second observation. It must agree with both and repeat \
neither. Answer with JSON only: {"hypothesis": "..."}"""


def _observed(inputs: HypothesisPair | Observations) -> str:
    return f"First: {inputs.obs1}\nLater: {inputs.obs2}"


def _choice(inputs: HypothesisPair) -> str:
    return f"{_observed(inputs)}\nHypothesis 1: {inputs.hyp1}\nHypothesis 2: {inputs.hyp2}"


def _choice_schema(_: HypothesisPair) -> dict[str, Any]:
    return record(hypothesis=choice_of(CHOICES))


def _show_choice(_: HypothesisPair, label: Label) -> Json:
    return {"hypothesis": label.name}


def _parse_choice(_: HypothesisPair, answer: Json) -> Label:
    return Label(text_of(answer, "hypothesis"))


def _written_schema(_: Observations) -> dict[str, Any]:
    return record(hypothesis=words(160))


def _show_written(_: Observations, hypothesis: Hypothesis) -> Json:
    return {"hypothesis": hypothesis.text}


def _parse_written(_: Observations, answer: Json) -> Hypothesis:
    return Hypothesis(text_of(answer, "hypothesis"))


_NOTHING: Dataset[Any, Any] = Dataset((), ())
_CHOICE_RULES: list[ChoiceRule] = [rule for rule in anli_rules("paper", _NOTHING) if rule.name == "label"]
"""That the two hypotheses differ is asked of the data, not of an answer."""
_WRITTEN_RULES = anlg_rules("official", _NOTHING)
"""The paper's number of words is asked for; an answer of a few more is still one, as people's are."""

CHOOSE_PROMPT = Prompt(ANLI, CHOOSE, _choice, _choice_schema, _show_choice, _parse_choice, _CHOICE_RULES)
WRITE_PROMPT = Prompt(ANLG, WRITE, _observed, _written_schema, _show_written, _parse_written, _WRITTEN_RULES)
