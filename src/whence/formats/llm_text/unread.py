"""What a reader returns where it cannot read an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that could not be read."""

    reason: str
    """Why, in one line that a person understands."""


class UnreadError(Exception):
    """Raised within readers where a text cannot be read; `whence.formats.llm_text.candidates` catches it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OtherKindError(UnreadError):
    """Raised where a JSON value has nothing to do with the kind of explanation that is looked for."""
