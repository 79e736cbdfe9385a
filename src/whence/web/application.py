"""An application: sections behind one guard, in one frame."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse

from whence import __version__
from whence.web.assets import asset_router, own_assets
from whence.web.faults import add_faults
from whence.web.pages import Pages
from whence.web.section import Section
from whence.web.security.forgery import Visitors
from whence.web.security.guard import Security, guard
from whence.web.security.headers import SecurityHeaders
from whence.web.security.limits import BodyLimit


def create_app(sections: Sequence[Section], security: Security) -> FastAPI:
    """The application of some sections. Its first page is that of the first section.

    Nothing is read from the environment, and nothing outside is asked for: what pages need was handed to sections.
    """
    # The usual documentation pages load scripts from elsewhere.
    app = FastAPI(
        title="whence", version=__version__, docs_url=None, redoc_url=None, dependencies=[Depends(guard)]
    )
    assets = own_assets()
    app.state.security = security
    app.state.pages = Pages(sections, assets, security.forgery)
    add_faults(app)
    app.add_middleware(BodyLimit, most=security.largest_body)
    app.add_middleware(Visitors)
    app.add_middleware(SecurityHeaders)
    app.include_router(asset_router(assets))
    for section in sections:
        app.include_router(section.router)

    @app.get("/", include_in_schema=False)
    def first(_: Request) -> RedirectResponse:
        return RedirectResponse(sections[0].path)

    return app
