"""Small networks in numpy: scores of pairs of vectors, learnt from which class or which option is right.

Both vectors are standardised and projected to a few dimensions, z = tanh(P x); a linear map of z1, z2, |z1 - z2|
and z1 z2 gives the scores. So two texts are compared in what matters (of an argument: for or against), which flat
features of the vectors themselves do not bring out. Without hidden units z = x: logistic regression.

A question has options, an option has rows, and what the rows score is added. Either the columns of the scores are
classes, and one is right (*classes*), or the options compete within each column (*options*: a choice has one
column; a span has two, for the tokens where it starts and where it ends).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from whence.models.items import Verdict
from whence.models.training.numpy_trainer import Floats, Ints, NumpyTraining, Tensors, train
from whence.models.training.schedule import EarlyStopping

Rows = Callable[[Ints], tuple[Floats, Floats]]
"""The two vectors of rows, by their numbers: put together when they are needed, as all would not fit."""

_SAMPLE = 8192  # rows that vectors are standardised by
_AT_ONCE = 4096
_STILL = 1e-4  # a smaller spread is the noise of what never changes; vectors of length 1 spread by 0.05
_LEARNT = "matrix", "bias"  # the other tensors are statistics


@dataclass(frozen=True, slots=True)
class Network:
    """Members that were learnt with different seeds; their scores are averaged."""

    members: tuple[Tensors, ...]

    def scores(self, first: Floats, second: Floats) -> Floats:
        """One row of scores a pair of vectors."""
        found = [_forward(member, *_standardised(member, first, second))[-1] for member in self.members]
        return np.asarray(np.mean(found, axis=0))

    @property
    def size(self) -> int:
        """How many numbers were learnt."""
        return sum(
            tensor.size for member in self.members for name, tensor in member.items() if name.startswith(_LEARNT)
        )


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
        options = _ranges(_starts(self.options)[chosen], self.options[chosen])
        rows = _ranges(_starts(self.rows)[options], self.rows[options])
        return rows, Questions(self.rows[options], self.options[chosen], self.gold[chosen], self.classes)

    def added(self, scores: Floats) -> Floats:
        """The scores of options."""
        return np.asarray(np.add.reduceat(scores, _starts(self.rows), axis=0))

    def probabilities(self, added: Floats) -> Floats:
        """Of the classes of each question, or of its options, column by column."""
        if self.classes:
            raised = np.exp(added - added.max(axis=1, keepdims=True))
            return np.asarray(raised / raised.sum(axis=1, keepdims=True))
        starts = _starts(self.options)
        raised = np.exp(added - np.repeat(np.maximum.reduceat(added, starts, axis=0), self.options, axis=0))
        return np.asarray(raised / np.repeat(np.add.reduceat(raised, starts, axis=0), self.options, axis=0))

    def gradient(self, scores: Floats) -> Floats:
        """Of the mean negative log-likelihood of what is right, by the scores of rows."""
        gradient = self.probabilities(self.added(scores))
        if self.classes:
            gradient[np.arange(len(self)), self.gold] -= 1
        else:
            for column in range(gradient.shape[1]):
                gradient[_starts(self.options) + self.gold[:, column], column] -= 1
        return np.repeat(gradient / np.float32(len(self)), self.rows, axis=0)


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
            network.scores(*self.rows(np.arange(start, min(start + _AT_ONCE, count))))
            for start in range(0, count, _AT_ONCE)
        ]
        outputs = network.members[0]["bias.out"].shape[0]
        return list(self.verdicts(np.concatenate([np.zeros((0, outputs), dtype=np.float32), *parts])))


@dataclass(frozen=True, slots=True)
class Architecture:
    """The form of a network."""

    outputs: int
    hidden: int
    """Dimensions that vectors are projected to; 0: none, so logistic regression."""
    shared: bool
    """Whether both vectors are projected in the same way."""
    dropout: float
    """The share of each vector's numbers that is missing while learning."""


def train_network(
    reading: Reading,
    architecture: Architecture,
    training: NumpyTraining,
    seed: int,
    evaluate: Callable[[int, Network], float | None],
) -> tuple[Network, EarlyStopping]:
    """Trains one member; `evaluate` gives the figure on held-out items after an epoch, if there are any."""
    rows, questions = reading.rows, reading.questions
    rng = np.random.default_rng(seed)
    tensors = initial_tensors(rows, int(questions.rows.sum()), architecture, rng)
    parameters = {name: tensor for name, tensor in tensors.items() if name.startswith(_LEARNT)}

    def batch_gradients(chosen: Ints) -> Tensors:
        numbers, batch = questions.of(np.sort(chosen))
        first, second = _standardised(tensors, *rows(numbers))
        share = architecture.dropout
        return gradients(tensors, _dropout(first, share, rng), _dropout(second, share, rng), batch)

    return train(
        parameters,
        batch_gradients,
        np.arange(len(questions)),
        training,
        rng,
        decayed=[name for name in parameters if name.startswith("matrix")],
        snapshot=lambda: Network((_rounded(tensors),)),
        evaluate=evaluate,
    )


