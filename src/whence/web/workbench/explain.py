"""Explain: something of one's own, or an example; made, drawn, checked, and edited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.drawing import Diagram
from whence.structures.results import Example, Label
from whence.tasks import TASKS, families, heads_of
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import samples
from whence.tasks.task import AnyTask
from whence.web.addresses import go_to
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of
from whence.web.security.guard import Form
from whence.web.workbench.library import SAMPLES, Library
from whence.web.workbench.saved import save_forms
from whence.web.workbench.sheets import Desk, Sheet

FORGOTTEN = "This page was made some time ago and is no longer kept. Explain it again."


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of explanation: a picture of one, and its tasks."""

    title: str
    drawn: Picture
    number: int
    """Of the sample that is drawn, counted from 1."""
    tasks: tuple[AnyTask, ...]


@cache
def kinds() -> tuple[Kind, ...]:
    """One card for each kind of explanation."""
    return tuple(_kind(name, tasks) for name, tasks in families().items())


def _kind(name: str, tasks: list[AnyTask]) -> Kind:
    title, dataset = name.replace("_", " ").capitalize(), samples(tasks[0])
    drawn = [
        (number, picture(_bare(tasks[0], example, dataset), f"kind-{name}", title))
        for number, example in enumerate(dataset.examples, 1)
        if example.golds
    ]
    number, shown = min(drawn, key=lambda one: _tightness(one[1]))
    return Kind(title, shown, number, tuple(tasks))


def _bare(task: AnyTask, example: Example[Any, Any], dataset: AnyDataset) -> Diagram:
    return replace(task.diagram(example.inputs, example.golds[0], dataset.facts), caption=())


def _tightness(drawn: Picture) -> tuple[bool, float]:
    """How small a drawing becomes in a card, worst last; those of two boxes alone say too little."""
    width, height = drawn.size
    return drawn.svg.count('class="node') < 3, max(width / 320, height / 144)


@cache
def label_names(task: str) -> tuple[str, ...]:
    """The answers that a task has, where an answer is one of a few names."""
    if TASKS[task].explanation is not Label:
        return ()
    learnt = next((head.labels for head in heads_of(task).values() if head.answer and head.labels), ())
    seen = {gold.name for example in samples(TASKS[task]).examples for gold in example.golds}
    return learnt or tuple(sorted(seen))


def explain_router(library: Library) -> APIRouter:
    """The pages of Explain. What is posted is kept and shown at its own address, so that going back finds it."""
    router, desk = APIRouter(prefix="/explain"), Desk(library)

    def show(request: Request, sheet: Sheet, key: str = "") -> Response:
        return pages_of(request).show(
            request,
            "explain/sheet.html",
            status=422 if sheet.error else 200,
            sheet=sheet,
            key=key,
            labels=label_names(sheet.task.name),
            save_forms=save_forms(sheet.task),
            samples=len(library.dataset(sheet.task, SAMPLES).examples),
            of=len(library.dataset(sheet.task, sheet.source.where).examples) if sheet.source else 0,
        )

    @router.get("")
    def choose(request: Request) -> Response:
        return pages_of(request).show(request, "explain/kinds.html", kinds=kinds())

    @router.get("/{task}")
    def blank(request: Request, task: str, where: str = "", number: int = 1) -> Response:
        return show(request, desk.blank(library.task(task), where, number))

    @router.post("/{task}")
    def fill(request: Request, task: str, form: Form) -> Response:
        sheet = desk.filled(library.task(task), form)
        if sheet.error:
            return show(request, sheet)
        return go_to(f"/explain/{task}/kept/{desk.sheets.keep(sheet)}#result")

    @router.get("/{task}/kept/{key}")
    def kept(request: Request, task: str, key: str) -> Response:
        sheet = desk.sheets.seen(key)
        if sheet is None or sheet.task.name != task:
            raise HTTPException(404, FORGOTTEN)
        return show(request, sheet, key)

    _edits(router, library, desk)
    _questions(router, library, desk)
    return router


def _edits(router: APIRouter, library: Library, desk: Desk) -> None:
    """What a page asks for while its explanation is edited."""

    @router.post("/{task}/live")
    def live(request: Request, task: str, form: Form) -> Response:
        sheet = desk.filled(library.task(task), form)
        return pages_of(request).show(request, "explain/examined.html", sheet=sheet)

    @router.post("/{task}/save")
    def save(task: str, form: Form) -> Response:
        file = desk.saved(library.task(task), form)
        named = {"Content-Disposition": f'attachment; filename="{file.name}"'}
        return Response(file.text, media_type=file.media, headers=named)


def _questions(router: APIRouter, library: Library, desk: Desk) -> None:
    """Why a sentence of a tree holds."""

    @router.post("/{task}/why")
    def ask(task: str, form: Form) -> Response:
        answered = desk.why(library.task(task), form)
        return go_to(f"/explain/{task}/why/{desk.answers.keep(answered)}")

    @router.get("/{task}/why/{key}")
    def why(request: Request, task: str, key: str) -> Response:
        answered = desk.answers.seen(key)
        if answered is None or answered.task.name != task:
            raise HTTPException(404, FORGOTTEN)
        return pages_of(request).show(request, "explain/why.html", answered=answered)
