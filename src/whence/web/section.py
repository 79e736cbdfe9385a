"""A part of the application: an entry of the navigation, and the pages behind it."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of the navigation. Its pages live at its path and below."""

    name: str
    title: str
    path: str
    """Where its first page is, such as `/browse`."""
    router: APIRouter
    listed: bool = True
    """Whether the navigation shows it."""
