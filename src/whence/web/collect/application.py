"""The application in which a collection is worked at."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from whence.collection.access import form_key
from whence.collection.collection import Collection
from whence.collection.refusals import KeyReusedError, NotEligibleError, NotFoundError, StaleDraftError
from whence.errors import UsageError
from whence.web.application import create_app
from whence.web.collect.admin import admin_router
from whence.web.collect.entrance import entrance_router
from whence.web.collect.sessions import COOKIE, Doors
from whence.web.collect.work import work_router
from whence.web.faults import fault_page
from whence.web.section import Section
from whence.web.security.forgery import Forgery, visitor
from whence.web.security.guard import Security
from whence.web.security.limits import Buckets, Rate

LARGEST_BODY = 1_000_000
_ALL = Rate(burst=120, per_second=20)
_PASSWORDS = Rate(burst=10, per_second=0.05)
_STATUS: dict[type[Exception], int] = {
    NotFoundError: 404,
    NotEligibleError: 403,
    StaleDraftError: 409,
    KeyReusedError: 409,
    UsageError: 422,
}
"""What the engine refuses. Its words are for the people who get them."""


def collection_app(collection: Collection, hosts: frozenset[str] = frozenset()) -> FastAPI:
    """The pages of a collection: doors, desks, and administration."""
    doors = Doors(collection)
    sections = [
        Section("tasks", "Tasks", "/collect", work_router(doors)),
        Section("doors", "Doors", "/collect/enter", entrance_router(doors), listed=False),
        Section("administration", "Administration", "/admin", admin_router(doors), listed=False),
    ]
    security = Security(Forgery(form_key(collection), doors.name), LARGEST_BODY, _Limits(), hosts)
    app = create_app(sections, security)
    for refusal, status in _STATUS.items():
        app.add_exception_handler(refusal, _refused(status))
    return app


def _refused(status: int):  # type: ignore[no-untyped-def]  # starlette's own type has no name
    def page(request: Request, error: Exception) -> Response:
        line = str(error)
        return fault_page(request, status, f"{line[:1].upper()}{line[1:]}")

    return page


class _Limits:
    """So many requests a person, and few passwords from one address. Links cannot be guessed."""

    def __init__(self) -> None:
        self._all, self._passwords = Buckets(_ALL), Buckets(_PASSWORDS)

    def __call__(self, request: Request) -> float:
        address = request.client.host if request.client else ""
        if request.method == "POST" and request.url.path == "/admin/login":
            return self._passwords.wait(address)
        return self._all.wait(request.cookies.get(COOKIE) or f"{address} {visitor(request)}")
