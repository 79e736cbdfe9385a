"""Small charts as SVG: a bar with its interval, an interval around zero, a column of dots with whiskers, a count.

Colours and strokes are classes of the page's style, so that charts follow light, dark and print.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whence.drawing.text_size import clean, text_width
from whence.metrics.metric import Metric
from whence.pipeline.report.markup import Attribute, Html, element, shortened
from whence.structures.results import Measurement

_BAR_WIDTH, _BAR_HEIGHT = 170.0, 18.0
_ROW, _PLOT_WIDTH, _COUNT_WIDTH = 24.0, 120.0, 44.0
_LABEL_TEXT, _LABEL_LEAST, _LABEL_MOST = 12.5, 30.0, 130.0
_WIDE_FONT = 1.2  # of the estimate: there is no box around a label that would have room to spare
_TICKS_HEIGHT, _GAP = 22.0, 10.0


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high`, drawn from `start` over `width`."""

    low: float
    high: float
    start: float
    width: float

    def x(self, value: float) -> float:
        """Where a value is drawn; one beyond an end at that end."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + self.width * min(1.0, max(0.0, share))


def scale_of(metric: Metric, values: Iterable[float | None]) -> tuple[float, float]:
    """The bounds of a metric as printed; where one is infinite or never nearly reached below 0, one that fits."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    low, high = (bound * metric.scale for bound in metric.bounds)
    if not math.isfinite(low) or (low < 0 <= min(known, default=0.0)):
        low = min([0.0, *known])
    if not math.isfinite(high):
        high = _round_up(max([*known, low]), low)
    return low, high


