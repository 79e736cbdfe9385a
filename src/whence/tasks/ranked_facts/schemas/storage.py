"""Solutions of schemas in a file: arrays of numbers, and names as JSON."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import numpy as np

from whence.errors import DataError, MissingDataError, WhenceError
from whence.solvers.schemas.solutions import PatternSolutions, SolutionTable

_FORMAT = "whence solutions of schemas"
_AGAIN = "Remove the file: it will be made again."


def save_solutions(table: SolutionTable, path: Path) -> None:
    """Writes a table of solutions, whole or not at all."""
    head = {
        "format": _FORMAT,
        "ids": table.ids,
        "texts": table.texts,
        "patterns": [[p.pattern, p.slots, p.file, p.complete, len(p)] for p in table.patterns],
    }
    text = np.frombuffer(json.dumps(head, ensure_ascii=False).encode(), dtype=np.uint8)
    facts = np.concatenate([np.zeros(0, np.int32), *(pattern.facts.ravel() for pattern in table.patterns)])
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("wb") as stream:
                np.savez_compressed(stream, head=text, facts=facts)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise WhenceError(f"{path}: cannot be written: {error.strerror or error}") from None


def load_solutions(path: Path) -> SolutionTable:
    """A table of solutions that was saved."""
    if not path.is_file():
        raise MissingDataError(f"{path}: no such file")
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            head, facts = json.loads(arrays["head"].tobytes()), arrays["facts"]
        patterns, begin = [], 0
        for name, slots, file, complete, count in head["patterns"]:
            part = facts[begin : begin + count * len(slots)].reshape(count, len(slots))
            patterns.append(PatternSolutions(name, tuple(slots), part, file, complete))
            begin += part.size
        return SolutionTable(tuple(head["ids"]), tuple(head["texts"]), tuple(patterns))
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(path, expected="solutions of schemas", found=str(error), advice=_AGAIN) from None
