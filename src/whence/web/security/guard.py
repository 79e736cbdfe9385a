"""What every request passes before a page sees it."""

from __future__ import annotations

import ipaddress
import math
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

from whence.web.security.forgery import FIELD, Forgery, require_own_origin

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FIELDS = 2000

Limiter = Callable[[Request], float]
"""How many seconds a request has to wait; 0 if it need not."""


def unlimited(_: Request) -> float:
    """No request has to wait."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Security:
    """The settings of an application."""

    forgery: Forgery = field(default_factory=lambda: Forgery(secrets.token_bytes(32)))
    largest_body: int = 1_000_000
    limiter: Limiter = unlimited
    hosts: frozenset[str] = frozenset()
    """Names under which the application may be asked for; empty: any. A page elsewhere whose name is made to lead
    to this machine is kept out by it."""
    candid: bool = False
    """Whether errors are told in full, file names included: for a server that serves its own user."""


def loopback_hosts(host: str) -> frozenset[str]:
    """The names that requests to a server may use: those of this machine if it listens only to it, else any."""
    here = {"localhost", "127.0.0.1", "::1"}
    return frozenset(here | {host}) if is_loopback(host) else frozenset()


def is_loopback(host: str) -> bool:
    """Whether a server there can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _require_no_zero(texts: Iterable[str]) -> None:
    """Refuses the one character that no person types and not every store can keep."""
    if any("\x00" in text for text in texts):
        raise HTTPException(422, "What was sent holds a zero character, which cannot be kept.")


async def guard(request: Request) -> FormData:
    """Lets a request through or raises; gives the form that came with it, empty if none did.

    It stands before every page, so no page can forget to ask for the token.
    """
    security: Security = request.app.state.security
    if security.hosts and urlsplit(f"//{request.headers.get('host', '')}").hostname not in security.hosts:
        raise HTTPException(421, "This server is not known under that name.")
    if (wait := security.limiter(request)) > 0:
        seconds = str(math.ceil(wait))
        raise HTTPException(429, f"Too many requests. Try again in {seconds} s.", {"Retry-After": seconds})
    _require_no_zero((request.url.path, *request.query_params.keys(), *request.query_params.values()))
    if request.method in SAFE:
        return FormData()
    require_own_origin(request)
    form = await request.form(max_files=0, max_fields=_FIELDS)
    _require_no_zero(text for pair in form.multi_items() for text in pair if isinstance(text, str))
    security.forgery.require_token(request, form.get(FIELD))
    return form


Form = Annotated[FormData, Depends(guard)]
"""What a page asks for that takes a form."""
