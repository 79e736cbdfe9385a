"""The small network: its gradients against differences, and what it learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from whence.models.retrieval.listwise import ListNetwork, gradients, train_lists
from whence.models.training.numpy_trainer import NumpyTraining

TRAINING = NumpyTraining(epochs=30, batch=16, rate=3e-3, weight_decay=1e-4, is_linear=True)


def _loss(own: dict[str, np.ndarray], rows: np.ndarray, right: np.ndarray) -> float:
    scores = np.tanh(rows @ own["hidden"] + own["bias"]) @ own["out"]
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return float(-(logs * right).sum() / right.sum())


def test_gradients_are_those_of_the_loss() -> None:
    chance = np.random.default_rng(1)
    own = {"hidden": chance.normal(size=(3, 4)), "bias": chance.normal(size=4), "out": chance.normal(size=4)}
    rows, right = chance.normal(size=(5, 6, 3)), chance.random((5, 6)) < 0.4
    found = gradients(own, rows, right)
    for name, tensor in own.items():
        for place in np.ndindex(tensor.shape):
            moved = {key: value.copy() for key, value in own.items()}
            moved[name][place] += 1e-5
            expected = (_loss(moved, rows, right) - _loss(own, rows, right)) / 1e-5
            assert abs(found[name][place] - expected) < 1e-3, (name, place)


def test_it_learns_which_number_counts_and_that_two_must_meet() -> None:
    """The right candidate of each list is the one whose first two numbers are both high; the third is noise."""
    chance = np.random.default_rng(0)
    features = chance.normal(size=(600, 10, 3)).astype(np.float32) * (1, 10, 100)
    meeting = np.minimum(features[..., 0], features[..., 1] / 10)
    right = meeting == meeting.max(axis=1, keepdims=True)
    network = train_lists(features[:500], right[:500], 16, TRAINING, seed=0)
    found = network.scores(features[500:]).argmax(axis=1)
    assert (found == right[500:].argmax(axis=1)).mean() > 0.8  # chance: 0.1
    again = train_lists(features[:500], right[:500], 16, TRAINING, seed=0)
    assert all(np.array_equal(network.tensors[name], again.tensors[name]) for name in network.tensors)


def test_lists_without_a_right_candidate_and_numbers_that_never_change_do_no_harm() -> None:
    features = np.ones((4, 3, 2), dtype=np.float32)
    right = np.zeros((4, 3), dtype=bool)
    right[0, 1] = True
    network = train_lists(features, right, 32, replace(TRAINING, epochs=2), seed=0)
    assert isinstance(network, ListNetwork) and np.isfinite(network.scores(features)).all()
