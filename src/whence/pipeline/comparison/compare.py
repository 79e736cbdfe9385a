"""Compares systems: every two of them by every metric, tested on the same items.

Holm's correction is over all tests that are made: every pair by every metric shown. A system is tied with the best
of a metric if the two do not differ significantly. "Not significantly different" does not mean equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

from whence.errors import UsageError, quoted
from whence.metrics.metric import Metric, Scores
from whence.metrics.significance import Weights, holm, paired, randomisation_test, resamples
from whence.pipeline.contamination import contamination_of
from whence.pipeline.opened import answers_task, run_dataset, run_report
from whence.pipeline.runs import Run, run_scores
from whence.pipeline.score import SAMPLES, ScoreReport, measure_all
from whence.pipeline.signature import Signature, data_version
from whence.structures.results import Measurement
from whence.tasks import task_named
from whence.tasks.scoring import ScoringOptions

LEVEL = 0.05
"""Differences are significant below it."""


@dataclass(frozen=True, slots=True)
class System:
    """One system's figures on the items, each with a value an item."""

    name: str
    scores: tuple[Scores, ...]
    measurements: tuple[Measurement, ...]
    """Of the same metrics in the same order."""
    reading: Mapping[str, int]
    """How many answers were read, unread, missing; empty where there are verdicts only."""
    remarks: tuple[str, ...] = ()
    """What else a reader of the figures must know of the system, such as what its model was trained on."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A system's figure in the table."""

    measured: Measurement
    best: bool = False
    tied: bool = False
    """It is not the best, and not significantly different from it."""
    p: float | None = None
    """Of the difference from the best, corrected; None for the best itself and for what cannot be tested."""


@dataclass(frozen=True, slots=True)
class PairTest:
    """How a metric differs between two systems: second minus first."""

    metric: str
    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p: float
    test: str
    n: int
    """Items known for both."""
    p_corrected: float

    @property
    def significant(self) -> bool:
        """Whether the systems differ, all tests taken together."""
        return self.p_corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems and metrics with a figure for each of both, and all tests."""

    title: str
    """What the figures are of: task and split."""
    n: int
    signature: Signature
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    figures: tuple[tuple[Figure, ...], ...]
    """A row for each system, a figure for each metric."""
    tests: tuple[PairTest, ...]
    unmeasured: Mapping[str, str]
    """Metrics that no system has a figure for, and why."""

    def reference(self, index: int, name: str) -> float | None:
        """The floor or the ceiling of a metric; of several, the one that is hardest to pass."""
        pick = max if self.metrics[index].better == "higher" else min
        measured = (row[index].measured for row in self.figures)
        values = [one.floor if name == "floor" else one.ceiling for one in measured]
        known = [value for value in values if value is not None]
        return pick(known) if known else None


def system_of_report(name: str, report: ScoreReport, remarks: Sequence[str] = ()) -> System:
    """The system whose answers were scored."""
    return System(name, report.scores, report.measurements, report.reading, tuple(remarks))


def compare(
    title: str,
    signature: Signature,
    systems: Sequence[System],
    *,
    metrics: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compares systems that were scored on the same items, by all their metrics or by those named."""
    _require_comparable(systems)
    known = _metrics(systems)
    for name in metrics:
        if name not in known:
            raise UsageError(f"there is no metric {quoted(name)}; there are {', '.join(known)}")
    wanted = list(dict.fromkeys(metrics)) or list(known)
    measured = [name for name in wanted if any(_value(system, name) is not None for system in systems)]
    if not measured:
        raise UsageError(f"nothing could be measured: {_why_not(systems, wanted)}")
    weights = resamples(_items(systems), samples, seed)
    tests = _tests(systems, measured, weights)
    columns = [_column(systems, known[name], tests) for name in measured]
    return Comparison(
        title,
        _items(systems),
        signature,
        tuple(systems),
        tuple(known[name] for name in measured),
        tuple(zip(*columns, strict=True)),
        tuple(tests.values()),
        {name: _why_not(systems, [name]) for name in wanted if name not in measured},
    )


def compare_runs(
    runs: Mapping[str, Run],
    data: Callable[[], Path],
    options: ScoringOptions,
    *,
    metrics: Sequence[str] = (),
    report_of: Callable[[Run], ScoreReport] | None = None,
) -> Comparison:
    """Compares runs by the items of their split; `report_of` gives their scores where these are at hand."""
    of = {name: f"{run.about['task']} {run.about['split']}" for name, run in runs.items()}
    if len(set(of.values())) > 1:
        raise UsageError(f"these runs have different items: {_listed(of)}")
    parts = {name: "" if answers_task(run) else str(run.about.get("head", "")) for name, run in runs.items()}
    if len(set(parts.values())) > 1:
        raise UsageError("these runs answer different parts of the task: they have no figures in common")
    first = next(iter(runs.values()))
    dataset = run_dataset(first, data)
    signatures, systems = [], []
    for name, run in runs.items():
        if answers_task(run):
            report = report_of(run) if report_of is not None else run_report(run, dataset, options)
            systems.append(system_of_report(name, report, run_remarks(run)))
            signatures.append(report.signature)
        else:
            scores = tuple(run_scores(run, data))
            measured = measure_all(scores, resamples(_length(scores), SAMPLES))
            systems.append(System(name, scores, measured, {}, run_remarks(run)))
            version = data_version(task_named(run.about["task"]).form, dataset)
            signatures.append(Signature.of({"task": run.about["task"], "head": parts[name], "data": version}))
    return compare(of[next(iter(of))], signatures[0], systems, metrics=metrics)


