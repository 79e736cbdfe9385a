"""Figures along something that grows: the picture and the lines say the same."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

from whence.pipeline.report.curve import Curve, curve_lines, curve_svg

SVG = "{http://www.w3.org/2000/svg}"


def _curve(*values: float) -> Curve:
    return Curve("a < b", "iterations", tuple(enumerate(values, 1)), 0.5)


def test_every_point_and_the_level_are_shown() -> None:
    curve = _curve(0.9, 0.8, 0.62)
    picture = ElementTree.fromstring(curve_svg(curve))
    assert picture.get("aria-label") == "a < b: from 90.0 to 62.0, iterations 1 to 3"
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert {"chance", "iterations", "1", "2", "3"} <= set(texts)
    lines = curve_lines(curve)
    assert sum(line.count("●") for line in lines) == 3
    assert [line.strip()[:4] for line in lines if "●" in line] == ["90.0", "81.0", "63.0"]
    assert lines[-1].strip() == "iterations 1 to 3; dots: chance"


def test_nothing_is_no_curve() -> None:
    assert curve_lines(_curve()) == []
    ElementTree.fromstring(curve_svg(_curve()))


def test_many_points_fit_a_terminal() -> None:
    lines = curve_lines(_curve(*(0.9 - 0.002 * number for number in range(150))))
    assert all(len(line) < 80 for line in lines)
    assert sum(line.count("●") for line in lines) == 60


def _across(curve: Curve) -> list[float]:
    marks = ElementTree.fromstring(curve_svg(curve)).iter(f"{SVG}rect")
    return [float(mark.get("x", "0")) for mark in marks if mark.get("rx") == "3"]


def test_doubled_sizes_stand_at_equal_distances() -> None:
    """Of a learning curve: 100, 200, 400, 800 items."""
    places = _across(Curve("t", "items", ((100, 0.5), (200, 0.6), (400, 0.6), (800, 0.7)), 0.5))
    steps = [round(two - one) for one, two in pairwise(places)]
    assert len(set(steps)) == 1


def test_iterations_stand_at_equal_distances_too() -> None:
    places = _across(_curve(*[0.5] * 9))
    steps = {round(two - one, 1) for one, two in pairwise(places)}
    assert max(steps) - min(steps) <= 0.2
