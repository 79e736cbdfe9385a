"""Addresses of pages, and lists in pages of so many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from starlette.responses import RedirectResponse

Value = TypeVar("Value")
PAGE = 25


def address(path: str, **query: str | int) -> str:
    """The path with the parts of the query that say something."""
    said = {name: value for name, value in query.items() if value not in ("", 0)}
    return f"{path}?{urlencode(said)}" if said else path


def go_to(page: str) -> RedirectResponse:
    """Sends a browser whose form was taken to another page: who loads that again sends nothing twice."""
    return RedirectResponse(page, 303)


@dataclass(frozen=True, slots=True)
class Pager(Generic[Value]):
    """One page of a list, with where the pages before and after it are."""

    shown: Sequence[Value]
    said: str
    before: str
    after: str


def pager(found: Sequence[Value], page: int, path: str, query: dict[str, Any], what: str) -> Pager[Value]:
    """A page of the list, the first if there is no such page."""
    pages = max(1, -(-len(found) // PAGE))
    page = min(max(page, 1), pages)
    start = (page - 1) * PAGE
    shown = found[start : start + PAGE]
    said = f"{start + 1:,} to {start + len(shown):,} of {len(found):,} {what}" if shown else f"no {what}"
    before = address(path, **{**query, "page": page - 1 if page > 2 else ""}) if page > 1 else ""
    after = address(path, **{**query, "page": page + 1}) if page < pages else ""
    return Pager(shown, said, before, after)
