"""The training loop: batches by length, linear schedule, early stopping, and a state to go on from.

Several processes (`whence.models.team`) take a share of each batch: their gradients are added up, so that all have
the same weights, and the first one measures and saves. One process with the same batch learns the same, but for
rounding and for what is dropped by chance.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from whence.models.items import Lesson
from whence.models.learners import Training
from whence.models.loading import device, in_precision, library
from whence.models.team import team

STATE = "training.pt"
_POOL = 50  # batches within which items are sorted by length
_SAVE_EVERY = 600.0  # seconds
_ASK_EVERY = 20  # steps after which several processes agree on whether it is time
_NO_DECAY = ("bias", "norm", "Norm")


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast."""

    epochs: int
    batch: int
    rate: float
    warmup: float
    decay: float
    patience: int
    precision: str
    """`float32`, `bfloat16`, or `auto`."""


@dataclass(slots=True)
class Course:
    """How far a training is."""

    step: int = 0
    dev: list[float] = field(default_factory=list)
    best: float = -math.inf
    kept: int | None = None
    seconds: float = 0.0
    core_seconds: float = 0.0

    @property
    def rounds_since_best(self) -> int:
        """Epochs without improvement."""
        return len(self.dev) - 1 - (self.kept if self.kept is not None else len(self.dev) - 1)


