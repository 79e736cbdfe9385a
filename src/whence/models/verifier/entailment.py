"""Inferences, what is said of them, and who says it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from whence.structures.verdict import FOLLOWS, LABELS, Verdict


@dataclass(frozen=True, slots=True)
class Inference:
    """Premises and a conclusion."""

    premises: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True, slots=True)
class Entailment:
    """The probabilities that a conclusion follows from its premises, that it contradicts them, and neither."""

    follows: float
    contradicts: float
    unknown: float

    @property
    def label(self) -> str:
        """The most probable of the three."""
        return max(LABELS, key=lambda label: getattr(self, label))

    def verdict(self, judge: str, bound: float = 0.5) -> Verdict:
        """The most probable label; *follows* only from a bound on."""
        label = self.label
        if label == FOLLOWS and self.follows < bound:
            label = max(LABELS[1:], key=lambda other: getattr(self, other))
        return Verdict(label, float(getattr(self, label)), judge)


class Verifier(Protocol):
    """What judges inferences."""

    @property
    def name(self) -> str:
        """Which model it is, with a fingerprint of its weights."""

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        """The probabilities for each inference."""


def softmax(scores: Sequence[float], temperature: float = 1.0) -> Entailment:
    """Probabilities from one score for each label, in the order of `LABELS`."""
    highest = max(scores)
    powers = [math.exp((score - highest) / temperature) for score in scores]
    total = sum(powers)
    return Entailment(*(power / total for power in powers))


def sentence(text: str) -> str:
    """The text with one full stop."""
    return f"{text.strip().rstrip('.').rstrip()}."
