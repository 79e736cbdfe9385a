"""Pages from templates: all share one frame, and every text in them is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from whence import __version__
from whence.pipeline.report.markup import number, shortened
from whence.web.assets import Assets
from whence.web.section import Section
from whence.web.security.forgery import FIELD, Forgery

TEMPLATES = Path(__file__).parent / "templates"


class Pages:
    """Fills templates. `request.app.state.pages` is the application's."""

    def __init__(self, sections: Sequence[Section], assets: Assets, forgery: Forgery) -> None:
        self._sections, self._forgery = tuple(section for section in sections if section.listed), forgery
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(asset=assets.address, version=__version__, token_field=FIELD)
        self._environment.filters.update(
            figure=number, shortened=shortened, capitalize_first=capitalize_first, money=money, moment=moment
        )

    def show(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        **values: Any,
    ) -> HTMLResponse:
        """The page, with what the frame needs."""
        text = self._environment.get_template(template).render(
            sections=self._sections,
            here=request.url.path,
            token=self._forgery.token(request),
            **values,
        )
        return HTMLResponse(text, status, dict(headers or {}))


def pages_of(request: Request) -> Pages:
    """The pages of the application that was asked."""
    pages: Pages = request.app.state.pages
    return pages


def capitalize_first(text: str) -> str:
    """The text with its first letter large, and the others as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def moment(milliseconds: int) -> str:
    """A time as people read it, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def money(minor: int, currency: str) -> str:
    """An amount in minor units of a currency, as people write it."""
    return f"{minor / 100:,.2f} {currency}"
