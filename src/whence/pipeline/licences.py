"""Licences: figures that a model measures are printed where its calibration tells gold from noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from whence.metrics.metric import Scores
from whence.models.calibration import Licence, calibration_files, fault_of, find_calibration
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask

OPTIONS = {
    "similarity": "similarity",
    "graph_classifier": "seca",
    "stance_classifier": "ea",
    "step_classifier": "step",
}
"""The option of `whence score` that hands a scorer in."""


def licensed(
    task: AnyTask, options: ScoringOptions, models: Mapping[str, str | None], *, uncalibrated: bool = False
) -> ScoringOptions:
    """The options for a task with licences, and without the scorers that have none."""
    return without_refused(task, with_licences(task, options, models, uncalibrated=uncalibrated))


def with_licences(
    task: AnyTask, options: ScoringOptions, models: Mapping[str, str | None], *, uncalibrated: bool = False
) -> ScoringOptions:
    """The options with what the calibrations of the scorers say; `models` has what was named for each scorer.

    A scorer without a licence is refused. If `uncalibrated`, it is not, and its figures carry a warning.
    """
    licences = dict(options.licences)
    uses = task.scoring().uses
    for scorer, model in models.items():
        if model is not None and scorer in uses:
            fault = _fault(task, scorer, model, getattr(options, scorer).name)
            licences[task.family, scorer] = _licence(fault, uncalibrated)
    return replace(options, licences=licences)


def _licence(fault: str, uncalibrated: bool) -> Licence:
    if not fault:
        return Licence(True)
    if uncalibrated:
        return Licence(True, f"WARNING, no licence: {fault}")
    return Licence(False, f"no licence: {fault}; --uncalibrated prints it with this warning")


def _fault(task: AnyTask, scorer: str, model: str, name: str) -> str:
    controls = next((one for one in task.controls() if one.scorer == scorer), None)
    if controls is None:
        return f"{task.name} says no way to calibrate what --{OPTIONS[scorer]} names"
    lead = controls.metrics[0]
    found = find_calibration(calibration_files(model, controls.lesson), task.family, lead, name)
    if found is None:
        return f"{model} has no calibration: run whence models calibrate {task.name} {lead} --model {model}"
    fault = fault_of(found, controls.least_gold)
    return fault and f"{fault} ({found.gold}, {found.n} items)"


def without_refused(task: AnyTask, options: ScoringOptions) -> ScoringOptions:
    """The options without the scorers that have no licence for the task."""
    refused: dict[str, Any] = {
        scorer: None
        for (family, scorer), licence in options.licences.items()
        if family == task.family and not licence.granted
    }
    return replace(options, **refused) if refused else options


def with_remarks(task: AnyTask, options: ScoringOptions, scores: Sequence[Scores]) -> list[Scores]:
    """The scores, with what their licences say: why one is not measured, or what to beware of."""
    if not options.licences:
        return list(scores)
    scorers = {name: controls.scorer for controls in task.controls() for name in controls.metrics}
    return [_with_remark(task, options, one, scorers.get(one.metric.name, "")) for one in scores]


def _with_remark(task: AnyTask, options: ScoringOptions, scores: Scores, scorer: str) -> Scores:
    scorer = scorer or next((name for name in OPTIONS if name in scores.parameters), "")
    licence = options.licences.get((task.family, scorer))
    if licence is None or not licence.remark:
        return scores
    if not licence.granted:
        return replace(scores, note=licence.remark)
    note = "; ".join(filter(None, (scores.note, licence.remark)))
    return replace(scores, parameters={**scores.parameters, f"{scorer}_licence": "none"}, note=note)