def _side(tensors: Mapping[str, Floats], name: str) -> str:
    """The first projection stands for both where they are shared."""
    return name if f"mean.{name}" in tensors else "first"


def _standardised(tensors: Tensors, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    other = _side(tensors, "second")
    return (
        (first - tensors["mean.first"]) * tensors["scale.first"],
        (second - tensors[f"mean.{other}"]) * tensors[f"scale.{other}"],
    )


def _forward(tensors: Tensors, first: Floats, second: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Both projections, what the last map sees, and the scores."""
    z1, z2 = _projected(tensors, "first", first), _projected(tensors, _side(tensors, "second"), second)
    parts = [z1, z2]
    if z1.shape == z2.shape:
        parts += [np.abs(z1 - z2), z1 * z2]
    seen = np.hstack(parts)
    return z1, z2, seen, seen @ tensors["matrix.out"] + tensors["bias.out"]


def _projected(tensors: Tensors, side: str, vectors: Floats) -> Floats:
    if f"matrix.{side}" not in tensors:
        return vectors
    return np.asarray(np.tanh(vectors @ tensors[f"matrix.{side}"] + tensors[f"bias.{side}"]))


def gradients(tensors: Tensors, first: Floats, second: Floats, questions: Questions) -> Tensors:
    """Of the loss of questions whose rows have these vectors."""
    z1, z2, seen, scores = _forward(tensors, first, second)
    gradient = questions.gradient(scores)
    found = {"matrix.out": seen.T @ gradient, "bias.out": gradient.sum(axis=0)}
    if "matrix.first" not in tensors:
        return found
    back = gradient @ tensors["matrix.out"].T
    own1, own2, apart, product = np.split(back, 4, axis=1)
    sign = np.sign(z1 - z2)
    ends = (
        ("first", first, (own1 + apart * sign + product * z2) * (1 - z1**2)),
        (_side(tensors, "second"), second, (own2 - apart * sign + product * z1) * (1 - z2**2)),
    )
    for side, vectors, change in ends:
        matrix, bias = vectors.T @ change, change.sum(axis=0)
        found[f"matrix.{side}"] = found[f"matrix.{side}"] + matrix if f"matrix.{side}" in found else matrix
        found[f"bias.{side}"] = found[f"bias.{side}"] + bias if f"bias.{side}" in found else bias
    return found


def _dropout(vectors: Floats, share: float, rng: np.random.Generator) -> Floats:
    if not share:
        return vectors
    kept = rng.random(vectors.shape, dtype=np.float32) >= share
    return vectors * kept / np.float32(1 - share)


def initial_tensors(rows: Rows, count: int, architecture: Architecture, rng: np.random.Generator) -> Tensors:
    """Statistics of a sample of rows, small random projections, and an output layer of zeros."""
    first, second = rows(np.sort(rng.permutation(count)[:_SAMPLE]))
    shared = architecture.shared and first.shape == second.shape
    sides = {"first": np.vstack([first, second])} if shared else {"first": first, "second": second}
    tensors: Tensors = {}
    for side, sample in sides.items():
        spread = sample.std(axis=0)
        tensors[f"mean.{side}"] = sample.mean(axis=0).astype(np.float32)
        # What never changes tells nothing.
        tensors[f"scale.{side}"] = np.where(spread > _STILL, 1 / np.maximum(spread, _STILL), 0).astype(np.float32)
        if architecture.hidden:
            size = (sample.shape[1], architecture.hidden)
            tensors[f"matrix.{side}"] = rng.normal(0, 1 / np.sqrt(max(1, size[0])), size).astype(np.float32)
            tensors[f"bias.{side}"] = np.zeros(architecture.hidden, dtype=np.float32)
    widths = [architecture.hidden or first.shape[1], architecture.hidden or second.shape[1]]
    wide = 2 * sum(widths) if widths[0] == widths[1] else sum(widths)
    tensors["matrix.out"] = np.zeros((wide, architecture.outputs), dtype=np.float32)
    tensors["bias.out"] = np.zeros(architecture.outputs, dtype=np.float32)
    return tensors


def _rounded(tensors: Tensors) -> Tensors:
    """A copy, with everything but biases as exact as the two bytes that a file has."""
    return {
        name: tensor.copy() if name.startswith("bias") else _halved(tensor) for name, tensor in tensors.items()
    }


def _halved(tensor: Floats) -> Floats:
    return tensor.astype(np.float16).astype(np.float32)


def _starts(counts: Ints) -> Ints:
    return np.cumsum(counts) - counts


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """start, start + 1, ... of each, one behind the other."""
    return np.arange(counts.sum()) + np.repeat(starts - _starts(counts), counts)
