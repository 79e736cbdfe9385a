"""Compare: runs on the same items. Any number in one table; two in figures, in groups, and item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from whence.drawing import compare, differences
from whence.errors import UsageError
from whence.pipeline.comparison import LEVEL, Comparison, compare_runs
from whence.pipeline.comparison.tables import FORMS, grid, marks_explained, plain_label, remarks
from whence.pipeline.report import plots
from whence.pipeline.report.figures import FIRST_AND_SECOND, comparison_section, is_whole, metric_name
from whence.pipeline.report.items import input_rows
from whence.pipeline.report.markup import Html, element, expandable, number
from whence.pipeline.report.slices import SHOWN, chief_places
from whence.pipeline.score import ScoreReport
from whence.web.addresses import address, pager
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of
from whence.web.workbench.library import Library
from whence.web.workbench.listed import excerpt, holds, neighbours
from whence.web.workbench.run_pages import (
    Judged,
    comparable,
    judged,
    pictures,
    place_of,
    problems_of,
    shown,
    values_of,
)

KINDS = {
    "": "all",
    "differ": "answers that differ",
    "gained": "better in the second",
    "lost": "worse in the second",
}
"""Which items can be listed."""
PAIRS = 12
"""How many pairs of runs are offered as links."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which runs are compared, and which of their items are listed: the query of a page."""

    first: str = ""
    second: str = ""
    by: str = ""
    """The metric that tells better from worse."""
    kind: str = ""
    """One of `KINDS`."""
    words: str = ""


Wanted = Annotated[Asked, Depends()]


@dataclass(frozen=True, slots=True)
class Both:
    """Two runs on the same examples."""

    names: tuple[str, str]
    first: ScoreReport
    second: ScoreReport


@dataclass(frozen=True, slots=True)
class PairLine:
    """An item of both runs in a list."""

    number: int
    id: str
    excerpt: str
    address: str
    first: str
    second: str
    change: str
    """`gained`, `lost` or empty."""


