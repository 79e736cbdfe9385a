"""Small networks in numpy: scores of rows of features, learnt from which class or which option is right.

A question has options, an option has rows, and what the rows score is added. Either the columns of the scores are
classes, and one is right (*classes*), or the options compete within each column (*options*: a choice has one
column; a span has two, for the tokens where it starts and where it ends).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.models.items import Verdict

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Rows = Callable[[Ints], Floats]
"""The features of rows, by their numbers: made when they are needed, as all of them would not fit."""

_SAMPLE = 8192  # rows that features are standardised by
_FASTER, _SLOWER = np.float32(0.9), np.float32(0.999)  # Adam's, as its paper has them (Kingma and Ba, 2015)
_PASSES_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Network:
    """A linear map of features, or two with tanh between them: matrix and bias of each."""

    layers: tuple[tuple[Floats, Floats], ...]

    def scores(self, features: Floats) -> Floats:
        """One row of scores a row of features."""
        return _forward(self.layers, features)[-1]

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return sum(part.size for layer in self.layers for part in layer)


@dataclass(frozen=True, slots=True)
class Questions:
    """How rows belong to options and options to questions, in order; and which are right."""

    rows: Ints
    """Of each option, how many rows it has."""
    options: Ints
    """Of each question, how many options it has."""
    gold: Ints
    """Of each question: the class; or, column by column, the option."""
    classes: bool

    def __len__(self) -> int:
        return len(self.options)

    def of(self, chosen: Ints) -> tuple[Ints, Questions]:
        """The rows of some questions, and these questions by themselves."""
        first_option = _starts(self.options)
        options = _ranges(first_option[chosen], self.options[chosen])
        rows = _ranges(_starts(self.rows)[options], self.rows[options])
        gold = self.gold[chosen] if len(self.gold) else self.gold
        return rows, Questions(self.rows[options], self.options[chosen], gold, self.classes)

    def added(self, scores: Floats) -> Floats:
        """The scores of options."""
        return np.add.reduceat(scores, _starts(self.rows), axis=0) if len(self.rows) else scores[:0]

    def probabilities(self, added: Floats) -> Floats:
        """Of the classes of each question, or of its options, column by column."""
        if self.classes:
            raised = np.exp(added - added.max(axis=1, keepdims=True))
            return np.asarray(raised / raised.sum(axis=1, keepdims=True))
        starts = _starts(self.options)
        raised = np.exp(added - np.repeat(np.maximum.reduceat(added, starts, axis=0), self.options, axis=0))
        return np.asarray(raised / np.repeat(np.add.reduceat(raised, starts, axis=0), self.options, axis=0))

    def surprise(self, added: Floats) -> Floats:
        """The slope of the mean negative logarithm of what is right, by the scores of rows."""
        slope = self.probabilities(added)
        if self.classes:
            slope[np.arange(len(self)), self.gold] -= 1
        else:
            for column in range(slope.shape[1]):
                slope[_starts(self.options) + self.gold[:, column], column] -= 1
        return np.repeat(slope / np.float32(len(self)), self.rows, axis=0)


@dataclass(frozen=True, slots=True)
class Reading:
    """Items as a network reads them, and what its scores say of them."""

    rows: Rows
    questions: Questions
    verdicts: Callable[[Floats], Iterable[Verdict]]
    """From the scores of all rows."""

    def judged(self, network: Network) -> list[Verdict]:
        """What a network says of the items."""
        count = int(self.questions.rows.sum())
        parts = [
            network.scores(self.rows(np.arange(start, min(start + _PASSES_AT_ONCE, count))))
            for start in range(0, count, _PASSES_AT_ONCE)
        ]
        return list(self.verdicts(np.concatenate(parts))) if parts else []


@dataclass(frozen=True, slots=True)
class Pace:
    """How a network is learnt."""

    hidden: int
    penalty: float
    dropped: float
    """The share of features that each row misses while learning."""
    rate: float
    batch: int
    """Questions."""
    epochs: int
    patience: int
    """Rounds without a better figure before it stops."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """The best round's network, its figure and those of all rounds."""

    network: Network
    figure: float
    dev: tuple[float, ...]


