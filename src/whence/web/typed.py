"""Numbers that somebody typed, or that somebody's program made up."""

from __future__ import annotations

MOST = 2**31 - 1
"""Of a number that a store is asked for: the largest that each of them knows."""


def typed_number(value: object) -> int | None:
    """A whole number written in decimal figures, of a size that everything here can take; None for all else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return None
