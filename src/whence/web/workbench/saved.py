"""An explanation as a file that people take along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whence.drawing import to_svg
from whence.errors import UsageError, quoted
from whence.formats import records
from whence.structures.facts import Fact
from whence.structures.results import Example
from whence.tasks.export_forms import export_forms, exported
from whence.tasks.task import AnyTask

_FORMS = {
    "svg": ("SVG", ".svg", "image/svg+xml"),
    "json": ("JSON", ".jsonl", "application/jsonl"),
    "graphml": ("GraphML", ".graphml", "application/xml"),
    "jsonld": ("JSON-LD", ".jsonld", "application/ld+json"),
    "mermaid": ("Mermaid", ".mmd", "text/plain"),
    "paper": ("paper's string", ".txt", "text/plain"),
}
"""What each is called, how its file's name ends, and what browsers are told that it is."""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file: its name, what it is, its text."""

    name: str
    media: str
    text: str


def save_forms(task: AnyTask) -> dict[str, str]:
    """The forms that explanations of a task can be saved in, with what they are called."""
    return {name: _FORMS[name][0] for name in ("svg", "json", *export_forms(task.explanation))}


def saved_file(task: AnyTask, example: Example[Any, Any], facts: Mapping[str, Fact], form: str) -> SavedFile:
    """An example with its explanation: drawn, as a line of our own form, or in a form of other tools."""
    if form not in save_forms(task):
        raise UsageError(f"explanations of {task.name} are not saved as {quoted(form)}")
    _, ending, media = _FORMS[form]
    return SavedFile(f"{task.name}{ending}", media, _text(task, example, facts, form))


def _text(task: AnyTask, example: Example[Any, Any], facts: Mapping[str, Fact], form: Any) -> str:
    if form == "json":
        return records.format_record(example, task.form) + "\n"
    diagram = task.diagram(example.inputs, example.golds[0], facts)
    return to_svg(diagram) if form == "svg" else exported(example.golds[0], diagram, form)
