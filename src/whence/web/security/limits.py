"""How much and how often: the size of what is sent, and the rate of requests."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Clock = Callable[[], float]


class BodyLimit:
    """Refuses bodies that are too large: by what they say of themselves, and by what comes."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request; a body that nobody reads is not looked at."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        seen = 0

        async def receive_some() -> Message:
            nonlocal seen
            if said.isdigit() and (len(said) > 18 or int(said) > self._most):
                raise self._refusal()
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                raise self._refusal()
            return message

        await self._app(scope, receive_some, send)

    def _refusal(self) -> HTTPException:
        return HTTPException(413, f"What was sent is larger than {self._most // 1000:,} kB, which is the most.")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests at once, and so many a second after that."""

    burst: int
    per_second: float


class Buckets:
    """Counts requests by key, such as an address: each has a bucket of tokens that fills at a rate."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic, kept: int = 10_000) -> None:
        self._rate, self._clock, self._kept = rate, clock, kept
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens at a time; the key that was not seen for longest comes first."""
        self._lock = Lock()

    def wait(self, key: str) -> float:
        """Takes a token: 0 if there was one, else in how many seconds there will be."""
        with self._lock:
            now = self._clock()
            tokens, then = self._buckets.pop(key, (float(self._rate.burst), now))
            tokens = min(float(self._rate.burst), tokens + (now - then) * self._rate.per_second)
            taken = tokens >= 1
            self._buckets[key] = (tokens - taken, now)
            while len(self._buckets) > self._kept:
                self._buckets.popitem(last=False)
            return 0.0 if taken else (1 - tokens) / self._rate.per_second
