"""Adversaries that are kinds of model: trained afresh on every part that they are given."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.errors import UsageError, quoted
from whence.files import Json
from whence.models.items import Item, Lesson, Verdict
from whence.models.learners import Report, Training, learner
from whence.pipeline.harden.loop import Place, halves

_LESSON = "harden/choice"
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
        train, dev = halves(learnt, 1 - _HELD_OUT, f"{place.seed}:dev")
        lesson = Lesson(_LESSON, "choice", (), [learnt[at] for at in train], [learnt[at] for at in dev])
        place.folder.mkdir(parents=True, exist_ok=True)
        kind.train([lesson], self.settings, Training(place.folder, place.seed, report=_inner(place.report)))
        verdicts = kind.load(place.folder, _LESSON).judge(asked, _inner(place.report))
        shutil.rmtree(place.folder, ignore_errors=True)
        return verdicts

    def described(self) -> dict[str, Json]:
        """For the record of a run."""
        return {"kind": self.kind, "settings": asdict(self.settings)}


def _inner(report: Report) -> Report:
    """What the model itself reports, under the iteration's bar."""
    return lambda what, done, total: report(f"  {what}", done, total)


def adversary_named(kind: str, given: Mapping[str, str]) -> TrainedAdversary:
    """A kind of model that chooses, with settings as texts; those that are not given are the kind's own."""
    found = learner(kind)
    if "choice" not in found.SHAPES:
        raise UsageError(f"{kind} models do not choose among options")
    known = [field.name for field in fields(found.Settings)]
    for name in given:
        if name not in known:
            raise UsageError(
                f"{kind} models have no setting {quoted(name)}; they have {', '.join(known) or 'none'}"
            )
    return TrainedAdversary(kind, _settings(found.Settings, kind, given))


def _settings(form: type, kind: str, given: Mapping[str, str]) -> Any:
    read: Callable[[Any], Any] = TypeAdapter(form).validate_python
    try:
        return read(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise UsageError(
            f"{kind}: the setting {name} cannot be {quoted(str(given.get(name)))}: {first['msg']}"
        ) from None
