"""Members out of an archive: only those that are asked for, of bounded size, and none that leaves its folder."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import IO

from whence.tasks.fetching.disk import CHUNK, check_space, leads_out
from whence.tasks.fetching.job import Arrival, Job, wrong
from whence.tasks.sources import RemoteFile

_MOST_ENTRIES = 200_000
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
)


def unpack(job: Job) -> list[Arrival]:
    """The missing members, written out to wait beside the part."""
    shutil.rmtree(job.unpacked, ignore_errors=True)
    job.unpacked.mkdir(parents=True)
    try:
        arrivals = _taken(job)
    except _DAMAGE as error:
        raise wrong(job, f"a {job.download.kind} archive", f"a damaged one ({error})") from None
    _check_complete(job, arrivals)
    return list(arrivals.values())


@dataclass(frozen=True)
class _Entry:
    """One entry of an archive. `size` is what the archive claims; `opened` gives None if it is no plain file."""

    name: str
    size: int | None
    opened: Callable[[], IO[bytes] | BufferedIOBase | None]


def _taken(job: Job) -> dict[str, Arrival]:
    arrivals: dict[str, Arrival] = {}
    room = job.settings.most_bytes
    for number, entry in enumerate(_ENTRIES[job.download.kind](job.part)):
        if number >= _MOST_ENTRIES:
            raise wrong(job, f"at most {_MOST_ENTRIES} entries", "more")
        target = _wanted(job, entry)
        if target is None:
            continue
        if target.path in arrivals:
            raise wrong(job, "every name once", f"{entry.name!r} twice")
        arrivals[target.path] = arrival = _copied(job, entry, target, job.unpacked / str(number), room)
        room -= arrival.size
    return arrivals


def _wanted(job: Job, entry: _Entry) -> RemoteFile | None:
    """Where an entry goes, if it is one that is asked for; an entry that would leave its folder is refused."""
    name = entry.name.removeprefix("./")
    for asked, target in job.missing:
        if isinstance(target, RemoteFile):
            if name == asked:
                return target
        elif name.startswith(f"{asked}/") and name.endswith(target.suffix):
            rest = name.removeprefix(f"{asked}/")
            if leads_out(rest):
                raise wrong(job, f"names inside {asked!r}", f"{entry.name!r}, which leads out of it")
            if "/" not in rest:
                return RemoteFile(f"{target.path}/{rest}", None, None)
    return None


def _copied(job: Job, entry: _Entry, target: RemoteFile, waiting: Path, room: int) -> Arrival:
    """Writes an entry out, up to a bound whatever the archive claims."""
    bound = min(room, job.settings.most_member_bytes if target.size is None else target.size)
    if entry.size is not None:
        if entry.size > bound:
            raise wrong(job, f"at most {bound} bytes in {entry.name!r}", str(entry.size))
        check_space(job.folder, entry.size)
    source = entry.opened()
    if source is None:
        raise wrong(job, f"an ordinary, unencrypted file {entry.name!r}", "a link, a folder or an encrypted one")
    digest, size = hashlib.sha256(), 0
    with source, waiting.open("xb") as stream:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > bound:
                raise wrong(job, f"at most {bound} bytes in {entry.name!r}", "more")
            digest.update(chunk)
            stream.write(chunk)
    return Arrival(target, waiting, digest.hexdigest(), size)


def _check_complete(job: Job, paths: Collection[str]) -> None:
    for name, target in job.missing:
        if isinstance(target, RemoteFile):
            if target.path not in paths:
                raise wrong(job, f"an archive that has {name!r}", "none of that name")
        elif (held := sum(map(target.holds, paths))) < (target.count or 1):
            raise wrong(job, f"{target.count or 'some'} files {target.suffix} in {name!r}", str(held))


def _zip_entries(path: Path) -> Iterator[_Entry]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            yield _Entry(info.filename, info.file_size, partial(_open_zipped, archive, info))


def _open_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes] | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    encrypted = info.flag_bits & 1
    ordinary = not info.is_dir() and kind in (0, stat.S_IFREG) and not encrypted
    return archive.open(info) if ordinary else None


def _tar_entries(path: Path) -> Iterator[_Entry]:
    with tarfile.open(path, "r:*") as archive:
        for info in archive:
            yield _Entry(info.name, info.size, partial(_open_tarred, archive, info))


def _open_tarred(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes] | None:
    return archive.extractfile(info) if info.isreg() else None


def _gzip_entries(path: Path) -> Iterator[_Entry]:
    yield _Entry("", None, partial(gzip.GzipFile, path))


_ENTRIES: dict[str, Callable[[Path], Iterator[_Entry]]] = {
    "zip": _zip_entries,
    "tar": _tar_entries,
    "gzip": _gzip_entries,
}
