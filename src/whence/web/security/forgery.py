"""Proof that a form came from a page of ours: an origin that is ours, and a token that only our pages have.

The token is bound to a session by a key: whoever has no page of that session cannot make it. A session is what
`Sessions` says; without logins it is the random name that every visitor gets in a cookie.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FIELD = "token"
"""The hidden field of every form."""
VISITOR = "whence-visitor"
_NAME = re.compile(r"[A-Za-z0-9_-]{32}")

Sessions = Callable[[Request], str]
"""The name of the session that a request belongs to; never empty, never guessable."""


class Visitors:
    """Gives every visitor a random name in a cookie that scripts cannot read: `request.state.visitor`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Request(scope).cookies.get(VISITOR, "")
        known = bool(_NAME.fullmatch(given))
        name = given if known else secrets.token_urlsafe(24)
        scope.setdefault("state", {})["visitor"] = name

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not known:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                cookie = f"{VISITOR}={name}; Path=/; HttpOnly; SameSite=Lax{secure}"
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_with_cookie)


def visitor(request: Request) -> str:
    """The visitor's name, as the session where nobody logs in."""
    name: str = request.state.visitor
    return name


class Forgery:
    """Makes tokens and checks them."""

    def __init__(self, key: bytes, sessions: Sessions = visitor) -> None:
        self._key, self._sessions = key, sessions

    def token(self, request: Request) -> str:
        """What forms of the session carry."""
        return hmac.new(self._key, self._sessions(request).encode(), hashlib.sha256).hexdigest()

    def require_token(self, request: Request, given: object) -> None:
        """Refuses a form that no page of this session has sent."""
        text = given if isinstance(given, str) else ""
        if not hmac.compare_digest(text.encode(), self.token(request).encode()):
            raise HTTPException(
                403, "This form is out of date. Go back, load the page again and send it once more."
            )


def require_own_origin(request: Request) -> None:
    """Refuses what a browser says another site has sent."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise HTTPException(403, "This was sent from another site, so it was not done.")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, "This was sent from another site, so it was not done.")
