"""Kinds of model that learn to judge. A kind is one file; `KINDS` names it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from whence.errors import UsageError, quoted
from whence.models.items import AnyItem, Lesson, Verdict
from whence.progress import Report, unreported


class Judge(Protocol):
    """A model that was trained."""

    @property
    def name(self) -> str:
        """What it is, with a fingerprint: it stands in the signature of figures."""

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What it says of each item, in order."""


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
    """How a training went: the measure on the held-out items after each round, and which round was kept."""

    dev: tuple[float, ...] = ()
    kept: int | None = None
    seconds: float = 0.0
    parameters: int = 0
    """How many numbers were learnt."""
    core_seconds: float = 0.0
    """Of all processor cores together: unlike the time it took, much the same on a busy machine."""


class Learner(Protocol):
    """A kind of model: the names below are those of its module."""

    Settings: type
    """A frozen dataclass: what a recipe may set, with defaults."""
    SHAPES: frozenset[str]
    """The shapes it can learn."""

    def train(self, lessons: Sequence[Lesson], settings: Any, training: Training) -> History:
        """Learns and leaves its weights in the folder; of several lessons, jointly, if the kind can."""

    def load(self, folder: Path, lesson: str) -> Judge:
        """The model in a folder, for one of the lessons it learnt."""


_MODULES: Mapping[str, str] = {
    "majority": "trivial",
    "random": "trivial",
    "counts": "counts",
    "logistic": "logistic",
    "bridges": "bridges",
    "surface": "surface",
    "bag": "words",
    "bilstm": "words",
    "esim": "words",
    "transformer": "transformer",
    "likelihood": "likelihood",
    "sparse": "sparse",
    "dense": "dense",
    "blend": "blend",
    "reranker": "reranker",
    "writer": "writer",
}
OF_PARTS = ("blend", "reranker")
"""The kinds that put other models together."""
TOGETHER = ("transformer", "writer")
"""The kinds that several processes can train together; others need whole batches, or are quick alone."""
KINDS = tuple(_MODULES)
"""Every kind of model that a recipe may name."""


def learner(kind: str) -> Learner:
    """The kind of that name; what it needs is imported now."""
    if kind not in _MODULES:
        raise UsageError(f"there is no kind of model {quoted(kind)}; there are {', '.join(KINDS)}")
    found: Any = import_module(f"whence.models.learners.{_MODULES[kind]}")
    return found.LEARNERS[kind]  # type: ignore[no-any-return]


def settings_of(kind: str, given: Mapping[str, Any]) -> Any:
    """The settings of a kind of model, checked; those that are not given are its own."""
    return checked_settings(f"{kind} models", learner(kind).Settings, given)


def checked_settings(whose: str, form: type, given: Mapping[str, Any]) -> Any:
    """A dataclass of settings with what is given, checked, in the place of its defaults."""
    known = [entry.name for entry in fields(form)]
    for name in given:
        if name not in known:
            raise UsageError(f"{whose}: no setting {quoted(name)}; there are {', '.join(known) or 'none'}")
    try:
        return TypeAdapter(form).validate_python(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise UsageError(
            f"{whose}: the setting {name} cannot be {quoted(str(given.get(name)))}: {first['msg']}"
        ) from None
