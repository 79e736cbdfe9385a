from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import client_of

from whence.web.security.forgery import VISITOR, Forgery
from whence.web.security.guard import Security, is_loopback, loopback_hosts
from whence.web.security.headers import HEADERS
from whence.web.security.limits import Buckets, Rate


def _token(client: TestClient, path: str = "/echo") -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get(path).text)
    assert found
    return found[1]


@pytest.mark.parametrize("path", ["/echo", "/static/style.css", "/nowhere", "/echo/file", "/echo/bug"])
def test_every_response_has_the_headers(client: TestClient, path: str) -> None:
    found = client.get(path).headers
    for name, value in HEADERS.items():
        if name != "Cache-Control":
            assert found[name] == value
    assert "'unsafe-inline'" not in found["Content-Security-Policy"]


def test_a_form_of_ours_is_taken(client: TestClient) -> None:
    answer = client.post("/echo", data={"token": _token(client), "said": "hello"})
    assert (answer.status_code, answer.text) == (200, "hello")


def test_a_form_without_token_or_with_that_of_another_is_refused(client: TestClient) -> None:
    other = TestClient(client.app, raise_server_exceptions=False)
    assert client.post("/echo", data={"said": "hello"}).status_code == 403
    assert client.post("/echo", data={"said": "hello", "token": _token(other)}).status_code == 403
    assert client.post("/echo", data={"said": "hello", "token": "ä"}).status_code == 403
    assert client.post("/echo", json={"said": "hello"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://testserver.evil.example"}, 403),
        ({"Origin": "null"}, 403),  # a sandboxed frame
        ({"Origin": "http://testserver:8000"}, 403),  # another port is another site
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),  # no browser: the token is proof enough
    ],
)
def test_origin(client: TestClient, headers: dict[str, str], status: int) -> None:
    token = _token(client)
    answer = client.post("/echo", data={"token": token, "said": "x"}, headers=headers)
    assert answer.status_code == status


def test_the_visitor_keeps_a_name_that_scripts_cannot_read(client: TestClient) -> None:
    cookie = client.get("/echo").headers["set-cookie"]
    assert cookie.startswith(f"{VISITOR}=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "set-cookie" not in client.get("/echo").headers
    secure = client_of(Security(), "https://testserver").get("/echo")
    assert "Secure" in secure.headers["set-cookie"]
    assert "Strict-Transport-Security" in secure.headers
    forged = client.get("/echo", headers={"Cookie": f"{VISITOR}=x"})
    assert "set-cookie" in forged.headers


def test_tokens_are_bound_to_the_session_that_is_named() -> None:
    shared = client_of(Security(Forgery(b"key", lambda request: request.headers["x-session"])))
    page = shared.get("/echo", headers={"x-session": "one"}).text
    token = re.search(r'value="([^"]+)"', page)
    assert token
    sent = {"token": token[1], "said": "x"}
    assert shared.post("/echo", data=sent, headers={"x-session": "one"}).status_code == 200
    assert shared.post("/echo", data=sent, headers={"x-session": "two"}).status_code == 403


def test_a_body_that_is_too_large_is_refused() -> None:
    small = client_of(Security(largest_body=2000))
    token = _token(small)
    assert small.post("/echo", data={"token": token, "said": "x" * 1000}).status_code == 200
    answer = small.post("/echo", data={"token": token, "said": "x" * 3000})
    assert answer.status_code == 413
    assert "larger than 2 kB" in answer.text

    def pieces():  # sent without saying how long it is
        for _ in range(30):
            yield b"a=" + b"x" * 100 + b"&"

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert small.post("/echo", content=pieces(), headers=headers).status_code == 413


def test_files_are_not_taken(client: TestClient) -> None:
    answer = client.post("/echo", data={"token": _token(client)}, files={"said": b"content"})
    assert answer.status_code == 400


def test_a_limiter_makes_requests_wait() -> None:
    buckets = Buckets(Rate(burst=2, per_second=0.1), clock=lambda: 0.0)
    limited = client_of(
        Security(limiter=lambda request: buckets.wait(request.client.host if request.client else ""))
    )
    assert [limited.get("/echo").status_code for _ in range(3)] == [200, 200, 429]
    answer = limited.get("/echo")
    assert answer.headers["Retry-After"] == "10"
    assert "Try again in 10 s" in answer.text


def test_buckets_fill_again_and_are_forgotten() -> None:
    now = [0.0]
    buckets = Buckets(Rate(burst=1, per_second=2.0), clock=lambda: now[0], kept=2)
    assert buckets.wait("a") == 0
    assert buckets.wait("a") == 0.5
    now[0] = 0.25
    assert buckets.wait("a") == 0.25
    now[0] = 0.5
    assert buckets.wait("a") == 0
    assert buckets.wait("b") == 0
    assert buckets.wait("c") == 0  # "a" is forgotten now
    assert buckets.wait("a") == 0


def test_only_known_names_are_served() -> None:
    here = client_of(Security(hosts=loopback_hosts("127.0.0.1")), "http://localhost:8000")
    assert here.get("/echo").status_code == 200
    assert here.get("/echo", headers={"Host": "[::1]:8000"}).status_code == 200
    assert here.get("/echo", headers={"Host": "rebound.example:8000"}).status_code == 421
    assert here.get("/echo", headers={"Host": ""}).status_code == 421
    assert loopback_hosts("0.0.0.0") == frozenset()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("x.y", False),
    ],
)
def test_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