def run_remarks(run: Run) -> tuple[str, ...]:
    """What a run says that a reader of its figures must know."""
    said = contamination_of(run.about)
    return (said,) if said else ()


def _require_comparable(systems: Sequence[System]) -> None:
    if len(systems) < 2:
        raise UsageError("name at least two systems to compare")
    names = [system.name for system in systems]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two systems are named {quoted(name)}: write NAME=FILE to tell them apart")
    lengths = {system.name: len(one.known) for system in systems for one in system.scores}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"these systems were scored on different items: {_listed(lengths)}")


def _items(systems: Sequence[System]) -> int:
    return max((_length(system.scores) for system in systems), default=0)


def _length(scores: Sequence[Scores]) -> int:
    return len(scores[0].known) if scores else 0


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in values.items())


def _metrics(systems: Sequence[System]) -> dict[str, Metric]:
    """The metrics of all systems, in the order in which they first occur."""
    return {one.metric.name: one.metric for system in systems for one in system.scores}


def _scores(system: System, name: str) -> Scores | None:
    return next((one for one in system.scores if one.metric.name == name), None)


def _measured(system: System, name: str) -> Measurement:
    return next((one for one in system.measurements if one.name == name), Measurement(name, None))


def _value(system: System, name: str) -> float | None:
    return _measured(system, name).value


def _why_not(systems: Sequence[System], names: Sequence[str]) -> str:
    notes = [_measured(system, name).note for name in names for system in systems]
    return "; ".join(dict.fromkeys(note for note in notes if note)) or "no item could be measured"


Tests = Mapping[tuple[str, str, str], PairTest]
"""By metric, first and second system."""


def _tests(
    systems: Sequence[System], metrics: Sequence[str], weights: Weights
) -> dict[tuple[str, str, str], PairTest]:
    """Every two systems by every metric, corrected for the number of tests."""
    asked = [
        (name, first, second)
        for name in metrics
        for first, second in combinations(systems, 2)
        if _value(first, name) is not None and _value(second, name) is not None
    ]
    tests = {}
    for name, first, second in asked:
        test = _test(name, first, second, weights, len(asked))
        if test is not None:
            tests[name, first.name, second.name] = test
    corrected = holm([test.p for test in tests.values()])
    return {key: replace(test, p_corrected=p) for (key, test), p in zip(tests.items(), corrected, strict=True)}


def _test(metric: str, first: System, second: System, weights: Weights, tests: int) -> PairTest | None:
    one, two = _scores(first, metric), _scores(second, metric)
    if one is None or two is None:
        return None
    result = paired(one, two, weights)
    if result.difference is None or result.p is None:
        return None
    p, scale = result.p, two.metric.scale
    enough = ceil(2 * tests / LEVEL)
    if result.test == "randomisation" and len(weights) < enough:
        # The smallest p is one in so many exchanges: with few of them, no difference could pass the correction.
        p = randomisation_test(one, two, enough)
    low, high = (None if end is None else end * scale for end in (result.low, result.high))
    difference = result.difference * scale
    return PairTest(metric, first.name, second.name, difference, low, high, p, result.test, result.n, p)


def _column(systems: Sequence[System], metric: Metric, tests: Tests) -> list[Figure]:
    """The figures of a metric: which is the best, and which do not differ from it."""
    measured = [_measured(system, metric.name) for system in systems]
    known = [one.value for one in measured if one.value is not None]
    best_value = max(known) if metric.better == "higher" else min(known)
    best = next(index for index, one in enumerate(measured) if one.value == best_value)
    figures = []
    for index, one in enumerate(measured):
        first, second = sorted((best, index))
        test = tests.get((metric.name, systems[first].name, systems[second].name))
        equal = one.value == best_value
        tied = index != best and not equal and test is not None and not test.significant
        figures.append(Figure(one, best=equal, tied=tied, p=None if test is None else test.p_corrected))
    return figures


def as_json(compared: Comparison) -> dict[str, Any]:
    """The comparison for machines."""
    return {
        "of": compared.title,
        "n": compared.n,
        "signature": str(compared.signature),
        "level": LEVEL,
        "systems": {
            system.name: {
                **system.reading,
                "remarks": list(system.remarks),
                "scores": {
                    metric.name: _figure_json(figure) for metric, figure in zip(compared.metrics, row, strict=True)
                },
            }
            for system, row in zip(compared.systems, compared.figures, strict=True)
        },
        "metrics": {
            metric.name: {
                "better": metric.better,
                "floor": compared.reference(index, "floor"),
                "ceiling": compared.reference(index, "ceiling"),
            }
            for index, metric in enumerate(compared.metrics)
        },
        "tests": [{**asdict(test), "significant": test.significant} for test in compared.tests],
        "unmeasured": dict(compared.unmeasured),
    }


def _figure_json(figure: Figure) -> dict[str, Any]:
    one = figure.measured
    return {
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "n": one.n,
        "missing": one.missing,
        "floor": one.floor,
        "ceiling": one.ceiling,
        "above_floor": one.above_floor,
        "best": figure.best,
        "tied": figure.tied,
        "p": figure.p,
    }
