"""Floors and ceilings beside figures: what trivial answers get by the same scorer, and what gold or people get.

What is measured of a data set is kept in the cache folder, so that it is measured once. The file's name is a
digest of the data, the answers and all that measures them. Where it cannot be read or written, all is measured
anew.
"""

from __future__ import annotations

import hashlib
import uuid
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import whence
from whence import __version__, plugins
from whence.errors import UsageError
from whence.files import cache_folder
from whence.metrics.classification import ACCURACY
from whence.metrics.metric import Metric, Scores
from whence.metrics.significance import Weights, paired
from whence.metrics.similarity import PairwiseSimilarity
from whence.pipeline.item_scores import item_scores
from whence.pipeline.people import one_voter
from whence.pipeline.signature import data_version
from whence.structures.results import Measurement, Prediction
from whence.tasks import added_metrics
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import Ceiling, Floor
from whence.tasks.scoring import Answers, ScoringOptions
from whence.tasks.task import AnyTask

LEVEL = 0.05
SEED = 0
ONE_VOTER = "one of the people who voted"
_SCORERS = ("similarity", "graph_classifier", "stance_classifier", "step_classifier")
_DAMAGED = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)
_Arrays = dict[str, np.ndarray[Any, Any]]
_Values = Mapping[str, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]
"""Statistics and known items by the name of a metric."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the trivial answers and the gold answers to a data set get, item by item."""

    floors: tuple[tuple[Floor, _Values], ...] = ()
    wrong: _Values = field(default_factory=dict)
    """Of answers that are all missing; needed where a floor is given a part of the system's own answers."""
    ceilings: tuple[tuple[Ceiling, _Values], ...] = ()
    one_voter: float | None = None
    """How often people choose the gold label, where the data has their votes."""

    def floor_scores(self, system: Sequence[Scores], index: int) -> list[tuple[Floor, Scores]]:
        """The scores of all trivial answers for the metric at an index of a system's scores."""
        metric = system[index].metric.name
        known = {one.metric.name: one for one in system}
        return [
            (floor, self._limit(_as_scores(system[index], values[metric]), known.get(floor.given)))
            for floor, values in self.floors
            if metric in values
            and (not floor.metrics or metric in floor.metrics)
            and (not floor.given or floor.given in known)
        ]

    def _limit(self, scores: Scores, gate: Scores | None) -> Scores:
        """The answers as they would be if they were right only where the system is, by the metric it is given."""
        if gate is None:
            return scores
        right = (gate.statistics[:, 0] > 0) & gate.known
        statistics, known = self.wrong[scores.metric.name]
        return replace(
            scores,
            statistics=np.where(right[:, None], scores.statistics, statistics),
            known=np.where(right, scores.known, known),
        )


NO_BOUNDS = Bounds()


def bounds_of(
    task: AnyTask, dataset: AnyDataset, options: ScoringOptions, *, with_models: bool = False, seed: int = SEED
) -> Bounds:
    """What trivial and gold answers get; nothing where examples have no gold.

    Metrics that need a model are left out unless asked for: they may take as long again as the scoring.
    """
    if not dataset.examples or not all(example.golds for example in dataset.examples):
        return NO_BOUNDS
    if not with_models:
        options = _without_models(options)
    floors, ceilings = task.floors(), task.ceilings()
    trivial = [_answers(floor, dataset, seed) for floor in floors]
    best = [ceiling.answers(dataset) for ceiling in ceilings]
    measure = partial(_measure, task, dataset, options, trivial, best, wrong=any(floor.given for floor in floors))
    if _is_ours(task):
        arrays = _load_or_measure(
            cache_folder() / "floors" / f"{_key(task, dataset, options, trivial, best)}.npz", measure
        )
    else:
        arrays = measure()
    return Bounds(
        tuple((floor, _values(arrays, f"floor{number}")) for number, floor in enumerate(floors)),
        _values(arrays, "wrong"),
        tuple((ceiling, _values(arrays, f"ceiling{number}")) for number, ceiling in enumerate(ceilings)),
        one_voter(dataset),
    )


