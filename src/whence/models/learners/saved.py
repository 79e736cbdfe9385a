"""What the kinds of model share: which lessons they accept, and the description that lies beside their numbers."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from safetensors import SafetensorError

from whence.errors import DataError, MissingDataError, UsageError, WhenceError, quoted
from whence.files import Json, digest_of, dump_json, read_json, write_text
from whence.models.items import TrainingSet
from whence.models.learners import Learner
from whence.models.measures import watched
from whence.models.training import History, Training

LEARNT = "learnt.json"
"""What of a trained model is not a table of numbers: its kind, its lessons, its form. Beside the card."""
PARTS = "parts"
"""The folder of the models that a model is made of."""
TENSORS = "model.safetensors"
"""The numbers that were learnt."""


def require_shapes(kind: str, shapes: Iterable[str], lessons: Sequence[TrainingSet]) -> None:
    """Refuses lessons of a shape that the kind cannot learn, and lessons with nothing to learn from."""
    for lesson in lessons:
        if lesson.shape not in shapes:
            raise UsageError(
                f"{lesson.name} asks for {_SHAPES[lesson.shape]}, and {kind} models give only "
                f"{' or '.join(_SHAPES[shape] for shape in sorted(shapes))}"
            )
        if not lesson.train:
            raise UsageError(f"{lesson.name} has no items with answers to learn from")


def only_lesson(kind: str, shapes: Iterable[str], lessons: Sequence[TrainingSet]) -> TrainingSet:
    """The lesson of a kind that learns one at a time."""
    if len(lessons) != 1:
        raise UsageError(f"{kind} models learn one lesson at a time, not {len(lessons)}")
    require_shapes(kind, shapes, lessons)
    return lessons[0]


def refuse_start(kind: str, training: Training) -> None:
    """For kinds that take nothing over from another model."""
    if training.start is not None:
        raise UsageError(f"{kind} models cannot begin from another model ({training.start})")


def copied_parts(training: Training) -> list[Path]:
    """The parts of a model inside its own folder: so it is whole by itself."""
    names = [part.resolve().name for part in training.parts]
    if len(set(names)) < len(names):
        raise UsageError(f"two parts have folders of the name {quoted(max(names, key=names.count))}; rename one")
    found = [training.folder / PARTS / name for name in names]
    for part, own in zip(training.parts, found, strict=True):
        if own.resolve() != part.resolve():
            shutil.copytree(part, own, dirs_exist_ok=True)
    return found


def in_one_round(
    kind: Learner, lesson: TrainingSet, training: Training, started: float, parameters: int = 0
) -> History:
    """How a training without rounds went: the model it left, measured once on what the lesson holds out."""
    dev = (watched(lesson, kind.load(training.folder, lesson.name).judge(lesson.dev)),) if lesson.dev else ()
    return History(dev, 0 if dev else None, perf_counter() - started, parameters)


def describe(folder: Path, kind: str, lessons: Sequence[TrainingSet], facts: Mapping[str, Json]) -> None:
    """Writes the description of a model; it is written last, so that a folder with one is whole."""
    learnt = {lesson.name: {"shape": lesson.shape, "labels": list(lesson.labels)} for lesson in lessons}
    write_text(folder / LEARNT, dump_json({"kind": kind, "lessons": learnt, **facts}) + "\n")


def described(folder: Path, kind: str, lesson: str) -> dict[str, Json]:
    """The description of the model in a folder, which must be of that kind and have learnt that lesson."""
    path = folder / LEARNT
    if not path.is_file():
        raise MissingDataError(f"{folder}: no trained model there ({LEARNT})")
    found = read_json(path)
    if not isinstance(found, dict) or found.get("kind") != kind or not isinstance(found.get("lessons"), dict):
        raise DataError(path, expected=f"the description of a model of the kind {kind}", found=quoted(str(found)))
    if lesson not in found["lessons"]:
        raise UsageError(f"{folder}: it has not learnt {quoted(lesson)}, but {', '.join(found['lessons'])}")
    return found


def save_tensors(path: Path, tensors: Mapping[str, Any], library: Literal["numpy", "torch"] = "numpy") -> None:
    """Writes tables of numbers, all of them or none, for everyone to read who may read the folder."""
    part = path.with_name(f"{path.name}.part")
    try:
        import_module(f"safetensors.{library}").save_file(dict(tensors), part)
        part.chmod(0o666 & ~_umask())  # safetensors lets only the owner read
        part.replace(path)
    except (OSError, SafetensorError) as error:
        raise WhenceError(f"{path}: cannot be written: {error}") from None
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def signature(folder: Path, kind: str) -> str:
    """The kind and the start of the digest of what was learnt, for signatures: `majority@53aa5117`."""
    files = [folder / name for name in (LEARNT, TENSORS) if (folder / name).is_file()]
    whole = hashlib.sha256("".join(digest_of(file) for file in files).encode()).hexdigest()
    return f"{kind}@{whole[:8]}"


_SHAPES: dict[str, str] = {
    "label": "labels",
    "choice": "choices",
    "tags": "tags",
    "span": "spans",
    "ranking": "rankings",
    "text": "texts",
}
