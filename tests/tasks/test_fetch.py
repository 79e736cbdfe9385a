"""Fetching, against a real HTTP server on this machine that can be made to misbehave."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from whence.errors import DataError, MissingDataError, UsageError, WhenceError
from whence.tasks import fetch as fetching
from whence.tasks.fetch import RECORDS, FetchReport, Progress, Settings, fetch, licence_notice
from whence.tasks.sources import SOURCES, Download, Kind, RemoteFile, RemoteFolder, Source

BODY = random.Random(7).randbytes(400_000)
QUICK = Settings(timeout=5.0, attempts=4, pause=0.01, longest_pause=0.2)


# ---------------------------------------------------------------- the server


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


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    pages: dict[str, Page] = {}
    log: list[Answer] = []
    handler = type("Handler", (Handler,), {"pages": pages, "log": log})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield Site(f"http://127.0.0.1:{server.server_port}", pages, log)
    server.shutdown()
    thread.join()
    server.server_close()


# ---------------------------------------------------------------- sources for the tests


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


# ---------------------------------------------------------------- one file


def test_file_comes_into_place_and_progress_is_told(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    told: list[Progress] = []
    report = get(one_file(site, known("toy/sub/a.tsv", BODY)), tmp_path / "new", progress=told.append)
    assert (tmp_path / "new/toy/sub/a.tsv").read_bytes() == BODY
    assert left_over(tmp_path / "new") == ["toy/sub/a.tsv"]
    assert [(file.path, file.status, file.size) for file in report.files] == [
        ("toy/sub/a.tsv", "fetched", 400_000)
    ]
    assert report.lines() == ["toy/sub/a.tsv: fetched and checked"]
    assert told[0] == Progress("toy/sub/a.tsv", 0, 400_000, None)
    assert (told[-1].done, told[-1].total, told[-1].seconds_left) == (400_000, 400_000, 0.0)
    assert [step.done for step in told] == sorted(step.done for step in told)
    assert all(step.seconds_left is not None and step.seconds_left >= 0 for step in told[1:])


def test_file_already_there_is_not_asked_for(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(BODY)
    report = get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert report.lines() == ["toy/a.tsv: already there, as it should be"]
    assert site.log == []
    assert left_over(tmp_path) == ["toy/a.tsv"]  # nothing is written: the folder may be read-only


def test_empty_file(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(b"")
    get(one_file(site, known("toy/a.tsv", b"")), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b""


def test_existing_different_file_is_refused_before_anything_is_sent(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"], site.pages["/b.tsv"] = Page(BODY), Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/b.tsv").write_bytes(b"mine")
    both = source(
        *(
            Download(f"{site.url}/{name}", (("", known(f"toy/{name}", BODY)),), "file", 400_000)
            for name in ("a.tsv", "b.tsv")
        )
    )
    with pytest.raises(
        DataError, match=rf"toy/b\.tsv: expected sha256 {sha(BODY)}, found {sha(b'mine')}.*--force"
    ):
        get(both, tmp_path)
    assert (tmp_path / "toy/b.tsv").read_bytes() == b"mine"
    assert site.log == []
    get(both, tmp_path, force=True)
    assert (tmp_path / "toy/b.tsv").read_bytes() == BODY


def test_folder_where_a_file_should_be(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy/a.tsv").mkdir(parents=True)
    with pytest.raises(DataError, match=r"a\.tsv: expected a file, found a folder"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)


# ---------------------------------------------------------------- breaks


@pytest.mark.parametrize("rude", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_continues_after_a_cut(site: Site, tmp_path: Path, rude: bool, chunked: bool) -> None:
    page = site.pages["/a.tsv"] = Page(BODY, cuts=[100_000, 150_000], rude=rude, chunked=chunked)
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY
    assert page.cuts == []
    assert [answer.status for answer in site.log] == [200, 206, 206]
    if not rude:  # a reset may lose what was on its way
        assert [answer.asked for answer in site.log] == [None, "bytes=100000-", "bytes=250000-"]
        assert site.sent() == len(BODY)


def test_server_that_ignores_ranges_starts_over(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, cuts=[100_000], ranges=False)
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY
    assert [(answer.asked, answer.status) for answer in site.log] == [(None, 200), ("bytes=100000-", 200)]
    assert site.sent() == 100_000 + len(BODY)


def test_file_that_changed_in_between_starts_over(site: Site, tmp_path: Path) -> None:
    """Its length is the same: only the ETag in If-Range can tell."""
    old, new = bytes(300_000), BODY[:300_000]
    site.pages["/a.tsv"] = Page(old, cuts=[100_000], etag='"old"')
    toy = one_file(site, known("toy/a.tsv", new))
    with pytest.raises(MissingDataError, match=r"closed early \(attempt 1 of 1\)\. What has arrived is kept"):
        get(toy, tmp_path, settings=Settings(attempts=1, timeout=5))
    assert left_over(tmp_path) == ["toy/a.tsv.part", "toy/a.tsv.part.json"]
    site.pages["/a.tsv"] = Page(new, etag='"new"')
    get(toy, tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == new
    assert [(answer.asked, answer.status) for answer in site.log] == [(None, 200), ("bytes=100000-", 200)]


def test_part_of_another_address_is_begun_anew(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv.part").write_bytes(b"x" * 1000)
    note = {"url": "http://elsewhere/", "validator": '"one"', "total": len(BODY)}
    (tmp_path / "toy/a.tsv.part.json").write_text(json.dumps(note))
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert site.log[0].asked is None


@pytest.mark.parametrize("note", ["", "[]", '{"url": 3}'], ids=["no JSON", "no object", "no address"])
def test_part_with_an_unreadable_note_is_begun_anew(site: Site, tmp_path: Path, note: str) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv.part").write_bytes(b"x" * 1000)
    (tmp_path / "toy/a.tsv.part.json").write_text(note)
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert site.log[0].asked is None


def test_without_validator_only_what_can_be_checked_is_continued(site: Site, tmp_path: Path) -> None:
    """Two halves of two versions would make a file whose digest is then trusted."""
    site.pages["/a.tsv"] = Page(BODY, etag=None, cuts=[100_000])
    get(one_file(site, unknown("toy/a.tsv")), tmp_path)
    assert [answer.asked for answer in site.log] == [None, None]
    site.log.clear()
    site.pages["/a.tsv"] = Page(BODY, etag=None, cuts=[100_000])
    get(one_file(site, known("toy/b.tsv", BODY)), tmp_path)
    assert [answer.asked for answer in site.log] == [None, "bytes=100000-"]


def test_rest_that_does_not_fit_is_dropped(site: Site, tmp_path: Path) -> None:
    """The server answers 206 from another byte on than was asked for."""
    site.pages["/a.tsv"] = Page(BODY, cuts=[100_000], shift=5)
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [answer.asked for answer in site.log] == [None, "bytes=100000-", None]
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


def test_complete_part_is_used_without_asking(site: Site, tmp_path: Path) -> None:
    """Killed between the last byte and the move."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv.part").write_bytes(BODY)
    note = {"url": f"{site.url}/a.tsv", "validator": None, "total": len(BODY)}
    (tmp_path / "toy/a.tsv.part.json").write_text(json.dumps(note))
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert site.log == []
    assert left_over(tmp_path) == ["toy/a.tsv"]


