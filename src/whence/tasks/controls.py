"""Answers whose worth is known beforehand, by which the models behind metrics are calibrated.

A metric that asks a model is of use if it tells gold answers from wrong ones. What is wrong is made by rule, of a
kind that a person would call wrong: a task says how, in its `controls.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.tasks.contrast.english import negate
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers

GOLD, PERTURBED, RANDOM = "gold", "perturbed", "random"


@dataclass(frozen=True, slots=True)
class Control:
    """Answers of one kind, and the examples that they are scored on: one answer for each."""

    kind: str
    """`gold`, `perturbed` or `random`."""
    name: str
    """What was done to gold."""
    dataset: AnyDataset
    answers: Answers


@dataclass(frozen=True, slots=True)
class Controls:
    """How a model that metrics ask is calibrated."""

    scorer: str
    """The field of `ScoringOptions` by which the model is handed in."""
    metrics: tuple[str, ...]
    """The metrics that ask it; the first one is measured, and decides for all."""
    make: Callable[[AnyDataset, random.Random], Sequence[Control]]
    """Gold first, then what is wrong; all have the same number of examples."""
    lesson: str = ""
    """What a classifier must have learnt, such as `explagraphs/seca`; empty for similarities."""
    least_gold: float | None = None
    """The figure that gold must reach, where telling it from noise is not enough."""


def negated(sentence: str, chance: random.Random) -> str:
    """The sentence denied."""
    return negate(sentence, chance) or f"it is not true that {sentence}"


def shuffled(text: str, chance: random.Random) -> str:
    """The words of a text in another order, if there is one."""
    words = text.split()
    for _ in range(10):
        mixed = chance.sample(words, len(words))
        if mixed != words:
            return " ".join(mixed)
    return text


def another(texts: Sequence[str], own: Sequence[str], chance: random.Random) -> str:
    """One of the texts that is none of one's own, if there is one."""
    foreign = [text for text in chance.sample(texts, min(len(texts), 100)) if text not in own]
    return foreign[0] if foreign else chance.choice(texts)
