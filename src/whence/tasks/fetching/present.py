"""What is in the data folder already: kept when its digest is right, refused when it is another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.errors import DataError
from whence.files import digest_of
from whence.tasks.fetching.disk import inside
from whence.tasks.fetching.report import FetchedFile
from whence.tasks.sources import RemoteFile, RemoteFolder


def present(
    target: RemoteFile | RemoteFolder, folder: Path, records: Mapping[str, str], *, force: bool
) -> list[FetchedFile]:
    """The files of a target as they are on disk; none when it must be fetched.

    A folder is complete when every recorded file is there and there are as many as there must be. A file with
    another digest than it should have is an error; with `force` it must be fetched.
    """
    if isinstance(target, RemoteFile):
        wanted = [target] if inside(folder, target.path).exists() else []
    else:
        place = inside(folder, target.path)
        there = {f"{target.path}/{path.name}" for path in place.glob(f"*{target.suffix}")}
        recorded = {path for path in records if target.holds(path)}
        complete = recorded <= there and len(there) >= (target.count or 1)
        wanted = [RemoteFile(path, None, None) for path in sorted(there)] if complete else []
    found = [_found(file, folder, records, force=force) for file in wanted]
    kept = [file for file in found if file is not None]
    return kept if len(kept) == len(found) else []


def differs(path: Path, expected: str, digest: str) -> DataError:
    """The error for a file of the user's that is not the published one."""
    return DataError(
        path,
        expected=f"sha256 {expected}",
        found=digest,
        advice="It was left as it is: move it away, or have it replaced with --force",
    )


def _found(target: RemoteFile, folder: Path, records: Mapping[str, str], *, force: bool) -> FetchedFile | None:
    """A file that exists; None when it is to be replaced."""
    path = inside(folder, target.path)
    if not path.is_file():
        raise DataError(path, expected="a file", found="a folder")
    expected = target.sha256 or records.get(target.path)
    digest = digest_of(path)
    if digest == expected:
        return FetchedFile(target.path, "present", digest, path.stat().st_size)
    if force:
        return None
    if expected is None:
        return FetchedFile(target.path, "unchecked", digest, path.stat().st_size)
    raise differs(path, expected, digest)
