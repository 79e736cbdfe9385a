"""Fetching published data: continued after a break, checked against digests, never half in place.

A download grows in `NAME.part` (with `NAME.part.json` beside it: the address, the server's validator, the
length) and survives an interruption, so that the next run asks only for the rest. What arrives is checked
before it is moved into place. A file whose digest nobody published is trusted on first use: its digest goes
into `whence-checksums.json` in the data folder, and a different one is refused from then on.

Only what the table of sources names is taken from an archive, and only up to a bounded size.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedIOBase
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from whence.errors import DataError, MissingDataError, UsageError, WhenceError
from whence.files import dump_json, read_json, write_text
from whence.tasks.sources import Download, RemoteFile, RemoteFolder, Source, data_folder

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector

RECORDS = "whence-checksums.json"
"""Digests seen at the first fetch of files that have no published one, below the data folder."""

_CHUNK = 64 * 1024
_SPARE = 16 * 1024**2
_MOST_ENTRIES = 200_000
_SINGLY = 10
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST}
_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}

Status = Literal["fetched", "present", "unchecked"]
"""Newly put there; already there with the right digest; already there, and no digest is known to check it by."""


@dataclass(frozen=True)
class Progress:
    """How far a download is. `total` and `seconds_left` are None while unknown."""

    name: str
    done: int
    total: int | None
    seconds_left: float | None


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


_USUAL = Settings()


@dataclass(frozen=True)
class FetchedFile:
    """One file in the data folder. `first_seen`: its digest was recorded just now, there being none to compare."""

    path: str
    status: Status
    sha256: str
    size: int
    first_seen: bool = False


@dataclass(frozen=True)
class FetchReport:
    """What a fetch did, file by file."""

    source: Source
    folder: Path
    files: tuple[FetchedFile, ...]

    def lines(self) -> list[str]:
        """What to tell the user: a line a file, or one a folder where there are many alike."""
        alike: dict[tuple[str, Status, bool], list[FetchedFile]] = defaultdict(list)
        for file in self.files:
            alike[str(PurePosixPath(file.path).parent), file.status, file.first_seen].append(file)
        lines = []
        for (parent, status, first_seen), files in alike.items():
            if len(files) > _SINGLY:
                lines.append(f"{parent}: {len(files)} files {_told(status, first_seen, 'the sha256 of each')}")
            else:
                lines += [f"{file.path}: {_told(status, first_seen, f'sha256 {file.sha256}')}" for file in files]
        return lines + [f"not fetched: {reason}" for reason in self.source.unavailable]


def fetch(
    source: Source,
    folder: Path,
    *,
    progress: Callable[[Progress], None] = lambda _: None,
    force: bool = False,
    settings: Settings = _USUAL,
) -> FetchReport:
    """Puts the files of a source into the data folder, and says what was done with each.

    Files that are there already with the right digest are kept. One with a different digest is an error that
    names it, before anything is downloaded; `force` replaces it. Addresses that are not verified come last, so
    that a dead one costs nothing else.
    """
    records = _read_records(folder)
    downloads = sorted(source.downloads, key=lambda download: not download.verified)
    standing = [
        {name: _standing(target, folder, records, force) for name, target in _named(download)}
        for download in downloads
    ]
    files: list[FetchedFile] = []
    for download, states in zip(downloads, standing, strict=True):
        files += [file for found in states.values() if found is not None for file in found]
        missing = tuple((name, target) for name, target in _named(download) if states[name] is None)
        if missing:
            with _disk_faults(folder), _alone(folder):
                files += _get(_job(source, download, missing, folder, progress, force, settings))
    return FetchReport(source, folder, tuple(files))


def licence_notice(source: Source, folder: Path | None = None) -> str:
    """What a user must see before a download: what it is, whose, on what terms, how large, and where it goes."""
    import textwrap

    def wrapped(label: str, text: str) -> str:
        return textwrap.fill(
            text, 100, initial_indent=f"{label:<12}", subsequent_indent=" " * 12, break_long_words=False
        )

    hosts = ", ".join(sorted({urlsplit(download.url).netloc for download in source.downloads}))
    lines = [
        source.title,
        wrapped("publisher", f"{source.publisher}, {source.homepage}"),
        wrapped("licence", f"{source.licence}. {source.licence_text}"),
        wrapped("cite", source.citation),
        wrapped("download", f"{_size_of(source)} from {hosts}"),
        wrapped("goes to", str(data_folder() if folder is None else folder)),
    ]
    unsure = sum(not download.verified for download in source.downloads)
    if unsure:
        lines.append(wrapped("note", f"{unsure} of its addresses could not be confirmed for this release"))
    return "\n".join(lines + [wrapped("not in it", reason) for reason in source.unavailable])


# ---------------------------------------------------------------- what is there


def _named(download: Download) -> Iterator[tuple[str, RemoteFile | RemoteFolder]]:
    for name, target in download.members:
        yield name.rstrip("/"), target


def _standing(
    target: RemoteFile | RemoteFolder, folder: Path, records: dict[str, str], force: bool
) -> list[FetchedFile] | None:
    """The files of a target as they are on disk; None when it must be fetched."""
    if isinstance(target, RemoteFolder):
        return _folder_standing(target, folder, records, force)
    found = _file_standing(target, folder, records, force)
    return None if found is None else [found]


def _file_standing(target: RemoteFile, folder: Path, records: dict[str, str], force: bool) -> FetchedFile | None:
    path = _inside(folder, target.path)
    if not path.exists():
        return None
    if not path.is_file():
        raise DataError(path, expected="a file", found="a folder")
    expected = target.sha256 or records.get(target.path)
    digest = _digest(path)
    if digest == expected:
        return FetchedFile(target.path, "present", digest, path.stat().st_size)
    if force:
        return None
    if expected is None:
        return FetchedFile(target.path, "unchecked", digest, path.stat().st_size)
    raise _another(path, expected, digest)


def _folder_standing(
    target: RemoteFolder, folder: Path, records: dict[str, str], force: bool
) -> list[FetchedFile] | None:
    """Complete when every recorded file is there or, without records, when there are as many as there must be."""
    place = _inside(folder, target.path)
    there = {f"{target.path}/{path.name}" for path in place.glob("*") if path.name.endswith(target.suffix)}
    recorded = {path for path in records if _is_child(path, target)}
    if recorded - there or len(there) < (target.count or 1):
        return None
    files = [_file_standing(RemoteFile(path, None, None), folder, records, force) for path in sorted(there)]
    known = [file for file in files if file is not None]
    return known if len(known) == len(files) else None


def _is_child(path: str, target: RemoteFolder) -> bool:
    return str(PurePosixPath(path).parent) == target.path and path.endswith(target.suffix)


def _another(path: Path, expected: str, digest: str) -> DataError:
    return DataError(
        path,
        expected=f"sha256 {expected}",
        found=digest,
        advice="It was left as it is: move it away, or have it replaced with --force",
    )


def _inside(folder: Path, path: str) -> Path:
    pure = PurePosixPath(path)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts or re.search(r"[\\:\0]", path):
        raise UsageError(f"{path!r} leads out of the data folder")
    return folder.joinpath(*pure.parts)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_records(folder: Path) -> dict[str, str]:
    path = folder / RECORDS
    if not path.exists():
        return {}
    value = read_json(path)
    if not isinstance(value, dict) or not all(isinstance(digest, str) for digest in value.values()):
        raise DataError(path, expected="an object of path: sha256", found="something else")
    return value


def _record(folder: Path, files: list[_Staged]) -> None:
    """Remembers the digests of files that have no published one. Read anew: another run may have added some."""
    new = {file.path: file.sha256 for file in files if file.unpublished}
    if new:
        rows = sorted((_read_records(folder) | new).items())
        text = ",\n".join(f"  {dump_json(path)}: {dump_json(digest)}" for path, digest in rows)
        write_text(folder / RECORDS, f"{{\n{text}\n}}\n")


# ---------------------------------------------------------------- one download


@dataclass(frozen=True)
class _Job:
    """One download, what is still missing of it, and where its bytes collect."""

    source: Source
    download: Download
    missing: tuple[tuple[str, RemoteFile | RemoteFolder], ...]
    folder: Path
    part: Path
    progress: Callable[[Progress], None]
    force: bool
    settings: Settings

    @property
    def note(self) -> Path:
        """The file that says what the part is a part of."""
        return self.part.with_name(f"{self.part.name}.json")

    @property
    def unpacked(self) -> Path:
        """Where members wait until all are checked."""
        return self.part.with_name(f"{self.part.name}.d")

    @property
    def name(self) -> str:
        """What the user is told is being fetched."""
        return self.part.relative_to(self.folder).as_posix().removesuffix(".part")


@dataclass(frozen=True)
class _Staged:
    """A checked file that waits to be moved into place."""

    waiting: Path
    path: str
    sha256: str
    size: int
    unpublished: bool
    first_seen: bool


def _job(
    source: Source,
    download: Download,
    missing: tuple[tuple[str, RemoteFile | RemoteFolder], ...],
    folder: Path,
    progress: Callable[[Progress], None],
    force: bool,
    settings: Settings,
) -> _Job:
    address = urlsplit(download.url)
    if address.scheme not in ("http", "https"):
        raise UsageError(f"{download.url}: only http and https addresses are fetched")
    if download.kind == "file":
        place = _inside(folder, missing[0][1].path)
    else:
        place = _inside(folder, f"{source.name}/{PurePosixPath(unquote(address.path)).name or 'download'}")
    part = place.with_name(f"{place.name}.part")
    return _Job(source, download, missing, folder, part, progress, force, settings)


def _get(job: _Job) -> list[FetchedFile]:
    job.part.parent.mkdir(parents=True, exist_ok=True)
    _transfer(job)
    try:
        _check_archive(job)
        staged = _staged(job)
    except DataError:
        _discard(job)  # what is wrong now will be wrong when continued
        raise
    files = _place(job, staged)
    _discard(job)
    return files


def _check_archive(job: _Job) -> None:
    expected = job.download.sha256
    if expected is not None and (found := _digest(job.part)) != expected:
        raise _wrong(job, f"sha256 {expected}", found)


def _staged(job: _Job) -> list[_Staged]:
    records = _read_records(job.folder)
    if job.download.kind != "file":
        return _unpack(job, records)
    target = job.missing[0][1]
    if isinstance(target, RemoteFolder):
        raise UsageError(f"{job.download.url}: a folder comes from an archive, not from a file")
    return [_checked(job, target, job.part, _digest(job.part), job.part.stat().st_size, records)]


def _checked(
    job: _Job, target: RemoteFile, waiting: Path, digest: str, size: int, records: dict[str, str]
) -> _Staged:
    seen = records.get(target.path)
    if target.size not in (None, size):
        raise _wrong(job, f"{target.size} bytes for {target.path}", str(size))
    if target.sha256 not in (None, digest):
        raise _wrong(job, f"sha256 {target.sha256} for {target.path}", digest)
    if target.sha256 is None and seen not in (None, digest):
        raise DataError(
            job.download.url,
            expected=f"sha256 {seen} for {target.path}, as when it was first fetched",
            found=digest,
            advice=f"It was not put in place. If you trust the new one, remove its line from "
            f"{job.folder / RECORDS} and fetch again",
        )
    unpublished = target.sha256 is None
    return _Staged(waiting, target.path, digest, size, unpublished, unpublished and seen is None)


def _wrong(job: _Job, expected: str, found: str) -> DataError:
    return DataError(
        job.download.url,
        expected=expected,
        found=found,
        advice="What arrived was discarded and nothing was changed. Has the publisher changed the file?",
    )


def _place(job: _Job, staged: list[_Staged]) -> list[FetchedFile]:
    """Moves checked files into place. Of a folder some may be there: only an equal one is replaced unasked."""
    files = []
    for file in staged:
        path = _inside(job.folder, file.path)
        if path.exists() and not job.force and (digest := _digest(path)) != file.sha256:
            raise _another(path, file.sha256, digest)
    _record(job.folder, staged)  # before the files: a digest without a file does no harm
    for file in staged:
        path = _inside(job.folder, file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        file.waiting.replace(path)
        files.append(FetchedFile(file.path, "fetched", file.sha256, file.size, file.first_seen))
    return files


def _discard(job: _Job) -> None:
    job.part.unlink(missing_ok=True)
    job.note.unlink(missing_ok=True)
    shutil.rmtree(job.unpacked, ignore_errors=True)


# ---------------------------------------------------------------- archives


@dataclass(frozen=True)
class _Entry:
    """One entry of an archive. `size` is what the archive claims."""

    name: str
    size: int | None
    regular: bool
    opened: Callable[[], IO[bytes] | BufferedIOBase | None]


def _unpack(job: _Job, records: dict[str, str]) -> list[_Staged]:
    shutil.rmtree(job.unpacked, ignore_errors=True)
    job.unpacked.mkdir(parents=True)
    staged: dict[str, _Staged] = {}
    room = job.settings.most_bytes
    with _sound_archive(job):
        for number, entry in enumerate(_ENTRIES[job.download.kind](job.part)):
            if number >= _MOST_ENTRIES:
                raise _wrong(job, f"at most {_MOST_ENTRIES} entries", "more")
            target = _wanted(job, entry)
            if target is None:
                continue
            if target.path in staged:
                raise _wrong(job, "every name once", f"{entry.name!r} twice")
            waiting = job.unpacked / str(number)
            digest, size = _copy(job, entry, waiting, target.size, room)
            room -= size
            staged[target.path] = _checked(job, target, waiting, digest, size, records)
    _check_complete(job, staged)
    return list(staged.values())


def _check_complete(job: _Job, staged: Collection[str]) -> None:
    for name, target in job.missing:
        if isinstance(target, RemoteFile):
            if target.path not in staged:
                raise _wrong(job, f"an archive that has {name!r}", "none of that name")
        elif (held := sum(_is_child(path, target) for path in staged)) < (target.count or 1):
            raise _wrong(job, f"{target.count or 'some'} files {target.suffix} in {name!r}", str(held))


def _wanted(job: _Job, entry: _Entry) -> RemoteFile | None:
    """Where an entry goes, if it is one that is asked for; an entry that would leave its folder is refused."""
    name = entry.name.removeprefix("./")
    for asked, target in job.missing:
        if isinstance(target, RemoteFile):
            if name == asked:
                return _regular(job, entry, target)
        elif name.startswith(f"{asked}/") and name.endswith(target.suffix):
            rest = name[len(asked) + 1 :]
            if re.search(r"[\\:\0]", rest) or any(step in ("", ".", "..") for step in rest.split("/")):
                raise _wrong(job, f"names inside {asked!r}", f"{entry.name!r}, which leads out of it")
            if "/" not in rest:
                return _regular(job, entry, RemoteFile(f"{target.path}/{rest}", None, None))
    return None


def _regular(job: _Job, entry: _Entry, target: RemoteFile) -> RemoteFile:
    if not entry.regular:
        raise _wrong(job, f"an ordinary, unencrypted file {entry.name!r}", "a link, a folder or an encrypted one")
    return target


def _copy(job: _Job, entry: _Entry, waiting: Path, size: int | None, room: int) -> tuple[str, int]:
    """Writes an entry out, up to a bound whatever the archive claims: its digest and size."""
    bound = min(room, job.settings.most_member_bytes if size is None else size)
    if entry.size is not None:
        if entry.size > bound:
            raise _wrong(job, f"at most {bound} bytes in {entry.name!r}", str(entry.size))
        _check_space(job.folder, entry.size)
    digest, done = hashlib.sha256(), 0
    source = entry.opened()
    if source is None:
        raise _wrong(job, f"an ordinary file {entry.name!r}", "something else")
    with source, waiting.open("xb") as stream:
        while chunk := source.read(_CHUNK):
            done += len(chunk)
            if done > bound:
                raise _wrong(job, f"at most {bound} bytes in {entry.name!r}", "more")
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest(), done


def _zip_entries(path: Path) -> Iterator[_Entry]:
    import stat
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            ordinary = not info.is_dir() and kind in (0, stat.S_IFREG) and not info.flag_bits & 1
            yield _Entry(info.filename, info.file_size, ordinary, partial(archive.open, info))


def _tar_entries(path: Path) -> Iterator[_Entry]:
    import tarfile

    with tarfile.open(path, "r:*") as archive:
        for info in archive:
            yield _Entry(info.name, info.size, info.isreg(), partial(archive.extractfile, info))


def _gzip_entries(path: Path) -> Iterator[_Entry]:
    import gzip

    yield _Entry("", None, True, partial(gzip.GzipFile, path))


_ENTRIES: dict[str, Callable[[Path], Iterator[_Entry]]] = {
    "zip": _zip_entries,
    "tar": _tar_entries,
    "gzip": _gzip_entries,
}


@contextmanager
def _sound_archive(job: _Job) -> Iterator[None]:
    import gzip
    import lzma
    import tarfile
    import zipfile
    import zlib

    damage = (
        zipfile.BadZipFile,
        tarfile.TarError,
        gzip.BadGzipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        NotImplementedError,
    )
    try:
        yield
    except damage as error:
        raise _wrong(job, f"a {job.download.kind} archive", f"a damaged one ({error})") from None


# ---------------------------------------------------------------- the network


@dataclass(frozen=True)
class _Note:
    """What a part is a part of: lets the server tell whether the rest still fits."""

    url: str
    validator: str | None
    total: int | None


@dataclass(frozen=True)
class _Fault:
    """Why an attempt ended early, when another may help. `wait` is what the server asks for, in seconds."""

    reason: str
    offline: bool = False
    wait: float | None = None


def _transfer(job: _Job) -> None:
    """Fills the part, in as many attempts as are allowed."""
    settings = job.settings
    for attempt in range(1, settings.attempts + 1):
        fault = _attempt(job)
        if fault is None:
            return
        last = attempt == settings.attempts
        if fault.offline and (attempt == 1 or last):
            raise _offline(job, fault)
        pause = min(settings.pause * 2 ** (attempt - 1), settings.longest_pause)
        if fault.wait is not None:
            pause = max(fault.wait, 0.0)
        if last or pause > settings.longest_pause:
            asked = f" and asks to wait {pause:.0f} s" if pause > settings.longest_pause else ""
            raise MissingDataError(
                f"{job.download.url}: {fault.reason}{asked} (attempt {attempt} of {settings.attempts}). "
                "What has arrived is kept: run the same command again to continue"
            )
        time.sleep(pause)


def _attempt(job: _Job) -> _Fault | None:
    import http.client
    import ssl
    import urllib.error

    try:
        return _receive(job)
    except urllib.error.HTTPError as error:
        with error:
            return _refusal(job, error)
    except urllib.error.URLError as error:
        return _lost(job, error.reason if isinstance(error.reason, OSError) else error)
    except (ConnectionError, TimeoutError, http.client.HTTPException) as error:
        return _lost(job, error)
    except OSError as error:
        if error.errno in _UNREACHABLE or isinstance(error, ssl.SSLError):
            return _lost(job, error)
        raise


def _receive(job: _Job) -> _Fault | None:
    """One request for what is missing. None when the part is complete."""
    note, offset = _resumable(job)
    if note is not None and note.total == offset and job.part.exists():
        return None
    with _requested(job, note, offset) as response:
        if response.status == 206:
            start, total = _range(response)
            if start != offset or (note is not None and note.total not in (None, total)):
                _discard(job)
                return _Fault("the rest did not fit what had arrived", wait=0.0)
        else:
            start, total = 0, _length(response)  # the whole of it: ranges are ignored, or the file has changed
        _check_promise(job, start, total)
        note = _Note(job.download.url, _validator(response), total)
        _write_note(job, note)
        done = _write(job, response, start, total)
    if done < ((job.download.size or 0) if total is None else total):
        return _Fault("the connection was closed early")
    if total is None:
        _write_note(job, replace(note, total=done))
    return None


def _resumable(job: _Job) -> tuple[_Note | None, int]:
    """What is known of the part and how long it is; a part that could be of something else is dropped."""
    note = _read_note(job) if job.part.exists() else None
    offset = job.part.stat().st_size if note is not None else 0
    checkable = job.download.sha256 is not None or all(
        isinstance(target, RemoteFile) and target.sha256 is not None for _, target in job.download.members
    )
    fits = note is not None and note.url == job.download.url and offset <= (note.total or offset)
    if note is None or not fits or not (note.validator or checkable or note.total == offset):
        _discard(job)
        return None, 0
    return note, offset


def _requested(job: _Job, note: _Note | None, offset: int) -> HTTPResponse:
    import urllib.request

    headers = {"User-Agent": job.settings.user_agent, "Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
        if note is not None and note.validator is not None:
            headers["If-Range"] = note.validator
    request = urllib.request.Request(job.download.url, headers=headers)
    response: HTTPResponse = _opener().open(request, timeout=job.settings.timeout)
    return response


def _opener() -> OpenerDirector:
    import urllib.request
    from http.client import HTTPMessage

    class Redirects(urllib.request.HTTPRedirectHandler):
        """Follows redirects, but never from a protected address to an unprotected one."""

        def redirect_request(
            self,
            req: urllib.request.Request,
            fp: IO[bytes],
            code: int,
            msg: str,
            headers: HTTPMessage,
            newurl: str,
        ) -> urllib.request.Request | None:
            if req.type == "https" and urlsplit(newurl).scheme != "https":
                raise WhenceError(f"{req.full_url}: refused, as it leads on to the unprotected {newurl}")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return urllib.request.build_opener(Redirects)


def _write(job: _Job, response: HTTPResponse, start: int, total: int | None) -> int:
    """Appends the body from `start` on, flushed so that a kill loses nothing: the length of the part then."""
    promised = job.download.size if total is None else total
    bound = job.settings.most_bytes if promised is None else promised
    began, done = time.monotonic(), start
    with job.part.open("r+b" if start else "wb") as stream:
        stream.seek(start)
        job.progress(Progress(job.name, done, total, None))
        while chunk := response.read1(_CHUNK):
            done += len(chunk)
            if done > bound:
                break
            stream.write(chunk)
            stream.flush()
            rate = (done - start) / max(time.monotonic() - began, 1e-6)
            job.progress(Progress(job.name, done, total, None if total is None else (total - done) / rate))
        os.fsync(stream.fileno())
    if done > bound:
        _discard(job)
        raise _wrong(job, f"at most {bound} bytes", "more")
    return done


def _check_promise(job: _Job, start: int, total: int | None) -> None:
    """Refuses what cannot be right or cannot be held, before it is transferred."""
    if total is not None and job.download.size not in (None, total):
        _discard(job)
        raise _wrong(job, f"{job.download.size} bytes", str(total))
    if total is not None and total > job.settings.most_bytes:
        raise _wrong(job, f"at most {job.settings.most_bytes} bytes", str(total))
    members = 0
    if job.download.kind != "file":
        members = sum(target.size or 0 for _, target in job.missing if isinstance(target, RemoteFile))
    _check_space(job.folder, (total or start) - start + members)


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE:
        raise WhenceError(
            f"{folder}: {_readable(needed + _SPARE)} are needed and {_readable(free)} are free. "
            "Make room, or set WHENCE_DATA to a folder on another disk; what has arrived is kept"
        )


def _read_note(job: _Job) -> _Note | None:
    """The note beside a part; None where there is none or it cannot be read: the part is then begun anew."""
    try:
        value = read_json(job.note)
    except (MissingDataError, DataError):
        return None
    if not isinstance(value, dict):
        return None
    url, validator, total = value.get("url"), value.get("validator"), value.get("total")
    if not isinstance(url, str) or not isinstance(validator, str | None) or not isinstance(total, int | None):
        return None
    return _Note(url, validator, total)


def _write_note(job: _Job, note: _Note) -> None:
    write_text(job.note, dump_json({"url": note.url, "validator": note.validator, "total": note.total}) + "\n")


def _validator(response: HTTPResponse) -> str | None:
    """What `If-Range` accepts: a strong ETag, else the date of the last change."""
    etag = response.headers.get("ETag")
    if etag is not None and not etag.startswith("W/"):
        return str(etag)
    return response.headers.get("Last-Modified")


def _length(response: HTTPResponse) -> int | None:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else None


def _range(response: HTTPResponse) -> tuple[int | None, int | None]:
    """First byte and whole length, as `Content-Range: bytes FIRST-LAST/LENGTH` says."""
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip())
    if match is None:
        return None, None
    return int(match[1]), None if match[2] == "*" else int(match[2])


def _refusal(job: _Job, error: HTTPError) -> _Fault | None:
    """What an answer of 400 or more means: the part is complete, try again, or (raised) nothing can be done."""
    answer = f"the server answered {error.code} {error.reason}"
    if error.code == 416:
        if error.headers.get("Content-Range", "").strip() == f"bytes */{job.part.stat().st_size}":
            return None
        _discard(job)
        return _Fault(answer, wait=0.0)
    if error.code in _TRY_AGAIN:
        return _Fault(answer, wait=_retry_after(error.headers.get("Retry-After", "")))
    doubt = "" if job.download.verified else " (an address not confirmed for this release)"
    raise MissingDataError(f"{job.download.url}{doubt}: {answer}. {_by_hand(job)}")


def _retry_after(text: str) -> float | None:
    """Seconds from now: the header has them, or a date."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    if text.strip().isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def _lost(job: _Job, error: Exception) -> _Fault:
    """Sorts what went wrong on the line: no network at all, a server that is not who it says, or a break."""
    import socket
    import ssl

    if isinstance(error, ssl.SSLCertVerificationError):
        raise WhenceError(
            f"{_host(job)}: its certificate is not trusted ({error.verify_message}). Is a proxy in between? "
            f"{_by_hand(job)}"
        ) from None
    if isinstance(error, socket.gaierror):
        return _Fault("its name cannot be resolved", offline=True)
    if isinstance(error, ConnectionRefusedError):
        return _Fault("the connection was refused", offline=True)
    if isinstance(error, OSError) and error.errno in _UNREACHABLE:
        return _Fault("there is no route to it", offline=True)
    return _Fault(f"the connection was lost ({str(error) or type(error).__name__})")


