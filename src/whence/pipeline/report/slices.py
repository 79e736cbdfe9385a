"""Figures of groups of items: a small plot a metric, and all numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence

from whence.metrics.metric import Scores
from whence.metrics.significance import is_binary
from whence.pipeline.report import plots
from whence.pipeline.report.figures import interval_text, is_whole, metric_name
from whence.pipeline.report.markup import Html, element, expandable, number, section, table
from whence.pipeline.score import ScoreReport, Slice

SHOWN = 4
"""Metrics that are plotted at once; the others are a click away."""


def slices_section(report: ScoreReport) -> Html:
    """Every breakdown; nothing if there is none."""
    if not report.slices:
        return Html("")
    explained = (
        "A dot is the figure of a group, the line its 95% interval, n its number of items; "
        "the dashed line is the figure of all items."
    )
    parts = [_breakdown(report, name, parts) for name, parts in report.slices.items()]
    return section("slices", "Slices", element("p", explained), *parts)


def chief_places(scores: Sequence[Scores]) -> list[int]:
    """Places of the measured metrics, those in which items are right or wrong first: they say most at a glance."""
    measured = [place for place, found in enumerate(scores) if found.known.any()]
    return sorted(measured, key=lambda place: not is_binary(scores[place]))


def _breakdown(report: ScoreReport, name: str, parts: Sequence[Slice]) -> Html:
    places = chief_places(report.scores)
    panels = {place: _panel(report, name, parts, place) for place in places}
    shown, others = sorted(places[:SHOWN]), sorted(places[SHOWN:])
    found = [element("h3", f"By {name}"), element("div", *(panels[place] for place in shown), class_="panels")]
    if others:
        more = element("div", *(panels[place] for place in others), class_="panels")
        found.append(expandable(f"{len(others)} more metric{'s' if len(others) > 1 else ''} by {name}", more))
    found.append(expandable(f"All numbers by {name}", _numbers(report, name, parts, sorted(places))))
    return element("div", *found)


def _panel(report: ScoreReport, name: str, parts: Sequence[Slice], place: int) -> Html:
    metric, overall = report.scores[place].metric, report.measurements[place]
    rows = [(part.group, part.n, part.measurements[place]) for part in parts]
    values = [value for _, _, found in rows for value in (found.value, found.low, found.high)]
    whole = is_whole(metric)
    words = "; ".join(f"{group} {number(found.value, whole=whole)}" for group, _, found in rows)
    plot = plots.dots(
        rows, plots.scale_of(metric, [*values, overall.value]), overall.value, f"{metric.name} by {name}: {words}"
    )
    return element("figure", element("figcaption", metric_name(metric)), plot)


def _numbers(report: ScoreReport, name: str, parts: Sequence[Slice], places: Sequence[int]) -> Html:
    metrics = [report.scores[place].metric for place in places]
    rows = (
        (
            part.group,
            f"{part.n:,}",
            *(_cell(part, place, whole=is_whole(metric)) for place, metric in zip(places, metrics, strict=True)),
        )
        for part in parts
    )
    return table(
        f"Figures by {name}", (name, "items", *(metric.name for metric in metrics)), rows, class_="numbers"
    )


def _cell(part: Slice, place: int, *, whole: bool) -> Html:
    found = part.measurements[place]
    value = number(found.value, whole=whole)
    return element("div", value, element("div", interval_text(found, whole=whole), class_="soft"))
