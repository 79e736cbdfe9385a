"""The data folder on disk: paths that stay inside it, room, one fetch at a time, and faults in one clear line."""

from __future__ import annotations

import errno
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whence.errors import UsageError, WhenceError

CHUNK = 64 * 1024
"""How many bytes are read at once."""

_SPARE = 16 * 1024**2
_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST}


def leads_out(path: str) -> bool:
    """Whether a path with `/` between its steps could mean a place outside the folder it is relative to."""
    return bool(re.search(r"[\\:\0]", path)) or any(step in ("", ".", "..") for step in path.split("/"))


def inside(folder: Path, path: str) -> Path:
    """Where a path below the data folder is."""
    if leads_out(path):
        raise UsageError(f"{path!r} leads out of the data folder")
    return folder / path


def check_space(folder: Path, needed: int) -> None:
    """Refuses what the disk cannot hold, with some room to spare."""
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE:
        raise WhenceError(
            f"{folder}: {readable(needed + _SPARE)} are needed and {readable(free)} are free. "
            "Make room, or set WHENCE_DATA to a folder on another disk; what has arrived is kept"
        )


def readable(size: int) -> str:
    """A number of bytes as people say it."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


@contextmanager
def disk_faults(folder: Path) -> Iterator[None]:
    """Disks that are full or must not be written to get one clear line; what has arrived stays."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FAULTS:
            raise
        place = error.filename or folder
        raise WhenceError(f"{place}: cannot be written ({error.strerror}); what has arrived is kept") from None


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One fetch at a time in a data folder: two would write the same parts. The lock dies with its process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".whence-fetch.lock").open("a") as stream:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise WhenceError(f"{folder}: another fetch is under way there; wait for it to end") from None
        yield
