"""Explanations drawn for a page: inline, in the page's own style, and never smaller than can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.drawing import Diagram, describe, to_svg
from whence.pipeline.report.markup import Html

_SIZE = re.compile(r'<svg[^<>]* width="([\d.]+)" height="([\d.]+)"')
_LEAST = 0.72
"""How far a picture shrinks before it must be scrolled instead."""
_STEP, _STEPS = 60, 30


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing under its title, in words too, and a class that says how wide it must be."""

    title: str
    svg: Html
    words: str
    width_class: str
    size: tuple[float, float]
    """Width and height, where it is not shrunk."""


def picture(diagram: Diagram, identifier: str, title: str) -> Picture:
    """The drawing. No two on a page may have the same identifier."""
    drawn = to_svg(diagram, identifier=identifier, styled=False)
    found = _SIZE.search(drawn)
    width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    steps = min(_STEPS, int(width * _LEAST / _STEP))
    return Picture(title, Html(drawn), describe(diagram), f"w{steps}", (width, height))


def width_style() -> str:
    """The style of the classes of widths."""
    return "".join(f".picture .w{step} svg{{min-width:{step * _STEP}px}}" for step in range(_STEPS + 1))
