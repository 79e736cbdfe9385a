"""Hypotheses and sentences as users type them."""

from __future__ import annotations

from collections.abc import Sequence

from whence.structures.tree import Claim, Sentence
from whence.tasks.typed import Text, Typed

_LEAST_FACTS = {"entailmentbank-1": 1, "entailmentbank-2": 1, "entailmentbank-3": 0}
"""Without any, task 3 takes sentences of its corpus."""


def _claim(hypothesis: str, fact: Sequence[str], question: str, answer: str) -> Claim:
    sentences = tuple(Sentence(f"sent{number}", text.strip()) for number, text in enumerate(fact, 1))
    return Claim(hypothesis.strip(), sentences, question, answer)


def _texts(least: int) -> tuple[Text, ...]:
    return (
        Text("hypothesis", "what to explain"),
        Text("fact", "a sentence to explain it with (can be repeated)", least=least, most=None),
        Text("question", "the question", least=0),
        Text("answer", "the right answer", least=0),
    )


TYPED: dict[str, Typed] = {task: Typed(_texts(least), _claim) for task, least in _LEAST_FACTS.items()}
