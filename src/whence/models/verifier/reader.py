"""The verifier that ships: the reader with an adapter that was trained on contrast sets, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from whence.errors import DataError
from whence.models.pair_classifier import PairClassifier
from whence.models.verifier.entailment import Entailment, Inference, sentence, softmax
from whence.structures.verdict import LABELS


class ReaderVerifier:
    """Judges by one pass of the adapted reader over premises and conclusion; nothing is read before."""

    def __init__(self, base: Path, adapter: Path) -> None:
        self._classifier, self._folder = PairClassifier(base, adapter), adapter

    @property
    def name(self) -> str:
        """The base model and the adapter, each with a fingerprint."""
        return self._classifier.name

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        """The calibrated probabilities for each inference, in batches by length."""
        if not inferences:
            return []
        pairs = [texts_of(inference) for inference in inferences]
        return [softmax(row, self._temperature) for row in self._classifier.logits(pairs).tolist()]

    @cached_property
    def _temperature(self) -> float:
        adapter = self._classifier.adapter
        if adapter.labels != LABELS:
            expected, found = (", ".join(labels) for labels in (LABELS, adapter.labels))
            raise DataError(self._folder / "card.json", expected=f"labels {expected}", found=found)
        try:
            return float(adapter.card["temperature"])
        except (KeyError, TypeError, ValueError):
            raise DataError(self._folder / "card.json", expected="a number 'temperature'", found="none") from None


def texts_of(inference: Inference) -> tuple[str, str]:
    """What the reader sees: the premises one after the other, each a sentence, and the conclusion."""
    return " ".join(sentence(premise) for premise in inference.premises), sentence(inference.conclusion)
