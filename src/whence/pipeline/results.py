"""What models are worth, side by side: a table made from run folders, beside what was published."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.errors import DataError, UsageError
from whence.files import read_json, read_text
from whence.metrics.metric import Scores
from whence.metrics.significance import (
    Interval,
    interval,
    interval_around,
    paired,
    resamples,
    standard_errors,
    t_test,
)
from whence.pipeline.combine import KIND
from whence.pipeline.contamination import contamination_of
from whence.pipeline.report.curve import Curve
from whence.pipeline.runs import RUN, SCORES, Run, read_run, run_scores
from whence.tasks import TASKS, head_named, heads_of

TRIVIAL = ("majority", "random")
"""Kinds of model that learn nothing: every other should be better."""


@dataclass(frozen=True, slots=True)
class Published:
    """A figure of a paper."""

    task: str
    head: str
    value: float
    model: str
    form: str = ""
    """How inputs were put; empty: as the head usually does."""
    parameters: str = ""
    """The size of the model, in words."""
    split: str = ""
    """On what, where that is not what figures here are on."""


@dataclass(frozen=True, slots=True)
class Row:
    """One model on one task: its figure over one split, or the mean over folds."""

    task: str
    head: str
    recipe: str
    overrides: tuple[str, ...]
    form: str
    kind: str
    weights: str
    metric: str
    value: float
    low: float | None
    high: float | None
    splits: tuple[str, ...]
    n: int
    parameters: int
    seconds: float
    core_seconds: float
    examples: int
    baseline: str = ""
    """The trivial model that it is compared with, and the figure of that."""
    baseline_value: float | None = None
    p: float | None = None
    """Two-sided, of a paired test: how probable such a difference is by chance."""
    published: tuple[Published, ...] = field(default=())
    jointly: tuple[str, ...] = field(default=())
    """The tasks that were learnt at once; empty: this one alone."""
    contaminated: str = ""
    """Of how many items the model has seen the question in training; empty: of none that is known."""

    @property
    def command(self) -> str:
        """What made it."""
        if self.kind == KIND:
            return "whence combine" + " RUN" * len(self.recipe.split(" + "))
        sets = "".join(f" --set {override}" for override in self.overrides)
        return f"whence train {','.join(self.jointly) or self.task} {self.recipe}{sets}"


@dataclass(frozen=True, slots=True)
class _Measured:
    """Runs of one model on one or more splits, with the headline metric of each."""

    runs: tuple[Run, ...]
    scores: tuple[Scores, ...]

    @property
    def value(self) -> float:
        """The figure, or the mean over splits."""
        return fmean(scores.figure() or 0.0 for scores in self.scores)

    @property
    def n(self) -> int:
        return sum(int(scores.known.sum()) for scores in self.scores)

    def interval(self) -> Interval:
        """That of the one split, or of the mean over splits that share no items."""
        if len(self.scores) == 1:
            return interval(self.scores[0])
        errors = [standard_errors([scores], resamples(len(scores.known)))[0] for scores in self.scores]
        return interval_around(self.value, _error_of_mean(errors), self.n, self.scores[0].metric.bounds)

    def p_of_difference(self, other: _Measured) -> float | None:
        """Of the paired test on the one split, or of the t test of the mean difference over splits."""
        by_split = {run.about["split"]: scores for run, scores in zip(other.runs, other.scores, strict=True)}
        pairs = [
            (by_split[run.about["split"]], scores) for run, scores in zip(self.runs, self.scores, strict=True)
        ]
        differences = [paired(*pair) for pair in pairs]
        if len(differences) == 1:
            return differences[0].p
        return t_test(self.value - other.value, _error_of_mean([one.error for one in differences]), self.n)


def _error_of_mean(errors: Sequence[float]) -> float:
    return sqrt(sum(error**2 for error in errors)) / len(errors)


def published() -> tuple[Published, ...]:
    """What the papers report, from each task's own list."""
    found: list[Published] = []
    for folder in dict.fromkeys(task.recipes for task in TASKS.values() if task.recipes is not None):
        path = folder / "published.toml"
        if path.is_file():
            rows = tomllib.loads(read_text(path)).get("figure", [])
            found += TypeAdapter(list[Published]).validate_python(rows)
    return tuple(found)


def find_runs(folders: Iterable[Path]) -> list[Run]:
    """All runs with figures in the folders or below."""
    found = [path.parent for folder in folders for path in sorted(folder.expanduser().rglob(SCORES))]
    return [read_run(folder) for folder in found if (folder / RUN).is_file()]


def judges(run: Run) -> bool:
    """Is it a run of a model that judges? Those of methods, which explain, have no recipe to be named by."""
    return "card" in run.about


