"""Transfers that break off, answers that are no file, and no network at all."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.tasks.fetch_site import (
    BODY,
    Page,
    Site,
    get,
    known,
    left_over,
    one_file,
    sha,
    source,
    unknown,
)

from whence.errors import MissingDataError, UsageError, WhenceError
from whence.tasks.fetching import Progress, Settings
from whence.tasks.fetching.faults import retry_after
from whence.tasks.fetching.transfer import opener
from whence.tasks.sources import Download

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


def test_no_more_said_when_nothing_had_arrived(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, answers=[(416, {"Content-Range": "bytes */0"})])
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert [answer.status for answer in site.log] == [416, 200]


def test_known_size_is_the_total_where_the_server_tells_none(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY, chunked=True)
    told: list[Progress] = []
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path, progress=told.append)
    get(one_file(site, unknown("toy/b.tsv")), tmp_path, progress=told.append)
    assert {(step.name, step.total) for step in told} == {("toy/a.tsv", 400_000), ("toy/b.tsv", None)}


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
from whence.tasks.fetching import fetch
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
    found = retry_after(header)
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
    (handler,) = [each for each in opener().handlers if isinstance(each, urllib.request.HTTPRedirectHandler)]
    request = urllib.request.Request("https://example.org/a")
    with pytest.raises(WhenceError, match=r"leads on to the unprotected http://example\.org/b"):
        handler.redirect_request(request, io.BytesIO(), 302, "", {}, "http://example.org/b")  # type: ignore[arg-type]


def test_other_schemes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only http and https"):
        get(source(Download("file:///etc/passwd", (("", unknown("toy/a")),), "file", None)), tmp_path)


# ---------------------------------------------------------------- no network


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


def test_certificate_that_is_not_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*args: object, **more: object) -> None:
        error = ssl.SSLCertVerificationError(1, "certificate verify failed")
        error.verify_message = "self-signed certificate"
        raise error

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(socket, "create_connection", fail)
    toy = source(Download("https://example.org/a", (("", known("toy/a", BODY)),), "file", None))
    with pytest.raises(WhenceError, match=r"example\.org: its certificate is not trusted \(self-signed cert"):
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
