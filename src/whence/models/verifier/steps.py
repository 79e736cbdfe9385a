"""A verifier as the judge of steps behind `steps.valid`: a step is valid as surely as its conclusion follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.metrics.similarity import Pair
from whence.models.verifier.entailment import Inference, Verifier


class StepClassifier:
    """Gives pairs of premises, one text, and a conclusion the labels invalid and valid."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    @property
    def name(self) -> str:
        """The verifier's name and fingerprint."""
        return self._verifier.name

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        """For each pair, the probability of each label."""
        judged = self._verifier.judge([Inference((premises,), conclusion) for premises, conclusion in pairs])
        return [{"invalid": 1 - one.follows, "valid": one.follows} for one in judged]