def learn(
    reading: Reading,
    outputs: int,
    pace: Pace,
    seed: int,
    judged: Callable[[Network, int], float],
    told: Callable[[int], None],
) -> Learnt:
    """Adam over shuffled questions; after each round the network is judged on what was held out.

    `judged` gives the figure to be raised; `told` hears of each round.
    """
    rows, questions = reading.rows, reading.questions
    chance = np.random.default_rng(seed)
    mean, scale = _standard(rows, int(questions.rows.sum()), chance)
    layers = _fresh(len(mean), pace.hidden, outputs, chance)
    memory = [tuple(np.zeros((2, *part.shape), dtype=np.float32) for part in layer) for layer in layers]
    best = _folded(layers, mean, scale)
    figures: list[float] = []
    steps = 0
    for round_ in range(pace.epochs):
        order = chance.permutation(len(questions))
        for start in range(0, len(order), pace.batch):
            numbers, some = questions.of(np.sort(order[start : start + pace.batch]))
            features = (rows(numbers) - mean) * scale
            if pace.dropped:
                features *= (chance.random(features.shape, dtype=np.float32) >= pace.dropped) / np.float32(
                    1 - pace.dropped
                )
            steps += 1
            _step(layers, memory, _slopes(layers, features, some), pace, steps)
        network = _folded(layers, mean, scale)
        figures.append(judged(network, round_))
        if figures[-1] > max(figures[:-1], default=-np.inf):
            best = network
        told(round_ + 1)
        if round_ - int(np.argmax(figures)) >= pace.patience:
            break
    return Learnt(best, max(figures, default=0.0), tuple(figures))


def _forward(layers: Sequence[tuple[Floats, Floats]], features: Floats) -> list[Floats]:
    """What goes into each layer, and at last the scores."""
    seen = [features]
    for number, (matrix, bias) in enumerate(layers):
        product = seen[-1] @ matrix + bias
        seen.append(np.tanh(product) if number < len(layers) - 1 else product)
    return seen


def _slopes(
    layers: Sequence[tuple[Floats, Floats]], features: Floats, questions: Questions
) -> list[tuple[Floats, Floats]]:
    *seen, scores = _forward(layers, features)
    slope = questions.surprise(questions.added(scores))
    found: list[tuple[Floats, Floats]] = []
    for number in reversed(range(len(layers))):
        found.append((seen[number].T @ slope, slope.sum(axis=0)))
        if number:
            slope = (slope @ layers[number][0].T) * (1 - seen[number] ** 2)
    return found[::-1]


def _step(
    layers: Sequence[tuple[Floats, Floats]],
    memory: Sequence[tuple[Floats, ...]],
    slopes: Sequence[tuple[Floats, Floats]],
    pace: Pace,
    step: int,
) -> None:
    """Adam with the penalty apart from the slope (Loshchilov and Hutter, 2019); biases have none."""
    rate = np.float32(pace.rate * np.sqrt(1 - _SLOWER**step) / (1 - _FASTER**step))
    for layer, remembered, slope in zip(layers, memory, slopes, strict=True):
        layer[0][...] *= np.float32(1 - pace.rate * pace.penalty)
        for part, (first, second), change in zip(layer, remembered, slope, strict=True):
            first += (1 - _FASTER) * (change - first)
            second += (1 - _SLOWER) * (change**2 - second)
            part -= rate * first / (np.sqrt(second) + np.float32(1e-8))


def _fresh(
    features: int, hidden: int, outputs: int, chance: np.random.Generator
) -> tuple[tuple[Floats, Floats], ...]:
    """A linear map begins with nothing; of two, the first is small chance numbers and the second nothing."""
    last = np.zeros((hidden or features, outputs), dtype=np.float32), np.zeros(outputs, dtype=np.float32)
    if not hidden:
        return (last,)
    first = chance.normal(0, 1 / np.sqrt(features), (features, hidden)).astype(np.float32)
    return (first, np.zeros(hidden, dtype=np.float32)), last


def _folded(layers: Sequence[tuple[Floats, Floats]], mean: Floats, scale: Floats) -> Network:
    """The network of the features as they are. Its matrices are rounded to the two bytes that files have."""
    (matrix, bias), *rest = layers
    whole = _rounded(matrix * scale[:, None])
    return Network(((whole, bias - mean @ whole), *((_rounded(matrix), bias.copy()) for matrix, bias in rest)))


def _rounded(matrix: Floats) -> Floats:
    return matrix.astype(np.float16).astype(np.float32)


def _standard(rows: Rows, count: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """The mean of each feature and one over its spread; a feature that never changes is left out."""
    sample = rows(np.sort(chance.permutation(count)[:_SAMPLE]))
    spread = sample.std(axis=0)
    scale = np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0)
    return sample.mean(axis=0).astype(np.float32), scale.astype(np.float32)


def _starts(counts: Ints) -> Ints:
    return np.cumsum(counts) - counts


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """start, start + 1, ... of each, one behind the other."""
    return np.arange(counts.sum()) + np.repeat(starts - _starts(counts), counts)
