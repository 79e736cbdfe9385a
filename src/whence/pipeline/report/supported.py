"""The answers that follow: how many they are, their figures, and the curve of risk over coverage."""

from __future__ import annotations

from whence.pipeline.coverage import RiskCurve, Supported
from whence.pipeline.report import plots
from whence.pipeline.report.figures import interval_text, is_whole, metric_name
from whence.pipeline.report.markup import Html, element, join, number, section, table
from whence.pipeline.score import ScoreReport

_SHOWN = (0.2, 0.4, 0.6, 0.8, 1.0)
"""The shares of which the table beside the curve has the figures."""


def supported_section(report: ScoreReport) -> Html:
    """The figures of the answers that follow, and the curve; nothing where no answer has a verdict."""
    supported = report.supported
    if supported is None:
        return Html("")
    coverage = supported.coverage
    said = (
        f"{supported.n:,} of {len(report.answers):,} answers follow from what they rest on, by their verdicts: "
        f"coverage {number(coverage.value)} (95% interval {interval_text(coverage, whole=False)}). The figures of "
        "these alone leave the other items out, which may be harder."
    )
    parts = [element("p", said), _figures(report, supported), _curve(supported.curve)]
    return section("supported", "Supported answers", *parts)


def _figures(report: ScoreReport, supported: Supported) -> Html:
    rows = [
        (
            metric_name(scores.metric),
            number(whole.value, whole=is_whole(scores.metric)),
            element("strong", number(part.value, whole=is_whole(scores.metric))),
            interval_text(part, whole=is_whole(scores.metric)),
            f"{part.n:,}",
        )
        for scores, whole, part in zip(report.scores, report.measurements, supported.measurements, strict=True)
        if part.value is not None
    ]
    headers = ("metric", "all answers", "supported alone", "95% interval", "items")
    return table("Figures of the supported answers alone", headers, rows) if rows else Html("")


def _curve(curve: RiskCurve | None) -> Html:
    if curve is None:
        return Html("")
    name = curve.metrics[0] if len(curve.metrics) == 1 else f"the mean of {' and '.join(curve.metrics)}"
    title = f"Risk over coverage: {name} of the most trusted answers"
    drawn = plots.line_over_shares(
        [(point.coverage, point.value) for point in curve.points], curve.floor, "in random order", title
    )
    rows = [
        (f"{100 * share:.0f}%", number(value), number(curve.floor))
        for share in _SHOWN
        if (value := curve.at(share)) is not None
    ]
    explained = (
        f"Answers are sorted by their support; the curve is {name} of the most trusted ones, from 0 to 100. The "
        "dashed line is its floor, the figure of all answers, which is that of any share of them in random order. "
        "The higher the curve lies above it on the left, the more verdicts are worth."
    )
    return join(
        element("h3", "Risk over coverage"),
        element("p", explained),
        element("div", drawn, class_="wide"),
        table("Points of the curve", ("coverage", name, "in random order"), rows),
    )
