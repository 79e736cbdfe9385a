"""The curve of an adversary's accuracy by iteration: as a picture, and as lines of text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from whence.drawing.palette import stylesheet
from whence.pipeline.harden.loop import Round
from whence.pipeline.report.markup import Html, element
from whence.pipeline.report.plots import Axis

_WIDTH, _HEIGHT = 640.0, 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 24.0, 48.0, 48.0
_PARTS, _CLOSE, _MOST_LINES = 20, 1e-9, 6
"""The scale is cut at twentieths, and has no more than so many lines above the first."""
_TEXT_WIDTH, _TEXT_HEIGHT = 60, 10
_STYLE = "#curve text{font-size:13px}#curve .heading{font-size:15px}#curve .thin{stroke-width:1;opacity:.45}"


def curve_svg(rounds: Sequence[Round], chance: float, title: str) -> str:
    """The adversary's accuracy on held questions by iteration, and that of guessing, as one self-contained SVG."""
    low, high = _range(rounds, chance)
    across = Axis(0.0, float(max(len(rounds) - 1, 1)), _LEFT, _WIDTH - _LEFT - _RIGHT)
    up = Axis(low, high, 0.0, _HEIGHT - _TOP - _BOTTOM)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - up.x(value)

    points = [(across.x(float(done.number)), y(done.accuracy)) for done in rounds]
    parts = [
        element("title", title),
        element("style", Html(stylesheet("#curve") + _STYLE)),
        element("rect", class_="paper", width=_WIDTH, height=_HEIGHT, rx=10.0),
        element("text", title, x=_LEFT, y=28.0, class_="heading"),
        *_grid(low, high, y),
        *_iterations(len(rounds), across),
        _stroke([(_LEFT, y(chance)), (_WIDTH - _RIGHT, y(chance))], stroke_dasharray="6 4"),
        _words("chance", _LEFT + 4, y(chance) + 14, "start"),
        element("g", _stroke(points), class_="link"),
        *(element("g", _mark(*point), class_="node root") for point in points),
    ]
    box = f"0 0 {_WIDTH:g} {_HEIGHT:g}"
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        id="curve",
        role="img",
        aria_label=_described(rounds, title),
        viewBox=box,
        width=_WIDTH,
        height=_HEIGHT,
    )


def curve_lines(rounds: Sequence[Round], chance: float) -> list[str]:
    """The same in plain text: a column an iteration, or several of them together where there are many."""
    if not rounds:
        return []
    low, high = _range(rounds, chance)
    columns = min(len(rounds), _TEXT_WIDTH)
    bounds = [round(place * len(rounds) / columns) for place in range(columns + 1)]
    values = [
        sum(done.accuracy for done in rounds[first:last]) / (last - first) for first, last in pairwise(bounds)
    ]
    rows = [_row(value, low, high) for value in values]
    guess = _row(chance, low, high)
    lines = []
    for row in range(_TEXT_HEIGHT, -1, -1):
        label = f"{100 * (low + (high - low) * row / _TEXT_HEIGHT):5.1f} │"
        empty = "·" if row == guess else " "
        lines.append(label + "".join("●" if place == row else empty for place in rows).rstrip(" "))
    return [*lines, "      └" + "─" * columns, f"       iterations 1 to {len(rounds)}; dots: chance"]


def _row(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * _TEXT_HEIGHT)


def _range(rounds: Sequence[Round], chance: float) -> tuple[float, float]:
    """Whole twentieths that hold all values, with room below."""
    values = [chance, *(done.accuracy for done in rounds)]
    low = max(0, math.ceil(min(values) * _PARTS - _CLOSE) - 1)
    high = max(low + 2, math.ceil(max(values) * _PARTS - _CLOSE))
    return low / _PARTS, high / _PARTS


def _grid(low: float, high: float, y: Callable[[float], float]) -> list[Html]:
    first, last = round(low * _PARTS), round(high * _PARTS)
    parts = []
    for tick in range(first, last + 1, math.ceil((last - first) / _MOST_LINES)):
        at = y(tick / _PARTS)
        parts.append(_stroke([(_LEFT, at), (_WIDTH - _RIGHT, at)], class_="stroke thin"))
        parts.append(_words(f"{100 * tick / _PARTS:.0f}", _LEFT - 8, at + 4, "end"))
    return parts


def _iterations(count: int, across: Axis) -> list[Html]:
    step = next((step for step in (1, 5, 10, 50, 100) if count <= 12 * step), count)
    bottom = _HEIGHT - _BOTTOM
    found = [
        _words(str(number), across.x(number - 1.0), bottom + 18, "middle")
        for number in range(1, count + 1)
        if number == 1 or number % step == 0
    ]
    middle = across.start + across.width / 2
    return [*found, _words("iteration", middle, bottom + 36, "middle")]


def _words(text: str, x: float, y: float, anchor: str) -> Html:
    return element("text", text, x=x, y=y, text_anchor=anchor, class_="quiet")


def _stroke(points: Sequence[tuple[float, float]], class_: str = "stroke", **more: str) -> Html:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return element("g", element("path", class_=class_, d=f"M{path}", **more), class_="link")


def _mark(x: float, y: float) -> Html:
    return element("rect", x=x - 3, y=y - 3, width=6.0, height=6.0, rx=3.0)


def _described(rounds: Sequence[Round], title: str) -> str:
    if not rounds:
        return title
    first, last = rounds[0].accuracy, rounds[-1].accuracy
    return f"{title}: from {100 * first:.1f} to {100 * last:.1f} in {len(rounds)} iterations"