def read_rows(path: Path) -> list[Row]:
    """Rows that were kept in a file, where their runs no longer are."""
    try:
        return TypeAdapter(list[Row]).validate_python(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DataError(path, expected="figures that `whence results --keep` wrote", found=where) from None


def gathered(
    places: Sequence[Path], data: Callable[[], Path], report: Callable[[str, int, int], None]
) -> list[Row]:
    """The rows of runs in folders and of files; a new row takes the place of the kept one of the same model."""
    files = [path for path in places if path.suffix == ".json" and not path.is_dir()]
    rows = {_identity(row): _with_published(row) for path in files for row in read_rows(path)}
    runs = find_runs(path for path in places if path not in files)
    rows |= {_identity(row): row for row in results([run for run in runs if judges(run)], data, report)}
    if not rows:
        found = (
            "the runs there explain, and only models that judge are compared"
            if runs
            else "no run with figures there"
        )
        advice = "see them in `whence serve --runs FOLDER`" if runs else "`whence predict` makes them"
        raise UsageError(f"{found}; {advice}")
    order = {name: number for number, name in enumerate(TASKS)}
    return sorted(
        rows.values(), key=lambda row: (order.get(row.task, len(order)), row.head, row.splits, -row.value)
    )


def _identity(row: Row) -> tuple[Any, ...]:
    return row.task, row.head, row.recipe, row.overrides, row.form, row.kind, row.splits, row.jointly


def results(runs: Sequence[Run], data: Callable[[], Path], report: Callable[[str, int, int], None]) -> list[Row]:
    """A row a model."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        if run.measurements:
            groups.setdefault(_key(run), []).append(run)
    measured: list[_Measured] = []
    for number, group in enumerate(groups.values()):
        measured.append(_measured(group, data))
        report("comparing", number + 1, len(groups))
    return [_row(one, _rival(one, measured)) for one in measured]


def _key(run: Run) -> tuple[str, ...]:
    """What runs of one model on several folds share."""
    about, lesson = run.about, _lesson(run)
    return (
        about["task"],
        about["head"],
        about["form"],
        lesson["recipe"],
        *_beside_folds(lesson["overrides"]),
        *sorted(about["card"]["lessons"]),
        # Folds of one model are one figure; dev and test are two.
        "" if _FOLD.match(about["split"]) else about["split"],
    )


_FOLD = re.compile(r"fold\d+-")


def _beside_folds(overrides: Iterable[str]) -> tuple[str, ...]:
    """What was set, but for the fold that was learnt from: models of several folds are one model."""
    return tuple(text for text in overrides if not re.fullmatch(r"split=fold\d+-train", text))


def _lesson(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = run.about["card"]["lessons"][f"{run.about['task']}/{run.about['head']}"]
    return found


def _measured(group: Sequence[Run], data: Callable[[], Path]) -> _Measured:
    return _Measured(tuple(group), tuple(_headline(run, run_scores(run, data)) for run in group))


def _headline(run: Run, found: Sequence[Scores]) -> Scores:
    name = head_named(run.about["task"], run.about["head"]).headline
    return next(scores for scores in found if scores.metric.name == name)


def _rival(one: _Measured, all_measured: Sequence[_Measured]) -> _Measured | None:
    """The best trivial model on the same items."""
    of = _place(one)
    found = [
        other for other in all_measured if other.runs[0].about["card"]["kind"] in TRIVIAL and _place(other) == of
    ]
    is_trivial = one.runs[0].about["card"]["kind"] in TRIVIAL
    return None if is_trivial or not found else max(found, key=lambda other: other.value)


def _place(one: _Measured) -> tuple[Any, ...]:
    first = one.runs[0].about
    return first["task"], first["head"], tuple(sorted(run.about["split"] for run in one.runs))


def _row(one: _Measured, rival: _Measured | None) -> Row:
    first, lesson = one.runs[0].about, _lesson(one.runs[0])
    head, card = head_named(first["task"], first["head"]), first["card"]
    low, high = one.interval()
    return Row(
        task=first["task"],
        head=first["head"],
        recipe=lesson["recipe"],
        overrides=_beside_folds(lesson["overrides"]),
        form=first["form"],
        kind=card["kind"],
        weights=str(card["settings"].get("weights", "")),
        metric=head.headline,
        value=one.value,
        low=low,
        high=high,
        splits=tuple(run.about["split"] for run in one.runs),
        n=sum(run.about["items"] for run in one.runs),
        parameters=card["parameters"],
        seconds=card["seconds"],
        core_seconds=card.get("core_seconds", card["seconds"]),
        examples=lesson["examples"],
        baseline="" if rival is None else rival.runs[0].about["card"]["kind"],
        baseline_value=None if rival is None else rival.value,
        p=None if rival is None else one.p_of_difference(rival),
        published=tuple(_published_for(first["task"], first["head"], first["form"], head.forms[0])),
        jointly=tuple(name.partition("/")[0] for name in card["lessons"]) if len(card["lessons"]) > 1 else (),
        contaminated="; ".join(dict.fromkeys(filter(None, (contamination_of(run.about) for run in one.runs)))),
    )


def _with_published(row: Row) -> Row:
    """A kept row beside what is known today of the papers' figures."""
    head = heads_of(row.task).get(row.head) if row.task in TASKS else None
    if head is None:
        return row
    return replace(row, published=tuple(_published_for(row.task, row.head, row.form, head.forms[0])))


def _published_for(task: str, head: str, form: str, usual: str) -> Iterator[Published]:
    for figure in published():
        if (figure.task, figure.head, figure.form or usual) == (task, head, form):
            yield figure


def learning_curve(rows: Sequence[Row]) -> Curve:
    """The figure of one recipe by the number of items that it learnt from."""
    named = dict.fromkeys((row.task, row.head, row.recipe) for row in rows if row.kind not in TRIVIAL)
    if len(named) != 1:
        recipes = ", ".join(f"{task} {recipe}" for task, _, recipe in named) or "none"
        raise UsageError(f"a learning curve is of one recipe; here are {recipes}")
    own = sorted((row for row in rows if row.kind not in TRIVIAL), key=lambda row: row.examples)
    if len({row.examples for row in own}) < 2:
        raise UsageError(
            "a learning curve needs runs that learnt from different numbers of items (--set examples=N)"
        )
    trivial = [row for row in rows if row.kind in TRIVIAL]
    best = max(trivial, key=lambda row: row.value, default=None)
    return Curve(
        f"{own[0].task} {own[0].recipe}: {own[0].metric} on {', '.join(own[0].splits)}",
        "items",
        tuple((float(row.examples), row.value) for row in own),
        0.0 if best is None else best.value,
        "" if best is None else best.kind,
    )


def as_markdown(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as the lines of a page: a section a head, a table each."""
    for task, head, splits in dict.fromkeys((row.task, row.head, row.splits) for row in rows):
        own = [row for row in rows if (row.task, row.head, row.splits) == (task, head, splits)]
        several = sum((one.task, one.head) == (task, head) and one.splits != splits for one in rows)
        yield f"## {task}: {head_named(task, head).title}{f', {_splits(own[0])}' if several else ''}"
        yield ""
        yield f"{own[0].metric}, on {_where(own[0])}. The papers' figures: {_papers(own) or 'none for this part'}."
        yield ""
        yield "| model | figure | 95% interval | over the trivial one | parameters | items | core time | made by |"
        yield "|---|---:|---|---|---:|---:|---:|---|"
        for row in own:
            yield f"| {' | '.join(_cells(row))} |"
        yield ""
        for said in dict.fromkeys(row.contaminated for row in own if row.contaminated):
            names = ", ".join(dict.fromkeys(f"`{_named(row)}`" for row in own if row.contaminated == said))
            yield f"{said[:1].upper()}{said[1:]}: {names}."
            yield ""


def _splits(row: Row) -> str:
    return ", ".join(row.splits)


def _where(row: Row) -> str:
    splits = _splits(row)
    return f"{splits} ({row.n:,} items)" if len(row.splits) == 1 else f"the mean of {splits} ({row.n:,} items)"


def _on(figure: Published, row: Row) -> str:
    """What a paper's figure is on, where that is not what the rows are on."""
    return f" ({figure.split})" if figure.split and (figure.split,) != row.splits else ""


def _papers(rows: Sequence[Row]) -> str:
    found = dict.fromkeys(figure for row in rows for figure in row.published)
    return "; ".join(
        f"{figure.model}{f' ({figure.parameters})' if figure.parameters else ''} {figure.value:g}"
        f"{f', {figure.form}' if figure.form else ''}{_on(figure, rows[0])}"
        for figure in found
    )


def _time(seconds: float) -> str:
    """Empty where it was not taken."""
    if not seconds:
        return ""
    return f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _named(row: Row) -> str:
    if row.kind == KIND:
        return row.recipe
    learnt = f" of {len(row.jointly)} tasks" if row.jointly else ""
    return " ".join([f"{row.recipe.partition('.')[2]}{learnt}", *row.overrides])


def _cells(row: Row) -> tuple[str, ...]:
    better = ""
    if row.baseline_value is not None and row.p is not None:
        sign = "p < .001" if row.p <= 0.001 else f"p = {row.p:.3f}".replace("0.", ".")
        better = f"{row.baseline} {100 * row.baseline_value:.1f}, {sign}"
    span = "" if row.low is None or row.high is None else f"{100 * row.low:.1f} to {100 * row.high:.1f}"
    return (
        " ".join(part for part in (_named(row), f"({row.kind} {row.weights})".replace(" )", ")"))),
        f"{100 * row.value:.1f}",
        span,
        better,
        f"{row.parameters:,}" if row.parameters else "",
        f"{row.examples:,}",
        _time(row.core_seconds),
        f"`{row.command}`",
    )
