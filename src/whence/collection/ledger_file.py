"""The pay ledger as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields

from whence.collection.administration import PayLine

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def ledger_csv(lines: Iterable[PayLine]) -> Iterator[str]:
    """Comma-separated rows under a header. A text that a spreadsheet would compute has an apostrophe before it."""
    yield _row(entry.name for entry in fields(PayLine))
    for line in lines:
        yield _row(harmless(value) if isinstance(value, str) else str(value) for value in astuple(line))


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula, on one line."""
    plain = " ".join(text.splitlines())
    return f"'{plain}" if text.startswith(_STARTS_A_FORMULA) else plain


def _row(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(list(cells))
    return stream.getvalue()
