"""What can go wrong that a person must mend. Each error is one clear line.

A malformed *prediction* is not an error: it becomes a `Problem` (see `whence.structures.results`).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

_SHOWN = 80


class WhenceError(Exception):
    """The base of all errors whose message is meant for the user. The command line prints it and exits with 2."""


class UsageError(WhenceError):
    """The call cannot be carried out as it was made: an unknown name, options that do not go together."""


class MissingDataError(WhenceError):
    """A data set or file that the call needs is not on this machine. The message says how to get it."""


class StoppedError(WhenceError):
    """Work was stopped by whoever began it; the message says how to go on. The command line exits with 130."""


class PluginWarning(UserWarning):
    """A plug-in of another distribution that cannot be used, in one line; everything else goes on."""


class DataError(WhenceError):
    """A text or file that is not what it should be: where, what was expected, what was found, what to do.

    Parsers raise it without `path` and `line`, as they see only text; readers of files add them with `at`.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        line: int | None = None,
        *,
        expected: str,
        found: str,
        advice: str = "",
    ) -> None:
        self.path = path
        self.line = line
        self.expected = expected
        self.found = found
        self.advice = advice
        super().__init__(self._message())

    def at(self, path: str | Path | None, line: int | None = None) -> DataError:
        """The same error, placed in a file. A place that is already known stays."""
        return DataError(
            self.path if self.path is not None else path,
            self.line if self.line is not None else line,
            expected=self.expected,
            found=self.found,
            advice=self.advice,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors come back from worker processes.
        arguments = {"expected": self.expected, "found": self.found, "advice": self.advice}
        return partial(DataError, self.path, self.line, **arguments), ()

    def _message(self) -> str:
        place = [str(self.path)] if self.path is not None else []
        if self.line is not None:
            place.append(f"line {self.line}")
        message = f"expected {self.expected}, found {self.found}"
        if place:
            message = f"{', '.join(place)}: {message}"
        if self.advice:
            message = f"{message}. {self.advice}"
        return printable(message)


def printable(text: str) -> str:
    """A text on one line: what cannot be shown, line ends among it, is escaped."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def quoted(text: str, limit: int = _SHOWN) -> str:
    """A text as it can stand in a one-line message: quoted, control characters escaped, shortened."""
    shown = repr(text[:limit])
    return f"{shown[:-1]}…{shown[-1]}" if len(text) > limit else shown
