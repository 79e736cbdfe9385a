"""Calibrates the model behind a metric: what the metric gives gold, perturbed and random answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from whence import __version__
from whence.errors import UsageError, quoted
from whence.metrics.metric import Scores
from whence.models.calibration import (
    GOLD,
    Calibration,
    ControlFigure,
    calibration_files,
    save_calibration,
)
from whence.models.similarity import classifier_named, similarity_named
from whence.pipeline.signature import data_version
from whence.tasks.controls import Control, Controls
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask

LIMIT = 400
"""Examples that a calibration takes at most, unless told otherwise."""


def controls_for(task: AnyTask, metric: str) -> Controls:
    """How the model behind a metric is calibrated."""
    known = {name: controls for controls in task.controls() for name in controls.metrics}
    if metric not in known:
        names = ", ".join(known) or "none"
        raise UsageError(f"{task.name} has no metric {quoted(metric)} that asks a model; it has {names}")
    return known[metric]


def calibrate(
    task: AnyTask, metric: str, model: str, dataset: AnyDataset, gold: str, *, limit: int = LIMIT, seed: int = 0
) -> Calibration:
    """Measures gold, perturbed and random answers by a metric with a model."""
    controls = controls_for(task, metric)
    scorer = _scorer(controls, model)
    options = ScoringOptions(**{controls.scorer: scorer})
    chosen = _some(dataset, limit, seed)
    made = controls.make(chosen, random.Random(seed))
    if not made or not made[0].dataset.examples:
        raise UsageError(
            f"{gold} has no examples to calibrate {controls.metrics[0]} with: it needs gold explanations"
        )
    lead = controls.metrics[0]
    measured = [_measured(task, lead, control, options) for control in made]
    right = measured[0].by_item()
    return Calibration(
        task.family,
        lead,
        scorer.name,
        task.name,
        Path(gold).name,
        data_version(task.form, chosen),
        len(right),
        seed,
        datetime.now(UTC).date().isoformat(),
        __version__,
        tuple(_figure(control, scores, right) for control, scores in zip(made, measured, strict=True)),
    )


def calibrate_and_save(
    task: AnyTask,
    metric: str,
    model: str,
    dataset: AnyDataset,
    gold: str,
    *,
    limit: int = LIMIT,
    seed: int = 0,
    folder: Path | None = None,
) -> tuple[Calibration, Path]:
    """Calibrates, and writes the result beside the model, or into the folder that is given."""
    controls = controls_for(task, metric)
    files = calibration_files(model, controls.lesson)
    path = files[0] if folder is None else folder / files[0].name
    found = calibrate(task, metric, model, dataset, gold, limit=limit, seed=seed)
    save_calibration(path, found)
    return found, path


def auc(right: Sequence[float | None], wrong: Sequence[float | None], better: str = "higher") -> float:
    """How often a right item's value is better than a wrong one's, ties counted half."""
    sign = 1.0 if better == "higher" else -1.0
    good, bad = (np.sort(sign * np.array([v for v in some if v is not None], float)) for some in (right, wrong))
    below, up_to = np.searchsorted(bad, good, "left"), np.searchsorted(bad, good, "right")
    return float((below + up_to).mean() / 2 / len(bad))


def _scorer(controls: Controls, model: str) -> Any:
    return classifier_named(model, controls.lesson) if controls.lesson else similarity_named(model)


def _some(dataset: AnyDataset, limit: int, seed: int) -> AnyDataset:
    """So many of the examples with gold, by chance, in their order."""
    known = [index for index, example in enumerate(dataset.examples) if example.golds]
    kept = sorted(random.Random(seed).sample(known, min(limit, len(known))))
    return replace(
        dataset,
        examples=tuple(dataset.examples[index] for index in kept),
        lines=tuple(dataset.lines[index] for index in kept),
    )


def _measured(task: AnyTask, metric: str, control: Control, options: ScoringOptions) -> Scores:
    found = task.scoring().score(control.dataset, control.answers, options)
    return next(one for one in found if one.metric.name == metric)


def _figure(control: Control, scores: Scores, right: Sequence[float | None]) -> ControlFigure:
    figure = scores.figure()
    if figure is None:
        raise UsageError(f"{scores.metric.name} could not be measured on {control.name}: {scores.note}")
    separated = None if control.kind == GOLD else round(auc(right, scores.by_item(), scores.metric.better), 4)
    return ControlFigure(control.kind, control.name, round(figure, 4), separated)
