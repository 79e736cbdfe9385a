"""Items measured by an engine; what is measured may be kept, so that a scoring that was stopped goes on."""

from __future__ import annotations

import hashlib
import pickle
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from whence.engine import SERIAL, Do, Engine, chunks_of
from whence.errors import DataError
from whence.files import dump_json, parse_json_object
from whence.progress import Report, unreported
from whence.tasks.scoring import Measure, ScoringOptions

MEASURED = "measured.jsonl"
_Rows = Sequence[Any]


def spread(
    engine: Engine, make: Callable[[], ScoringOptions], work: Path | None = None, report: Report = unreported
) -> ScoringOptions:
    """Options by which items are measured by an engine, whose workers make the same options, once each.

    Rows are kept in the folder `work`, if there is one, and are not measured again by who goes on there.
    """
    options, key = make(), uuid.uuid4().hex
    if engine is SERIAL and work is None:
        return options
    do = partial(_measuring, (lambda: options) if engine is SERIAL else make)

    def measured(measure: Measure, items: Sequence[Any], size: int) -> Iterator[_Rows]:
        kept = None if work is None else _Kept(work / MEASURED, _name(options, measure))
        done, places = 0, deque[str]()

        def left() -> Iterator[tuple[Measure, Sequence[Any]]]:
            for chunk in chunks_of(items, size):
                places.append("" if kept is None else kept.place(chunk))
                if kept is None or places[-1] not in kept:
                    yield measure, chunk

        def told(rows: _Rows) -> _Rows:
            nonlocal done
            done += len(rows)
            report("measuring", done, len(items))
            return rows

        with closing(engine.map(do, left(), key=key)) as fresh:
            for rows in fresh:
                while kept is not None and places[0] in kept:
                    yield told(kept.rows(places.popleft()))
                place = places.popleft()
                if kept is not None:
                    kept.add(place, rows)
                yield told(rows)
        while kept is not None and places:
            yield told(kept.rows(places.popleft()))

    return replace(options, spread=measured)


def _measuring(make: Callable[[], ScoringOptions]) -> Do[tuple[Measure, Sequence[Any]], _Rows]:
    options = make()
    return lambda given, _: given[0](options, given[1])


def _name(options: ScoringOptions, measure: Measure) -> bytes:
    """What rows depend on beside their items."""
    scorers = (options.similarity, options.graph_classifier, options.stance_classifier, options.synonyms)
    named = [options.protocol, options.time_limit, *(one and one.name for one in scorers)]
    return repr(named).encode() + pickle.dumps(measure)


class _Kept:
    """Rows in a file, a line a chunk, found by what they depend on."""

    def __init__(self, path: Path, name: bytes) -> None:
        self._path, self._name = path, name
        self._lines: dict[str, tuple[int, int]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        with path.open("r+b") as stream:
            at = 0
            for line in stream:
                if not line.endswith(b"\n"):  # it was being written
                    stream.truncate(at)
                    break
                self._lines[line[len(_BEFORE) :][:_DIGITS].decode("ascii", "replace")] = at, len(line)
                at += len(line)

    def place(self, chunk: Sequence[Any]) -> str:
        return hashlib.sha256(self._name + repr(chunk).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    def __contains__(self, place: str) -> bool:
        return place in self._lines

    def rows(self, place: str) -> _Rows:
        at, size = self._lines[place]
        with self._path.open("rb") as stream:
            stream.seek(at)
            try:
                return parse_json_object(stream.read(size).decode())["rows"]  # type: ignore[no-any-return]
            except (DataError, UnicodeDecodeError, KeyError):
                raise DataError(self._path, expected="rows that were measured", found="something else") from None

    def add(self, place: str, rows: _Rows) -> None:
        with self._path.open("ab") as stream:
            stream.write(dump_json({"of": place, "rows": rows}).encode() + b"\n")


_BEFORE, _DIGITS = '{"of": "', 32
