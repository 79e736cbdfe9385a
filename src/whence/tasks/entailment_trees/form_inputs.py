"""Hypotheses, sentences and questions as users type them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.structures.tree import Claim, Sentence
from whence.tasks.form_inputs import FormField, FormInputs, Text

_HYPOTHESIS = Text("hypothesis", "what to explain")
_FACTS = Text("fact", "a sentence to explain it with (can be repeated)", most=None)
_NO_FACTS_NEEDED = replace(_FACTS, least=0)
_QUESTION = (Text("question", "the question", least=0), Text("answer", "the right answer", least=0))
_FIELDS = {"context": FormField("Facts")}


def _claim(hypothesis: str, facts: Sequence[str], question: str, answer: str) -> Claim:
    sentences = tuple(Sentence(f"sent{number}", text.strip()) for number, text in enumerate(facts, 1))
    return Claim(hypothesis.strip(), sentences, question, answer)


def _claim_or_question(hypothesis: str, facts: Sequence[str], question: str, answer: str) -> Claim:
    """A claim with its sentences; or a question alone, from which a tree is imagined."""
    if question and not hypothesis and not facts:
        return Claim("", (), question, answer)
    _HYPOTHESIS.taken([hypothesis])
    _FACTS.taken(facts)
    return _claim(hypothesis, facts, question, answer)


FORM_INPUTS: dict[str, FormInputs] = {
    "entailmentbank-1": FormInputs(
        (replace(_HYPOTHESIS, least=0), _NO_FACTS_NEEDED, *_QUESTION), _claim_or_question, _FIELDS
    ),
    "entailmentbank-2": FormInputs((_HYPOTHESIS, _FACTS, *_QUESTION), _claim, _FIELDS),
    # Without sentences, task 3 takes those of its corpus.
    "entailmentbank-3": FormInputs((_HYPOTHESIS, _NO_FACTS_NEEDED, *_QUESTION), _claim, _FIELDS),
}
