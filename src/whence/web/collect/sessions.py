"""Sessions in a browser: a cookie that scripts cannot read, and the person behind it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.collection.access import Kind, Session, session_of
from whence.collection.collection import Collection
from whence.web.security.forgery import visitor

COOKIE = "whence-session"


class Doors:
    """Tells who a request comes from."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection

    def session(self, request: Request) -> Session | None:
        """Who has logged in, if anybody; asked of the store once a request."""
        if not hasattr(request.state, "session"):
            given = request.cookies.get(COOKIE, "")
            request.state.session = session_of(self.collection, given) if given else None
        found: Session | None = request.state.session
        return found

    def name(self, request: Request) -> str:
        """What forms are bound to: the session, or the visitor before there is one."""
        return request.cookies[COOKIE] if self.session(request) is not None else visitor(request)

    def require(self, request: Request, kind: Kind) -> Session:
        """The person, who must be of that kind."""
        found = self.session(request)
        if found is None or found.kind != kind:
            told = {
                "worker": "Open the link that you were sent: it lets you in.",
                "administrator": "Log in as an administrator first.",
            }
            raise HTTPException(401, told[kind])
        return found


def keep(response: Response, request: Request, token: str) -> Response:
    """Sets the cookie of a session."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def forget(response: Response) -> Response:
    """Takes the cookie away."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response
