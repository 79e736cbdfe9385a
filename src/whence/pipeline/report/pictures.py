"""Gold and predicted explanation of an item, drawn for a page that holds hundreds of pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from whence.drawing import Diagram, compare, describe, differences, to_svg
from whence.drawing.palette import stylesheet
from whence.drawing.sizes import NODE_TEXT
from whence.pipeline.report.markup import Html
from whence.structures.results import Example
from whence.tasks.dataset import AnyDataset
from whence.tasks.task import AnyTask

_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # HTML knows it
# All texts in a drawing are escaped, so what looks like a tag is one.
_POINTERS = re.compile(r'(<g class="[^"]*")(?: data-[a-z]+="[^"]*")+>(?:<title>[^<]*</title>)?')
_ONE_LINE = re.compile(r'(<text[^<>]*)><tspan( x="[^"]*" y="[^"]*")>([^<]*)</tspan></text>')
_USUAL_SIZE = re.compile(rf'(<text[^<>]*) font-size="{NODE_TEXT:g}(?:\.0)?"')
_DESCRIPTION = re.compile(r'( aria-labelledby="[^" ]*) [^" ]*"(.*?)<desc[^<>]*>[^<]*</desc>', re.DOTALL)
_WIDTH = re.compile(r'<svg[^<>]* width="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Compared:
    """The gold explanation nearest to the prediction, the prediction, and how they differ in words."""

    gold: Diagram | None
    predicted: Diagram | None
    different: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Other gold explanations in words."""


def compared(task: AnyTask, dataset: AnyDataset, example: Example[Any, Any], explanation: Any) -> Compared:
    """The diagrams of an item, without the rows of words that are the same for gold and prediction."""
    given = task.diagram(example.inputs, None, dataset.facts)

    def diagram(found: Any) -> Diagram:
        whole = task.diagram(example.inputs, found, dataset.facts)
        return replace(whole, caption=tuple(row for row in whole.caption if row not in given.caption))

    golds = [diagram(gold) for gold in example.golds]
    if explanation is None:
        return Compared(golds[0] if golds else None, None, (), tuple(_said(gold, given) for gold in golds[1:]))
    predicted = diagram(explanation)
    if not golds:
        return Compared(None, predicted)
    distances = [differences(gold, predicted) for gold in golds]
    nearest = min(range(len(golds)), key=lambda place: len(distances[place]))
    others = tuple(_said(gold, given) for place, gold in enumerate(golds) if place != nearest)
    return Compared(golds[nearest], predicted, distances[nearest], others)


def _said(diagram: Diagram, given: Diagram) -> str:
    """A diagram in words: what it adds to the inputs, or if it is more than boxes, all of it."""
    known = {node.id for node in given.nodes}
    added = [node.label for node in diagram.nodes if node.id not in known]
    words = [f"{name}: {text}" for name, text in diagram.caption]
    return "; ".join([*words, *(added if len(added) == 1 else [describe(diagram)])])


def marked(pair: Compared) -> Diagram | None:
    """The prediction with its differences to gold marked; None if there is none."""
    if pair.predicted is None or pair.gold is None:
        return pair.predicted
    return compare(pair.gold, pair.predicted)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing under its title, and how wide it is in full size."""

    title: str
    svg: Html
    width: float


def picture(diagram: Diagram, identifier: str, title: str, *, described: bool) -> Picture:
    """The drawing in as few bytes as can be: the page has its style once, and often its description in words."""
    drawn = to_svg(replace(diagram, title=""), identifier=identifier, styled=False)
    drawn = drawn.replace(">Explanation</title>", f">{title}</title>", 1).replace(_NAMESPACE, "", 1)
    drawn = _ONE_LINE.sub(r"\1\2>\3</text>", _POINTERS.sub(r"\1>", drawn))
    drawn = _USUAL_SIZE.sub(r"\1", drawn)
    if not described:
        drawn = _DESCRIPTION.sub(r'\1"\2', drawn, count=1)
    width = _WIDTH.search(drawn)
    return Picture(title, Html(drawn), float(width[1]) if width else 0.0)


def picture_style() -> str:
    """The style of all drawings of the page."""
    return f".whence-drawing{{font-size:{NODE_TEXT:g}px}}{stylesheet('.whence-drawing')}"
