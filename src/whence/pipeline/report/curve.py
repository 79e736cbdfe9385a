"""A figure along something that grows, iterations or training items: as a picture, and as lines of text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whence.drawing.palette import stylesheet
from whence.pipeline.report.markup import Html, element
from whence.pipeline.report.plots import Axis

_WIDTH, _HEIGHT = 640.0, 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 24.0, 48.0, 48.0
_PARTS, _CLOSE, _MOST_LINES = 20, 1e-9, 6
"""The scale is cut at twentieths, and has no more than so many lines above the first."""
_TEXT_WIDTH, _TEXT_HEIGHT = 60, 10
_STEP = 1.5
"""Where each place is so many times the one before, on the average, or more, they are drawn by logarithms."""
_STYLE = "#curve text{font-size:13px}#curve .heading{font-size:15px}#curve .thin{stroke-width:1;opacity:.45}"


@dataclass(frozen=True, slots=True)
class Curve:
    """Shares between 0 and 1 along `across`, and one of them that all are to be seen against."""

    title: str
    across: str
    points: tuple[tuple[float, float], ...]
    """Where each stands, in rising order, and the share."""
    level: float
    level_name: str = "chance"

    @property
    def values(self) -> tuple[float, ...]:
        """The shares."""
        return tuple(value for _, value in self.points)


def curve_svg(curve: Curve) -> str:
    """One self-contained SVG."""
    low, high = _range(curve)
    places = [place for place, _ in curve.points]
    position = _position(places)
    up = Axis(low, high, 0.0, _HEIGHT - _TOP - _BOTTOM)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - up.x(value)

    points = [(position(place), y(value)) for place, value in curve.points]
    parts = [
        element("title", curve.title),
        element("style", Html(stylesheet("#curve") + _STYLE)),
        element("rect", class_="paper", width=_WIDTH, height=_HEIGHT, rx=10.0),
        element("text", curve.title, x=_LEFT, y=28.0, class_="heading"),
        *_grid(low, high, y),
        *_ticks(places, position, curve.across),
        _stroke([(_LEFT, y(curve.level)), (_WIDTH - _RIGHT, y(curve.level))], stroke_dasharray="6 4"),
        _words(curve.level_name, _LEFT + 4, y(curve.level) + 14, "start"),
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
        aria_label=_described(curve),
        viewBox=box,
        width=_WIDTH,
        height=_HEIGHT,
    )


def _position(places: Sequence[float]) -> Callable[[float], float]:
    """From where a point stands to where it is drawn; by logarithms where each is many times the one before."""
    if not places:
        return lambda _: _LEFT
    first, last = places[0], places[-1]
    multiplied = first > 0 and (last / first) ** (1 / max(1, len(places) - 1)) >= _STEP
    scale: Callable[[float], float] = math.log if multiplied else float
    axis = Axis(scale(first), scale(last), _LEFT, _WIDTH - _LEFT - _RIGHT)
    return lambda place: axis.x(scale(place))


def curve_lines(curve: Curve) -> list[str]:
    """The same in plain text: a column a point, or several of them together where there are many."""
    if not curve.points:
        return []
    low, high = _range(curve)
    columns = min(len(curve.points), _TEXT_WIDTH)
    bounds = [round(place * len(curve.points) / columns) for place in range(columns + 1)]
    values = [sum(curve.values[first:last]) / (last - first) for first, last in pairwise(bounds)]
    rows = [_row(value, low, high) for value in values]
    guess = _row(curve.level, low, high)
    lines = []
    for row in range(_TEXT_HEIGHT, -1, -1):
        label = f"{100 * (low + (high - low) * row / _TEXT_HEIGHT):5.1f} │"
        empty = "·" if row == guess else " "
        lines.append(label + "".join("●" if place == row else empty for place in rows).rstrip(" "))
    return [*lines, "      └" + "─" * columns, _below(curve)]


def _below(curve: Curve) -> str:
    first, last = curve.points[0][0], curve.points[-1][0]
    return f"       {curve.across} {first:,.0f} to {last:,.0f}; dots: {curve.level_name}"


def _row(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * _TEXT_HEIGHT)


def _range(curve: Curve) -> tuple[float, float]:
    """Whole twentieths that hold all values, with room below."""
    values = [curve.level, *curve.values]
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


def _ticks(places: Sequence[float], position: Callable[[float], float], across: str) -> list[Html]:
    step = next((step for step in (1, 5, 10, 50, 100) if len(places) <= 12 * step), len(places))
    bottom = _HEIGHT - _BOTTOM
    found = [
        _words(f"{place:,.0f}", position(place), bottom + 18, "middle")
        for number, place in enumerate(places, 1)
        if number == 1 or number % step == 0
    ]
    middle = _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2
    return [*found, _words(across, middle, bottom + 36, "middle")]


def _words(text: str, x: float, y: float, anchor: str) -> Html:
    return element("text", text, x=x, y=y, text_anchor=anchor, class_="quiet")


def _stroke(points: Sequence[tuple[float, float]], class_: str = "stroke", **more: str) -> Html:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return element("g", element("path", class_=class_, d=f"M{path}", **more), class_="link")


def _mark(x: float, y: float) -> Html:
    return element("rect", x=x - 3, y=y - 3, width=6.0, height=6.0, rx=3.0)


def _described(curve: Curve) -> str:
    if not curve.points:
        return curve.title
    (start, first), (end, last) = curve.points[0], curve.points[-1]
    return f"{curve.title}: from {100 * first:.1f} to {100 * last:.1f}, {curve.across} {start:,.0f} to {end:,.0f}"
