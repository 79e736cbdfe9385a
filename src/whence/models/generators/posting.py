"""One request over HTTP, by the standard library alone: an answer, or what went wrong and whether to wait."""

from __future__ import annotations

import email.utils
import json
import math
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener
from urllib.request import Request as HttpRequest

from whence.errors import DataError, printable, quoted
from whence.models.generators import Reply
from whence.models.generators.completions import error_of, reply_of

_MOST_BYTES = 32 * 1024 * 1024
_PIECE = 64 * 1024
_TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_HOPELESS = frozenset({401, 402, 403, 404})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer."""

    reason: str
    again: bool
    """Whether the same request may be answered later."""
    wait: float | None = None
    """For how many seconds the server asks to be left alone."""
    hopeless: bool = False
    """Whether no other request will be answered either: a wrong address or key."""


class _NoRedirects(HTTPRedirectHandler):
    """A key must not go where nobody sent it."""

    def redirect_request(
        self, req: HttpRequest, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""This machine: no proxy stands before it, and nobody reads along."""
_NEAR, _FAR = build_opener(ProxyHandler({}), _NoRedirects), build_opener(_NoRedirects)


def post(url: str, body: Mapping[str, Any], headers: Mapping[str, str], seconds: float) -> Reply | Trouble:
    """What an endpoint answers within a time (at most twice that, if it trickles)."""
    data = json.dumps(body, ensure_ascii=False).encode()
    sent = HttpRequest(url, data, {"Content-Type": "application/json", "Accept": "application/json", **headers})
    deadline = time.monotonic() + seconds
    try:
        opener = _NEAR if urlsplit(url).hostname in LOOPBACK else _FAR
        with opener.open(sent, timeout=seconds) as response:
            return _answer(_body(response, deadline))
    except HTTPError as error:
        with error:
            return _refusal(error, deadline)
    except URLError as error:
        return Trouble(_reason(error.reason, seconds), again=True)
    except (HTTPException, OSError) as error:
        return Trouble(_reason(error, seconds), again=True)


def _body(response: HTTPResponse | HTTPError, deadline: float) -> bytes:
    pieces, size = [], 0
    while piece := response.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
        if size > _MOST_BYTES:
            raise HTTPException(f"an answer of more than {_MOST_BYTES // 1024**2} MB")
    if response.length:  # a closed connection ends a body without an error
        raise HTTPException(f"the connection was closed with {response.length:,} bytes missing")
    return b"".join(pieces)


def _answer(raw: bytes) -> Reply | Trouble:
    try:
        return reply_of(json.loads(raw))
    except DataError as error:
        return Trouble(f"the answer is no chat completion: {error.found}", again=True)
    except ValueError:  # no JSON, or no text
        return Trouble(f"the answer is not JSON: {quoted(raw.decode(errors='replace'))}", again=True)


def _refusal(error: HTTPError, deadline: float) -> Trouble:
    try:
        raw = _body(error, deadline)
    except (HTTPException, OSError):
        raw = b""
    try:
        told = error_of(json.loads(raw))
    except ValueError:
        told = ""
    reason = printable(f"HTTP {error.code}: {told or error.reason}")[:300]
    wait = retry_after(error.headers.get("Retry-After", "")) if error.headers else None
    return Trouble(reason, error.code in _TRY_AGAIN, wait, error.code in _HOPELESS or 300 <= error.code < 400)


def retry_after(text: str, now: datetime | None = None) -> float | None:
    """The seconds of a Retry-After header, which may be a date (RFC 9110, 10.2.3); None if it says nothing."""
    try:
        seconds = float(text)
    except ValueError:
        return _until(text, now or datetime.now(UTC))
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str, now: datetime) -> float | None:
    try:
        when = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def _reason(error: object, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there (connection refused)"
    if isinstance(error, socket.gaierror):
        return "no such host"
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return str(error) or type(error).__name__
