"""What the verifier says, as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.models.verifier.entailment import Entailment, Inference, Verifier
from whence.progress import Report, unreported
from whence.structures.results import Example, Label
from whence.structures.verdict import LABELS
from whence.tasks.method import Explained, Method, Reason, Setup


@dataclass(frozen=True, slots=True)
class NoSettings:
    """There is nothing to set: `--verifier` says who judges."""


class VerifierMethod:
    """The label that a verifier gives, and how sure it is."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self.name = verifier.name

    def explain(
        self, examples: Sequence[Example[Inference, Label]], report: Report = unreported
    ) -> list[Explained]:
        """Judge each example."""
        return [self._explained(one) for one in self._verifier.judge([example.inputs for example in examples])]

    def _explained(self, entailment: Entailment) -> Explained:
        verdict = entailment.verdict(self.name)
        reasons = (Reason(label, getattr(entailment, label)) for label in LABELS)
        first, *others = sorted(reasons, key=lambda reason: reason.text != verdict.label)
        return Explained(Label(verdict.label), (first,), tuple(others), verdict=verdict)


def _make(_: NoSettings, setup: Setup) -> VerifierMethod:
    return VerifierMethod(setup.verifier())


VERIFIER = Method("verifier", "what the verifier says, with a calibrated probability", NoSettings, _make)
