"""How models are trained: one trainer in numpy, one in torch; both share the schedule and early stopping."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whence.progress import Report, unreported


@dataclass(frozen=True, slots=True)
class Training:
    """Where and how a model is trained."""

    folder: Path
    """Of the model. What a run that was stopped left there is taken up again."""
    seed: int = 0
    start: Path | None = None
    """The folder of a model of the same kind to begin from."""
    report: Report = unreported
    parts: tuple[Path, ...] = ()
    """The folders of models to put together."""


@dataclass(frozen=True, slots=True)
class History:
    """How a training went: the figure on the held-out items after each epoch, and which epoch was kept."""

    dev: tuple[float, ...] = ()
    kept: int | None = None
    seconds: float = 0.0
    parameters: int = 0
    """How many numbers were learnt."""
    core_seconds: float = 0.0
    """Of all processor cores together: unlike the time it took, much the same on a busy machine."""
