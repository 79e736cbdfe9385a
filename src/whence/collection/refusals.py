"""What the engine refuses, each refusal with a name: pages turn them into status codes."""

from __future__ import annotations

from whence.collection.answers import Answer
from whence.errors import WhenceError


class NotFoundError(WhenceError):
    """There is no such slot, worker or submission, or none that this worker has to do with (404)."""


class NotEligibleError(WhenceError):
    """The worker may not do this; the message is the reason (403)."""


class StaleDraftError(WhenceError):
    """A draft was written over another revision than the last one (409). Both are kept: this one by the caller."""

    def __init__(self, revision: int, payload: Answer) -> None:
        self.revision = revision
        self.payload = payload
        super().__init__(f"the draft was changed elsewhere meanwhile (revision {revision})")


class KeyReusedError(WhenceError):
    """The key of a submission was used for another one (409)."""
