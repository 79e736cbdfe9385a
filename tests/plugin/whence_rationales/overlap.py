"""The method `overlap`: claim -> the sentence that shares most words with it -> a label. It needs no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.tasks.method import Explained, Method, Reason, Setup
from whence_rationales.data import Rationale, Statement


def words(text: str) -> set[str]:
    """The different words of a text, in small letters."""
    return set(re.findall(r"\w+", text.lower()))


def nearest_sentence(statement: Statement) -> tuple[str, float]:
    """The sentence that shares most words with the claim, and the share of the claim's words that it has."""
    claim = words(statement.claim)
    share = {sentence: len(words(sentence) & claim) / max(len(claim), 1) for sentence in statement.sentences}
    best = max(share, key=share.__getitem__)
    return best, share[best]


@dataclass(frozen=True, slots=True)
class OverlapSettings:
    """What a user may set: `--set least=0.8`."""

    least: float = 0.75
    """The share of the claim's words that a sentence must have to support it."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The method, ready to be used."""

    settings: OverlapSettings

    @property
    def name(self) -> str:
        """What it is, for the signature of figures."""
        return f"overlap of {self.settings.least:g}"

    def explain(
        self, examples: Sequence[Example[Statement, Rationale]], report: Report = unreported
    ) -> list[Explained]:
        """Explain each example; gold is never looked at."""
        return [self._explain(example.inputs) for example in examples]

    def _explain(self, statement: Statement) -> Explained:
        sentence, share = nearest_sentence(statement)
        label = "supported" if share >= self.settings.least else "refuted"
        reason = Reason(sentence, share, (f"it has {share:.0%} of the claim's words",))
        return Explained(Rationale(label, sentence), (reason,))


def _make(settings: OverlapSettings, _: Setup) -> Overlap:
    return Overlap(settings)


OVERLAP = Method("overlap", "the sentence that shares most words with the claim", OverlapSettings, _make)
