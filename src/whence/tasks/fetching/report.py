"""What the user is told: the terms before a download, and after it what was done with each file."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from whence.tasks.fetching.disk import readable
from whence.tasks.fetching.records import RECORDS
from whence.tasks.sources import Source, data_folder

Status = Literal["fetched", "present", "unchecked"]
"""Newly put there; already there with the right digest; already there, and no digest is known to check it by."""

_SINGLY = 10
_TOLD: dict[Status, str] = {
    "fetched": "fetched and checked",
    "present": "already there, as it should be",
    "unchecked": "already there, kept unchecked: no digest is known",
}


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


def licence_notice(source: Source, folder: Path | None = None) -> str:
    """What a user must see before a download: what it is, whose, on what terms, how large, and where it goes."""
    hosts = ", ".join(sorted({urlsplit(download.url).netloc for download in source.downloads}))
    rows = [
        ("publisher", f"{source.publisher}, {source.homepage}"),
        ("licence", f"{source.licence}. {source.licence_text}"),
        ("cite", source.citation),
        ("download", f"{_size_of(source)} from {hosts}"),
        ("goes to", str(data_folder() if folder is None else folder)),
    ]
    unsure = sum(not download.verified for download in source.downloads)
    if unsure:
        rows.append(("note", f"{unsure} of its addresses could not be confirmed for this release"))
    rows += [("not in it", reason) for reason in source.unavailable]
    return "\n".join([source.title, *(_wrapped(label, text) for label, text in rows)])


def _told(status: Status, first_seen: bool, digest: str) -> str:
    if first_seen:
        return f"fetched; no digest is published: {digest} now stands in {RECORDS}, and another will be refused"
    return _TOLD[status]


def _wrapped(label: str, text: str) -> str:
    return textwrap.fill(
        text, 100, initial_indent=f"{label:<12}", subsequent_indent=" " * 12, break_long_words=False
    )


def _size_of(source: Source) -> str:
    known = sum(download.size or 0 for download in source.downloads)
    unknown = sum(download.size is None for download in source.downloads)
    if not unknown:
        return readable(known)
    rest = f"{unknown} of {len(source.downloads)} downloads do not tell their size beforehand"
    return f"at least {readable(known)} ({rest})" if known else f"unknown size ({rest})"
