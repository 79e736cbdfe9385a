"""The figures of a run, the differences to another run, and what people's judgements make of them, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from whence.metrics.metric import Metric
from whence.pipeline.correct import Correction
from whence.pipeline.report import plots
from whence.pipeline.report.markup import Html, element, expandable, join, number, section, shortened, table
from whence.pipeline.score import Difference, ScoreReport, why_unread
from whence.structures.results import Measurement

SIGNIFICANT = 0.05


def figures_section(report: ScoreReport) -> Html:
    """Every metric with its interval, and those that could not be measured with the reason."""
    pairs = [(found.metric, measured) for found, measured in zip(report.scores, report.measurements, strict=True)]
    measured = [(metric, found) for metric, found in pairs if found.value is not None]
    parts = [_figure_table(measured) if measured else element("p", "No metric could be measured.")]
    if has_bounds(found for _, found in measured):
        parts.append(element("p", _BOUNDS, class_="soft"))
    unmeasured = [(metric, found) for metric, found in pairs if found.value is None]
    if unmeasured:
        parts.append(element("h3", "Not measured"))
        parts.append(element("dl", *(_unmeasured(metric, found) for metric, found in unmeasured), class_="rows"))
    return section("figures", "Figures", *parts)


def _figure_table(measured: Sequence[tuple[Metric, Measurement]]) -> Html:
    headers = ["metric", "value", "95% interval", "on its bounds", "items"]
    rows = [_figure_row(metric, found) for metric, found in measured]
    if has_bounds(found for _, found in measured):
        headers += ["floor", "ceiling"]
        rows = [(*row, *_bounds(metric, found)) for row, (metric, found) in zip(rows, measured, strict=True)]
    if any(found.note for _, found in measured):
        headers.append("note")
        rows = [(*row, found.note) for row, (_, found) in zip(rows, measured, strict=True)]
    return table("Figures over all items. Higher is better unless said.", headers, rows, class_="figures")


_BOUNDS = (
    "The floor is what the best trivial answer gets on the same items, the ceiling what gold or people get; both "
    "are ticks on the bar. A figure that is not significantly above its floor shows nothing about the system."
)


def has_bounds(measured: Iterable[Measurement]) -> bool:
    """Whether floors or ceilings are known."""
    return any(found.floor is not None or found.ceiling is not None for found in measured)


def _bounds(metric: Metric, found: Measurement) -> tuple[Html, Html]:
    whole = is_whole(metric)
    below = [element("span", "not above it", class_="worse")] if found.above_floor is False else []
    return (
        join(number(found.floor, whole=whole), element("div", found.floor_by, class_="soft"), *below),
        join(number(found.ceiling, whole=whole), element("div", found.ceiling_by, class_="soft")),
    )


def is_whole(metric: Metric) -> bool:
    """Whether figures of the metric are printed on a scale that goes beyond 1."""
    return not metric.bounds[1] * metric.scale <= 1


def interval_text(found: Measurement, *, whole: bool) -> str:
    """The interval in words; empty if there is none."""
    if found.low is None:
        return ""
    return f"{number(found.low, whole=whole)} to {number(found.high, whole=whole)}"


def metric_name(metric: Metric) -> Html:
    """The name of a metric, and which way is better where that is down."""
    lower = element("span", "lower is better", class_="direction") if metric.better == "lower" else Html("")
    return join(element("span", metric.name, class_="metric"), lower)


def _figure_row(metric: Metric, found: Measurement) -> tuple[str, ...]:
    whole = is_whole(metric)
    items = f"{found.n:,}" if not found.missing else f"{found.n:,} ({found.missing:,} unknown)"
    scale = plots.scale_of(metric, (found.value, found.low, found.high))
    return (
        expandable(metric_name(metric), *_meaning(metric), class_="meaning"),
        element("strong", number(found.value, whole=whole)),
        interval_text(found, whole=whole),
        join(element("span", f"{scale[0]:g}"), plots.bar(found, scale), element("span", f"{scale[1]:g}")),
        items,
    )


def _meaning(metric: Metric) -> tuple[Html, ...]:
    source = element("span", f"Source: {metric.source}", class_="soft")
    return (
        (element("p", metric.meaning), element("p", source)) if metric.source else (element("p", metric.meaning),)
    )


def _unmeasured(metric: Metric, found: Measurement) -> Html:
    why = found.note or "no item could be measured"
    return join(element("dt", metric.name), element("dd", why, element("div", metric.meaning, class_="soft")))


class Sides(NamedTuple):
    """What the two that are compared are called."""

    heading: str
    first: str
    second: str
    difference: str
    chief: str
    """The second, of which the verdict speaks."""


OTHER_AND_THIS = Sides(
    "Comparison with another system", "other", "this", "this system minus the other", "this one"
)
FIRST_AND_SECOND = Sides("Figures of both", "first", "second", "the second run minus the first", "the second")


def comparison_section(report: ScoreReport, sides: Sides = OTHER_AND_THIS) -> Html:
    """How this run differs from another on the same items; nothing if it was not compared."""
    if not report.comparison:
        return Html("")
    metrics = {found.metric.name: found.metric for found in report.scores}
    reach = max((_reach(found, metrics[found.name]) for found in report.comparison), default=0.0) or 1.0
    rows = (_difference_row(found, metrics[found.name], reach, sides) for found in report.comparison)
    headers = ("metric", sides.first, sides.second, "difference", "95% interval", "p", "p, corrected", "verdict")
    explained = (
        f"The difference is {sides.difference}, tested on the same items. p is two-sided; the corrected "
        f"one allows for the number of metrics (Holm). A difference is called significant below {SIGNIFICANT:g}."
    )
    comparison = table("Both systems on the same items", headers, rows, class_="comparison")
    return section("comparison", sides.heading, element("p", explained), comparison)


def _width(metric: Metric, found: Difference) -> float:
    low, high = plots.scale_of(metric, (found.first, found.second))
    return (high - low) or 1.0


def _reach(found: Difference, metric: Metric) -> float:
    """How far the interval gets from zero, as a share of the metric's bounds."""
    ends = [abs(end) for end in (found.low, found.difference, found.high) if end is not None]
    return max(ends, default=0.0) / _width(metric, found)


