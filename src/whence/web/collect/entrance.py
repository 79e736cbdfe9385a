"""The pages on which people come in and leave."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from whence.collection import access
from whence.collection.refusals import NotEligibleError
from whence.errors import UsageError
from whence.web.collect.sessions import COOKIE, Doors, forget, keep
from whence.web.pages import pages_of
from whence.web.security.guard import guard

Form = Annotated[FormData, Depends(guard)]


def entrance_router(doors: Doors) -> APIRouter:
    """The pages at `/collect/enter`, `/collect/join` and `/admin/login`."""
    router, collection = APIRouter(), doors.collection

    @router.get("/collect/enter/{secret}", response_class=Response)
    def enter(request: Request, secret: str) -> Response:
        # Nothing is used up by looking: mail programs open links too.
        kind = access.invited(collection, secret)
        return _door(request, kind)

    @router.post("/collect/enter/{secret}", response_class=Response)
    def entered(request: Request, secret: str, form: Form) -> Response:
        kind = access.invited(collection, secret)
        if kind == "worker":
            return keep(_to("/collect"), request, access.accept_worker(collection, secret))
        name, password = str(form.get("name", "")).strip(), str(form.get("password", ""))
        try:
            token = access.accept_administrator(collection, secret, name, password)
        except UsageError as error:
            return _door(request, kind, line=str(error), name=name)
        return keep(_to("/admin"), request, token)

    def _door(
        request: Request,
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

    @router.get("/collect/join/{study}", response_class=Response)
    def join(request: Request, study: str, key: str = "") -> Response:
        found = access.study_named(collection, study)
        person = request.query_params.get(found.parameter, "") if found else ""
        if found is None or not person:
            raise HTTPException(403, "The link does not say who you are. Open it from the platform once more.")
        return _door(request, "worker", hidden={"key": key, "person": person})

    @router.post("/collect/join/{study}", response_class=Response)
    def joined(request: Request, study: str, form: Form) -> Response:
        key, person = str(form.get("key", "")), str(form.get("person", ""))
        return keep(_to("/collect"), request, access.accept_from_platform(collection, study, key, person))

    @router.get("/admin/login", response_class=Response)
    def login(request: Request) -> Response:
        return _login_page(request)

    @router.post("/admin/login", response_class=Response)
    def logged_in(request: Request, form: Form) -> Response:
        name = str(form.get("name", ""))
        try:
            token = access.log_in(collection, name, str(form.get("password", "")))
        except NotEligibleError as error:
            return _login_page(request, str(error), name)
        return keep(_to("/admin"), request, token)

    def _login_page(request: Request, line: str = "", name: str = "") -> Response:
        return pages_of(request).show(
            request, "collect/login.html", status=403 if line else 200, line=line, name=name
        )

    @router.post("/collect/leave", response_class=Response)
    def leave(request: Request, form: Form) -> Response:
        access.log_out(collection, request.cookies.get(COOKIE, ""))
        return forget(pages_of(request).show(request, "collect/left.html"))

    return router


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303)
