"""Runs side by side, as far as they may be: a board holds runs on the same data by the same protocol only.

A column is a metric with all that its figure depends on (similarity, gate, threshold): the same metric measured
with something else is another column. Runs share a place unless they differ significantly from its best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from whence.metrics.metric import Metric, Scores
from whence.metrics.significance import Weights, holm, paired, resamples
from whence.pipeline.floors import NO_BOUNDS, Bounds, add_bounds, bounds_of
from whence.pipeline.opened import Data, answers_task, figures_of, run_dataset, subject
from whence.pipeline.runs import Run
from whence.pipeline.score import SCORER_PARAMETERS, measure_all
from whence.pipeline.signature import Signature, signature
from whence.structures.results import Measurement
from whence.tasks import head_named, task_named
from whence.tasks.scoring import ScoringOptions

LEVEL = 0.05
_SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """A run with its figures, and what they depend on."""

    run: Run
    signature: Signature
    items: int
    scores: tuple[Scores, ...]
    bounds: Bounds = NO_BOUNDS
    """Floors and ceilings, where the run answers its task."""


@dataclass(frozen=True, slots=True)
class Column:
    """A metric, measured in one way."""

    metric: Metric
    parameters: tuple[tuple[str, str], ...]

    @property
    def measured_with(self) -> str:
        """What measured it, where something did."""
        return ", ".join(text for name, text in self.parameters if name in SCORER_PARAMETERS and text != "none")


@dataclass(frozen=True, slots=True)
class Place:
    """A run's row: its place, shared by runs that are as good, and a figure for each column it has one for."""

    rank: int
    tied: bool
    run: Run
    figures: tuple[Measurement | None, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Runs that may be compared, the best first by one column."""

    task: str
    subject: str
    """A head, or empty where runs explain."""
    split: str
    form: str
    """How inputs were put, where that changes what is judged."""
    signature: Signature
    """What all figures of the board share."""
    items: int
    columns: tuple[Column, ...]
    chief: int
    """The column that says the places."""
    places: tuple[Place, ...]


def measured(run: Run, data: Data, options: ScoringOptions) -> Measured:
    """A run with a value for every item; its data must be at hand."""
    dataset = run_dataset(run, data)
    scores = tuple(found for found in figures_of(run, dataset, data, options) if found.known.any())
    task = task_named(run.about["task"])
    about = signature(task, dataset, options, scores)
    bounds = bounds_of(task, dataset, options) if answers_task(run) else NO_BOUNDS
    return Measured(run, about, len(scores[0].known) if scores else 0, scores, bounds)


def boards(runs: Sequence[Measured], by: str = "") -> list[Board]:
    """Runs on boards; `by` is the metric that says the places, where a board has it."""
    groups: dict[_Group, list[Measured]] = {}
    for one in runs:
        if one.scores:
            groups.setdefault(_group(one), []).append(one)
    return [_board(key, group, by) for key, group in sorted(groups.items(), key=_order)]


def _order(group: tuple[_Group, Sequence[Measured]]) -> tuple[str, ...]:
    return tuple(map(str, group[0]))


class _Group(NamedTuple):
    """What runs must share to be compared."""

    task: str
    head: str
    split: str
    form: str
    signature: Signature
    items: int


SHARED = ("task", "data", "n", "protocol")
"""The parts of a signature that all runs of a board have in common."""


def _group(one: Measured) -> _Group:
    about = one.run.about
    # Items of a head depend on the form; answers to a task do not.
    form = "" if _answers(one) else str(about.get("form", ""))
    head = "" if _answers(one) else subject(one.run)
    return _Group(about["task"], head, about["split"], form, one.signature.only(SHARED), one.items)


def _answers(one: Measured) -> bool:
    return not subject(one.run) or head_named(one.run.about["task"], subject(one.run)).answer is not None


def _board(key: _Group, group: Sequence[Measured], by: str) -> Board:
    columns = tuple(dict.fromkeys(_column(found) for one in group for found in one.scores))
    chief = _chief(columns, group, by or (head_named(key.task, key.head).headline if key.head else ""))
    weights = resamples(key.items, _SAMPLES)
    places = _places(columns, chief, group, weights)
    return Board(*key, columns, chief, places)


def _column(found: Scores) -> Column:
    return Column(found.metric, tuple(sorted(found.parameters.items())))


def _chief(columns: Sequence[Column], group: Sequence[Measured], by: str) -> int:
    """The column that is asked for; else the first of those that most runs have."""
    named = [place for place, column in enumerate(columns) if column.metric.name == by]
    if named:
        return named[0]
    having = [sum(column in _by_column(one) for one in group) for column in columns]
    return having.index(max(having))


def _by_column(one: Measured) -> Mapping[Column, Scores]:
    return {_column(found): found for found in one.scores}


def _places(
    columns: Sequence[Column], chief: int, group: Sequence[Measured], weights: Weights
) -> tuple[Place, ...]:
    found = [_by_column(one) for one in group]
    sign = -1.0 if columns[chief].metric.better == "higher" else 1.0

    def worth(number: int) -> tuple[bool, float, str]:
        scores = found[number].get(columns[chief])
        value = scores.figure() if scores is not None else None
        return value is None, sign * (value or 0.0), str(group[number].run.folder)

    order = sorted(range(len(group)), key=worth)
    differ = _differences([found[number].get(columns[chief]) for number in order], weights)
    ranks = places_of(len(order), differ)
    return tuple(
        Place(
            ranks[place],
            ranks.count(ranks[place]) > 1,
            group[number].run,
            _figures(columns, group[number], weights),
        )
        for place, number in enumerate(order)
    )


def _figures(columns: Sequence[Column], one: Measured, weights: Weights) -> tuple[Measurement | None, ...]:
    measured = add_bounds(measure_all(one.scores, weights), one.scores, one.bounds, weights)
    by_column = {_column(scores): found for scores, found in zip(one.scores, measured, strict=True)}
    return tuple(by_column.get(column) for column in columns)


def places_of(count: int, differ: Callable[[int, int], bool]) -> list[int]:
    """The places of runs in order: a new place begins where a run differs from the best of the last one."""
    ranks: list[int] = []
    best = 0
    for place in range(count):
        if place and differ(best, place):
            best = place
        ranks.append(best + 1)
    return ranks


def _differences(scores: Sequence[Scores | None], weights: Weights) -> Callable[[int, int], bool]:
    """Whether two runs differ significantly, after Holm's correction for all pairs."""
    pairs = list(combinations(range(len(scores)), 2))
    tested = {pair: p for pair in pairs if (p := _p(scores[pair[0]], scores[pair[1]], weights)) is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    # Where there is no figure, there is nothing to share a place with.
    return lambda one, other: corrected.get((one, other), 0.0) < LEVEL


def _p(one: Scores | None, other: Scores | None, weights: Weights) -> float | None:
    return None if one is None or other is None else paired(one, other, weights).p