def test_complete_part_of_unknown_length(site: Site, tmp_path: Path) -> None:
    """The server answers 416: there is no more."""
    site.pages["/a.tsv"] = Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv.part").write_bytes(BODY)
    note = {"url": f"{site.url}/a.tsv", "validator": '"one"', "total": None}
    (tmp_path / "toy/a.tsv.part.json").write_text(json.dumps(note))
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [(answer.status, answer.sent) for answer in site.log] == [(416, 0)]
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


def test_gives_up_after_some_attempts_and_keeps_the_part(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, cuts=[1000] * 9)
    with pytest.raises(
        MissingDataError, match=r"a\.tsv: the connection .*\(attempt 4 of 4\)\. What has arrived is kept"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert len(site.log) == 4
    assert (tmp_path / "toy/a.tsv.part").stat().st_size == 4000


def test_interrupt_keeps_the_part(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)

    def impatient(progress: Progress) -> None:
        if progress.done > 100_000:
            raise KeyboardInterrupt

    toy = one_file(site, known("toy/a.tsv", BODY))
    with pytest.raises(KeyboardInterrupt):
        get(toy, tmp_path, progress=impatient)
    held = (tmp_path / "toy/a.tsv.part").stat().st_size
    assert 100_000 < held < len(BODY)
    get(toy, tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY
    assert (site.log[1].asked, site.log[1].sent) == (f"bytes={held}-", len(BODY) - held)


KILLED = """
import sys
from pathlib import Path
from whence.tasks.fetch import fetch
from whence.tasks.sources import Download, RemoteFile, Source
url, folder, digest, size = sys.argv[1:]
target = RemoteFile("toy/a.tsv", digest, int(size))
download = Download(url, (("", target),), "file", int(size))
fetch(Source("toy", "", "", "", "", "", "", (download,)), Path(folder))
"""


def test_kill_in_the_middle_loses_nothing(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, pause=0.05)
    toy = one_file(site, known("toy/a.tsv", BODY))
    arguments = [f"{site.url}/a.tsv", str(tmp_path), sha(BODY), str(len(BODY))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    part = tmp_path / "toy/a.tsv.part"
    with subprocess.Popen([sys.executable, "-c", KILLED, *arguments], env=environment) as process:
        deadline = time.monotonic() + 10
        while not (part.exists() and part.stat().st_size > 60_000) and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    held = part.stat().st_size
    assert process.returncode == -signal.SIGKILL
    assert 60_000 < held < len(BODY)
    assert not (tmp_path / "toy/a.tsv").exists()

    site.pages["/a.tsv"] = Page(BODY)
    get(toy, tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY
    assert left_over(tmp_path) == ["toy/a.tsv"]
    assert (site.log[1].asked, site.log[1].sent) == (f"bytes={held}-", len(BODY) - held)


# ---------------------------------------------------------------- answers that are no file


def test_not_found_is_said_at_once(site: Site, tmp_path: Path) -> None:
    toy = one_file(site, known("toy/a.tsv", BODY), verified=False)
    expected = (
        r"not confirmed for this release\): the server answered 404 Not Found\. A copy put by hand at .*toy/a\.tsv"
    )
    with pytest.raises(MissingDataError, match=expected):
        get(toy, tmp_path)
    assert len(site.log) == 1


def test_server_error_is_tried_again(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, answers=[(500, {}), (503, {"Retry-After": "0"})])
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [answer.status for answer in site.log] == [500, 503, 200]


def test_server_error_that_stays(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, answers=[(500, {})] * 9)
    with pytest.raises(
        MissingDataError, match=r"the server answered 500 Internal Server Error \(attempt 4 of 4\)"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert len(site.log) == 4


@pytest.mark.parametrize(
    "header, seconds",
    [
        ("120", 120.0),
        ("", None),
        ("soon", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", -1.0),  # long ago: do not wait
    ],
)
def test_retry_after(header: str, seconds: float | None) -> None:
    found = fetching._retry_after(header)
    assert found == seconds if seconds != -1.0 else found is not None and found < 0


def test_a_long_wait_is_left_to_the_user(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, answers=[(429, {"Retry-After": "3600"})])
    with pytest.raises(MissingDataError, match=r"429 Too Many Requests and asks to wait 3600 s"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert len(site.log) == 1


def test_redirects_are_followed_with_the_range(site: Site, tmp_path: Path) -> None:
    aim = {"Location": f"{site.url}/real"}
    site.pages["/a.tsv"] = Page(b"", answers=[(302, aim), (302, aim)])
    site.pages["/real"] = Page(BODY, cuts=[100_000])
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [(answer.path, answer.asked) for answer in site.log] == [
        ("/a.tsv", None),
        ("/real", None),
        ("/a.tsv", "bytes=100000-"),
        ("/real", "bytes=100000-"),
    ]


def test_redirect_to_an_unprotected_address_is_refused() -> None:
    (handler,) = [
        each for each in fetching._opener().handlers if isinstance(each, urllib.request.HTTPRedirectHandler)
    ]
    request = urllib.request.Request("https://example.org/a")
    with pytest.raises(WhenceError, match=r"leads on to the unprotected http://example\.org/b"):
        handler.redirect_request(request, io.BytesIO(), 302, "", {}, "http://example.org/b")  # type: ignore[arg-type]


def test_other_schemes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only http and https"):
        get(source(Download("file:///etc/passwd", (("", unknown("toy/a")),), "file", None)), tmp_path)


# ---------------------------------------------------------------- wrong content


def test_wrong_content_is_discarded(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(bytes(len(BODY)))
    with pytest.raises(
        DataError, match=rf"expected sha256 {sha(BODY)} for toy/a\.tsv, found .*discarded and nothing"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert left_over(tmp_path) == []


def test_wrong_content_leaves_the_users_file(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(bytes(len(BODY)))
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    with pytest.raises(DataError, match="expected sha256"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b"mine"
    assert left_over(tmp_path) == ["toy/a.tsv"]


def test_wrong_length_is_refused_before_the_body(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(b"<html>Log in</html>")
    with pytest.raises(DataError, match=r"expected 400000 bytes, found 19"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_more_than_is_allowed(site: Site, tmp_path: Path, chunked: bool) -> None:
    site.pages["/a.tsv"] = Page(BODY, chunked=chunked)
    with pytest.raises(DataError, match=r"expected at most 100000 bytes"):
        get(one_file(site, unknown("toy/a.tsv")), tmp_path, settings=Settings(most_bytes=100_000))
    assert left_over(tmp_path) == []


# ---------------------------------------------------------------- no network, no room


def test_closed_port_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        toy = source(Download(f"http://127.0.0.1:{port}/a", (("", known("toy/a", BODY)),), "file", None))
        with pytest.raises(MissingDataError) as caught:
            get(toy, tmp_path)
    assert str(caught.value) == (
        f"cannot reach 127.0.0.1:{port} (the connection was refused), so toy was not fetched; all that needs no "
        f"download works without it. A copy put by hand at {tmp_path}/toy/a is found there; WHENCE_DATA can name "
        "a folder that has the data"
    )


@pytest.mark.parametrize(
    "error, reason",
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "its name cannot be resolved"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "there is no route to it"),
    ],
)
def test_no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: OSError, reason: str) -> None:
    def fail(*args: object, **more: object) -> None:
        raise error

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(socket, "create_connection", fail)
    toy = source(
        Download("http://example.org/a", (("", known("toy/a", BODY)), ("b", unknown("toy/b"))), "zip", None)
    )
    with pytest.raises(
        MissingDataError, match=rf"cannot reach example\.org \({reason}\).*toy/a \(and 1 more\) is found"
    ):
        get(toy, tmp_path)


def test_network_that_goes_away_is_waited_for(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/a.tsv"] = Page(BODY, cuts=[100_000])
    connect, calls = socket.create_connection, []

    def unsteady(*args: Any, **more: Any) -> socket.socket:
        calls.append(1)
        if len(calls) == 2:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        return connect(*args, **more)

    monkeypatch.setattr(socket, "create_connection", unsteady)
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [answer.asked for answer in site.log] == [None, "bytes=100000-"]


def test_full_disk_is_seen_before_the_body(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16 * 1024**2 + 399_999))
    with pytest.raises(
        WhenceError, match=r"17\.2 MB are needed and 17\.2 MB are free\. Make room, or set WHENCE_DATA"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16 * 1024**2 + 400_000))
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)


def test_disk_that_cannot_be_written(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy").write_text("a file where a folder should be")
    with pytest.raises(WhenceError, match=r"cannot be written \((File exists|Not a directory)\)"):
        get(one_file(site, known("toy/sub/a.tsv", BODY)), tmp_path)


def test_disk_that_fills_up(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, known("toy/a.tsv", BODY))
    with (
        monkeypatch.context() as patch,
        pytest.raises(WhenceError, match=r"No space left on device\); what has arrived"),
    ):
        patch.setattr(os, "fsync", full)
        get(toy, tmp_path)
    get(toy, tmp_path)
    assert len(site.log) == 1  # what had arrived was used


def test_one_fetch_at_a_time(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, known("toy/a.tsv", BODY))
    with fetching._alone(tmp_path), pytest.raises(WhenceError, match="another fetch is under way"):
        get(toy, tmp_path)
    get(toy, tmp_path)


# ---------------------------------------------------------------- archives


FILES = {"top/a.tsv": b"a" * 5000, "top/b.tsv": b"b" * 10, "top/c.txt": b"c", "other": b"o"}


@pytest.mark.parametrize("kind, body", [("zip", zipped(FILES)), ("tar", tarred(FILES))])
def test_only_named_members_are_taken(site: Site, tmp_path: Path, kind: Kind, body: bytes) -> None:
    site.pages["/all.bin"] = Page(body, cuts=[50])
    toy = archive(
        site,
        "/all.bin",
        kind,
        ("top/a.tsv", known("toy/x/one.tsv", FILES["top/a.tsv"])),
        ("other", known("toy/two", b"o")),
        sha256=sha(body),
    )
    report = get(toy, tmp_path)
    assert (tmp_path / "toy/x/one.tsv").read_bytes() == FILES["top/a.tsv"]
    assert left_over(tmp_path) == ["toy/two", "toy/x/one.tsv"]
    assert {file.status for file in report.files} == {"fetched"}
    assert site.sent() == len(body)  # continued after the cut


def test_names_that_start_with_a_dot(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({"./a.tsv": b"a"}))
    get(archive(site, "/all.tgz", "tar", ("a.tsv", known("toy/a.tsv", b"a"))), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b"a"


def test_gzip(site: Site, tmp_path: Path) -> None:
    site.pages["/a.txt.gz"] = Page(gzip.compress(BODY))
    get(archive(site, "/a.txt.gz", "gzip", ("", known("toy/a.txt", BODY))), tmp_path)
    assert (tmp_path / "toy/a.txt").read_bytes() == BODY
    assert left_over(tmp_path) == ["toy/a.txt"]


def test_missing_members_alone_are_replaced(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    toy = archive(
        site,
        "/all.zip",
        "zip",
        ("top/a.tsv", known("toy/a.tsv", FILES["top/a.tsv"])),
        ("top/b.tsv", known("toy/b.tsv", FILES["top/b.tsv"])),
    )
    get(toy, tmp_path)
    before = (tmp_path / "toy/a.tsv").stat().st_ino
    (tmp_path / "toy/b.tsv").unlink()
    report = get(toy, tmp_path)
    assert {file.path: file.status for file in report.files} == {"toy/a.tsv": "present", "toy/b.tsv": "fetched"}
    assert (tmp_path / "toy/a.tsv").stat().st_ino == before


def test_folder_of_an_archive(site: Site, tmp_path: Path) -> None:
    nested = {"top/deep/d.tsv": b"d", "topmost/e.tsv": b"e"}
    site.pages["/all.zip"] = Page(zipped({**FILES, **nested, "top/": b""}))
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 2)))
    report = get(toy, tmp_path)
    assert left_over(tmp_path) == ["toy/tables/a.tsv", "toy/tables/b.tsv", RECORDS]
    assert all(file.first_seen for file in report.files)

    assert [file.status for file in get(toy, tmp_path).files] == ["present", "present"]
    assert len(site.log) == 1
    (tmp_path / "toy/tables/a.tsv").unlink()
    assert {file.status for file in get(toy, tmp_path).files} == {"fetched"}
    assert (tmp_path / "toy/tables/a.tsv").exists()

    (tmp_path / "toy/tables/b.tsv").write_text("mine")
    with pytest.raises(DataError, match=r"b\.tsv: expected sha256"):
        get(toy, tmp_path)


def test_folder_with_a_users_file_in_it(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 2)))
    (tmp_path / "toy/tables").mkdir(parents=True)
    (tmp_path / "toy/tables/a.tsv").write_text("mine")
    with pytest.raises(DataError, match=r"toy/tables/a\.tsv: expected sha256 .*left as it is"):
        get(toy, tmp_path)
    assert (tmp_path / "toy/tables/a.tsv").read_text() == "mine"
    assert not (tmp_path / "toy/tables/b.tsv").exists()


def test_folder_of_the_users_own_is_kept_unchecked(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy/tables").mkdir(parents=True)
    for number in range(11):
        (tmp_path / f"toy/tables/{number}.tsv").write_text("x")
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 11)))
    assert get(toy, tmp_path).lines() == ["toy/tables: 11 files already there, kept unchecked: no digest is known"]
    assert site.log == []


def test_archive_with_fewer_files_than_it_must_have(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    with pytest.raises(DataError, match=r"expected 3 files \.tsv in 'top', found 2"):
        get(archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 3))), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("name", ["top/../../evil.tsv", "top/./evil.tsv", "top/..\\evil.tsv", "top//evil.tsv"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_that_lead_out_are_refused(site: Site, tmp_path: Path, kind: Kind, name: str) -> None:
    make = {"zip": zipped, "tar": tarred}[kind]
    site.pages["/all.bin"] = Page(make({"top/a.tsv": b"a", name: b"evil"}))  # type: ignore[operator]
    toy = archive(site, "/all.bin", kind, ("top", RemoteFolder("toy/tables", ".tsv", 1)))
    with pytest.raises(DataError, match=r"expected names inside 'top', found .*evil\.tsv', which leads out of it"):
        get(toy, tmp_path / "data")
    assert left_over(tmp_path) == ["data/.whence-fetch.lock"]


def test_paths_that_lead_out_of_the_data_folder_are_refused(site: Site, tmp_path: Path) -> None:
    for path in ("../evil", "/etc/evil", "toy/../../evil", ""):
        with pytest.raises(UsageError, match="leads out of the data folder"):
            get(one_file(site, unknown(path)), tmp_path)
    assert site.log == []


def test_links_are_refused(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({}, {"a.tsv": "/etc/passwd"}))
    with pytest.raises(DataError, match=r"expected an ordinary, unencrypted file 'a\.tsv', found a link"):
        get(archive(site, "/all.tgz", "tar", ("a.tsv", unknown("toy/a.tsv"))), tmp_path)
    link = zipfile.ZipInfo("a.tsv")
    link.external_attr = 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(link, "/etc/passwd")
    site.pages["/all.zip"] = Page(stream.getvalue())
    with pytest.raises(DataError, match=r"found a link"):
        get(archive(site, "/all.zip", "zip", ("a.tsv", unknown("toy/a.tsv"))), tmp_path)
    assert left_over(tmp_path) == []


BOMB = bytes(5_000_000)


@pytest.mark.parametrize(
    "kind, name, body",
    [("zip", "a", zipped({"a": BOMB})), ("tar", "a", tarred({"a": BOMB})), ("gzip", "", gzip.compress(BOMB))],
)
def test_bombs_are_bounded(site: Site, tmp_path: Path, kind: Kind, name: str, body: bytes) -> None:
    """A few kilobytes that would become megabytes: by our bound, and by the size that is known."""
    site.pages["/all.bin"] = Page(body)
    small = Settings(most_member_bytes=100_000)
    with pytest.raises(DataError, match=r"expected at most 100000 bytes"):
        get(archive(site, "/all.bin", kind, (name, unknown("toy/a"))), tmp_path, settings=small)
    with pytest.raises(DataError, match=r"expected at most 10 bytes"):
        get(archive(site, "/all.bin", kind, (name, known("toy/a", b"0123456789"))), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("kind", ["zip", "tar", "gzip"])
@pytest.mark.parametrize("body", [b"<html>Log in</html>", None], ids=["no archive", "torn"])
def test_damaged_archives(site: Site, tmp_path: Path, kind: Kind, body: bytes | None) -> None:
    whole = {"zip": zipped({"a": BODY}), "tar": tarred({"a": BODY}), "gzip": gzip.compress(BODY)}[kind]
    site.pages["/all.bin"] = Page(body or whole[:-5000])
    member = "" if kind == "gzip" else "a"
    with pytest.raises(DataError, match=rf"expected a {kind} archive, found a damaged one"):
        get(archive(site, "/all.bin", kind, (member, unknown("toy/a"))), tmp_path)
    assert left_over(tmp_path) == []


def test_archive_digest_and_members_are_checked(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    with pytest.raises(DataError, match=rf"expected sha256 {'0' * 64}, found"):
        get(archive(site, "/all.zip", "zip", ("other", unknown("toy/o")), sha256="0" * 64), tmp_path)
    with pytest.raises(DataError, match=r"expected an archive that has 'none', found none of that name"):
        get(archive(site, "/all.zip", "zip", ("other", unknown("toy/o")), ("none", unknown("toy/n"))), tmp_path)
    with pytest.raises(DataError, match=r"expected sha256 .* for toy/o"):
        get(archive(site, "/all.zip", "zip", ("other", known("toy/o", b"O"))), tmp_path)
    assert left_over(tmp_path) == []


def test_same_name_twice_is_refused(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({"a": b"1", "./a": b"2"}))
    with pytest.raises(DataError, match=r"expected every name once, found '\./a' twice"):
        get(archive(site, "/all.tgz", "tar", ("a", unknown("toy/a"))), tmp_path)


# ---------------------------------------------------------------- trust on first use


def test_trust_on_first_use(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, unknown("toy/a.tsv"))
    report = get(toy, tmp_path)
    assert report.files[0].first_seen
    assert report.lines() == [
        f"toy/a.tsv: fetched; no digest is published: sha256 {sha(BODY)} now stands in {RECORDS}, and another "
        "will be refused"
    ]
    assert json.loads((tmp_path / RECORDS).read_text()) == {"toy/a.tsv": sha(BODY)}
    assert get(toy, tmp_path).lines() == ["toy/a.tsv: already there, as it should be"]

    (tmp_path / "toy/a.tsv").unlink()
    site.pages["/a.tsv"] = Page(b"changed")
    with pytest.raises(
        DataError, match=rf"expected sha256 {sha(BODY)} .*first fetched, found .*remove its line from"
    ):
        get(toy, tmp_path)
    assert left_over(tmp_path) == [RECORDS]

    site.pages["/a.tsv"] = Page(BODY)
    assert not get(toy, tmp_path).files[0].first_seen


def test_recorded_file_that_the_user_changed(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, unknown("toy/a.tsv"))
    get(toy, tmp_path)
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    with pytest.raises(DataError, match=r"toy/a\.tsv: expected sha256"):
        get(toy, tmp_path)
    get(toy, tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


def test_unrecorded_file_is_kept_unchecked(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    toy = one_file(site, unknown("toy/a.tsv"))
    assert get(toy, tmp_path).lines() == ["toy/a.tsv: already there, kept unchecked: no digest is known"]
    assert site.log == []
    get(toy, tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


@pytest.mark.parametrize("text", ["[]", '{"a": 1}', "{"])
def test_unreadable_records_are_an_error(site: Site, tmp_path: Path, text: str) -> None:
    (tmp_path / RECORDS).write_text(text)
    with pytest.raises(DataError, match=RECORDS):
        get(one_file(site, unknown("toy/a.tsv")), tmp_path)


# ---------------------------------------------------------------- the whole of a source


def test_unverified_addresses_come_last(site: Site, tmp_path: Path) -> None:
    site.pages["/b.tsv"] = Page(b"b")
    dead = Download(f"{site.url}/dead.tsv", (("", unknown("toy/dead.tsv")),), "file", None, verified=False)
    alive = Download(f"{site.url}/b.tsv", (("", known("toy/b.tsv", b"b")),), "file", 1)
    with pytest.raises(MissingDataError, match="404"):
        get(source(dead, alive), tmp_path)
    assert (tmp_path / "toy/b.tsv").read_bytes() == b"b"


@pytest.mark.parametrize("each", SOURCES.values(), ids=lambda source: source.name)
def test_licence_notice(each: Source, tmp_path: Path) -> None:
    notice = licence_notice(each, tmp_path)
    flat = " ".join(notice.split())
    for text in (each.title, each.publisher, each.homepage, each.licence, each.licence_text, str(tmp_path)):
        assert " ".join(text.split()) in flat
    assert all(" ".join(reason.split()) in flat for reason in each.unavailable)
    assert max(len(line) for line in notice.split("\n")) <= 120


def test_licence_notice_tells_the_size(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    file, more = one_file(site, known("toy/a", BODY)).downloads, one_file(site, unknown("toy/b")).downloads
    assert "download    400 kB from 127.0.0.1" in licence_notice(source(*file))
    assert "at least 400 kB (1 of 2 downloads do not tell" in " ".join(
        licence_notice(source(*file, *more)).split()
    )
    assert "unknown size (1 of 1 downloads" in licence_notice(source(*more))
    assert f"goes to     {tmp_path}" in licence_notice(source(*file))
    doubtful = one_file(site, known("toy/a", BODY), verified=False)
    assert "1 of its addresses could not be confirmed" in licence_notice(doubtful)


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["challenge300", "explagraphs", "eqasc"])
def test_complete_copies_need_no_network(name: str) -> None:
    folder = os.environ.get("WHENCE_DATA")
    if not folder:
        pytest.skip("WHENCE_DATA names no folder with the published data")
    report = fetch(SOURCES[name], Path(folder))
    assert {file.status for file in report.files} == {"present"}
