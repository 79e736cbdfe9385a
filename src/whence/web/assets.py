"""Style sheets and scripts: ours, held in memory, found by name alone, and kept by browsers until they change."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.files import read_text
from whence.pipeline.report.page import colours, plot_style
from whence.pipeline.report.pictures import picture_style
from whence.web.drawings import width_style

STATIC = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Assets:
    """Files by name, each with an address that changes when it does."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)
        self._digests = {name: hashlib.sha256(text.encode()).hexdigest()[:12] for name, text in files.items()}

    def address(self, name: str) -> str:
        """Where a page finds the file."""
        return f"/static/{name}?{self._digests[name]}"

    def response(self, name: str, digest: str) -> Response:
        """The file; to be kept for good where it was asked for by digest."""
        if name not in self._files:
            raise HTTPException(404)
        kept = "public, max-age=31536000, immutable" if digest == self._digests[name] else "no-cache"
        media_type = f"{_TYPES[Path(name).suffix]}; charset=utf-8"
        return Response(self._files[name], media_type=media_type, headers={"Cache-Control": kept})


def own_assets() -> Assets:
    """All files of the folder `static`, and the style of drawings and charts, which they have elsewhere too."""
    files = {path.name: read_text(path) for path in sorted(STATIC.iterdir()) if path.suffix in _TYPES}
    style = "\n".join((colours(), plot_style(), picture_style(), width_style()))
    return Assets({**files, "pictures.css": f"{style}\n"})


def asset_router(assets: Assets) -> APIRouter:
    """Serves them."""
    router = APIRouter(include_in_schema=False)

    @router.get("/static/{name}")
    def asset(request: Request, name: str) -> Response:
        return assets.response(name, request.url.query)

    return router
