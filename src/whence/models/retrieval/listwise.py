"""A small network that orders candidates by numbers known of each, learnt from lists in which some are right.

A candidate's numbers are standardised and go through one layer of hidden units to one score. What is learnt makes
the right candidates probable among all of their list (softmax), so only the order within a list counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.models.training.numpy_trainer import Floats, NumpyTraining, Tensors, train
from whence.progress import Report, unreported

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ListNetwork:
    """What was learnt: `mean` and `spread` of the numbers, `hidden`, `bias` and `out`."""

    tensors: Mapping[str, Floats]

    def scores(self, features: Floats) -> Floats:
        """A score for each candidate: the last axis of the features are its numbers."""
        own = self.tensors
        rows = (features - own["mean"]) / own["spread"]
        return np.asarray(np.tanh(rows @ own["hidden"] + own["bias"]) @ own["out"])


def train_lists(
    features: Floats, right: Flags, hidden: int, training: NumpyTraining, seed: int, report: Report = unreported
) -> ListNetwork:
    """Trains on lists of equally many candidates: lists × candidates × numbers, and which of them are right."""
    rng = np.random.default_rng(seed)
    count = features.shape[-1]
    mean = features.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    spread = features.std(axis=(0, 1), dtype=np.float64).astype(np.float32)
    spread[spread < 1e-6] = 1.0  # what never changes says nothing
    parameters = {
        "hidden": (rng.standard_normal((count, hidden)) / np.sqrt(count)).astype(np.float32),
        "bias": np.zeros(hidden, dtype=np.float32),
        "out": (rng.standard_normal(hidden) / np.sqrt(hidden)).astype(np.float32),
    }
    rows = (features - mean) / spread

    def evaluate(epoch: int, _: Tensors) -> None:
        report("learning what counts", epoch + 1, training.epochs)

    train(
        parameters,
        lambda lists: gradients(parameters, rows[lists], right[lists]),
        np.flatnonzero(right.any(axis=1)),
        training,
        rng,
        decayed=list(parameters),
        snapshot=lambda: parameters,
        evaluate=evaluate,
    )
    return ListNetwork({"mean": mean, "spread": spread, **parameters})


def gradients(own: Mapping[str, Floats], rows: Floats, right: Flags) -> Tensors:
    """Of the mean negative log-likelihood of the right candidates."""
    hidden = np.tanh(rows @ own["hidden"] + own["bias"])
    scores = hidden @ own["out"]
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    probable = raised / raised.sum(axis=1, keepdims=True)
    total = right.sum()
    gradient = ((probable * right.sum(axis=1, keepdims=True) - right) / total).astype(np.float32)
    back = gradient[..., None] * own["out"] * (1 - hidden**2)
    return {
        "hidden": np.einsum("lcf,lch->fh", rows, back, optimize=True),
        "bias": back.sum(axis=(0, 1)),
        "out": np.einsum("lch,lc->h", hidden, gradient, optimize=True),
    }
