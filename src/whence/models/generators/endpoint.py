"""Any endpoint that speaks the OpenAI form of chat: several requests at once, tried again where that may help."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from whence.errors import UsageError, quoted
from whence.models.generators import Reply, Request, Told, failed, untold
from whence.models.generators.completions import Structure, body_of
from whence.models.generators.posting import LOOPBACK, Trouble, post

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOST = 3
"""After so many requests in a row that nothing answered, all attempts spent, the others are not sent."""


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where an endpoint is and how it is treated."""

    url: str
    """Such as `http://127.0.0.1:8080/v1`: what stands before `/chat/completions`."""
    model: str
    key: str = ""
    """The name of the environment variable that has the key."""
    structure: Structure = "schema"
    concurrency: int = 4
    timeout: float = 120.0
    attempts: int = 5
    pause: float = 0.5
    """Seconds before the second attempt; twice as many before each further one, some of them by chance."""
    longest_pause: float = 60.0
    """What asks for a longer one is not waited for."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """More fields of the document that is sent; None takes one away."""


@dataclass(slots=True)
class _Line:
    """What all workers know of the endpoint."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)
    free_at: float = 0.0
    lost: int = 0
    dead: str = ""


class Endpoint:
    """An endpoint, ready to be asked."""

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._url = f"{_checked_url(settings.url)}/chat/completions"
        self._headers = _headers(settings)
        for name in ("concurrency", "attempts"):
            if getattr(settings, name) < 1:
                raise UsageError(f"{name} must be at least 1")
        self.name = f"{settings.model} at {settings.url.rstrip('/')}"
        if settings.structure != "schema":
            self.name += f", structure {settings.structure}"
        if settings.body:
            self.name += f", {dict(sorted(settings.body.items()))}"

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """The reply to each request; several are under way at once.

        When this is interrupted, what is under way is waited for (it is paid for already) and told.
        """
        line = _Line()

        def work(place: int) -> Reply:
            reply = self._reply(requests[place], line)
            told(place, reply)
            return reply

        pool = ThreadPoolExecutor(self._settings.concurrency, thread_name_prefix="endpoint")
        try:
            return list(pool.map(work, range(len(requests))))
        finally:
            line.stopped.set()
            pool.shutdown(cancel_futures=True)

    def _reply(self, request: Request, line: _Line) -> Reply:
        settings = self._settings
        trouble = Trouble("it was not asked", again=True)
        for attempt in range(settings.attempts):
            if line.dead:
                return failed(line.dead)
            if line.stopped.wait(max(0.0, line.free_at - time.monotonic())):
                return failed("interrupted")
            found = post(self._url, self._body(request), self._headers, settings.timeout)
            if isinstance(found, Reply):
                with line.lock:
                    line.lost = 0
                return found
            trouble = found
            if not found.again or attempt + 1 == settings.attempts:
                break
            if (found.wait or 0.0) > settings.longest_pause:
                trouble = Trouble(f"{found.reason}; it asks to wait {found.wait:,.0f} s", again=True)
                break
            self._pause(found, attempt, line)
        return self._given_up(trouble, line)

    def _pause(self, trouble: Trouble, attempt: int, line: _Line) -> None:
        """Waits: as long as the server asks for, and then everyone; else longer each time, and not all alike."""
        if trouble.wait is not None:
            with line.lock:
                line.free_at = max(line.free_at, time.monotonic() + trouble.wait)
        else:
            whole = min(self._settings.pause * 2.0**attempt, self._settings.longest_pause)
            line.stopped.wait(random.uniform(whole / 2, whole))

    def _given_up(self, trouble: Trouble, line: _Line) -> Reply:
        reason = f"{self._settings.url}: {trouble.reason}"
        with line.lock:
            # An endpoint that says what is wrong with one request may well answer another.
            line.lost = line.lost + 1 if trouble.again else 0
            if trouble.hopeless or line.lost >= _LOST:
                line.dead = line.dead or reason
        return failed(reason)

    def _body(self, request: Request) -> dict[str, Any]:
        body = {**body_of(request, self._settings.model, self._settings.structure), **self._settings.body}
        return {name: value for name, value in body.items() if value is not None}


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"endpoint={quoted(url)}: write an address such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")


def _headers(settings: EndpointSettings) -> dict[str, str]:
    if settings.key and not _VARIABLE.fullmatch(settings.key):
        raise UsageError("key is the name of the environment variable that has the key, not the key itself")
    key = os.environ.get(settings.key, "") if settings.key else ""
    if not key:
        return {}
    parts = urlsplit(settings.url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise UsageError(f"{settings.url}: a key is sent by https only, where others cannot read it")
    return {"Authorization": f"Bearer {key}"}
