"""The pages on which people come in and leave."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.collection import access
from whence.collection.collection import Collection
from whence.collection.refusals import NotEligibleError
from whence.errors import UsageError
from whence.web.addresses import go_to
from whence.web.collect.sessions import COOKIE, Doors, forget, keep
from whence.web.pages import pages_of
from whence.web.security.guard import Form
from whence.web.typed import typed_text


def entrance_router(doors: Doors) -> APIRouter:
    """The pages at `/collect/enter`, `/collect/join`, `/admin/login` and `/collect/leave`."""
    router = APIRouter()
    for add in (_enter, _join, _login, _leave):
        add(router, doors.collection)
    return router


def _enter(router: APIRouter, collection: Collection) -> None:
    """For people with a link of their own."""

    @router.get("/collect/enter/{secret}", response_class=Response)
    def enter(request: Request, secret: str) -> Response:
        # Nothing is used up by looking: mail programs open links too.
        return _door(request, collection, access.invited(collection, secret))

    @router.post("/collect/enter/{secret}", response_class=Response)
    def entered(request: Request, secret: str, form: Form) -> Response:
        kind = access.invited(collection, secret)
        if kind == "worker":
            return keep(go_to("/collect"), request, access.accept_worker(collection, secret))
        name = typed_text(form, "name")
        try:
            token = access.accept_administrator(collection, secret, name, _password(form))
        except UsageError as error:
            return _door(request, collection, kind, line=str(error), name=name)
        return keep(go_to("/admin"), request, token)


def _join(router: APIRouter, collection: Collection) -> None:
    """For people whom a platform sends."""

    @router.get("/collect/join/{study}", response_class=Response)
    def join(request: Request, study: str, key: str = "") -> Response:
        found = access.study_named(collection, study)
        person = request.query_params.get(found.parameter, "") if found else ""
        if found is None or not person:
            raise HTTPException(403, "The link does not say who you are. Open it from the platform once more.")
        return _door(request, collection, "worker", hidden={"key": key, "person": person})

    @router.post("/collect/join/{study}", response_class=Response)
    def joined(request: Request, study: str, form: Form) -> Response:
        key, person = str(form.get("key", "")), str(form.get("person", ""))
        return keep(go_to("/collect"), request, access.accept_from_platform(collection, study, key, person))


def _login(router: APIRouter, collection: Collection) -> None:
    """For administrators."""

    def show(request: Request, line: str = "", name: str = "") -> Response:
        return pages_of(request).show(
            request, "collect/login.html", status=403 if line else 200, line=line, name=name
        )

    @router.get("/admin/login", response_class=Response)
    def login(request: Request) -> Response:
        return show(request)

    @router.post("/admin/login", response_class=Response)
    def logged_in(request: Request, form: Form) -> Response:
        name = typed_text(form, "name")
        try:
            token = access.log_in(collection, name, _password(form))
        except NotEligibleError as error:
            return show(request, str(error), name)
        return keep(go_to("/admin"), request, token)


def _leave(router: APIRouter, collection: Collection) -> None:
    @router.post("/collect/leave", response_class=Response)
    def leave(request: Request, form: Form) -> Response:
        access.log_out(collection, request.cookies.get(COOKIE, ""))
        return forget(pages_of(request).show(request, "collect/left.html"))


def _door(
    request: Request,
    collection: Collection,
    kind: access.Kind,
    *,
    line: str = "",
    name: str = "",
    hidden: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """The page before the first one; what is filled in there is sent to its own address."""
    return pages_of(request).show(
        request,
        "collect/enter.html",
        status=422 if line else 200,
        title=collection.configuration.title,
        kind=kind,
        line=line,
        name=name,
        shortest=access.SHORTEST_PASSWORD,
        hidden=hidden,
    )


def _password(form: Form) -> str:
    """As it was typed: blanks belong to it."""
    return str(form.get("password", ""))
