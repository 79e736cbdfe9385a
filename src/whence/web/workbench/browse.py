"""Browse: the examples of data sets and of runs, found by words and by what they are, each drawn."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.checks.rule import check
from whence.pipeline.check import check_examples
from whence.pipeline.opened import answers_task
from whence.pipeline.outside import OUTSIDE
from whence.pipeline.report.items import input_rows
from whence.pipeline.runs import Run
from whence.pipeline.score import slice_names
from whence.structures.results import Example, Problem
from whence.tasks import TASKS, head_named
from whence.tasks.dataset import AnyDataset, Note
from whence.tasks.loading import rules_of
from whence.tasks.task import AnyTask
from whence.web.addresses import address, pager
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of
from whence.web.workbench.kept import Kept
from whence.web.workbench.library import Library
from whence.web.workbench.listed import excerpt, holds, neighbours
from whence.web.workbench.run_pages import add_run_pages

Checked = dict[int, tuple[Problem, ...]]


@dataclass(frozen=True, slots=True)
class Line:
    """An example in a list."""

    number: int
    id: str
    excerpt: str
    address: str
    problems: int
    explained: bool


@dataclass(frozen=True, slots=True)
class Filters:
    """What is to be listed: the query of a page."""

    words: str = ""
    by: str = ""
    """A breakdown and a group of it, as `depth=3`."""
    only: str = ""
    """`problems`: only examples whose explanation has some."""


Wanted = Annotated[Filters, Depends()]


@dataclass(frozen=True, slots=True)
class GoldShown:
    """A gold explanation: drawn, and its problems."""

    drawn: Picture
    problems: tuple[Problem, ...]


def made_by(run: Run) -> str:
    """What made a run: a method, or a model of a head."""
    method = run.about.get("method")
    if method == OUTSIDE:
        return "predictions from outside"
    return f"method {method}" if method else head_named(run.about["task"], run.about["head"]).title


def groups_of(task: AnyTask, dataset: AnyDataset) -> list[tuple[str, list[str]]]:
    """The breakdowns of a task, each with the groups that its examples fall into."""
    found = []
    for name, groups in slice_names(task).items():
        if any(example.golds for example in dataset.examples):
            known = {group for example in dataset.examples if example.golds for group in groups(example)}
            found.append((name, sorted(known, key=lambda text: (len(text), text))))
    return found


def _in_group(task: AnyTask, example: Example[Any, Any], by: str) -> bool:
    name, _, group = by.partition("=")
    known = slice_names(task)
    if not by:
        return True
    if name not in known:
        raise HTTPException(404, f"{task.name} has no breakdown {name!r}.")
    return bool(example.golds) and group in known[name](example)


def _lines(task: AnyTask, where: str, dataset: AnyDataset, problems: Checked, wanted: Filters) -> list[Line]:
    found = []
    for number, (example, place) in enumerate(zip(dataset.examples, dataset.lines, strict=True), 1):
        count = len(problems.get(place, ()))
        if wanted.only == "problems" and not count:
            continue
        if holds(example, wanted.words) and _in_group(task, example, wanted.by):
            there = address(f"/browse/{task.name}/{where}/{number}", **asdict(wanted))
            found.append(Line(number, example.id, excerpt(example.inputs), there, count, bool(example.golds)))
    return found


def golds_shown(task: AnyTask, dataset: AnyDataset, example: Example[Any, Any]) -> list[GoldShown]:
    """Each gold explanation of an example; where there is none, its inputs drawn."""
    rules = rules_of(task, "official", dataset)
    shown = []
    for place, gold in enumerate(example.golds or (None,)):
        title = "Gold explanation" if len(example.golds) < 2 else f"Gold explanation {place + 1}"
        diagram = task.diagram(example.inputs, gold, dataset.facts)
        problems = () if gold is None else tuple(check(example.inputs, gold, rules))
        shown.append(GoldShown(picture(diagram, f"gold-{place + 1}", title if gold else "Inputs"), problems))
    return shown


def example_at(dataset: AnyDataset, number: int) -> Example[Any, Any]:
    """The example with that number, counted from 1."""
    if not 1 <= number <= len(dataset.examples):
        raise HTTPException(404, f"There is no example {number}: there are {len(dataset.examples):,}.")
    example: Example[Any, Any] = dataset.examples[number - 1]
    return example


class Checks:
    """The problems of data sets, by line, and what was noted while checking; the last few are kept."""

    def __init__(self) -> None:
        self._kept: Kept[tuple[Checked, tuple[Note, ...]]] = Kept(24)

    def of(self, task: AnyTask, where: str, dataset: AnyDataset) -> tuple[Checked, tuple[Note, ...]]:
        """Of one data set."""

        def make() -> tuple[Checked, tuple[Note, ...]]:
            report = check_examples(task, dataset, "official")
            return {item.line: item.problems for item in report.items}, report.notes

        return self._kept.get((task.name, where), make)


def browse_router(library: Library) -> APIRouter:
    """The pages of Browse."""
    router, checks = APIRouter(prefix="/browse"), Checks()
    _shelves(router, library)
    add_run_pages(router, library)
    _list(router, library, checks)
    _example(router, library, checks)
    return router


def _shelves(router: APIRouter, library: Library) -> None:
    @router.get("")
    def shelves(request: Request) -> Response:
        runs = [(name, made_by(run), run, answers_task(run)) for name, run in library.runs().items()]
        return pages_of(request).show(
            request,
            "browse/shelves.html",
            shelves=[(task, library.splits(task)) for task in TASKS.values()],
            runs=runs,
            folder=library.folder,
            broken=library.broken(),
        )


def _list(router: APIRouter, library: Library, checks: Checks) -> None:
    @router.get("/{task}/{where}")
    def listed(request: Request, task: str, where: str, wanted: Wanted, page: int = 1) -> Response:
        chosen = library.task(task)
        dataset = library.dataset(chosen, where)
        problems, notes = checks.of(chosen, where, dataset)
        found = _lines(chosen, where, dataset, problems, wanted)
        return pages_of(request).show(
            request,
            "browse/listed.html",
            task=chosen,
            where=where,
            splits=library.splits(chosen),
            wanted=wanted,
            groups=groups_of(chosen, dataset),
            pager=pager(found, page, f"/browse/{task}/{where}", asdict(wanted), "examples"),
            total=len(dataset.examples),
            faulty=sum(bool(one) for one in problems.values()),
            notes=notes,
        )


def _example(router: APIRouter, library: Library, checks: Checks) -> None:
    @router.get("/{task}/{where}/{number}")
    def example(request: Request, task: str, where: str, number: int, wanted: Wanted) -> Response:
        chosen = library.task(task)
        dataset = library.dataset(chosen, where)
        shown = example_at(dataset, number)
        problems, _ = checks.of(chosen, where, dataset)
        return pages_of(request).show(
            request,
            "browse/example.html",
            task=chosen,
            where=where,
            number=number,
            example=shown,
            inputs=list(input_rows(shown.inputs)),
            golds=golds_shown(chosen, dataset, shown),
            back=address(f"/browse/{task}/{where}", **asdict(wanted)),
            beside=neighbours(_lines(chosen, where, dataset, problems, wanted), number),
        )
