"""What both trainers share: the learning rate of each step, and when to stop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LearningRateSchedule:
    """The learning rate of each step: constant, or linear to 0 after a linear warm-up."""

    rate: float
    steps: int | None = None
    """Of the whole training; None: the rate is constant."""
    warmup: int = 0
    """Steps in which the rate rises."""

    def at(self, step: int) -> float:
        """The learning rate of a step; the first one is 0."""
        if self.steps is None:
            return self.rate
        share = (self.steps - step) / max(1, self.steps - self.warmup)
        return self.rate * (min((step + 1) / self.warmup, share) if self.warmup else share)


@dataclass(slots=True)
class EarlyStopping:
    """The held-out figures of all epochs so far, which epoch is the best, and whether to stop."""

    patience: int
    """Epochs without a better figure before training stops."""
    figures: list[float] = field(default_factory=list)
    epochs: int = 0
    best: int | None = None

    def improves(self, figure: float | None) -> bool:
        """Counts an epoch, and says whether it is the best so far; without a figure, the last epoch always is."""
        better = figure is None or figure > max(self.figures, default=-math.inf)
        if figure is not None:
            self.figures.append(figure)
        if better:
            self.best = self.epochs
        self.epochs += 1
        return better

    @property
    def is_over(self) -> bool:
        """Whether no epoch within the patience was better than those before."""
        return self.epochs - 1 - (self.best or 0) >= self.patience
