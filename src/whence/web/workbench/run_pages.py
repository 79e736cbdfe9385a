"""A run: its figures, and its items with gold and prediction side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.checks.rule import check
from whence.pipeline.opened import answers_task
from whence.pipeline.report.figures import counts_section, figures_section
from whence.pipeline.report.items import input_rows
from whence.pipeline.report.outcomes import OUTCOMES, Judge, judges, primary, unjudged
from whence.pipeline.report.pictures import compared, marked
from whence.pipeline.report.slices import slices_section
from whence.pipeline.report.supported import supported_section
from whence.pipeline.runs import Run
from whence.pipeline.score import ScoreReport
from whence.structures.results import Prediction, Problem
from whence.tasks.loading import rules_of
from whence.tasks.task import AnyTask
from whence.tasks.verification import show
from whence.web.addresses import address, pager
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of
from whence.web.workbench.library import Library
from whence.web.workbench.listed import excerpt, holds, neighbours


@dataclass(frozen=True, slots=True)
class Asked:
    """Which run, and which of its items are listed in what order: the query of a page."""

    name: str
    words: str = ""
    outcome: str = ""
    judge: str = ""
    """The metric that tells right from wrong."""
    sort: str = ""
    """`worst` or `best` first; else as they are."""


Wanted = Annotated[Asked, Depends()]


def of(run: Run) -> str:
    """What a run is of: task and split."""
    return f"{run.about['task']} {run.about['split']}"


def comparable(runs: Mapping[str, Run]) -> dict[str, list[str]]:
    """Runs that have answers, by what they are answers to."""
    found: dict[str, list[str]] = {}
    for name, run in runs.items():
        if answers_task(run):
            found.setdefault(of(run), []).append(name)
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    """How the items of a run came out, by the metric that is asked for."""

    judges: tuple[Judge, ...]
    chosen: Judge | None
    outcomes: tuple[str, ...]


def judged(report: ScoreReport, name: str = "") -> Judged:
    """By the metric of that name; else by the first in which items are right or wrong."""
    found = judges(report.scores, report.answers)
    place = next((place for place, judge in enumerate(found) if judge.name == name), primary(found))
    if place is None:
        return Judged(found, None, unjudged(report.answers))
    return Judged(found, found[place], found[place].outcomes)


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item in a list."""

    number: int
    id: str
    excerpt: str
    address: str
    outcome: str
    values: tuple[tuple[str, str], ...]
    verdict: str = ""
    """Whether the answer follows, and how surely; empty where nobody judged it."""


def verdict_of(report: ScoreReport, place: int) -> str:
    """The verdict on an answer as it is shown; empty where there is none."""
    answer: Prediction[Any] | None = report.answers[place]
    return "" if answer is None or answer.verdict is None else show(answer.verdict)


def values_of(found: Judged, place: int) -> tuple[tuple[str, str], ...]:
    """The figures of an item as they are shown."""
    return tuple((judge.name, shown(judge.values[place])) for judge in found.judges)


def shown(value: float | None) -> str:
    """A figure of one item."""
    return "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def item_lines(report: ScoreReport, found: Judged, wanted: Asked) -> list[ItemLine]:
    """The items that are asked for, in the order that is."""
    lines = []
    for place, example in enumerate(report.dataset.examples):
        outcome = found.outcomes[place]
        if wanted.outcome in ("", outcome) and holds(example, wanted.words):
            to = address("/browse/run/item", **asdict(wanted), number=place + 1)
            values = values_of(found, place)
            verdict = verdict_of(report, place)
            lines.append(ItemLine(place + 1, example.id, excerpt(example.inputs), to, outcome, values, verdict))
    return _in_order(lines, found, wanted.sort)


def _in_order(lines: list[ItemLine], found: Judged, sort: str) -> list[ItemLine]:
    """The worst or the best first by the metric that judges, unknown last; else as they are."""
    if found.chosen is None or sort not in ("worst", "best"):
        return lines
    judge = found.chosen
    sign = -1.0 if (sort == "best") != judge.lower_is_better else 1.0

    def worth(line: ItemLine) -> tuple[bool, float]:
        value = judge.values[line.number - 1]
        return value is None, sign * (value or 0.0)

    return sorted(lines, key=worth)


