"""Files at the publisher's own address, a hub: continued after a break, by the standard library alone.

Size and digest of every file are known beforehand, so what has arrived needs no note beside it: the next request
asks for the rest, and the digest says whether the whole is right.
"""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from whence.models.weights.packages import CHUNK, SourceError

_ATTEMPTS = 3
"""After so many in a row that bring nothing, the address is given up."""
_PAUSE = 1.0
_SECONDS = 15.0


@dataclass(frozen=True)
class HubFolder:
    """One revision of a publisher's repository. `HF_ENDPOINT` names another hub, as for its own tools."""

    repository: str
    revision: str

    def url_of(self, name: str) -> str:
        """The address of a file."""
        hub = os.environ.get("HF_ENDPOINT", "").rstrip("/") or "https://huggingface.co"
        return f"{hub}/{self.repository}/resolve/{self.revision}/{name}"


def fetch_file(url: str, target: Path, size: int, arrived: Callable[[int], None]) -> None:
    """Fill the target with what is missing of a file, or raise a `SourceError`; what has arrived stays."""
    if os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
        raise SourceError(f"{url}: not asked, as HF_HUB_OFFLINE is set")
    failures = 0
    while (before := _length(target)) != size:
        try:
            _receive(url, target, before if before < size else 0, size, arrived)
            reason = "the connection was closed early"
        except HTTPError as error:
            with error:
                if error.code == 416:  # no such range: what is here is not the beginning of what is there
                    target.unlink(missing_ok=True)
                elif error.code < 500 and error.code != 429:
                    raise SourceError(f"{url}: HTTP {error.code}: {error.reason}") from None
                reason = f"HTTP {error.code}: {error.reason}"
        except (HTTPException, URLError, TimeoutError, ConnectionError, ssl.SSLError) as error:
            reason = _reason(error)
        failures = 0 if _length(target) > before else failures + 1
        if failures == _ATTEMPTS or (failures and before == 0):
            raise SourceError(f"{url}: {reason}")
        if failures:
            time.sleep(_PAUSE * failures)


def _receive(url: str, target: Path, start: int, size: int, arrived: Callable[[int], None]) -> None:
    headers = {"User-Agent": "whence", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    response: HTTPResponse = build_opener(_Redirects).open(Request(url, headers=headers), timeout=_SECONDS)
    with response:
        if response.status != 206:
            start = 0
        if response.length is not None and start + response.length != size:
            raise SourceError(f"{url}: expected {size:,} bytes, found {start + response.length:,}")
        with target.open("r+b" if start else "wb") as file:
            file.truncate(start)
            file.seek(start)
            while start < size and (chunk := response.read1(CHUNK)):
                file.write(chunk[: size - start])
                file.flush()  # a kill loses nothing
                start = file.tell()
                arrived(start)


class _Redirects(HTTPRedirectHandler):
    """Follows redirects, but never from a protected address to an unprotected one."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise SourceError(f"{req.full_url}: refused, as it leads on to the unprotected {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _length(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return f"no answer within {_SECONDS:g} s"
    if isinstance(cause, OSError):
        return cause.strerror or str(cause)
    return str(cause) or type(cause).__name__
