"""Examples and predictions as they are read from files, and the published parts of a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from whence.errors import DataError
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")


REREAD = "reread"
"""The note that answers were read as a language model restates them."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a file that its reader handled and that its user should know, with how often."""

    name: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A gold explanation that could not be read: where it stands and why."""

    line: int
    id: str
    error: DataError


@dataclass(frozen=True, slots=True)
class Dataset(Generic[Inputs, Explanation]):
    """Examples in the order of their file, and what there is to know about reading them."""

    examples: tuple[Example[Inputs, Explanation], ...]
    lines: tuple[int, ...]
    """The line of each example; its number where the file is one JSON document."""
    notes: tuple[Note, ...] = ()
    faults: tuple[Fault, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """The facts that explanations refer to by id, where the task has such."""


@dataclass(frozen=True, slots=True)
class Predictions(Generic[Explanation]):
    """A system's answers in the order of their file."""

    predictions: tuple[Prediction[Explanation], ...]
    lines: tuple[int, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A published part of a data set: its file, and a list of the ids it holds if the file holds more."""

    path: str
    ids: str = ""
    listed: Callable[[str], str] = str
    """From the id of an example to what the list has for it."""
    instead: str = ""
    """A smaller or older copy of the file that serves where the file itself is not."""
    read: Callable[[Path], Dataset[Any, Any]] | None = None
    """How the file is read for this part, where that is not how the task reads it."""
    source: str = ""
    """The data set it is of, where that is not the task's."""
    is_bundled: bool = False
    """Whether the file ships with the task: `path` is then where it lies, and no data folder is needed."""

    def file(self, folder: Path) -> Path:
        """The file in the data folder; the other one if only that is there."""
        if self.is_bundled:
            return Path(self.path)
        path, instead = folder / self.path, folder / self.instead
        return instead if self.instead and instead.exists() and not path.exists() else path


AnyDataset = Dataset[Any, Any]


class Notes:
    """Counts what a reader comes across, in order of first sight."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, name: str, text: str, count: int = 1) -> None:
        """One more of this kind."""
        if count:
            self._counts[name, text] += count

    def all(self) -> tuple[Note, ...]:
        """What was counted."""
        return tuple(Note(name, count, text) for (name, text), count in self._counts.items())
