"""One download as every step sees it: what is missing, where its bytes collect, how patient to be."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from whence.errors import DataError
from whence.tasks.fetching.disk import inside
from whence.tasks.sources import Download, RemoteFile, RemoteFolder


@dataclass(frozen=True)
class Progress:
    """How far a download is, in bytes. `total` is None while unknown."""

    name: str
    done: int
    total: int | None


@dataclass(frozen=True)
class Settings:
    """How patient a fetch is, and how much it takes in at most."""

    timeout: float = 30.0
    attempts: int = 6
    pause: float = 1.0
    longest_pause: float = 60.0
    most_bytes: int = 8 * 1024**3
    most_member_bytes: int = 2 * 1024**3
    user_agent: str = "whence (data fetch)"


@dataclass(frozen=True)
class Job:
    """One download of the source named `source`, and which of its members are missing from the data folder."""

    source: str
    download: Download
    missing: tuple[tuple[str, RemoteFile | RemoteFolder], ...]
    folder: Path
    progress: Callable[[Progress], None]
    settings: Settings

    @property
    def name(self) -> str:
        """What the user is told is being fetched: the path of the file, or of the archive if it were kept."""
        if self.download.kind == "file":
            return self.missing[0][1].path
        return f"{self.source}/{PurePosixPath(unquote(urlsplit(self.download.url).path)).name or 'download'}"

    @property
    def part(self) -> Path:
        """Where the bytes collect."""
        return inside(self.folder, f"{self.name}.part")

    @property
    def note(self) -> Path:
        """The file that says what the part is a part of."""
        return inside(self.folder, f"{self.name}.part.json")

    @property
    def unpacked(self) -> Path:
        """Where members wait until all are checked."""
        return inside(self.folder, f"{self.name}.part.d")


@dataclass(frozen=True)
class Arrival:
    """A file that has arrived and waits to be checked and moved into place."""

    target: RemoteFile
    waiting: Path
    sha256: str
    size: int


def discard(job: Job) -> None:
    """Forgets all that has arrived."""
    job.part.unlink(missing_ok=True)
    job.note.unlink(missing_ok=True)
    shutil.rmtree(job.unpacked, ignore_errors=True)


def wrong(job: Job, expected: str, found: str) -> DataError:
    """The error for what arrived and is not what it should be; whoever runs the job then discards it."""
    return DataError(
        job.download.url,
        expected=expected,
        found=found,
        advice="What arrived was discarded and nothing was changed. Has the publisher changed the file?",
    )
