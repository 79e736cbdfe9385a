"""A source into the data folder: what is missing is transferred, checked, and only then moved into place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from whence.errors import DataError, UsageError
from whence.files import digest_of
from whence.tasks.fetching.archives import unpack
from whence.tasks.fetching.disk import alone, disk_faults, inside
from whence.tasks.fetching.job import Arrival, Job, Progress, Settings, discard, wrong
from whence.tasks.fetching.present import differs, present
from whence.tasks.fetching.records import RECORDS, read_records, write_records
from whence.tasks.fetching.report import FetchedFile, FetchReport
from whence.tasks.fetching.transfer import transfer
from whence.tasks.sources import RemoteFile, Source

_USUAL = Settings()


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
    records = read_records(folder)
    there = {target: present(target, folder, records, force=force) for target in source.targets()}
    files: list[FetchedFile] = []
    for download in sorted(source.downloads, key=lambda download: not download.verified):
        files += [file for _, target in download.members for file in there[target]]
        missing = tuple((name, target) for name, target in download.members if not there[target])
        if missing:
            with disk_faults(folder), alone(folder):
                files += _get(Job(source.name, download, missing, folder, progress, settings), force=force)
    return FetchReport(source, folder, tuple(files))


def _get(job: Job, *, force: bool) -> list[FetchedFile]:
    records = read_records(job.folder)  # anew: another run may have added some
    job.part.parent.mkdir(parents=True, exist_ok=True)
    try:
        transfer(job)
        arrivals = _arrivals(job)
        files = [_checked(job, arrival, records) for arrival in arrivals]
    except DataError:
        discard(job)  # what is wrong now will be wrong when continued
        raise
    places = [inside(job.folder, file.path) for file in files]
    if not force:
        _check_unchanged(places, files)
    if new := {file.path: file.sha256 for file in files if file.first_seen}:
        write_records(job.folder, records | new)  # before the files: a digest without a file does no harm
    for arrival, place in zip(arrivals, places, strict=True):
        place.parent.mkdir(parents=True, exist_ok=True)
        arrival.waiting.replace(place)
    discard(job)
    return files


def _arrivals(job: Job) -> list[Arrival]:
    """What the part holds: itself, or the members of an archive."""
    expected = job.download.sha256
    if expected is not None and (found := digest_of(job.part)) != expected:
        raise wrong(job, f"sha256 {expected}", found)
    if job.download.kind != "file":
        return unpack(job)
    target = job.missing[0][1]
    if not isinstance(target, RemoteFile):
        raise UsageError(f"{job.download.url}: a folder comes from an archive, not from a file")
    return [Arrival(target, job.part, digest_of(job.part), job.part.stat().st_size)]


def _checked(job: Job, arrival: Arrival, records: Mapping[str, str]) -> FetchedFile:
    """An arrival that is as published or, where no digest is, as when it was first fetched."""
    target, seen = arrival.target, records.get(arrival.target.path)
    if target.size not in (None, arrival.size):
        raise wrong(job, f"{target.size} bytes for {target.path}", str(arrival.size))
    if target.sha256 not in (None, arrival.sha256):
        raise wrong(job, f"sha256 {target.sha256} for {target.path}", arrival.sha256)
    if target.sha256 is None and seen not in (None, arrival.sha256):
        raise DataError(
            job.download.url,
            expected=f"sha256 {seen} for {target.path}, as when it was first fetched",
            found=arrival.sha256,
            advice=f"It was not put in place. If you trust the new one, remove its line from "
            f"{job.folder / RECORDS} and fetch again",
        )
    first_seen = target.sha256 is None and seen is None
    return FetchedFile(target.path, "fetched", arrival.sha256, arrival.size, first_seen)


def _check_unchanged(places: list[Path], files: list[FetchedFile]) -> None:
    """Of a folder some files may be there: only an equal one is replaced unasked."""
    for place, file in zip(places, files, strict=True):
        if place.exists() and (digest := digest_of(place)) != file.sha256:
            raise differs(place, file.sha256, digest)