def _answers(floor: Floor, dataset: AnyDataset, seed: int) -> Sequence[Prediction[Any]]:
    answers = floor.answers(dataset, seed)
    if [answer.id for answer in answers] != [example.id for example in dataset.examples]:
        raise UsageError(f"the floor '{floor.name}' does not answer the examples one by one, in their order")
    return answers


def _without_models(options: ScoringOptions) -> ScoringOptions:
    similarity = options.similarity if isinstance(options.similarity, PairwiseSimilarity) else None
    kept = replace(
        options, similarity=similarity, graph_classifier=None, stance_classifier=None, step_classifier=None
    )
    # The workers of an engine have models of their own.
    return options if kept == options else replace(kept, spread=None)


def add_bounds(
    measurements: Sequence[Measurement], system: Sequence[Scores], bounds: Bounds, weights: Weights
) -> tuple[Measurement, ...]:
    """The figures of a system's scores, with their floors and ceilings."""
    return tuple(
        _with_ceiling(_with_floor(one, system, index, bounds, weights), system[index], bounds)
        for index, one in enumerate(measurements)
    )


def _with_floor(
    measurement: Measurement, system: Sequence[Scores], index: int, bounds: Bounds, weights: Weights
) -> Measurement:
    if measurement.value is None:
        return measurement
    metric = system[index].metric
    reached = [
        (value, floor, scores)
        for floor, scores in bounds.floor_scores(system, index)
        if (value := scores.figure()) is not None
    ]
    if not reached:
        return measurement
    value, floor, scores = max(reached, key=lambda one: _worth(metric, one[0]))
    return replace(
        measurement,
        floor=value * metric.scale,
        floor_by=floor.name,
        above_floor=is_better(scores, system[index], weights),
    )


def _with_ceiling(measurement: Measurement, system: Scores, bounds: Bounds) -> Measurement:
    metric = system.metric
    if measurement.value is None:
        return measurement
    if metric.name == ACCURACY.name and bounds.one_voter is not None:
        return replace(measurement, ceiling=bounds.one_voter * metric.scale, ceiling_by=ONE_VOTER)
    reached = [
        (value, ceiling.name)
        for ceiling, values in bounds.ceilings
        if metric.name in values and (value := _as_scores(system, values[metric.name]).figure()) is not None
    ]
    if not reached:
        return measurement
    value, name = max(reached, key=lambda one: _worth(metric, one[0]))
    return replace(measurement, ceiling=value * metric.scale, ceiling_by=name)


def is_better(floor: Scores, system: Scores, weights: Weights) -> bool | None:
    """Whether a system is significantly better than trivial answers on the same items; None if unknown."""
    result = paired(floor, system, weights)
    if result.difference is None or result.p is None:
        return None
    return _worth(system.metric, result.difference) > 0 and result.p < LEVEL


def _worth(metric: Metric, value: float) -> float:
    return value if metric.better == "higher" else -value


def _as_scores(system: Scores, values: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]) -> Scores:
    """Other answers measured by the metric of these scores."""
    return replace(system, statistics=values[0], known=values[1], note="")


# Measuring.


def _measure(
    task: AnyTask,
    dataset: AnyDataset,
    options: ScoringOptions,
    trivial: Sequence[Sequence[Prediction[Any]]],
    best: Sequence[tuple[AnyDataset, Sequence[Prediction[Any]]]],
    *,
    wrong: bool,
) -> _Arrays:
    arrays: _Arrays = {}
    measured: list[tuple[Sequence[Prediction[Any]], Sequence[Scores]]] = []
    for number, answers in enumerate(trivial):
        # What an earlier floor answers too is not measured again.
        earlier = [
            next((at for at, (others, _) in enumerate(measured) if others[item] == answer), None)
            for item, answer in enumerate(answers)
        ]
        left = [answer if at is None else None for answer, at in zip(answers, earlier, strict=True)]
        scores = item_scores(task, dataset, left, options)
        for at, (_, others) in enumerate(measured):
            same = np.array([one == at for one in earlier], dtype=np.bool_)
            scores = tuple(_take(one, other, same) for one, other in zip(scores, others, strict=True))
        measured.append((answers, scores))
        _keep(arrays, f"floor{number}", scores)
    for number, (examples, golds) in enumerate(best):
        if golds:
            _keep(arrays, f"ceiling{number}", item_scores(task, examples, golds, options))
    if wrong:
        missing: Answers = [None] * len(dataset.examples)
        _keep(arrays, "wrong", item_scores(task, dataset, missing, options))
    return arrays


