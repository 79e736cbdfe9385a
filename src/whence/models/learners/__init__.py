"""Kinds of model that learn to judge. A kind is one file; `KINDS` names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from whence.errors import UsageError, quoted
from whence.models.items import AnyItem, TrainingSet, Verdict
from whence.models.training import History, Training
from whence.progress import Report, unreported


class Judge(Protocol):
    """A model that was trained."""

    @property
    def name(self) -> str:
        """What it is, with a fingerprint: it stands in the signature of figures."""

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What it says of each item, in order."""


class Learner(Protocol):
    """A kind of model: the names below are those of its module."""

    Settings: type
    """A frozen dataclass: what a recipe may set, with defaults."""
    SHAPES: frozenset[str]
    """The shapes it can learn."""

    def train(self, lessons: Sequence[TrainingSet], settings: Any, training: Training) -> History:
        """Learns and leaves its weights in the folder; of several lessons, jointly, if the kind can."""

    def load(self, folder: Path, lesson: str) -> Judge:
        """The model in a folder, for one of the lessons it learnt."""


def _baselines(kind: str) -> Learner:
    from whence.models.learners.baselines import LEARNERS

    return LEARNERS[kind]


def _logistic(kind: str) -> Learner:
    from whence.models.learners.logistic import LEARNERS

    return LEARNERS[kind]


def _overlap(kind: str) -> Learner:
    from whence.models.learners.overlap import LEARNERS

    return LEARNERS[kind]


def _surface(kind: str) -> Learner:
    from whence.models.learners.surface import LEARNERS

    return LEARNERS[kind]


def _words(kind: str) -> Learner:
    from whence.models.learners.words import LEARNERS

    return LEARNERS[kind]


def _transformer(kind: str) -> Learner:
    from whence.models.learners.transformer import LEARNERS

    return LEARNERS[kind]


def _likelihood(kind: str) -> Learner:
    from whence.models.learners.likelihood import LEARNERS

    return LEARNERS[kind]


def _sparse(kind: str) -> Learner:
    from whence.models.learners.sparse import LEARNERS

    return LEARNERS[kind]


def _dense(kind: str) -> Learner:
    from whence.models.learners.dense import LEARNERS

    return LEARNERS[kind]


def _blend(kind: str) -> Learner:
    from whence.models.learners.blend import LEARNERS

    return LEARNERS[kind]


def _reranker(kind: str) -> Learner:
    from whence.models.learners.reranker import LEARNERS

    return LEARNERS[kind]


def _writer(kind: str) -> Learner:
    from whence.models.learners.writer import LEARNERS

    return LEARNERS[kind]


_LEARNERS: Mapping[str, Callable[[str], Learner]] = {
    "majority": _baselines,
    "random": _baselines,
    "counts": _baselines,
    "logistic": _logistic,
    "bridges": _overlap,
    "surface": _surface,
    "bag": _words,
    "bilstm": _words,
    "esim": _words,
    "transformer": _transformer,
    "likelihood": _likelihood,
    "sparse": _sparse,
    "dense": _dense,
    "blend": _blend,
    "reranker": _reranker,
    "writer": _writer,
}
OF_PARTS = ("blend", "reranker")
"""The kinds that put other models together."""
TOGETHER = ("transformer", "writer")
"""The kinds that several processes can train together; others need whole batches, or are quick alone."""
KINDS = tuple(_LEARNERS)
"""Every kind of model that a recipe may name."""


def learner(kind: str) -> Learner:
    """The kind of that name; what it needs is imported now."""
    if kind not in _LEARNERS:
        raise UsageError(f"there is no kind of model {quoted(kind)}; there are {', '.join(KINDS)}")
    return _LEARNERS[kind](kind)


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
