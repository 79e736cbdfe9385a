"""Texts and numbers that somebody typed, or that somebody's program made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST = 2**31 - 1
"""Of a number that a store is asked for: the largest that each of them knows."""


def typed_text(form: Mapping[str, Any], name: str) -> str:
    """A text of a form without blanks around it; empty if there is none of that name."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def typed_number(value: object) -> int | None:
    """A whole number written in decimal figures, of a size that everything here can take; None for all else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return None
