"""The trainer of networks in numpy: Adam over shuffled batches, with early stopping."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from whence.models.training.schedule import EarlyStopping, LearningRateSchedule

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Tensors = dict[str, Floats]
Model = TypeVar("Model")

BETA1, BETA2, EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)


@dataclass(frozen=True, slots=True)
class NumpyTraining:
    """How long and how fast a network in numpy is trained."""

    epochs: int
    batch: int
    rate: float
    weight_decay: float
    patience: int | None = None
    """Epochs without a better figure before training stops; None: it never stops early."""
    is_linear: bool = False
    """Whether the learning rate falls to 0 in a line."""


class Adam:
    """Adam (Kingma and Ba, 2015) with decoupled weight decay (Loshchilov and Hutter, 2019), in place."""

    def __init__(
        self,
        parameters: Mapping[str, Floats],
        schedule: LearningRateSchedule,
        weight_decay: float = 0.0,
        decayed: Collection[str] = (),
    ) -> None:
        self._parameters, self._schedule = parameters, schedule
        self._weight_decay, self._decayed = weight_decay, decayed
        self._moments = {name: np.zeros((2, *one.shape), dtype=np.float32) for name, one in parameters.items()}
        self._steps = 0

    def step(self, gradients: Mapping[str, Floats]) -> None:
        """Moves the parameters against their gradients."""
        rate = self._schedule.at(self._steps)
        self._steps += 1
        corrected = np.float32(rate * np.sqrt(1 - BETA2**self._steps) / (1 - BETA1**self._steps))
        for name, parameter in self._parameters.items():
            if name in self._decayed:
                parameter *= np.float32(1 - rate * self._weight_decay)
            first, second = self._moments[name]
            first += (1 - BETA1) * (gradients[name] - first)
            second += (1 - BETA2) * (gradients[name] ** 2 - second)
            parameter -= corrected * first / (np.sqrt(second) + EPSILON)


def train(
    parameters: Mapping[str, Floats],
    gradients: Callable[[Ints], Mapping[str, Floats]],
    examples: Ints,
    training: NumpyTraining,
    rng: np.random.Generator,
    *,
    decayed: Collection[str],
    snapshot: Callable[[], Model],
    evaluate: Callable[[int, Model], float | None],
) -> tuple[Model, EarlyStopping]:
    """Trains parameters in place; returns the model of the best epoch.

    `gradients` are those of the loss on some of the examples, which are given by their numbers; `snapshot` is the
    model as it is after an epoch, and `evaluate` its figure on held-out items, None if there are none.
    """
    steps = training.epochs * -(-len(examples) // training.batch)
    schedule = LearningRateSchedule(training.rate, steps if training.is_linear else None)
    optimizer = Adam(parameters, schedule, training.weight_decay, decayed)
    stopping = EarlyStopping(training.epochs if training.patience is None else training.patience)
    best = snapshot()
    for epoch in range(training.epochs):
        order = rng.permutation(examples)
        for start in range(0, len(order), training.batch):
            optimizer.step(gradients(order[start : start + training.batch]))
        latest = snapshot()
        if stopping.improves(evaluate(epoch, latest)):
            best = latest
        if stopping.is_over:
            break
    return best, stopping
