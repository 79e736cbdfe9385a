"""Explain: something of one's own, or an example; made, drawn, checked, and edited."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.errors import DataError, UsageError, WhenceError
from whence.formats.editable import form_of, format_lines, parse_lines
from whence.structures.facts import Fact
from whence.structures.results import Example, Label
from whence.structures.tree import Claim
from whence.tasks import TASKS, heads_of, methods_of
from whence.tasks.explainers import Explained, Method
from whence.tasks.task import AnyTask, samples
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of
from whence.web.security.guard import guard
from whence.web.workbench.examined import Examined, Reference, examine
from whence.web.workbench.forms import Field, input_fields, read_inputs, read_settings, setting_fields
from whence.web.workbench.kept import Kept
from whence.web.workbench.library import SAMPLES, Library
from whence.web.workbench.why import Answered, ask, can_be_asked, premises_of

Form = Annotated[FormData, Depends(guard)]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of explanation: a picture of one, and its tasks."""

    title: str
    drawn: Picture
    tasks: tuple[AnyTask, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What a method said, under a key by which a form that is sent again finds it."""

    key: str
    found: Explained
    by: str


@dataclass(frozen=True, slots=True)
class Source:
    """The example that a form was filled with: its place, and what of it is left after edits."""

    where: str
    number: int
    example: Example[Any, Any]
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Choice:
    """A method that can be chosen, with its settings."""

    method: Method
    fields: Sequence[Field]
    changed: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: what was typed, what was made of it, what it is now."""

    task: AnyTask
    fields: Sequence[Field]
    choices: Sequence[Choice]
    chosen: str
    source: Source | None = None
    told: Told | None = None
    text: str | None = None
    """The explanation as lines; None where there is none yet."""
    made: str = ""
    """The lines as they were made, before edits."""
    labels: tuple[str, ...] = ()
    examined: Examined | None = None
    error: str = ""
    unread: str = ""
    """Why the edited lines cannot be read."""
    premises: tuple[str, ...] = ()
    """Sentences of a tree that can be asked about."""

    @property
    def hint(self) -> str:
        """What a line is."""
        return form_of(self.task.explanation).hint


class Desk:
    """Makes sheets from forms."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._told: Kept[Told] = Kept(64)

    def blank(self, task: AnyTask, where: str, number: int) -> Sheet:
        """A form to fill in; or one that is filled with an example, and its gold explanation to edit."""
        source = self._source(task, where, number)
        sheet = Sheet(task, input_fields(task.inputs), self._choices(task, {}), self._first(task), source)
        if source is None:
            return sheet
        sheet = replace(sheet, fields=input_fields(task.inputs, source.example.inputs))
        if not source.example.golds:
            return sheet
        text = format_lines(source.example.golds[0], source.example.inputs, source.facts)
        return self._examined(replace(sheet, text=text, made=text), source.example.inputs, source.example.golds[0])

    def filled(self, task: AnyTask, form: FormData) -> Sheet:
        """What a form asks for: an explanation made, or an edited one looked at."""
        typed = {field.name: _text(form, f"in.{field.name}") for field in input_fields(task.inputs)}
        method = _text(form, "method") or self._first(task)
        sheet = Sheet(
            task,
            input_fields(task.inputs, typed=typed),
            self._choices(task, form),
            method,
            self._source(task, _text(form, "from"), _number(form, "number")),
        )
        try:
            inputs = read_inputs(task.inputs, typed)
        except UsageError as error:
            return replace(sheet, error=str(error))
        if _text(form, "do") == "explain":
            settings = read_settings(_settings(form, method)) if self._library.settable else {}
            return self._made(sheet, inputs, settings)
        told = self._told.seen(_text(form, "key"))
        sheet = replace(sheet, text=_lines(form, "text"), made=_lines(form, "made"), told=told)
        return self._edited(sheet, inputs)

    def why(self, task: AnyTask, form: FormData) -> tuple[Answered, Sequence[Field]]:
        """Asks why of a sentence that a form names, or of one on the way to it; with the inputs to go on with."""
        typed = {field.name: _lines(form, f"in.{field.name}") for field in input_fields(task.inputs)}
        way = [text for text in form.getlist("way") if isinstance(text, str)]
        sentence = _text(form, "why")
        if (back := _text(form, "back")).isdecimal() and int(back) < len(way):
            way, sentence = way[: int(back)], way[int(back)]
        claim = read_inputs(task.inputs, typed)
        if not way and isinstance(claim, Claim) and sentence != claim.hypothesis:
            way = [claim.hypothesis]
        return ask(self._library, task, claim, way, sentence), input_fields(task.inputs, typed=typed)

    def _made(self, sheet: Sheet, inputs: Any, settings: Mapping[str, str]) -> Sheet:
        """The explanation that the chosen method makes."""
        task, where = sheet.task, sheet.source.where if sheet.source else ""
        try:
            maker = self._library.explainer(task, sheet.chosen, settings, where)
            found = maker.explain([Example("typed", inputs)])[0]
        except WhenceError as error:
            return replace(sheet, error=str(error))
        key = secrets.token_urlsafe(12)
        told = self._told.get(key, lambda: Told(key, found, maker.name))
        if found.explanation is None:
            return replace(sheet, told=told)
        text = format_lines(found.explanation, inputs, self._facts(sheet, found))
        return self._examined(replace(sheet, told=told, text=text, made=text), inputs, found.explanation)

    def _edited(self, sheet: Sheet, inputs: Any) -> Sheet:
        try:
            explanation = self._read(sheet, sheet.text or "", inputs)
        except DataError as error:
            return replace(sheet, unread=str(error))
        return self._examined(sheet, inputs, explanation)

    def _examined(self, sheet: Sheet, inputs: Any, explanation: Any) -> Sheet:
        facts = self._facts(sheet, sheet.told.found if sheet.told else None)
        reference = self._reference(sheet, inputs)
        found = examine(sheet.task, inputs, explanation, facts, reference, "drawn")
        asked = premises_of(explanation, inputs) if can_be_asked(sheet.task) else ()
        return replace(sheet, examined=found, premises=asked)

    def _reference(self, sheet: Sheet, inputs: Any) -> Reference | None:
        """Gold, as long as the inputs are those of the example; else the explanation as it was made."""
        if sheet.source is not None and sheet.source.example.golds and sheet.source.example.inputs == inputs:
            return Reference("gold", sheet.source.example.golds)
        try:
            return (
                Reference("the one that was made", (self._read(sheet, sheet.made, inputs),))
                if sheet.made
                else None
            )
        except DataError:
            return None  # the inputs were changed so that it no longer fits them

    def _read(self, sheet: Sheet, text: str, inputs: Any) -> Any:
        facts = self._facts(sheet, sheet.told.found if sheet.told else None)
        return parse_lines(sheet.task.explanation, text, inputs, facts)

    def _facts(self, sheet: Sheet, found: Explained | None) -> Mapping[str, Fact]:
        known = sheet.source.facts if sheet.source else self._library.facts(sheet.task)
        return {**known, **found.facts} if found else known

    def _source(self, task: AnyTask, where: str, number: int) -> Source | None:
        if not where:
            return None
        dataset = self._library.dataset(task, where)
        if not 1 <= number <= len(dataset.examples):
            raise HTTPException(404, f"{task.name} {where} has no example {number}.")
        return Source(where, number, dataset.examples[number - 1], dataset.facts)

    def _first(self, task: AnyTask) -> str:
        return next(iter(methods_of(task.name)), "")

    def _choices(self, task: AnyTask, form: Mapping[str, Any]) -> list[Choice]:
        found = []
        for method in methods_of(task.name).values():
            typed = _settings(form, method.name)
            changed = any(text.strip() for text in typed.values())
            fields = setting_fields(method.settings, typed) if self._library.settable else []
            found.append(Choice(method, fields, changed))
        return found


def label_names(task: AnyTask) -> tuple[str, ...]:
    """The answers that a task has, where an answer is one of a few names."""
    if task.explanation is not Label:
        return ()
    learnt = next((head.labels for head in heads_of(task.name).values() if head.answer and head.labels), ())
    seen = {gold.name for example in samples(task).examples for gold in example.golds}
    return learnt or tuple(sorted(seen))


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def _lines(form: Mapping[str, Any], name: str) -> str:
    """A text of several lines; browsers send them with carriage returns."""
    return _text(form, name).replace("\r\n", "\n")


def _number(form: Mapping[str, Any], name: str) -> int:
    text = _text(form, name)
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _settings(form: Mapping[str, Any], method: str) -> dict[str, str]:
    start = f"set.{method}."
    return {name.removeprefix(start): _text(form, name) for name in form if name.startswith(start)}


def _kinds() -> list[Kind]:
    """One card for each kind of explanation."""
    folders = dict.fromkeys(task.folder for task in TASKS.values())
    found = []
    for folder in folders:
        tasks = tuple(task for task in TASKS.values() if task.folder == folder)
        dataset = samples(tasks[0])
        example = next(example for example in dataset.examples if example.golds)
        diagram = replace(tasks[0].diagram(example.inputs, example.golds[0], dataset.facts), caption=())
        title = folder.name.replace("_", " ").capitalize()
        found.append(Kind(title, picture(diagram, f"kind-{folder.name}", title), tasks))
    return found


def explain_router(library: Library) -> APIRouter:
    """The pages of Explain."""
    router, desk = APIRouter(prefix="/explain"), Desk(library)

    @router.get("")
    def kinds(request: Request) -> Response:
        return pages_of(request).show(request, "explain/kinds.html", kinds=_kinds())

    @router.get("/{task}")
    def blank(request: Request, task: str, where: str = "", number: int = 1) -> Response:
        return _show(request, desk.blank(library.task(task), where, number))

    @router.post("/{task}")
    def filled(request: Request, task: str, form: Form) -> Response:
        return _show(request, desk.filled(library.task(task), form))

    @router.post("/{task}/live")
    def live(request: Request, task: str, form: Form) -> Response:
        sheet = desk.filled(library.task(task), form)
        return pages_of(request).show(request, "explain/examined.html", sheet=sheet)

    @router.post("/{task}/why")
    def why(request: Request, task: str, form: Form) -> Response:
        chosen = library.task(task)
        answered, fields = desk.why(chosen, form)
        return pages_of(request).show(request, "explain/why.html", task=chosen, answered=answered, fields=fields)

    def _show(request: Request, sheet: Sheet) -> Response:
        count = len(library.dataset(sheet.task, SAMPLES).examples)
        return pages_of(request).show(
            request,
            "explain/sheet.html",
            status=422 if sheet.error else 200,
            sheet=replace(sheet, labels=label_names(sheet.task)),
            tasks=TASKS,
            samples=count,
        )

    return router
