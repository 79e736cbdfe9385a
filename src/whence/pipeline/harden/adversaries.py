"""Adversaries that are kinds of model: trained afresh on every part that they are given."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.errors import MissingDataError, UsageError, quoted
from whence.files import Json, read_json
from whence.models.items import Item, Lesson, Verdict
from whence.models.learners import Judge, Report, Training, learner
from whence.models.learners.saved import MODEL
from whence.pipeline.harden.loop import Place, halves

_NETWORK = "network.json"
"""What lies in the folder of a transformer instead of the description that the other kinds have."""
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


_CHEAPER: Mapping[str, Mapping[str, str]] = {"logistic": {"features": "apart"}}
"""Settings that are other than usual unless given: texts that are read apart are encoded once, not by pair."""


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
    return TrainedAdversary(kind, _settings(found.Settings, kind, {**_CHEAPER.get(kind, {}), **given}))


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


def span_finder(folder: Path) -> Judge:
    """A trained model that finds spans, for candidates."""
    if (folder / MODEL).is_file():
        found = read_json(folder / MODEL)
        kind, lessons = str(found["kind"]), {name: known["shape"] for name, known in found["lessons"].items()}
    elif (folder / _NETWORK).is_file():
        found = read_json(folder / _NETWORK)
        kind, lessons = "transformer", {name: known[0] for name, known in found["lessons"].items()}
    else:
        raise MissingDataError(f"{folder}: no trained model there")
    for name, shape in lessons.items():
        if shape == "span":
            return learner(kind).load(folder, name)
    raise UsageError(f"{folder} does not find spans; it learnt {', '.join(lessons)}")
