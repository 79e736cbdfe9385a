"""What writes text when it is asked: one small protocol, whatever answers behind it.

A request is messages and how the answer should be; a reply is a text, or why there is none. The embedded language
model, a checkpoint and an endpoint are asked alike (`whence.models.generators.choice`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, and what the answer must be like."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    """The JSON schema of the answer, if it must be JSON."""
    grammar: str = ""
    """A GBNF grammar of the answer, for what takes one; instead of a schema."""
    tokens: int = 512
    """The most that are written."""
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a text, or none and why."""

    text: str
    finish: str = "stop"
    """`stop`, `length` (the answer was cut off), `refused`, or `failed` (there is no answer)."""
    read: int = 0
    """Tokens of the request."""
    written: int = 0
    """Tokens of the answer."""
    cost: float = 0.0
    failure: str = ""
    """Why there is no answer; empty if there is one."""
    cached: bool = False
    """Whether it was there from an earlier time."""


def failed(reason: str) -> Reply:
    """No answer, and why."""
    return Reply("", "failed", failure=reason)


Told = Callable[[int, Reply], None]
"""Told the place of a request and its reply, as soon as that is there; perhaps in another thread."""


def untold(_place: int, _reply: Reply) -> None:
    """For callers who wait for all replies."""


class Generator(Protocol):
    """Something that answers."""

    @property
    def name(self) -> str:
        """What it is: it stands in the signature of figures, and replies are kept under it."""

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """The reply to each request, in order. A request that cannot be answered has a failure for a reply."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers took."""

    requests: int = 0
    cached: int = 0
    """How many of the requests were answered at an earlier time, for nothing now."""
    read: int = 0
    written: int = 0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.cached + other.cached,
            self.read + other.read,
            self.written + other.written,
            self.cost + other.cost,
        )


def usage_of(reply: Reply) -> Usage:
    """What one reply took."""
    return Usage(1, int(reply.cached), reply.read, reply.written, reply.cost)
