"""Collect: the collections that ship with the package, drawn, and how to begin one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.collection.configuration import DONE, DROPPED, Configuration, Stage
from whence.collection.configuration_files import bundled_files, read_configuration
from whence.drawing import Diagram, Link, Node
from whence.web.drawings import Picture, picture
from whence.web.pages import pages_of


@dataclass(frozen=True, slots=True)
class Shown:
    """A collection as the page shows it."""

    configuration: Configuration
    drawn: Picture
    sources: str
    """The options of `whence collect new` by which items come in."""


def collections_router() -> APIRouter:
    """The pages."""
    router = APIRouter(prefix="/collections")
    names = tuple(bundled_files())

    @router.get("")
    def collections(request: Request) -> Response:
        found = [read_configuration(name)[0] for name in names]
        return pages_of(request).show(request, "collections.html", collections=found, shown=None)

    @router.get("/{name}")
    def collection(request: Request, name: str) -> Response:
        if name not in names:
            raise HTTPException(404, "There is no such collection.")
        return pages_of(request).show(request, "collections.html", collections=(), shown=_shown(name))

    return router


def _shown(name: str) -> Shown:
    found = read_configuration(name)[0]
    asked = [source.name for source in found.sources if not source.items]
    sources = " ".join(f"--items {source}=FILE" for source in asked[:1])
    return Shown(found, picture(workflow(found), "workflow", "What goes where"), sources)


def workflow(configuration: Configuration) -> Diagram:
    """Stages, and where what comes out of each goes."""
    stages = [stage for stage in configuration.stages if not stage.is_test]
    links = tuple(dict.fromkeys(link for stage in stages for link in _links(stage)))
    ends = {DONE: "external", DROPPED: "external"}
    used = {link.head for link in links} & ends.keys()
    nodes = [
        Node(stage.name, stage.title, "span" if stage.machine else "internal", note=stage.name) for stage in stages
    ]
    return Diagram((*nodes, *(Node(name, name, ends[name]) for name in sorted(used))), links)


def _links(stage: Stage) -> Iterator[Link]:
    for made in stage.makes:
        yield Link(stage.name, made.to, made.when)
    for route in stage.routes:
        yield Link(stage.name, route.to, "" if route.when == "*" else route.when)
        if route.at_most:
            yield Link(stage.name, route.then, f"after {route.at_most} times")