def _take(scores: Scores, others: Scores, same: np.ndarray[Any, Any]) -> Scores:
    return replace(
        scores,
        statistics=np.where(same[:, None], others.statistics, scores.statistics),
        known=np.where(same, others.known, scores.known),
    )


def _keep(arrays: _Arrays, part: str, scores: Sequence[Scores]) -> None:
    for one in scores:
        if one.known.any():
            arrays[f"{part}|{one.metric.name}|statistics"] = one.statistics
            arrays[f"{part}|{one.metric.name}|known"] = one.known


def _values(arrays: _Arrays, part: str) -> _Values:
    before, after = f"{part}|", "|known"
    names = [
        key.removeprefix(before).removesuffix(after)
        for key in arrays
        if key.startswith(before) and key.endswith(after)
    ]
    return {name: (arrays[f"{part}|{name}|statistics"], arrays[f"{part}|{name}|known"]) for name in names}


# The cache.


def _is_ours(task: AnyTask) -> bool:
    """Whether all that measures is of this package, whose code is known: others' may change unnoticed."""
    entry = plugins.registered(plugins.TASKS).get(task.name)
    return entry is not None and plugins.is_own(entry) and not added_metrics(task.name)


@cache
def _code() -> bytes:
    """A digest of all code that measures, so that no figure outlives a change of it."""
    digest = hashlib.sha256(__version__.encode())
    package = Path(whence.__file__).parent
    for folder in ("structures", "formats", "solvers", "metrics", "tasks"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _load_or_measure(path: Path, measure: Callable[[], _Arrays]) -> _Arrays:
    """What a file has; where there is none that can be read, what is measured now."""
    arrays = _read(path)
    if arrays is None:
        arrays = measure()
        _write(path, arrays)
    return arrays


def _key(
    task: AnyTask,
    dataset: AnyDataset,
    options: ScoringOptions,
    trivial: Sequence[Sequence[Prediction[Any]]],
    best: Sequence[tuple[AnyDataset, Sequence[Prediction[Any]]]],
) -> str:
    """A digest of what the figures of these answers depend on."""
    scorers = [getattr(options, name) for name in (*_SCORERS, "synonyms")]
    measured_by = [
        _code(),
        task.name,
        options.protocol,
        options.time_limit,
        *(one and one.name for one in scorers),
    ]
    digest = hashlib.sha256(repr(measured_by).encode())
    for examples in (dataset, *(examples for examples, _ in best)):
        digest.update(data_version(task.form, examples).encode())
    for answers in (*trivial, *(answers for _, answers in best)):
        for answer in answers:
            digest.update(repr(answer.explanation).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def _read(path: Path) -> _Arrays | None:
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            names, *arrays = (kept[f"arr_{number}"] for number in range(len(kept.files)))
            return dict(zip(names.tolist(), arrays, strict=True))
    except _DAMAGED:
        return None


def _write(path: Path, arrays: _Arrays) -> None:
    unfinished = path.with_name(f"{path.stem}.{uuid.uuid4().hex}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as stream:
            np.savez_compressed(stream, np.array(list(arrays)), *arrays.values())
        unfinished.replace(path)
    except OSError:
        # A cache that cannot be written costs time and nothing else.
        with suppress(OSError):
            unfinished.unlink()
