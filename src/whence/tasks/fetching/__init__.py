"""Fetching published data: continued after a break, checked against digests, never half in place.

    report = fetch(source_named("explagraphs"), data_folder())
    print("\\n".join(report.lines()))

How a source is fetched: `present` sees what is there; a `job` is what is missing of one download; `transfer`
fills its part, continuing what `part` kept and giving up when `faults` says so; `archives` takes the members
out; `records` knows the digests of files that have no published one; `report` puts it in words.
"""

from whence.tasks.fetching.fetch import fetch
from whence.tasks.fetching.job import Progress, Settings
from whence.tasks.fetching.records import RECORDS
from whence.tasks.fetching.report import FetchedFile, FetchReport, licence_notice

__all__ = [
    "RECORDS",
    "FetchReport",
    "FetchedFile",
    "Progress",
    "Settings",
    "fetch",
    "licence_notice",
]
