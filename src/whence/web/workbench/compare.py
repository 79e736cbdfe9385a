"""Compare: two runs on the same items, in figures, in groups, and item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.drawing import compare, differences
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


def _lines(both: Both, by: str, kind: str, words: str) -> list[PairLine]:
    one, two = judged(both.first, by), judged(both.second, by)
    query = {"first": both.names[0], "second": both.names[1], "by": by, "kind": kind, "words": words}
    found = []
    for place, example in enumerate(both.first.dataset.examples):
        change = _change(one, two, place)
        answers = [report.answers[place] for report in (both.first, both.second)]
        same = [answer.explanation if answer else None for answer in answers]
        if (kind == "differ" and same[0] == same[1]) or (kind in ("gained", "lost") and change != kind):
            continue
        if holds(example, words):
            before, after = (shown(side.chosen.values[place]) if side.chosen else "" for side in (one, two))
            to = address("/compare/item", **query, number=place + 1)
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

    def opened(first: str, second: str) -> Both:
        one, two = library.run(first), library.run(second)
        for name in ("task", "split"):
            if one.about[name] != two.about[name]:
                detail = f"{first} is of {one.about[name]}, {second} of {two.about[name]}: they have other items."
                raise HTTPException(422, f"These runs cannot be compared: {detail}")
        both = Both((first, second), library.report(one), library.report(two, against=one))
        if [found.metric.name for found in both.first.scores] != [
            found.metric.name for found in both.second.scores
        ]:
            raise HTTPException(422, "These runs cannot be compared: they answer different parts of the task.")
        return both

    @router.get("")
    def choose(
        request: Request,
        first: str = "",
        second: str = "",
        by: str = "",
        kind: str = "",
        words: str = "",
        page: int = 1,
    ) -> Response:
        groups = comparable(library.runs())
        if not first or not second:
            pairs = pairs_of(groups)
            one, two = next((pair for pair in pairs if {first, second} - {""} <= set(pair)), (first, second))
            return pages_of(request).show(
                request,
                "compare/choose.html",
                groups=groups,
                pairs=pairs[:PAIRS],
                first=one,
                second=two,
                folder=library.folder,
            )
        both = opened(first, second)
        query = {"first": first, "second": second, "by": by, "kind": kind, "words": words}
        lines = _lines(both, by, kind, words)
        found = judged(both.second, by)
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
            pager=pager(lines, page, "/compare", query, "items"),
        )

    @router.get("/item")
    def item(
        request: Request, first: str, second: str, number: int, by: str = "", kind: str = "", words: str = ""
    ) -> Response:
        both = opened(first, second)
        place = place_of(both.first, number)
        example = both.first.dataset.examples[place]
        query = {"first": first, "second": second, "by": by, "kind": kind, "words": words}
        lines = _lines(both, by, kind, words)
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
            query=query,
            back=address("/compare", **query),
            beside=neighbours(lines, number),
        )

    return router


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
