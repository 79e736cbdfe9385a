"""Trust on first use: the digests of files that have no published one, as they were when first fetched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.errors import DataError
from whence.files import dump_json, read_json, write_text

RECORDS = "whence-checksums.json"
"""Digests seen at the first fetch of files that have no published one, below the data folder."""


def read_records(folder: Path) -> dict[str, str]:
    """The recorded digests, by path below the data folder."""
    path = folder / RECORDS
    if not path.exists():
        return {}
    value = read_json(path)
    if not isinstance(value, dict) or not all(isinstance(digest, str) for digest in value.values()):
        raise DataError(path, expected="an object of path: sha256", found="something else")
    return value


def write_records(folder: Path, records: Mapping[str, str]) -> None:
    """Replaces the recorded digests; a line each, so that one can be removed by hand."""
    rows = (f"  {dump_json(path)}: {dump_json(digest)}" for path, digest in sorted(records.items()))
    write_text(folder / RECORDS, "{\n" + ",\n".join(rows) + "\n}\n")
