"""A small network that orders candidates by numbers known of each, learnt from lists in which some are right.

A candidate's numbers are standardised and go through one layer of hidden units to one score. What is learnt makes
the right candidates probable among all of their list (softmax), so only the order within a list counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whence.progress import Report, unreported

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
_FASTER, _SLOWER = 0.9, 0.999  # Adam's, as its paper has them (Kingma and Ba, 2015)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a network is learnt."""

    hidden: int = 32
    epochs: int = 8
    batch: int = 16
    """Lists."""
    rate: float = 3e-3
    decay: float = 1e-4


@dataclass(frozen=True, slots=True)
class ListNetwork:
    """What was learnt: `mean` and `spread` of the numbers, `hidden`, `bias` and `out`."""

    tensors: Mapping[str, Floats]

    def scores(self, features: Floats) -> Floats:
        """A score for each candidate: the last axis of the features are its numbers."""
        own = self.tensors
        rows = (features - own["mean"]) / own["spread"]
        return np.asarray(np.tanh(rows @ own["hidden"] + own["bias"]) @ own["out"])


def learn_lists(features: Floats, right: Flags, pace: Pace, seed: int, report: Report = unreported) -> ListNetwork:
    """Learns from lists of equally many candidates: lists × candidates × numbers, and which of them are right."""
    chance = np.random.default_rng(seed)
    count = features.shape[-1]
    mean = features.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    spread = features.std(axis=(0, 1), dtype=np.float64).astype(np.float32)
    spread[spread < 1e-6] = 1.0  # what never changes says nothing
    learnt = {
        "hidden": (chance.standard_normal((count, pace.hidden)) / np.sqrt(count)).astype(np.float32),
        "bias": np.zeros(pace.hidden, dtype=np.float32),
        "out": (chance.standard_normal(pace.hidden) / np.sqrt(pace.hidden)).astype(np.float32),
    }
    rows = (features - mean) / spread
    some = [lists for lists in range(len(right)) if right[lists].any()]
    steps = [chunk for _ in range(pace.epochs) for chunk in _chunks(chance.permutation(some), pace.batch)]
    moments = {name: (np.zeros_like(tensor), np.zeros_like(tensor)) for name, tensor in learnt.items()}
    for number, chunk in enumerate(steps):
        slopes = _slopes(learnt, rows[chunk], right[chunk])
        rate = pace.rate * (1 - number / len(steps))
        for name, tensor in learnt.items():
            tensor -= rate * (_moved(moments[name], slopes[name], number + 1) + pace.decay * tensor)
        report("learning what counts", number + 1, len(steps))
    return ListNetwork({"mean": mean, "spread": spread, **learnt})


def _slopes(own: Mapping[str, Floats], rows: Floats, right: Flags) -> dict[str, Floats]:
    """Those of the mean negative logarithm of the right candidates' probabilities."""
    hidden = np.tanh(rows @ own["hidden"] + own["bias"])
    scores = hidden @ own["out"]
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    probable = raised / raised.sum(axis=1, keepdims=True)
    total = right.sum()
    slope = ((probable * right.sum(axis=1, keepdims=True) - right) / total).astype(np.float32)
    back = slope[..., None] * own["out"] * (1 - hidden**2)
    return {
        "hidden": np.einsum("lcf,lch->fh", rows, back, optimize=True),
        "bias": back.sum(axis=(0, 1)),
        "out": np.einsum("lch,lc->h", hidden, slope, optimize=True),
    }


def _moved(moments: tuple[Floats, Floats], slope: Floats, step: int) -> Floats:
    """Adam's step; the moments are brought up to date."""
    first, second = moments
    first += (1 - _FASTER) * (slope - first)
    second += (1 - _SLOWER) * (slope**2 - second)
    own = first / (1 - _FASTER**step)
    return np.asarray(own / (np.sqrt(second / (1 - _SLOWER**step)) + 1e-8), dtype=np.float32)


def _chunks(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]