def pictures(task: AnyTask, report: ScoreReport, place: int, part: str) -> tuple[list[Picture], tuple[str, ...]]:
    """Gold and prediction, the prediction marked where it differs; and the differences in words."""
    example, answer = report.dataset.examples[place], report.answers[place]
    pair = compared(task, report.dataset, example, answer.explanation if answer else None)
    drawn = []
    if pair.gold is not None:
        same = pair.predicted is not None and not pair.different
        drawn.append(
            picture(pair.gold, f"{part}-gold", "Gold and prediction, which are the same" if same else "Gold")
        )
    prediction = marked(pair)
    if prediction is not None and (pair.gold is None or pair.different):
        title = "Prediction, marked where it differs from gold" if pair.gold else "Prediction"
        drawn.append(picture(prediction, f"{part}-predicted", title))
    return drawn, pair.different


def problems_of(task: AnyTask, report: ScoreReport, place: int) -> tuple[Problem, ...]:
    """What is wrong with the form of an answer."""
    answer: Prediction[Any] | None = report.answers[place]
    if answer is None:
        return (Problem("missing", "", "there is no answer to this item"),)
    if answer.explanation is None:
        return answer.problems or (Problem("format", "", "there is no explanation"),)
    rules = rules_of(task, "paper" if report.protocol == "paper" else "official", report.dataset)
    return (*answer.problems, *check(report.dataset.examples[place].inputs, answer.explanation, rules))


def place_of(report: ScoreReport, number: int) -> int:
    """The place of the item with that number, counted from 1."""
    if not 1 <= number <= len(report.answers):
        raise HTTPException(404, f"There is no item {number}: there are {len(report.answers):,}.")
    return number - 1


def add_run_pages(router: APIRouter, library: Library) -> None:
    """Adds the pages of runs to a router."""
    _run(router, library)
    _item(router, library)


def _run(router: APIRouter, library: Library) -> None:
    @router.get("/run")
    def run_page(request: Request, wanted: Wanted, page: int = 1) -> Response:
        run = library.run(wanted.name)
        report = library.report(run)
        found, query = judged(report, wanted.judge), asdict(wanted)
        return pages_of(request).show(
            request,
            "browse/run.html",
            name=wanted.name,
            run=run,
            report=report,
            figures=figures_section(report),
            supported=supported_section(report),
            slices=slices_section(report),
            counts=counts_section(report),
            found=found,
            outcomes=[one for one in OUTCOMES if one in found.outcomes],
            others=[other for other in comparable(library.runs())[of(run)] if other != wanted.name],
            query=query,
            pager=pager(item_lines(report, found, wanted), page, "/browse/run", query, "items"),
        )


def _item(router: APIRouter, library: Library) -> None:
    @router.get("/run/item")
    def item_page(request: Request, wanted: Wanted, number: int) -> Response:
        run = library.run(wanted.name)
        report = library.report(run)
        place, found = place_of(report, number), judged(report, wanted.judge)
        drawn, different = pictures(report.task, report, place, "item")
        example, answer = report.dataset.examples[place], report.answers[place]
        return pages_of(request).show(
            request,
            "browse/item.html",
            name=wanted.name,
            run=run,
            split=run.about["split"] if run.about["split"] in library.splits(report.task) else "",
            example=example,
            number=number,
            inputs=list(input_rows(example.inputs)),
            drawn=drawn,
            different=different,
            problems=problems_of(report.task, report, place),
            raw=answer.raw if answer is not None and answer.explanation is None else "",
            values=values_of(found, place),
            outcome=found.outcomes[place],
            verdict=verdict_of(report, place),
            judge=answer.verdict.judge if answer is not None and answer.verdict is not None else "",
            back=address("/browse/run", **asdict(wanted)),
            beside=neighbours(item_lines(report, found, wanted), number),
        )
