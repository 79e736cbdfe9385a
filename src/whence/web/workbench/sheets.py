"""Sheets of Explain: what was typed, what a method made of it, and what it is after edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from whence.errors import DataError, UsageError, WhenceError
from whence.formats.editable import LineForm, form_of, format_lines, parse_lines
from whence.structures.facts import Fact
from whence.structures.results import Example
from whence.structures.tree import Claim
from whence.tasks import methods_of
from whence.tasks.method import Explained, Method
from whence.tasks.task import AnyTask
from whence.web.typed import typed_number
from whence.web.workbench.examined import Examined, Reference, examine
from whence.web.workbench.forms import Field, input_fields, read_inputs, read_settings, setting_fields
from whence.web.workbench.kept import Kept
from whence.web.workbench.library import Library
from whence.web.workbench.saved import SavedFile, saved_file
from whence.web.workbench.why import METHOD, Answered, ask, can_be_asked, premises_of


@dataclass(frozen=True, slots=True)
class Source:
    """The example that a form was filled with."""

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
    told: Explained | None = None
    """What a method said, and which."""
    by: str = ""
    text: str | None = None
    """The explanation as lines; None where there is none yet."""
    made: str = ""
    """The lines as they were made, before edits."""
    examined: Examined | None = None
    error: str = ""
    unread: str = ""
    """Why the edited lines cannot be read."""
    premises: tuple[str, ...] = ()
    """Sentences of a tree that can be asked about."""

    @property
    def form(self) -> LineForm:
        """How the explanation is written as lines."""
        return form_of(self.task.explanation)


class Desk:
    """Makes sheets from forms, and keeps them: a page that was posted is found again at an address of its own."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.sheets: Kept[Sheet] = Kept(200)
        self.answers: Kept[Answered] = Kept(400)

    def blank(self, task: AnyTask, where: str, number: int) -> Sheet:
        """A form to fill in; or one that is filled with an example, and its gold explanation to edit."""
        source = self._source(task, where, number)
        sheet = Sheet(task, input_fields(task), self._choices(task, {}), _usual(task), source)
        if source is None:
            return sheet
        sheet = replace(sheet, fields=input_fields(task, source.example.inputs))
        if not source.example.golds:
            return sheet
        text = format_lines(source.example.golds[0], source.example.inputs, source.facts)
        return self._examined(replace(sheet, text=text, made=text), source.example.inputs, source.example.golds[0])

    def filled(self, task: AnyTask, form: FormData) -> Sheet:
        """What a form asks for: an explanation made, or an edited one looked at."""
        typed = _typed(task, form)
        method = _text(form, "method") or _usual(task)
        source = self._source(task, _text(form, "from"), _number(form, "number"))
        sheet = Sheet(task, input_fields(task, typed=typed), self._choices(task, form), method, source)
        try:
            inputs = read_inputs(task, typed)
        except UsageError as error:
            return replace(sheet, error=str(error))
        if _text(form, "do") == "explain":
            settings = read_settings(_settings(form, method)) if self._library.settable else {}
            return self._made(sheet, inputs, settings)
        before = self.sheets.seen(_text(form, "key"))
        if before is not None:
            sheet = replace(sheet, told=before.told, by=before.by)
        return self._edited(replace(sheet, text=_text(form, "text"), made=_text(form, "made")), inputs)

    def saved(self, task: AnyTask, form: FormData) -> SavedFile:
        """The inputs and the explanation that a form has, as a file of the form that it names."""
        sheet = self.filled(task, form)
        if sheet.error or sheet.unread:
            raise UsageError(sheet.error or sheet.unread)
        inputs, facts = read_inputs(task, _typed(task, form)), self._facts(sheet)
        explanation = parse_lines(task.explanation, sheet.text or "", inputs, facts)
        return saved_file(task, Example("typed", inputs, (explanation,)), facts, _text(form, "as"))

    def why(self, task: AnyTask, form: FormData) -> Answered:
        """Asks why of a sentence that a form names, or of one on the way to it."""
        typed = _typed(task, form)
        way = [text for text in form.getlist("way") if isinstance(text, str)]
        sentence = _text(form, "why")
        back = typed_number(_text(form, "back"))
        if back is not None and back < len(way):
            way, sentence = way[:back], way[back]
        claim = read_inputs(task, typed)
        if not way and isinstance(claim, Claim) and sentence != claim.hypothesis:
            way = [claim.hypothesis]
        tree = self.sheets.keep(self.filled(task, form)) if "text" in form else _text(form, "tree")
        settings = read_settings(_settings(form, METHOD)) if self._library.settable else {}
        return ask(self._library, task, claim, way, sentence, typed, tree, settings)

    def _made(self, sheet: Sheet, inputs: Any, settings: Mapping[str, str]) -> Sheet:
        """The explanation that the chosen method makes."""
        task, where = sheet.task, sheet.source.where if sheet.source else ""
        try:
            maker = self._library.explainer(task, sheet.chosen, settings, where)
            found = maker.explain([Example("typed", inputs)])[0]
        except WhenceError as error:
            return replace(sheet, error=str(error))
        sheet = replace(sheet, told=found, by=maker.name)
        if found.explanation is None:
            return sheet
        text = format_lines(found.explanation, inputs, self._facts(sheet))
        return self._examined(replace(sheet, text=text, made=text), inputs, found.explanation)

    def _edited(self, sheet: Sheet, inputs: Any) -> Sheet:
        try:
            explanation = parse_lines(sheet.task.explanation, sheet.text or "", inputs, self._facts(sheet))
        except DataError as error:
            return replace(sheet, unread=str(error))
        return self._examined(sheet, inputs, explanation)

    def _examined(self, sheet: Sheet, inputs: Any, explanation: Any) -> Sheet:
        reference = self._reference(sheet, inputs)
        found = examine(sheet.task, inputs, explanation, self._facts(sheet), reference, self._library.options)
        asked = premises_of(explanation, inputs) if can_be_asked(sheet.task) else ()
        return replace(sheet, examined=found, premises=asked)

    def _reference(self, sheet: Sheet, inputs: Any) -> Reference | None:
        """Gold, as long as the inputs are those of the example; else the explanation as it was made."""
        if sheet.source is not None and sheet.source.example.golds and sheet.source.example.inputs == inputs:
            return Reference("gold", sheet.source.example.golds, is_gold=True)
        if not sheet.made:
            return None
        try:
            made = parse_lines(sheet.task.explanation, sheet.made, inputs, self._facts(sheet))
        except DataError:
            return None  # the inputs were changed so that it no longer fits them
        return Reference("the one that was made", (made,), is_gold=False)

    def _facts(self, sheet: Sheet) -> Mapping[str, Fact]:
        known = sheet.source.facts if sheet.source else self._library.facts(sheet.task)
        return {**known, **sheet.told.facts} if sheet.told else known

    def _source(self, task: AnyTask, where: str, number: int) -> Source | None:
        if not where:
            return None
        dataset = self._library.dataset(task, where)
        if not 1 <= number <= len(dataset.examples):
            raise HTTPException(404, f"{task.name} {where} has no example {number}.")
        return Source(where, number, dataset.examples[number - 1], dataset.facts)

    def _choices(self, task: AnyTask, form: Mapping[str, Any]) -> list[Choice]:
        found = []
        for method in methods_of(task.name).values():
            typed = _settings(form, method.name)
            changed = any(text.strip() for text in typed.values())
            fields = setting_fields(method.settings, typed) if self._library.settable else []
            found.append(Choice(method, fields, changed))
        return found


def _usual(task: AnyTask) -> str:
    """The method that is used where none is chosen."""
    return next(iter(methods_of(task.name)), "")


def _typed(task: AnyTask, form: Mapping[str, Any]) -> dict[str, str]:
    return {field.name: _text(form, f"in.{field.name}") for field in input_fields(task)}


def _text(form: Mapping[str, Any], name: str) -> str:
    """A text; browsers send lines with carriage returns."""
    value = form.get(name, "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _number(form: Mapping[str, Any], name: str) -> int:
    return typed_number(_text(form, name)) or 0


def _settings(form: Mapping[str, Any], method: str) -> dict[str, str]:
    start = f"set.{method}."
    return {name.removeprefix(start): _text(form, name) for name in form if name.startswith(start)}
