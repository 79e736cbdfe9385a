"""What goes wrong, as a page with one clear line, or as that line alone for a script that asked."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.errors import MissingDataError, WhenceError
from whence.web.pages import pages_of
from whence.web.security.headers import HEADERS

LIVE = "x-whence-live"
"""The header of requests that a script makes: it wants a piece of a page."""

TITLES = {
    400: ("Not understood", "The request could not be read."),
    401: ("Please sign in", "This page is for people who are signed in."),
    403: ("Not allowed", "This is not open to you."),
    404: ("Not found", "There is no such page."),
    405: ("Not possible", "That cannot be done with this page."),
    409: ("Changed meanwhile", "Someone else changed this meanwhile. Load the page again."),
    413: ("Too large", "What was sent is too large."),
    421: ("Wrong address", "This server is not known under that name."),
    422: ("Cannot be done", "Something in what was sent is not as it should be."),
    429: ("Too many requests", "Wait a little and try again."),
    500: ("Something went wrong", "The server made a mistake. It is in the server's log."),
}


def fault_page(request: Request, status: int, line: str = "", headers: dict[str, str] | None = None) -> Response:
    """The page of a status; the line is a usual one if none is given."""
    title, usual = TITLES.get(status, TITLES[500 if status >= 500 else 400])
    template = "fault_line.html" if LIVE in request.headers else "fault.html"
    # The page of a mistake is made outside of what adds the headers.
    all_headers = {**HEADERS, **(headers or {})}
    return pages_of(request).show(
        request,
        template,
        status=status,
        headers=all_headers,
        status_code=status,
        heading=title,
        line=line or usual,
    )


def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    usual = HTTPException(error.status_code).detail
    line = "" if error.detail == usual else error.detail
    return fault_page(request, error.status_code, line, dict(error.headers or {}))


def _invalid(request: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": ""}
    where = ".".join(str(part) for part in first["loc"][1:])
    return fault_page(request, 422, f"{where}: {first['msg']}" if where else "")


def _known(request: Request, error: Exception) -> Response:
    """An error whose line is for the user; where it could tell of the machine, only to its own user."""
    status = 404 if isinstance(error, MissingDataError) else 422
    return fault_page(request, status, str(error) if request.app.state.security.candid else "")


def _mistake(request: Request, _: Exception) -> Response:
    return fault_page(request, 500)


def add_faults(app: FastAPI) -> None:
    """Makes every error of the application a page."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(WhenceError, _known)
    app.add_exception_handler(Exception, _mistake)
