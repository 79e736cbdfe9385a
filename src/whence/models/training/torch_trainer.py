"""The trainer of networks in torch: AdamW, a learning-rate schedule, early stopping, and a state to resume from.

Several processes (`whence.models.training.processes`) take a share of each batch: their gradients are added up, so
that all have the same weights, and the first one evaluates and saves. One process with the same batches learns the
same, but for rounding and dropout.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from whence.models.items import TrainingSet
from whence.models.loading import device, in_precision, library
from whence.models.training import History, Training
from whence.models.training.processes import process_group
from whence.models.training.schedule import EarlyStopping, LearningRateSchedule

STATE = "training.pt"
_POOL = 50  # batches within which items are sorted by length
_SAVE_EVERY = 600.0  # seconds
_ASK_EVERY = 20  # steps after which several processes agree on whether it is time
_NO_DECAY = ("bias", "norm", "Norm")


@dataclass(frozen=True, slots=True)
class TorchTraining:
    """How long and how fast a network in torch is trained."""

    epochs: int
    batch: int
    rate: float
    weight_decay: float
    patience: int
    warmup: float | None = None
    """The share of all steps in which the learning rate rises, before it falls to 0; None: it is constant."""
    precision: str = "float32"
    """`float32`, `bfloat16`, or `auto`."""
    clip: float = 1.0
    """The greatest norm of all gradients together."""


class FineTuning:
    """The settings of a recipe that fine-tunes a pretrained model."""

    epochs: int
    batch: int
    rate: float
    warmup: float
    decay: float
    patience: int
    precision: str

    @property
    def training(self) -> TorchTraining:
        """How long and how fast."""
        return TorchTraining(
            self.epochs, self.batch, self.rate, self.decay, self.patience, self.warmup, self.precision
        )


class Trainable(Protocol):
    """What can be trained."""

    @property
    def module(self) -> Any:
        """All weights, as torch has them."""

    def loss(self, lesson: str, shape: str, batch: Any) -> Any:
        """What is to be small, for items of a training set."""

    def weight(self, batch: Any) -> int:
        """What the loss of a batch is a mean over: how many items, or tokens."""


class TorchTrainer:
    """Trains a network on one training set or several, whose items are given as the network reads them.

    With `length`, items of similar length come into one batch; without it they stay as they were shuffled.
    `evaluate` gives the figure on a set's held-out items, and `keep` saves the network.
    """

    def __init__(
        self,
        network: Trainable,
        lessons: Sequence[TrainingSet],
        items: Sequence[Sequence[Any]],
        settings: TorchTraining,
        training: Training,
        *,
        length: Callable[[Any], int] | None,
        evaluate: Callable[[TrainingSet], float],
        keep: Callable[[], None],
    ) -> None:
        self._network, self._lessons, self._items = network, lessons, items
        self._settings, self._training = settings, training
        self._length, self._evaluate, self._keep = length, evaluate, keep
        self._group = process_group()
        self._state = training.folder / STATE
        self._epoch_steps = len(self._batches(0))
        self._steps = max(1, self._epoch_steps * settings.epochs)
        if settings.warmup is None:
            self._schedule = LearningRateSchedule(settings.rate)
        else:
            warmup = max(1, round(self._steps * settings.warmup))
            self._schedule = LearningRateSchedule(settings.rate, self._steps, warmup)
        network.module.to(device())
        named = [(name, weights) for name, weights in network.module.named_parameters() if weights.requires_grad]
        self._weights = [weights for _, weights in named]
        plain = {name for name, _ in named if any(part in name for part in _NO_DECAY)}
        groups = [
            {"params": [w for name, w in named if name not in plain], "weight_decay": settings.weight_decay},
            {"params": [w for name, w in named if name in plain], "weight_decay": 0.0},
        ]
        self._optimizer = library("torch").optim.AdamW(groups, lr=settings.rate, fused=True)
        self._step = 0
        self._stopping = EarlyStopping(settings.patience)
        self._seconds, self._core_seconds = 0.0, 0.0

    def run(self) -> History:
        """Trains to the end, or until the held-out items show no progress."""
        self._resume()
        self._training.folder.mkdir(parents=True, exist_ok=True)
        stopping, saved = self._stopping, time.monotonic()
        begun = self._seconds - time.monotonic(), self._core_seconds - time.process_time()
        while stopping.epochs < self._settings.epochs and not stopping.is_over:
            epoch = stopping.epochs
            for number, batch in self._batches(epoch)[self._step - epoch * self._epoch_steps :]:
                self._update(number, batch)
                self._training.report(self._progress(epoch), self._step, self._steps)
                is_time = time.monotonic() - saved > _SAVE_EVERY
                if self._group.size > 1:
                    is_time = not self._step % _ASK_EVERY and self._group.broadcast(is_time)
                if is_time:
                    self._clock(begun)
                    self._save()
                    saved = time.monotonic()
            self._end_epoch()
            self._clock(begun)
            self._save()
        self._state.unlink(missing_ok=True)
        parameters = sum(weights.numel() for weights in self._weights)
        return History(tuple(stopping.figures), stopping.best, self._seconds, parameters, self._core_seconds)

    def _clock(self, begun: tuple[float, float]) -> None:
        self._seconds, self._core_seconds = begun[0] + time.monotonic(), begun[1] + time.process_time()

    def _update(self, number: int, batch: list[Any]) -> None:
        """One step of the optimizer."""
        torch = library("torch")
        lesson = self._lessons[number]
        self._network.module.train()
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.at(self._step)
        own = self._group.share(batch)
        with in_precision(self._settings.precision):
            loss = self._network.loss(lesson.name, lesson.shape, own)
        if self._group.size > 1:
            whole = self._group.size if own is batch else 1
            loss = loss * (self._network.weight(own) / self._network.weight(batch) / whole)
        loss.backward()
        self._group.all_reduce(self._weights)
        torch.nn.utils.clip_grad_norm_(self._weights, self._settings.clip)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._step += 1

    def _end_epoch(self) -> None:
        """Evaluates the held-out items, the mean over training sets, and keeps the weights if they are best."""
        held_out = [lesson for lesson in self._lessons if lesson.dev]
        figure = None
        if held_out and self._group.is_first:
            figure = sum(self._evaluate(lesson) for lesson in held_out) / len(held_out)
        if self._stopping.improves(self._group.broadcast(figure)) and self._group.is_first:
            self._keep()

    def _batches(self, epoch: int) -> list[tuple[int, list[Any]]]:
        """All items once, in an order that seed and epoch decide; each batch with the number of its set."""
        rng = random.Random(f"{self._training.seed}:{epoch}")
        size, batches = self._settings.batch, []
        for number, items in enumerate(self._items):
            order = list(items)
            rng.shuffle(order)
            if self._length is not None:
                pools = [order[start : start + size * _POOL] for start in range(0, len(order), size * _POOL)]
                order = [item for pool in pools for item in sorted(pool, key=self._length)]
            batches += [(number, order[start : start + size]) for start in range(0, len(order), size)]
        if self._length is not None:  # or the short ones of a pool would all come first
            rng.shuffle(batches)
        return batches

    def _progress(self, epoch: int) -> str:
        figure = f", dev {self._stopping.figures[-1]:.3f}" if self._stopping.figures else ""
        return f"epoch {epoch + 1} of {self._settings.epochs}{figure}"

    def _save(self) -> None:
        """Saves the state, all of it or the one before."""
        torch = library("torch")
        generators = self._group.all_gather(torch.get_rng_state())
        if not self._group.is_first:
            return
        state = {
            "module": {name: w for name, w in self._network.module.named_parameters() if w.requires_grad},
            "optimizer": self._optimizer.state_dict(),
            "generators": generators,
            "step": self._step,
            "stopping": asdict(self._stopping),
            "seconds": (self._seconds, self._core_seconds),
        }
        part = self._state.with_suffix(".part")
        torch.save(state, part)
        part.replace(self._state)

    def _resume(self) -> None:
        torch = library("torch")
        if self._group.size > 1:  # all have the same weights; dropout is each one's own
            torch.manual_seed(self._training.seed + self._group.rank)
        state = torch.load(self._state, weights_only=True, map_location="cpu") if self._state.is_file() else None
        if state := self._group.broadcast(state):
            self._network.module.load_state_dict(state["module"], strict=False)
            self._optimizer.load_state_dict(state["optimizer"])
            if len(state["generators"]) == self._group.size:
                torch.set_rng_state(state["generators"][self._group.rank])
            self._step, self._stopping = state["step"], EarlyStopping(**state["stopping"])
            self._seconds, self._core_seconds = state["seconds"]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """In which torch's random numbers are those of a seed; outside, they go on as if nothing had been drawn."""
    torch = library("torch")
    with torch.random.fork_rng([torch.cuda.current_device()] if device() == "cuda" else []):
        torch.manual_seed(seed)
        yield


def trained_tensors(module: Any) -> dict[str, Any]:
    """The weights of a module that are trained, to be saved."""
    return {name: copied(weights) for name, weights in module.named_parameters() if weights.requires_grad}


def copied(weights: Any) -> Any:
    """Weights as they can be saved, whatever the module does next."""
    return weights.detach().cpu().contiguous().clone()
