"""Which verifier a user means: the reader that ships with an adapter, the large language model, or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path

from whence.errors import UsageError, quoted
from whence.models.verifier.entailment import Entailment, Inference, Verifier, softmax

READER = "reader"
"""Names the verifier that judges where nobody names another."""

ADAPTER = Path(__file__).parent / "adapter"
"""The adapter of the reader that ships with this package, with its card."""


@cache
def reader_verifier() -> Verifier:
    """The reader with the adapter that ships; its weights come by `whence models get reader`."""
    from whence.models.verifier.reader import ReaderVerifier
    from whence.models.weights import reader_folder

    return ReaderVerifier(reader_folder(), ADAPTER)


@cache
def large_verifier() -> Verifier:
    """The large language model, asked for true, false or unknown."""
    from whence.models.generators.embedded import LocalSettings
    from whence.models.verifier.language_model import LanguageModelVerifier
    from whence.models.weights import located

    return LanguageModelVerifier(LocalSettings(located("large"), context=2048))


@cache
def both_verifiers() -> Verifier:
    """The reader and the large language model as one judge."""
    return PooledVerifier((reader_verifier(), large_verifier()))


VERIFIERS: Mapping[str, Callable[[], Verifier]] = {
    READER: reader_verifier,
    "large": large_verifier,
    "both": both_verifiers,
}


def verifier_named(name: str) -> Callable[[], Verifier]:
    """What loads the verifier of that name."""
    if name not in VERIFIERS:
        raise UsageError(f"there is no verifier {quoted(name)}; there are {', '.join(VERIFIERS)}")
    return VERIFIERS[name]


class PooledVerifier:
    """Several judges as one: the geometric mean of their probabilities."""

    def __init__(self, judges: Sequence[Verifier]) -> None:
        self._judges = judges
        self.name = " & ".join(judge.name for judge in judges)

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        """The pooled probabilities for each inference."""
        opinions = zip(*(judge.judge(inferences) for judge in self._judges), strict=True)
        return [_pooled(opinion) for opinion in opinions]


def _pooled(opinions: Sequence[Entailment]) -> Entailment:
    rows = [(one.follows, one.contradicts, one.unknown) for one in opinions]
    means = [sum(log(max(value, 1e-9)) for value in column) / len(rows) for column in zip(*rows, strict=True)]
    return softmax(means)
