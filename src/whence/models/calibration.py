"""What a metric with a model gives gold and noise, kept beside the model: the licence to print its figures.

`calibration.json` lies in the model's folder. For models that ship with this package it ships too, for verifiers
beside the adapter; where such a model is calibrated again, the file goes to the folder of weights (`whence models
list` names it) and counts first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whence.errors import DataError
from whence.files import read_json, write_text

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FILE = "calibration.json"
VERSION = 1
LEAST_AUC = 0.8
"""Below, gold and noise overlap too much: one wrong answer in five beats a gold one."""
GOLD = "gold"


@dataclass(frozen=True, slots=True)
class ControlFigure:
    """What a metric gives answers of one kind."""

    kind: str
    """`gold`, `perturbed` or `random`."""
    name: str
    figure: float
    auc: float | None = None
    """How often a gold answer scores higher than one of these, ties counted half; None of gold itself."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a metric with one model gives gold and noise, on which data."""

    family: str
    metric: str
    model: str
    """The model with its fingerprint, as signatures have it."""
    task: str
    gold: str
    """The split or file."""
    data: str
    """Its fingerprint."""
    n: int
    seed: int
    date: str
    whence: str
    figures: tuple[ControlFigure, ...]

    @property
    def gold_figure(self) -> float:
        """What gold gets."""
        return next(one.figure for one in self.figures if one.kind == GOLD)

    @property
    def hardest(self) -> ControlFigure:
        """The wrong answers that are least told from gold."""
        return min((one for one in self.figures if one.auc is not None), key=lambda one: one.auc or 0.0)


@dataclass(frozen=True, slots=True)
class Licence:
    """Whether figures that a model measures may be printed, and what is to be said of them."""

    granted: bool
    remark: str = ""
    """Why not; or, where they are printed all the same, what to beware of."""


def fault_of(calibration: Calibration, least_gold: float | None) -> str:
    """Why a model may not measure a metric, in one line with the figures; empty if it may."""
    metric, hardest = calibration.metric, calibration.hardest
    if least_gold is not None and calibration.gold_figure < least_gold:
        others = ", ".join(f"{one.kind} {one.figure:.3f}" for one in calibration.figures if one.kind != GOLD)
        return f"gold gets {metric} {calibration.gold_figure:.3f}, and should get {least_gold:g} ({others})"
    if (hardest.auc or 0.0) < LEAST_AUC:
        return (
            f"gold gets {metric} {calibration.gold_figure:.3f}, {hardest.kind} ({hardest.name}) "
            f"{hardest.figure:.3f}: AUC {hardest.auc:.2f}, and should be {LEAST_AUC:g}"
        )
    return ""


def calibration_files(model: str, lesson: str = "") -> tuple[Path, ...]:
    """Where the calibration of a model is looked for, in order; a new one goes to the first.

    `model` is what an option names; `lesson` is what a classifier learnt, empty for similarities.
    """
    from whence.models.trained import BUNDLED
    from whence.models.verifier.choice import ADAPTER, VERIFIERS
    from whence.models.weights import models_folder

    if lesson and model in VERIFIERS:
        return (models_folder() / "calibrations" / f"verifier.{model}" / FILE, ADAPTER / FILE)
    path = Path(model.removeprefix("regression:").partition("#")[0]).expanduser()
    if path.is_dir():
        return (path / FILE,)
    name = lesson.replace("/", ".") if lesson else f"similarity.{model}"
    return (models_folder() / "calibrations" / name / FILE, BUNDLED / name / FILE)


def find_calibration(files: Sequence[Path], family: str, metric: str, model: str) -> Calibration | None:
    """The calibration of a metric with exactly this model."""
    wanted = family, metric, model
    known = (one for path in files for one in read_calibrations(path))
    return next((one for one in known if (one.family, one.metric, one.model) == wanted), None)


def read_calibrations(path: Path) -> tuple[Calibration, ...]:
    """All calibrations in a file; none if there is no file."""
    from pydantic import ValidationError

    if not path.is_file():
        return ()
    document = read_json(path)
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise DataError(path, expected=f"calibrations, version {VERSION}", found="something else")
    try:
        return _adapter().validate_python(document.get("calibrations"))
    except ValidationError as error:
        fault = error.errors()[0]
        where = "/".join(map(str, fault["loc"]))
        raise DataError(path, expected="calibrations", found=f"{where}: {fault['msg'].lower()}") from None


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Writes a calibration, in place of an older one of the same metric and model."""
    own = calibration.family, calibration.metric, calibration.model
    kept = [one for one in read_calibrations(path) if (one.family, one.metric, one.model) != own]
    rows = sorted([*kept, calibration], key=lambda one: (one.family, one.metric, one.model))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, _document(rows))


def _document(rows: Sequence[Calibration]) -> str:
    value: dict[str, Any] = {"version": VERSION, "calibrations": [asdict(row) for row in rows]}
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _adapter() -> TypeAdapter[tuple[Calibration, ...]]:
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Calibration, ...])
