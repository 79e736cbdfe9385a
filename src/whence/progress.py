"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[str, int, int], None]
"""Told how far a long piece of work is: what it does, how much is done, of how much."""


def unreported(_what: str, _done: int, _total: int) -> None:
    """For callers who need no progress."""


def within_chunk(report: Report, begun: Callable[[], int], chunk: int, total: int) -> Report:
    """For work on one chunk of many, which counts what it likes: told on in the units of the whole.

    `begun` says how much was done before the chunk.
    """

    def told(what: str, done: int, of: int) -> None:
        before = begun()
        report(what, before + min(chunk, total - before) * done // max(1, of), total)

    return told
