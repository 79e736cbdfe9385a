"""Chosen and written hypotheses in what language models write."""

from __future__ import annotations

from whence.formats.llm_text import Unread
from whence.formats.llm_text.choice import Options, read_choice
from whence.formats.llm_text.hypothesis import read_hypothesis
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Label
from whence.tasks.abduction.data.files import CHOICES
from whence.tasks.dataset import Dataset


def read_choice_text(text: str, pair: HypothesisPair, _: Dataset[HypothesisPair, Label]) -> Label | Unread:
    """The hypothesis that an answer chooses."""
    texts = dict(zip(CHOICES, (pair.hyp1, pair.hyp2), strict=True))
    nouns = ("hypothesis", "option", "hyp", "h", "choice", "answer", "explanation", "statement")
    label = read_choice(text, Options(texts, nouns, lettered=True))
    return label if isinstance(label, Unread) else Label(label)


def read_written_text(text: str, _: Observations, __: Dataset[Observations, Hypothesis]) -> Hypothesis | Unread:
    """The hypothesis that an answer gives."""
    return read_hypothesis(text)