def _round_up(value: float, low: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 ... that is not below the value."""
    if value <= 0:
        return low + 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def bar(measurement: Measurement, scale: tuple[float, float]) -> Html:
    """The value as a bar on the bounds of its metric: the interval as a whisker, floor and ceiling as ticks."""
    if measurement.value is None:
        return Html("")
    axis = Axis(*scale, 4.0, _BAR_WIDTH - 8.0)
    middle = _BAR_HEIGHT / 2
    origin, end = sorted((axis.x(0.0), axis.x(measurement.value)))
    return _svg(
        _BAR_WIDTH,
        _BAR_HEIGHT,
        _rectangle("track", axis.start, middle - 4, axis.width, 8.0),
        _rectangle("bar", origin, middle - 4, max(end - origin, 1.0), 8.0),
        *_whisker(axis, measurement.low, measurement.high, middle),
        *(
            _line(name, axis.x(value), 0.5, axis.x(value), _BAR_HEIGHT - 0.5)
            for name, value in (("floor", measurement.floor), ("ceiling", measurement.ceiling))
            if value is not None
        ),
    )


def around_zero(low: float, middle: float, high: float, reach: float) -> Html:
    """An interval of a difference on an axis that reaches as far to either side of zero."""
    axis = Axis(-reach, reach, 4.0, _BAR_WIDTH - 8.0)
    y = _BAR_HEIGHT / 2
    return _svg(
        _BAR_WIDTH,
        _BAR_HEIGHT,
        _rectangle("track", axis.start, y - 0.5, axis.width, 1.0),
        _line("zero", axis.x(0.0), 1.0, axis.x(0.0), _BAR_HEIGHT - 1.0),
        *_whisker(axis, low, high, y),
        element("circle", class_="dot", cx=axis.x(middle), cy=y, r=4.0),
    )


def count_bar(count: int, most: int) -> Html:
    """A count as a share of the largest one, as wide as its place."""
    width = max(_BAR_WIDTH * count / most, 1.0)
    shape = element("rect", class_="bar", x=0.0, y=4.0, width=width, height=10.0)
    return _svg(_BAR_WIDTH, _BAR_HEIGHT, shape, preserveAspectRatio="none", aria_hidden="true")


def dots(
    rows: Sequence[tuple[str, int, Measurement]], scale: tuple[float, float], overall: float | None, label: str
) -> Html:
    """A row a group: its name, its figure as a dot with the interval as whisker, its number of items."""
    names = [clean(name) for name, _, _ in rows]
    widest = max(map(_label_width, names), default=0.0)
    room = min(max(widest, _LABEL_LEAST), _LABEL_MOST)
    axis = Axis(*scale, room + _GAP, _PLOT_WIDTH)
    bottom = len(rows) * _ROW
    width = axis.start + axis.width + _COUNT_WIDTH
    parts = [_line("grid", axis.x(tick), 2.0, axis.x(tick), bottom) for tick in _ticks(scale)]
    if overall is not None:
        parts.append(_line("overall", axis.x(overall), 2.0, axis.x(overall), bottom))
    for place, (name, (_, count, found)) in enumerate(zip(names, rows, strict=True)):
        y = _ROW * (place + 0.5)
        parts += [_words(_fitted(name, room), room, y, "end"), *_dot(axis, found, y)]
        parts.append(_words(f"{count:,}", width - 2.0, y, "end", "quiet"))
    parts += [_words(f"{tick:g}", axis.x(tick), bottom + 11.0, "middle", "quiet") for tick in _ticks(scale)]
    parts.append(_words("n", width - 2.0, bottom + 11.0, "end", "quiet"))
    return _svg(width, bottom + _TICKS_HEIGHT, *parts, role="img", aria_label=label)


def two_dots(
    rows: Sequence[tuple[str, int, Measurement, Measurement]], scale: tuple[float, float], label: str
) -> Html:
    """As `dots`, of two systems: a ring for the first above a dot for the second."""
    names = [clean(name) for name, *_ in rows]
    room = min(max(max(map(_label_width, names), default=0.0), _LABEL_LEAST), _LABEL_MOST)
    axis = Axis(*scale, room + _GAP, _PLOT_WIDTH)
    height = _ROW * 1.4
    bottom = len(rows) * height
    width = axis.start + axis.width + _COUNT_WIDTH
    parts = [_line("grid", axis.x(tick), 2.0, axis.x(tick), bottom) for tick in _ticks(scale)]
    for place, (name, (_, count, first, second)) in enumerate(zip(names, rows, strict=True)):
        y = height * (place + 0.5)
        parts.append(_words(_fitted(name, room), room, y, "end"))
        parts += [element("g", *_dot(axis, first, y - 6.0), class_="first"), *_dot(axis, second, y + 6.0)]
        parts.append(_words(f"{count:,}", width - 2.0, y, "end", "quiet"))
    parts += [_words(f"{tick:g}", axis.x(tick), bottom + 11.0, "middle", "quiet") for tick in _ticks(scale)]
    parts.append(_words("n", width - 2.0, bottom + 11.0, "end", "quiet"))
    return _svg(width, bottom + _TICKS_HEIGHT, *parts, role="img", aria_label=label)


def line_over_shares(points: Sequence[tuple[float, float]], level: float, level_name: str, title: str) -> Html:
    """A figure from 0 to 1 over a share from 0 to 1, both as percentages, and a level to compare it with."""
    left, right, top, height, width = 40.0, 12.0, 12.0, 180.0, 380.0
    across, up = Axis(0.0, 1.0, left, width), Axis(0.0, 1.0, 0.0, height)
    bottom = top + height

    def y(value: float) -> float:
        return bottom - up.x(value)

    ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    end = left + width
    parts = [_line("grid", left, y(tick), end, y(tick)) for tick in ticks]
    parts += [_words(f"{100 * tick:.0f}", left - 6.0, y(tick), "end", "quiet") for tick in ticks]
    parts += [_words(f"{100 * tick:.0f}", across.x(tick), bottom + 12.0, "middle", "quiet") for tick in ticks]
    parts.append(
        _words("% of answers, the most trusted first", left + width / 2, bottom + 30.0, "middle", "quiet")
    )
    parts.append(_line("overall", left, y(level), end, y(level)))
    path = "L".join(f"{across.x(share):.1f} {y(value):.1f}" for share, value in points)
    parts.append(element("path", class_="whisker", d=f"M{path}"))
    parts += [element("circle", class_="dot", cx=across.x(share), cy=y(value), r=3.0) for share, value in points]
    # Below the level, unless the curve or the axis is there.
    below = y(level) + 10.0 if points[0][1] >= level and level > 0.1 else y(level) - 10.0
    parts.append(_words(level_name, left + 4.0, below, "start", "quiet"))
    return _svg(end + right, bottom + 44.0, element("title", title), *parts, role="img", aria_label=title)


def _dot(axis: Axis, found: Measurement, y: float) -> list[Html]:
    if found.value is None:
        return [_words("not measured", axis.start + 4.0, y, "start", "quiet")]
    centre = element("circle", class_="dot", cx=axis.x(found.value), cy=y, r=4.5)
    return [*_whisker(axis, found.low, found.high, y), centre]


def _whisker(axis: Axis, low: float | None, high: float | None, y: float) -> list[Html]:
    if low is None or high is None:
        return []
    left, right = axis.x(low), axis.x(high)
    path = f"M{left:.1f} {y:g}H{right:.1f}M{left:.1f} {y - 4:g}v8M{right:.1f} {y - 4:g}v8"
    return [element("path", class_="halo", d=path), element("path", class_="whisker", d=path)]


def _ticks(scale: tuple[float, float]) -> tuple[float, ...]:
    low, high = scale
    return (low, (low + high) / 2, high)


def _fitted(name: str, room: float) -> str:
    length = len(name)
    while length > 4 and _label_width(shortened(name, length)) > room:
        length -= 1
    return shortened(name, length)


def _label_width(name: str) -> float:
    return text_width(name, _LABEL_TEXT) * _WIDE_FONT


def _words(text: str, x: float, y: float, anchor: str, class_: str | None = None) -> Html:
    return element("text", text, x=x, y=y + 4.5, text_anchor=anchor, class_=class_)


def _rectangle(class_: str, x: float, y: float, width: float, height: float) -> Html:
    return element("rect", class_=class_, x=x, y=y, width=width, height=height, rx=min(2.0, height / 2))


def _line(class_: str, x1: float, y1: float, x2: float, y2: float) -> Html:
    return element("path", class_=class_, d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}")


def _svg(width: float, height: float, *parts: Html, **attributes: Attribute) -> Html:
    """A chart that repeats what stands next to it in words, unless something else is said of it."""
    shown: dict[str, Attribute] = dict(attributes) or {"aria_hidden": "true"}
    box = f"0 0 {width:g} {height:g}"
    return element("svg", *parts, class_="plot", viewBox=box, width=width, height=height, **shown)
