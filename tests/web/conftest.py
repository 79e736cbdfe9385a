from __future__ import annotations

import pytest
from fastapi import APIRouter, Depends
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from whence.errors import DataError
from whence.web.application import create_app
from whence.web.pages import pages_of
from whence.web.section import Section
from whence.web.security.guard import Security, guard


def echo_section() -> Section:
    """Pages that do what the frame around them is to be tested with."""
    router = APIRouter()

    @router.get("/echo")
    def form(request: Request) -> Response:
        return pages_of(request).show(request, "token.html")

    @router.post("/echo")
    def echo(form: FormData = Depends(guard)) -> Response:  # noqa: B008
        return Response(str(form.get("said")))

    @router.get("/echo/{what}")
    def broken(what: str) -> Response:
        if what == "bug":
            raise ZeroDivisionError("the secret of the house")
        raise DataError("/home/someone/file.tsv", 3, expected="4 fields", found="3 fields")

    @router.get("/echo/number/{count}")
    def numbered(count: int) -> Response:
        return Response(str(count))

    return Section("echo", "Echo", "/echo", router)


def client_of(security: Security, base_url: str = "http://testserver") -> TestClient:
    return TestClient(create_app([echo_section()], security), base_url=base_url, raise_server_exceptions=False)


@pytest.fixture
def client() -> TestClient:
    return client_of(Security())
