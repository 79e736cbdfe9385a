"""Small heads over the frozen embedded encoder: learnt in seconds to minutes without torch, a few hundred kB each.

What the encoder says of texts is kept in the vector cache, so that the second training and every judgement of
texts seen before cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from whence.errors import DataError, MissingDataError, UsageError
from whence.models.items import AnyItem, TrainingSet, Verdict
from whence.models.learners import Judge, Learner
from whence.models.learners.logistic_network import Architecture, Network, Reading, train_network
from whence.models.learners.logistic_pairs import read_choices, read_labels
from whence.models.learners.logistic_tokens import read_spans, read_words
from whence.models.learners.saved import (
    TENSORS,
    describe,
    described,
    refuse_start,
    require_shapes,
    save_tensors,
    signature,
)
from whence.models.measures import watched
from whence.models.training import History, Training
from whence.models.training.numpy_trainer import NumpyTraining, Tensors
from whence.models.training.schedule import EarlyStopping
from whence.models.vector_cache import CachedEncoder, cached_encoder
from whence.progress import Report, unreported

_KIND = "logistic"
_PENALTIES = (0.1, 3.0)


@dataclass(frozen=True)
class LogisticSettings:
    """What a recipe may set."""

    hidden: int = 16
    """How many dimensions vectors are projected to before they are compared; 0: none, so logistic regression."""
    members: int = 4
    """How many networks, learnt with different seeds, are averaged."""
    shared: bool = True
    """Whether both texts of a pair are projected in the same way."""
    penalty: float | None = None
    """How strongly weights are pulled to 0; None: what does best on the held-out items."""
    dropped: float = 0.3
    """The share of each vector's numbers that is missing while learning."""
    rate: float = 2e-3
    batch: int = 64
    """Items that are learnt from at once."""
    epochs: int = 30
    patience: int = 4
    """Rounds without a better figure on the held-out items before it stops."""


Reader = Callable[[Sequence[AnyItem], CachedEncoder, Report], Reading]
_READERS: Mapping[str, Reader] = {
    "label": read_labels,
    "choice": read_choices,
    "tags": read_words,
    "span": read_spans,
}
_OUTPUTS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "label": len,
    "choice": lambda _: 1,
    "tags": len,
    "span": lambda _: 2,
}


@dataclass(frozen=True)
class LogisticJudge:
    """A head that was learnt."""

    name: str
    read: Reader
    network: Network
    encoder: CachedEncoder

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What it says of each item, in order."""
        return self.read(items, self.encoder, report).judged(self.network)


class Logistic:
    """Logistic regression, or a network with one hidden layer, on what the encoder says of texts."""

    Settings: type = LogisticSettings

    def __init__(self, kind: str = _KIND, readers: Mapping[str, Reader] = _READERS) -> None:
        self._kind, self._readers = kind, readers
        self.SHAPES = frozenset(readers)

    def train(self, lessons: Sequence[TrainingSet], settings: LogisticSettings, training: Training) -> History:
        """A head for each lesson; they share nothing but the encoder."""
        started = perf_counter()
        refuse_start(self._kind, training)
        require_shapes(self._kind, self.SHAPES, lessons)
        encoder = cached_encoder()
        trained = [_trained(one, settings, training, encoder, self._readers[one.shape]) for one in lessons]
        training.folder.mkdir(parents=True, exist_ok=True)
        tensors = {
            f"{number}.{member}.{name}": tensor.astype(np.float32 if name.startswith("bias") else np.float16)
            for number, (network, _) in enumerate(trained)
            for member, own in enumerate(network.members)
            for name, tensor in own.items()
        }
        save_tensors(training.folder / TENSORS, tensors)
        describe(training.folder, self._kind, lessons, {"encoder": encoder.name})
        stopping, size = trained[0][1], sum(network.size for network, _ in trained)
        best = stopping.best if stopping.figures else None
        return History(tuple(stopping.figures), best, perf_counter() - started, size)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The head for one of the lessons in a folder."""
        found = described(folder, self._kind, lesson)
        encoder = cached_encoder()
        if found.get("encoder") != encoder.name:
            raise UsageError(
                f"{folder}: it was learnt with the encoder {found.get('encoder')}, and here is {encoder.name}"
            )
        number = list(found["lessons"]).index(lesson)
        network = Network(tuple(_members(folder / TENSORS, number)))
        read = self._readers[found["lessons"][lesson]["shape"]]
        return LogisticJudge(signature(folder, self._kind), read, network, encoder)


def _members(path: Path, lesson: int) -> Iterator[Tensors]:
    """The networks of a lesson, by its number."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    if not path.is_file():
        raise MissingDataError(f"{path}: no such file")
    try:
        tensors = load_file(path)
    except SafetensorError as error:
        raise DataError(path, expected="a safetensors file", found=str(error)) from None
    own = [name for name in tensors if name.startswith(f"{lesson}.")]
    members = sorted({int(name.split(".")[1]) for name in own})
    if not members:
        raise DataError(path, expected="the numbers of a model", found="none")
    for member in members:
        start = f"{lesson}.{member}."
        yield {
            name.removeprefix(start): tensors[name].astype(np.float32) for name in own if name.startswith(start)
        }


def _trained(
    lesson: TrainingSet, settings: LogisticSettings, training: Training, encoder: CachedEncoder, read: Reader
) -> tuple[Network, EarlyStopping]:
    """The best of the penalties to be tried, by the held-out items; without any, the first one's last epoch.

    The figures are those of the first member.
    """
    train, dev = (read(items, encoder, training.report) for items in (lesson.train, lesson.dev))
    penalties = _PENALTIES if settings.penalty is None else (settings.penalty,)
    if not lesson.dev:
        penalties = penalties[:1]
    architecture = Architecture(
        _OUTPUTS[lesson.shape](lesson.labels), settings.hidden, settings.shared, settings.dropped
    )
    # A sentence to be tagged is as many questions as it has words.
    batch = max(1, settings.batch * len(train.questions) // len(lesson.train))
    total = len(penalties) * settings.members * settings.epochs

    def figure(epochs_before: int, epoch: int, network: Network) -> float | None:
        training.report(f"learning {lesson.name}", epochs_before + epoch + 1, total)
        return watched(lesson, dev.judged(network)) if lesson.dev else None

    candidates: list[tuple[float, Network, EarlyStopping]] = []
    for tried, penalty in enumerate(penalties):
        schedule = NumpyTraining(settings.epochs, batch, settings.rate, penalty, settings.patience)
        members = [
            train_network(
                train,
                architecture,
                schedule,
                training.seed * settings.members + member,
                partial(figure, (tried * settings.members + member) * settings.epochs),
            )
            for member in range(settings.members)
        ]
        whole = Network(tuple(tensors for network, _ in members for tensors in network.members))
        value = watched(lesson, dev.judged(whole)) if lesson.dev else 0.0
        candidates.append((value, whole, members[0][1]))
    _, network, stopping = max(candidates, key=lambda one: one[0])
    return network, stopping


LEARNERS: Mapping[str, Learner] = {_KIND: Logistic()}