def _difference_row(found: Difference, metric: Metric, reach: float, sides: Sides) -> tuple[str, ...]:
    whole = is_whole(metric)
    drawn: str = ""
    if found.low is not None and found.high is not None and found.difference is not None:
        words = f"{number(found.low, whole=whole, sign=True)} to {number(found.high, whole=whole, sign=True)}"
        chart = plots.around_zero(found.low, found.difference, found.high, reach * _width(metric, found))
        drawn = join(chart, element("div", words))
    said = verdict(found, metric, sides.chief)
    colour = said.rpartition(" ")[2]
    return (
        metric_name(metric),
        number(found.first, whole=whole),
        number(found.second, whole=whole),
        number(found.difference, whole=whole, sign=True),
        drawn,
        p_value(found.p),
        p_value(found.p_corrected),
        join(
            element("span", said, class_=colour if colour in ("better", "worse") else None),
            element("div", found.test, class_="soft"),
        ),
    )


def p_value(value: float | None) -> str:
    """A p value as papers print it."""
    return "–" if value is None else "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def verdict(found: Difference, metric: Metric, chief: str = OTHER_AND_THIS.chief) -> str:
    """What a difference means for the one that is spoken of."""
    p = found.p if found.p_corrected is None else found.p_corrected
    if found.difference is None or p is None:
        return "cannot be compared"
    if p >= SIGNIFICANT:
        return "no significant difference"
    which = "better" if (found.difference > 0) == (metric.better == "higher") else "worse"
    return f"{chief} is {which}"


def correction_section(report: ScoreReport, corrections: Sequence[Correction]) -> Html:
    """What people say of some items, and what it makes of the figure of all; nothing without judgements."""
    if not corrections:
        return Html("")
    metrics = {found.metric.name: found.metric for found in report.scores}
    headers = (
        "metric",
        "judged items",
        "automatic",
        "by people",
        "underestimate",
        "corrected, all items",
        "95% interval",
        "judgements for ±2 points",
    )
    explained = (
        "People judged some of the items. Automatic and by people are the figures of these items alone; the "
        "corrected figure is the automatic one of all items, corrected by what people say (prediction-powered "
        "inference)."
    )
    rows = (_correction_row(found, metrics) for found in corrections)
    return section(
        "correction",
        "Human correction",
        element("p", explained),
        table("Figures of the judged items, and what they make of the figure of all", headers, rows),
    )


def _correction_row(found: Correction, metrics: Mapping[str, Metric]) -> tuple[str, ...]:
    whole = is_whole(metrics[found.name]) if found.name in metrics else False
    return (
        found.name,
        f"{found.judged:,}",
        number(found.automatic, whole=whole),
        number(found.manual, whole=whole),
        number(found.underestimate, whole=whole, sign=True),
        element("strong", number(found.corrected, whole=whole)),
        f"{number(found.low, whole=whole)} to {number(found.high, whole=whole)}",
        "cannot be said" if found.needed is None else f"{found.needed:,}",
    )


def people_section(report: ScoreReport) -> Html:
    """How good people are at the task and how far they agree; nothing where nobody was asked."""
    if not report.people:
        return Html("")
    tables = (
        table(
            title,
            ("", "value", "95% interval", "items"),
            (
                (found.name, number(found.value, whole=False), interval_text(found, whole=False), str(found.n))
                for found in measured
                if found.value is not None
            ),
        )
        for title, measured in report.people.items()
    )
    return section("people", "People", *tables)


def counts_section(report: ScoreReport) -> Html:
    """Why answers fail and which rules they break, as bars."""
    parts = [
        _counts("Failure causes", "cause", report.causes, "No failure was found."),
        _counts("Problems by rule", "rule", report.problems, "No rule is broken."),
    ]
    return section("failures", "What goes wrong", element("div", *parts, class_="columns"))


def unread_section(report: ScoreReport) -> Html:
    """The answers that could not be read, with the reasons; nothing if all could."""
    if not report.unread:
        return Html("")
    rows = ((answer.id, why_unread(answer), shortened(answer.raw, 600)) for answer in report.unread)
    counts = ", ".join(f"{count:,} {name}" for name, count in report.reading.items())
    return section(
        "unread",
        "Unread answers",
        element("p", f"{counts}. An unread answer counts as wrong."),
        table("Unread answers", ("id", "reason", "answer"), rows),
    )


def _counts(heading: str, name: str, counts: Mapping[str, int], nothing: str) -> Html:
    # Sorted by name, too: two counters that are equal make the same page.
    ordered = sorted(
        ((count, found) for found, count in counts.items() if count), key=lambda one: (-one[0], one[1])
    )
    if not ordered:
        return element("div", element("h3", heading), element("p", nothing))
    rows = ((found, plots.count_bar(count, ordered[0][0]), f"{count:,}") for count, found in ordered)
    return element("div", element("h3", heading), table(heading, (name, "", "count"), rows, class_="counts"))
