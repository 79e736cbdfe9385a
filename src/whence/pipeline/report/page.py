"""One page for one run."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files

from whence.drawing.palette import DARK, LIGHT
from whence.pipeline.correct import Correction
from whence.pipeline.report.figures import (
    comparison_section,
    correction_section,
    counts_section,
    figures_section,
    people_section,
    unread_section,
)
from whence.pipeline.report.items import items_section
from whence.pipeline.report.markup import Html, element, join, section
from whence.pipeline.report.pictures import picture_style
from whence.pipeline.report.slices import slices_section
from whence.pipeline.report.supported import supported_section
from whence.pipeline.score import ScoreReport
from whence.tasks.dataset import Note

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
DRAWN = 500

_SECTIONS = {
    "figures": "Figures",
    "supported": "Supported answers",
    "comparison": "Comparison",
    "slices": "Slices",
    "failures": "What goes wrong",
    "unread": "Unread answers",
    "correction": "Human correction",
    "people": "People",
    "items": "Items",
}


def report_page(
    report: ScoreReport, corrections: Sequence[Correction] = (), *, title: str, drawn: int = DRAWN
) -> str:
    """The report as one HTML page: same report, same bytes. Pictures are drawn of the first `drawn` items."""
    parts = {
        "figures": figures_section(report),
        "supported": supported_section(report),
        "comparison": comparison_section(report),
        "slices": slices_section(report),
        "failures": counts_section(report),
        "unread": unread_section(report),
        "correction": correction_section(report, corrections),
        "people": people_section(report),
        "items": items_section(report, drawn),
    }
    shown = [name for name in _SECTIONS if parts[name]]
    script = _file("report.js")
    body = element(
        "body",
        element("a", "Skip to the items", href="#items", class_="skip"),
        _head(report, title),
        element("nav", _contents(shown), aria_label="Contents"),
        element("main", *(parts[name] for name in shown), _notes(report.notes)),
        element("script", Html(script)),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        *(element("meta", http_equiv="Content-Security-Policy", content=rule) for rule in (POLICY, _only(script))),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content="whence"),
        element("title", title),
        element("style", Html(_style())),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _only(script: str) -> str:
    """A policy that allows this script and no other: should text ever get out of its place, it does not run."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _style() -> str:
    return f"{colours()}{_file('report.css')}{plot_style()}{picture_style()}"


def plot_style() -> str:
    """The style of all small charts of a page."""
    return _file("plots.css")


def colours() -> str:
    """The colours of a page by name, light and dark: those of drawings, and two more."""
    light, dark = ("".join(f"--{role}:{colour};" for role, colour in colours.items()) for colours in (LIGHT, DARK))
    return (
        f":root{{{light}--track:#dfe4e9;--panel:#f5f7f9}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}--track:#343b44;--panel:#1d2127}}}}"
    )


def _file(name: str) -> str:
    return (files("whence.pipeline.report") / name).read_text(encoding="utf-8")


def _head(report: ScoreReport, title: str) -> Html:
    count = len(report.answers)
    rows = (
        ("task", join(element("b", report.task.name), f": {report.task.title}")),
        ("protocol", report.protocol),
        ("items", f"{count:,}"),
        ("signature", element("code", str(report.signature), class_="signature")),
    )
    facts = (join(element("dt", name), element("dd", text)) for name, text in rows)
    return element("header", element("h1", title), element("dl", *facts, class_="rows"))


def _contents(shown: Sequence[str]) -> Html:
    return element("ul", *(element("li", element("a", _SECTIONS[name], href=f"#{name}")) for name in shown))


def _notes(notes: Sequence[Note]) -> Html:
    """What readers of the files handled; nothing if there was nothing."""
    if not notes:
        return Html("")
    lines = (element("li", element("b", f"{note.count:,} {note.name}"), f": {note.text}") for note in notes)
    return section("notes", "Notes on the files", element("ul", *lines))
