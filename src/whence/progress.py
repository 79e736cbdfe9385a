"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[str, int, int], None]
"""Told how far a long piece of work is: what it does, how much is done, of how much."""


def unreported(_what: str, _done: int, _total: int) -> None:
    """For callers who need no progress."""
