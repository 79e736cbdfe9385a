"""A real HTTP server on this machine that can be made to misbehave, and sources whose files it has."""

from __future__ import annotations

import hashlib
import io
import random
import socket
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from whence.tasks.fetching import FetchReport, Settings, fetch
from whence.tasks.sources import Download, Kind, RemoteFile, RemoteFolder, Source

BODY = random.Random(7).randbytes(400_000)
QUICK = Settings(timeout=5.0, attempts=4, pause=0.01, longest_pause=0.2)


@dataclass
class Page:
    """What the server sends for a path, and how it misbehaves.

    `cuts`: bytes after which the 1st, 2nd, ... answer breaks off. `answers`: status and headers of the first
    answers, before it behaves. `rude`: breaks off with a reset.
    """

    body: bytes
    etag: str | None = '"one"'
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    rude: bool = False
    chunked: bool = False
    pause: float = 0.0
    shift: int = 0


@dataclass
class Answer:
    path: str
    asked: str | None
    status: int
    sent: int = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: ClassVar[dict[str, Page]]
    log: ClassVar[list[Answer]]

    def do_GET(self) -> None:
        self.close_connection = True
        page = self.pages.get(self.path)
        if page is None:
            self.refuse(404, {})
        elif page.answers:
            self.refuse(*page.answers.pop(0))
        else:
            self.serve(page)

    def refuse(self, status: int, headers: dict[str, str]) -> None:
        self.log.append(Answer(self.path, self.headers.get("Range"), status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def serve(self, page: Page) -> None:
        start, asked = 0, self.headers.get("Range")
        unchanged = self.headers.get("If-Range") in (None, page.etag)
        if asked and page.ranges and unchanged:
            start = int(asked.removeprefix("bytes=").removesuffix("-")) + page.shift
        if start >= len(page.body) > 0:
            self.refuse(416, {"Content-Range": f"bytes */{len(page.body)}"})
            return
        answer = Answer(self.path, asked, 206 if start else 200)
        self.log.append(answer)
        self.send_response(answer.status)
        if page.etag:
            self.send_header("ETag", page.etag)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(page.body) - 1}/{len(page.body)}")
        if page.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(page.body) - start))
        self.end_headers()
        self.send_body(page, page.body[start:], answer)

    def send_body(self, page: Page, rest: bytes, answer: Answer) -> None:
        cut = page.cuts.pop(0) if page.cuts else None
        for at in range(0, len(rest[:cut]), 8192):
            piece = rest[:cut][at : at + 8192]
            try:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if page.chunked else piece)
            except ConnectionError:  # the client was killed
                return
            answer.sent += len(piece)
            if page.pause:
                time.sleep(page.pause)
        if cut is not None and page.rude:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        elif cut is None and page.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *args: Any) -> None:
        pass


@dataclass
class Site:
    url: str
    pages: dict[str, Page]
    log: list[Answer]

    def sent(self) -> int:
        return sum(answer.sent for answer in self.log)


@contextmanager
def serving() -> Iterator[Site]:
    pages: dict[str, Page] = {}
    log: list[Answer] = []
    handler = type("Handler", (Handler,), {"pages": pages, "log": log})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield Site(f"http://127.0.0.1:{server.server_port}", pages, log)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def known(path: str, data: bytes) -> RemoteFile:
    return RemoteFile(path, sha(data), len(data))


def unknown(path: str) -> RemoteFile:
    return RemoteFile(path, None, None)


def source(*downloads: Download) -> Source:
    text = "Do as you like."
    return Source("toy", "Toy data", "Nobody", "https://example.org/", "none", text, "Nobody 2020.", downloads)


def one_file(site: Site, target: RemoteFile, path: str = "/a.tsv", **more: Any) -> Source:
    return source(Download(f"{site.url}{path}", (("", target),), "file", target.size, **more))


def archive(
    site: Site, path: str, kind: Kind, *members: tuple[str, RemoteFile | RemoteFolder], **more: Any
) -> Source:
    return source(Download(f"{site.url}{path}", members, kind, None, **more))


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(files: dict[str, bytes], links: dict[str, str] | None = None) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, aim in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, aim
            archive.addfile(info)
    return stream.getvalue()


def left_over(folder: Path) -> list[str]:
    """Everything below a folder, without the lock."""
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in paths if path != ".whence-fetch.lock")


def get(source: Source, folder: Path, **more: Any) -> FetchReport:
    return fetch(source, folder, settings=more.pop("settings", QUICK), **more)
