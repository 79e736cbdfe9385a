"""What arrived before a break: whether the rest of it can be asked for.

Bytes collect in `NAME.part`; `NAME.part.json` beside it says what of: the address, what the server tells
versions apart by, the length.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from whence.errors import DataError, MissingDataError
from whence.files import dump_json, read_json, write_text
from whence.tasks.fetching.job import Job, discard
from whence.tasks.sources import RemoteFile


@dataclass(frozen=True)
class Note:
    """What a part is a part of. `validator` lets the server tell whether the rest still fits."""

    url: str
    validator: str | None = None
    total: int | None = None


def resumable(job: Job) -> tuple[Note, int]:
    """What is known of the part and how long it is; a part that could be of something else is dropped."""
    note = _read_note(job)
    if note is not None and note.url == job.download.url and job.part.exists():
        length = job.part.stat().st_size
        fits = note.total is None or length <= note.total
        if fits and (note.validator or note.total == length or _is_checkable(job)):
            return note, length
    discard(job)
    return Note(job.download.url), 0


def write_note(job: Job, note: Note) -> None:
    """Puts the note beside the part."""
    write_text(job.note, dump_json(asdict(note)) + "\n")


def _read_note(job: Job) -> Note | None:
    """None where there is none or it cannot be read."""
    try:
        value = read_json(job.note)
    except (MissingDataError, DataError):
        return None
    if not isinstance(value, dict):
        return None
    url, validator, total = value.get("url"), value.get("validator"), value.get("total")
    if not isinstance(url, str) or not isinstance(validator, str | None) or not isinstance(total, int | None):
        return None
    return Note(url, validator, total)


def _is_checkable(job: Job) -> bool:
    """Whether a digest would tell if the halves of two versions were joined."""
    return job.download.sha256 is not None or all(
        isinstance(target, RemoteFile) and target.sha256 is not None for _, target in job.download.members
    )
