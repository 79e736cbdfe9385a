"""What is wrong with pattern files, all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.errors import DataError
from whence.tasks.ranked_facts.data.files import read_fact_base
from whence.tasks.ranked_facts.schemas.library import Library, read_pattern_file
from whence.tasks.ranked_facts.schemas.words import word_names


@dataclass(frozen=True, slots=True)
class Checked:
    """How much was looked at, and what is wrong with it."""

    files: int
    patterns: int
    problems: tuple[DataError, ...]


def check_files(paths: Sequence[Path], tables: Path) -> Checked:
    """All problems: the first fault of grammar in each file, and all that is named and not there."""
    store = word_names(read_fact_base(tables))
    files, faults = [], []
    for path in paths:
        try:
            files.append(read_pattern_file(path))
        except DataError as error:
            faults.append(error)
    patterns = sum(len(file.schemas) for file in files)
    return Checked(len(paths), patterns, (*faults, *Library(files).problems(store)))
