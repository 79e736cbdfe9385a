"""Adversaries that are kinds of model: trained afresh on every part that they are given."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from whence.engine import Do, chunks_of
from whence.errors import UsageError
from whence.files import Json
from whence.models.items import Item, TrainingSet, Verdict
from whence.models.learners import learner, settings_of
from whence.models.training import Training
from whence.pipeline.harden.loop import Place, halves
from whence.progress import Report

_LESSON = "harden/choice"
_CHUNK = 256  # questions judged at once, each with all its candidates
_HELD_OUT = 0.1
"""The share of what is learnt from that tells when to stop learning."""


@dataclass(frozen=True, slots=True)
class TrainedAdversary:
    """A kind of model with its settings."""

    kind: str
    settings: Any

    def __call__(self, learnt: Sequence[Item], asked: Sequence[Item], place: Place) -> list[Verdict]:
        """Trains a model in the folder, asks it, and removes it."""
        kind = learner(self.kind)
        several = len({item.group or item.id for item in learnt}) > 1
        train, dev = halves(learnt, 1 - _HELD_OUT, f"{place.seed}:dev") if several else (range(len(learnt)), ())
        lesson = TrainingSet(_LESSON, "choice", (), [learnt[at] for at in train], [learnt[at] for at in dev])
        place.folder.mkdir(parents=True, exist_ok=True)
        kind.train([lesson], self.settings, Training(place.folder, place.seed, report=_inner(place.report)))
        make = partial(_judging, self.kind, place.folder.absolute())
        parts = place.engine.map(make, chunks_of(asked, _CHUNK), _inner(place.report))
        verdicts = [verdict for part in parts for verdict in part]
        shutil.rmtree(place.folder, ignore_errors=True)
        return verdicts

    def described(self) -> dict[str, Json]:
        """For the record of a run."""
        return {"kind": self.kind, "settings": asdict(self.settings)}


def _judging(kind: str, folder: Path) -> Do[Sequence[Item], list[Verdict]]:
    return learner(kind).load(folder, _LESSON).judge


def _inner(report: Report) -> Report:
    """What the model itself reports, under the iteration's bar."""
    return lambda what, done, total: report(f"  {what}", done, total)


def adversary_named(kind: str, given: Mapping[str, str]) -> TrainedAdversary:
    """A kind of model that chooses, with settings as texts; those that are not given are the kind's own."""
    found = learner(kind)
    if "choice" not in found.SHAPES:
        raise UsageError(f"{kind} models do not choose among options")
    return TrainedAdversary(kind, settings_of(kind, given))