def _offline(job: _Job, fault: _Fault) -> MissingDataError:
    return MissingDataError(
        f"cannot reach {_host(job)} ({fault.reason}), so {job.source.name} was not fetched; all that needs no "
        f"download works without it. {_by_hand(job)}"
    )


def _by_hand(job: _Job) -> str:
    first = _inside(job.folder, job.missing[0][1].path)
    more = f" (and {len(job.missing) - 1} more)" if len(job.missing) > 1 else ""
    return f"A copy put by hand at {first}{more} is found there; WHENCE_DATA can name a folder that has the data"


def _host(job: _Job) -> str:
    return urlsplit(job.download.url).netloc


# ---------------------------------------------------------------- the disk


@contextmanager
def _disk_faults(folder: Path) -> Iterator[None]:
    """Disks that are full or must not be written to get one clear line; what has arrived stays."""
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK:
            raise
        place = error.filename or folder
        raise WhenceError(f"{place}: cannot be written ({error.strerror}); what has arrived is kept") from None


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
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


# ---------------------------------------------------------------- words


def _told(status: Status, first_seen: bool, digest: str) -> str:
    if first_seen:
        return f"fetched; no digest is published: {digest} now stands in {RECORDS}, and another will be refused"
    return {
        "fetched": "fetched and checked",
        "present": "already there, as it should be",
        "unchecked": "already there, kept unchecked: no digest is known",
    }[status]


def _size_of(source: Source) -> str:
    known = sum(download.size or 0 for download in source.downloads)
    unknown = sum(download.size is None for download in source.downloads)
    if not unknown:
        return _readable(known)
    rest = f"{unknown} of {len(source.downloads)} downloads do not tell their size beforehand"
    return f"at least {_readable(known)} ({rest})" if known else f"unknown size ({rest})"


def _readable(size: int) -> str:
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
