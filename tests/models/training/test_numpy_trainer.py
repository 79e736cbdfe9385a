"""The trainer in numpy: Adam against torch's, and the epoch that is kept."""

from __future__ import annotations

import numpy as np
import pytest

from whence.models.training.numpy_trainer import Adam, NumpyTraining, Tensors, train
from whence.models.training.schedule import LearningRateSchedule


def test_adam_is_that_of_torch() -> None:
    """With weight decay of one of two parameters; both begin and move as torch's AdamW does."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    rng = np.random.default_rng(0)
    ours: Tensors = {name: rng.normal(size=(3, 2)).astype(np.float32) for name in ("matrix", "bias")}
    theirs = {name: torch.nn.Parameter(torch.tensor(own)) for name, own in ours.items()}
    groups = [{"params": [theirs["matrix"]], "weight_decay": 0.1}, {"params": [theirs["bias"]], "weight_decay": 0}]
    optimizer, adam = torch.optim.AdamW(groups, lr=0.01), Adam(ours, LearningRateSchedule(0.01), 0.1, ["matrix"])
    for _ in range(20):
        gradients = {name: rng.normal(size=(3, 2)).astype(np.float32) for name in ours}
        for name, parameter in theirs.items():
            parameter.grad = torch.tensor(gradients[name])
        optimizer.step()
        adam.step(gradients)
    for name, own in ours.items():
        assert own == pytest.approx(theirs[name].detach().numpy(), abs=1e-5)


def test_the_best_epoch_is_kept_and_training_stops() -> None:
    parameters = {"x": np.array([4.0], dtype=np.float32)}
    seen: list[float] = []

    def evaluate(epoch: int, value: float) -> float:
        seen.append(value)
        return (0.1, 0.3, 0.2, 0.2, 0.9)[epoch]

    best, stopping = train(
        parameters,
        lambda chosen: {"x": 2 * parameters["x"] * len(chosen)},
        np.arange(5),
        NumpyTraining(epochs=5, batch=2, rate=0.1, weight_decay=0.0, patience=2),
        np.random.default_rng(0),
        decayed=(),
        snapshot=lambda: float(parameters["x"][0]),
        evaluate=evaluate,
    )
    assert (stopping.best, stopping.figures) == (1, [0.1, 0.3, 0.2, 0.2])
    assert best == seen[1]
    assert seen == sorted(seen, reverse=True)  # towards the least of x²