class _Clock:
    """Adds the time that goes by to what a course took before."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._begun = course.seconds - time.monotonic(), course.core_seconds - time.process_time()

    def tick(self) -> None:
        self._course.seconds = self._begun[0] + time.monotonic()
        self._course.core_seconds = self._begun[1] + time.process_time()


class Readable(Protocol):
    """An item as tokens."""

    @property
    def length(self) -> int:
        """How many tokens there are."""


class Trainable(Protocol):
    """What can be trained."""

    module: Any
    """All weights, as torch has them."""

    def loss(self, lesson: str, shape: str, batch: Any) -> Any:
        """What is to be small, for items of a lesson."""

    def weight(self, batch: Any) -> int:
        """What the loss of a batch is a mean over: how many items, or tokens."""


Batch = tuple[int, list[Readable]]
"""The number of a lesson, and items of it."""


class Trainer:
    """Trains a network on lessons. How good it is on held-out items, and how it is saved, is handed in."""

    def __init__(
        self,
        network: Trainable,
        lessons: Sequence[Lesson],
        read: Sequence[Sequence[Readable]],
        schedule: Schedule,
        training: Training,
        look: Callable[[Lesson], float],
        keep: Callable[[], None],
    ) -> None:
        torch = library("torch")
        self._network, self._lessons, self._read = network, lessons, read
        self._schedule, self._training = schedule, training
        self._measure, self._keep = look, keep
        self._team = team()
        self._epoch_steps = len(self._batches(0))
        self._steps = max(1, self._epoch_steps * schedule.epochs)
        network.module.to(device())
        named = [(name, weights) for name, weights in network.module.named_parameters() if weights.requires_grad]
        self.parameters = sum(weights.numel() for _, weights in named)
        groups = [
            {"params": [w for name, w in named if not _is_plain(name)], "weight_decay": schedule.decay},
            {"params": [w for name, w in named if _is_plain(name)], "weight_decay": 0.0},
        ]
        self._weights = [weights for _, weights in named]
        self._optimizer = torch.optim.AdamW(groups, lr=schedule.rate, fused=True)
        self.course = Course()

    def run(self) -> Course:
        """Trains to the end, or until the held-out items show no progress."""
        course = self._resumed()
        clock = _Clock(course)
        saved = time.monotonic()
        while course.step < self._steps and course.rounds_since_best < self._schedule.patience:
            epoch, place = divmod(course.step, self._epoch_steps)
            for number, batch in self._batches(epoch)[place:]:
                self._step(number, batch)
                course.step += 1
                self._training.report(self._told(epoch), course.step, self._steps)
                clock.tick()
                alone = self._team.size == 1
                if (alone or not course.step % _ASK_EVERY) and self._team.told(
                    time.monotonic() - saved > _SAVE_EVERY
                ):
                    self._save()
                    saved = time.monotonic()
            self._look()
            clock.tick()
            self._save()
        self._state.unlink(missing_ok=True)
        return course

    def _step(self, number: int, batch: list[Readable]) -> None:
        torch = library("torch")
        lesson = self._lessons[number]
        self._network.module.train()
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.rate * self._share(self.course.step)
        own = self._team.share(batch)
        with in_precision(self._schedule.precision):
            loss = self._network.loss(lesson.name, lesson.shape, own)
        if self._team.size > 1:
            whole = self._team.size if own is batch else 1
            loss = loss * (self._network.weight(own) / self._network.weight(batch) / whole)
        loss.backward()
        self._team.add_up(self._weights)
        torch.nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)

    def _share(self, step: int) -> float:
        """Of the full rate: it rises during the warm-up and falls to nothing in a line."""
        warm = max(1, round(self._steps * self._schedule.warmup))
        return min((step + 1) / warm, (self._steps - step) / max(1, self._steps - warm))

    def _look(self) -> None:
        """Measures the held-out items, the mean over lessons, and keeps the weights if they were never better."""
        watched = [lesson for lesson in self._lessons if lesson.dev]
        values = [self._measure(lesson) for lesson in watched if self._team.is_first]
        self.course.dev.append(self._team.told(sum(values) / len(values) if values else 0.0))
        if not watched or self.course.dev[-1] > self.course.best:
            self.course.best, self.course.kept = self.course.dev[-1], len(self.course.dev) - 1
            if self._team.is_first:
                self._keep()

    def _batches(self, epoch: int) -> list[Batch]:
        """All items once, in an order that seed and epoch decide, those of similar length together."""
        chance = random.Random(f"{self._training.seed}:{epoch}")
        found: list[Batch] = []
        for number, read in enumerate(self._read):
            order = list(range(len(read)))
            chance.shuffle(order)
            size = self._schedule.batch
            for start in range(0, len(order), size * _POOL):
                pool = sorted(order[start : start + size * _POOL], key=lambda place: read[place].length)
                found += [(number, [read[p] for p in pool[at : at + size]]) for at in range(0, len(pool), size)]
        chance.shuffle(found)
        return found

    def _told(self, epoch: int) -> str:
        seen = f", dev {self.course.dev[-1]:.3f}" if self.course.dev else ""
        return f"epoch {epoch + 1} of {self._schedule.epochs}{seen}"

    @property
    def _state(self) -> Path:
        return self._training.folder / STATE

    def _save(self) -> None:
        """The state, all of it or the one before."""
        torch = library("torch")
        chances = self._team.gathered(torch.get_rng_state())
        if not self._team.is_first:
            return
        state: dict[str, Any] = {
            "module": {name: w for name, w in self._network.module.named_parameters() if w.requires_grad},
            "optimizer": self._optimizer.state_dict(),
            "chance": chances[0],
            "others": chances[1:],
            "course": {name: getattr(self.course, name) for name in Course.__slots__},
        }
        part = self._state.with_suffix(".part")
        torch.save(state, part)
        part.replace(self._state)

    def _resumed(self) -> Course:
        torch = library("torch")
        if self._team.size > 1:  # all have the same weights; what is dropped by chance is each one's own
            torch.manual_seed(self._training.seed + self._team.number)
        state = torch.load(self._state, weights_only=True, map_location="cpu") if self._state.is_file() else None
        if state := self._team.told(state):
            self._network.module.load_state_dict(state["module"], strict=False)
            self._optimizer.load_state_dict(state["optimizer"])
            chances = [state["chance"], *state.get("others", ())]
            if len(chances) == self._team.size:
                torch.set_rng_state(chances[self._team.number])
            self.course = Course(**state["course"])
        return self.course


def _is_plain(name: str) -> bool:
    return any(part in name for part in _NO_DECAY)
