"""Small heads over the frozen embedded encoder: learnt in seconds to minutes without torch, a few hundred kB each.

What the encoder says of texts is kept in the vector cache, so that the second training and every judgement of texts
seen before cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np

from whence.errors import DataError, UsageError
from whence.models.items import AnyItem, Lesson, Verdict
from whence.models.learners import History, Judge, Learner, Report, Training, unreported
from whence.models.learners.logistic_network import Learnt, Network, Pace, Reading, learn
from whence.models.learners.logistic_pairs import read_choices, read_labels
from whence.models.learners.saved import (
    TENSORS,
    describe,
    described,
    refuse_start,
    require_shapes,
    signature,
)
from whence.models.measures import watched
from whence.models.vector_cache import CachedEncoder, cached_encoder

_KIND = "logistic"
_PENALTIES = (0.1, 1.0, 5.0)


@dataclass(frozen=True)
class LogisticSettings:
    """What a recipe may set."""

    hidden: int = 0
    """How many units are between features and scores; 0 means none: multinomial logistic regression."""
    penalty: float | None = None
    """How strongly weights are pulled to 0; None: what does best on the held-out items."""
    features: str = "joint"
    """Of a pair: `apart`, its texts each by itself; `joint`, also both read as one text."""
    dropped: float = 0.2
    """The share of features that each row misses while learning."""
    rate: float = 1e-3
    batch: int = 32
    epochs: int = 30
    patience: int = 4
    """Rounds without a better figure on the held-out items before it stops."""


Reader = Callable[[Sequence[AnyItem], CachedEncoder, str, Report], Reading]
_READERS: Mapping[str, Reader] = {"label": read_labels, "choice": read_choices}
_OUTPUTS: Mapping[str, Callable[[Sequence[str]], int]] = {"label": len, "choice": lambda _: 1}


@dataclass(frozen=True)
class LogisticJudge:
    """A head that was learnt."""

    name: str
    shape: str
    features: str
    network: Network
    encoder: CachedEncoder

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What it says of each item, in order."""
        return _READERS[self.shape](items, self.encoder, self.features, report).judged(self.network)


class Logistic:
    """Logistic regression, or a network with one hidden layer, on what the encoder says of texts."""

    Settings: type = LogisticSettings
    SHAPES: frozenset[str] = frozenset(_READERS)

    def train(self, lessons: Sequence[Lesson], settings: LogisticSettings, training: Training) -> History:
        """A head for each lesson; they share nothing but the encoder."""
        from safetensors.numpy import save_file

        started = perf_counter()
        refuse_start(_KIND, training)
        require_shapes(_KIND, self.SHAPES, lessons)
        encoder = cached_encoder()
        learnt = [_learnt(lesson, settings, training, encoder) for lesson in lessons]
        training.folder.mkdir(parents=True, exist_ok=True)
        tensors = {
            f"{number}.{layer}.{name}": part.astype(np.float16 if name == "matrix" else np.float32)
            for number, one in enumerate(learnt)
            for layer, parts in enumerate(one.network.layers)
            for name, part in zip(("matrix", "bias"), parts, strict=True)
        }
        save_file(tensors, training.folder / TENSORS)
        describe(training.folder, _KIND, lessons, {"encoder": encoder.name, "features": settings.features})
        first = learnt[0]
        kept = int(np.argmax(first.dev)) if lessons[0].dev else None
        size = sum(one.network.size for one in learnt)
        return History(first.dev if lessons[0].dev else (), kept, perf_counter() - started, size)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The head for one of the lessons in a folder."""
        from safetensors.numpy import load_file

        found = described(folder, _KIND, lesson)
        encoder = cached_encoder()
        if found["encoder"] != encoder.name:
            raise UsageError(
                f"{folder}: it was learnt with the encoder {found['encoder']}, and here is {encoder.name}"
            )
        number = list(found["lessons"]).index(lesson)
        tensors = load_file(folder / TENSORS)
        count = sum(1 for name in tensors if name.startswith(f"{number}.") and name.endswith(".matrix"))
        layers = tuple(
            (tensors[f"{number}.{layer}.matrix"].astype(np.float32), tensors[f"{number}.{layer}.bias"])
            for layer in range(count)
        )
        shape = found["lessons"][lesson]["shape"]
        return LogisticJudge(signature(folder, _KIND), shape, found["features"], Network(layers), encoder)


def _learnt(lesson: Lesson, settings: LogisticSettings, training: Training, encoder: CachedEncoder) -> Learnt:
    """The best of the penalties to be tried, by the held-out items; without any, the first one's last round."""
    read = _READERS[lesson.shape]
    train = read(lesson.train, encoder, settings.features, training.report)
    dev = read(lesson.dev, encoder, settings.features, training.report)
    penalties = _PENALTIES if settings.penalty is None else (settings.penalty,)
    rounds = settings.epochs * len(penalties)
    best: Learnt | None = None
    for tried, penalty in enumerate(penalties if lesson.dev else penalties[:1]):
        pace = Pace(
            settings.hidden,
            penalty,
            settings.dropped,
            settings.rate,
            settings.batch,
            settings.epochs,
            settings.patience if lesson.dev else settings.epochs,
        )
        one = learn(
            train,
            _OUTPUTS[lesson.shape](lesson.labels),
            pace,
            training.seed,
            lambda network, round_: watched(lesson, dev.judged(network)) if lesson.dev else float(round_),
            lambda round_, before=tried * settings.epochs: training.report(
                f"learning {lesson.name}", before + round_, rounds
            ),
        )
        if best is None or one.figure > best.figure:
            best = one
    if best is None:
        raise UsageError("there is no penalty to try")
    return best


LEARNERS: Mapping[str, Learner] = {_KIND: Logistic()}