def pairs_of(groups: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Every two runs that can be compared."""
    return [pair for names in groups.values() for pair in combinations(names, 2)]


def _change(judge_first: Judged, judge_second: Judged, place: int) -> str:
    if judge_first.chosen is None or judge_second.chosen is None:
        return ""
    one, two = judge_first.chosen.values[place], judge_second.chosen.values[place]
    if one is None or two is None or one == two:
        return ""
    return "gained" if (two > one) != judge_second.chosen.lower_is_better else "lost"


def _lines(both: Both, wanted: Asked) -> list[PairLine]:
    one, two = judged(both.first, wanted.by), judged(both.second, wanted.by)
    kind = wanted.kind
    found = []
    for place, example in enumerate(both.first.dataset.examples):
        change = _change(one, two, place)
        answers = [report.answers[place] for report in (both.first, both.second)]
        same = [answer.explanation if answer else None for answer in answers]
        if (kind == "differ" and same[0] == same[1]) or (kind in ("gained", "lost") and change != kind):
            continue
        if holds(example, wanted.words):
            before, after = (shown(side.chosen.values[place]) if side.chosen else "" for side in (one, two))
            to = address("/compare/item", **asdict(wanted), number=place + 1)
            found.append(PairLine(place + 1, example.id, excerpt(example.inputs), to, before, after, change))
    return found


def slice_plots(first: ScoreReport, second: ScoreReport) -> list[tuple[str, Html]]:
    """For each breakdown a small plot a metric, with both runs."""
    return [(name, _panels(first, second, name)) for name in second.slices]


def _panels(first: ScoreReport, second: ScoreReport, name: str) -> Html:
    places = chief_places(second.scores)
    drawn = {place: _panel(first, second, name, place) for place in places}
    shown_first, others = sorted(places[:SHOWN]), sorted(places[SHOWN:])
    some = element("div", *(drawn[place] for place in shown_first), class_="panels")
    if not others:
        return some
    more = element("div", *(drawn[place] for place in others), class_="panels")
    return Html(some + expandable(f"{len(others)} more by {name}", more))


def _panel(first: ScoreReport, second: ScoreReport, name: str, place: int) -> Html:
    metric = second.scores[place].metric
    pairs = zip(first.slices[name], second.slices[name], strict=True)
    rows = [(two.group, two.n, one.measurements[place], two.measurements[place]) for one, two in pairs]
    values = [end for _, _, *found in rows for one in found for end in (one.value, one.low, one.high)]
    whole = is_whole(metric)
    words = "; ".join(
        f"{group} {number(one.value, whole=whole)}, {number(two.value, whole=whole)}"
        for group, _, one, two in rows
    )
    label = f"{metric.name} by {name}, first and second run: {words}"
    plot = plots.two_dots(rows, plots.scale_of(metric, values), label)
    return element("figure", element("figcaption", metric_name(metric)), plot)


def _between(both: Both, place: int) -> tuple[Picture | None, tuple[str, ...]]:
    """The second answer, marked where it differs from the first; and the differences in words."""
    task, dataset = both.first.task, both.first.dataset
    answers = [report.answers[place] for report in (both.first, both.second)]
    found = [answer.explanation for answer in answers if answer is not None and answer.explanation is not None]
    if len(found) < 2:
        return None, ()
    before, after = (task.diagram(dataset.examples[place].inputs, one, dataset.facts) for one in found)
    different = differences(before, after)
    title = "Second run, marked where it differs from the first"
    return (picture(compare(before, after), "between", title) if different else None), different


def _readable(both: Both, place: int) -> bool:
    answers = (report.answers[place] for report in (both.first, both.second))
    return all(answer is not None and answer.explanation is not None for answer in answers)


def compare_router(library: Library) -> APIRouter:
    """The pages of Compare."""
    router = APIRouter(prefix="/compare")
    _runs(router, library)
    _table(router, library)
    _item(router, library)
    return router


def _runs(router: APIRouter, library: Library) -> None:
    @router.get("")
    def runs(request: Request, wanted: Wanted, page: int = 1) -> Response:
        groups = comparable(library.runs())
        if not wanted.first or not wanted.second:
            return _choose(request, library, groups, wanted)
        both = _opened(library, wanted)
        query, found = asdict(wanted), judged(both.second, wanted.by)
        return pages_of(request).show(
            request,
            "compare/runs.html",
            both=both,
            groups=groups,
            comparison=comparison_section(both.second, FIRST_AND_SECOND),
            slices=slice_plots(both.first, both.second),
            judges=[judge.name for judge in found.judges],
            chosen=found.chosen.name if found.chosen else "",
            kinds=KINDS,
            query=query,
            pager=pager(_lines(both, wanted), page, "/compare", query, "items"),
        )


def _choose(request: Request, library: Library, groups: dict[str, list[str]], wanted: Asked) -> Response:
    """Two runs are to be named; what is named already goes with a run of the same items."""
    pairs, named = pairs_of(groups), {wanted.first, wanted.second} - {""}
    first, second = next((pair for pair in pairs if named <= set(pair)), (wanted.first, wanted.second))
    return pages_of(request).show(
        request,
        "compare/choose.html",
        groups=groups,
        pairs=pairs[:PAIRS],
        first=first,
        second=second,
        folder=library.folder,
    )


ENDINGS = {"latex": "tex", "csv": "csv", "markdown": "md"}
"""Files that a comparison can be saved as."""
Names = Annotated[list[str] | None, Query()]


def _table(router: APIRouter, library: Library) -> None:
    @router.get("/table")
    def table(request: Request, run: Names = None, metric: Names = None, form: str = "") -> Response:
        names = list(dict.fromkeys(run or ()))
        if form and form not in FORMS:
            raise HTTPException(404, f"There is no form {form!r}: there are {', '.join(FORMS)}.")
        compared = _compared(library, names, metric or ())
        if form:
            named = {"Content-Disposition": f'attachment; filename="comparison.{ENDINGS[form]}"'}
            return PlainTextResponse(FORMS[form](compared), headers=named)
        chosen = [("run", name) for name in names] + [("metric", name) for name in metric or ()]
        return pages_of(request).show(
            request,
            "compare/table.html",
            compared=compared,
            table=grid(compared),
            label=plain_label,
            marks=marks_explained(compared),
            remarks=list(remarks(compared)),
            names=names,
            all_metrics=[one.metric.name for one in compared.systems[0].scores],
            chosen_metrics=metric or [],
            pairs=list(combinations(names, 2)),
            forms={name: f"/compare/table?{urlencode([*chosen, ('form', name)])}" for name in FORMS},
            level=LEVEL,
        )


def _compared(library: Library, names: Sequence[str], metrics: Sequence[str]) -> Comparison:
    runs = {name: library.run(name) for name in names}
    if len(runs) < 2:
        raise HTTPException(422, "Choose at least two runs of the same items.")
    try:
        return compare_runs(runs, library.data, library.options, metrics=metrics, report_of=library.report)
    except UsageError as error:
        raise HTTPException(422, f"These runs cannot be compared: {error}.") from None


def _item(router: APIRouter, library: Library) -> None:
    @router.get("/item")
    def item(request: Request, wanted: Wanted, number: int) -> Response:
        both = _opened(library, wanted)
        place = place_of(both.first, number)
        example = both.first.dataset.examples[place]
        between, different = _between(both, place)
        return pages_of(request).show(
            request,
            "compare/item.html",
            example=example,
            number=number,
            inputs=list(input_rows(example.inputs)),
            sides=_sides(both, place),
            between=between,
            different=different,
            readable=_readable(both, place),
            query=asdict(wanted),
            back=address("/compare", **asdict(wanted)),
            beside=neighbours(_lines(both, wanted), number),
        )


def _opened(library: Library, wanted: Asked) -> Both:
    """Both runs, if they are of the same items and the same part of the task."""
    one, two = library.run(wanted.first), library.run(wanted.second)
    for name in ("task", "split"):
        if one.about[name] != two.about[name]:
            of = f"{wanted.first} is of {one.about[name]}, {wanted.second} of {two.about[name]}"
            raise HTTPException(422, f"These runs cannot be compared: {of}: they have other items.")
    both = Both((wanted.first, wanted.second), library.report(one), library.report(two, against=one))
    names = [[found.metric.name for found in report.scores] for report in (both.first, both.second)]
    if names[0] != names[1]:
        raise HTTPException(422, "These runs cannot be compared: they answer different parts of the task.")
    return both


@dataclass(frozen=True, slots=True)
class Side:
    """One run's answer to an item."""

    title: str
    name: str
    drawn: Sequence[Picture]
    different: tuple[str, ...]
    problems: Sequence[object]
    values: tuple[tuple[str, str], ...]


def _sides(both: Both, place: int) -> list[Side]:
    found = []
    for title, name, report in zip(("First", "Second"), both.names, (both.first, both.second), strict=True):
        drawn, different = pictures(report.task, report, place, title.lower())
        problems = problems_of(report.task, report, place)
        found.append(Side(title, name, drawn, different, problems, values_of(judged(report), place)))
    return found
