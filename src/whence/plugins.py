"""What other distributions add, found by entry points.

A distribution names what it adds under one of `GROUPS` in its `pyproject.toml`; this package registers its own
tasks by the same means. A plug-in that cannot be used is warned about in one line, and the rest goes on.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, TypeVar

from whence.errors import PluginWarning, UsageError

TASKS, METRICS, METHODS, GENERATORS = "whence.tasks", "whence.metrics", "whence.methods", "whence.generators"
GROUPS = (TASKS, METRICS, METHODS, GENERATORS)
API = 1
"""The version of the interface to plug-ins: every one says which it was made for."""
OWN = "whence"


class Plugin(Protocol):
    """What an entry point names."""

    @property
    def api(self) -> int:
        """The version of the interface that it was made for."""


Value = TypeVar("Value", bound=Plugin)


@cache
def registered(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name, ours first. Of two with one name the first is used."""
    by_name: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (not is_own(entry), distribution(entry))):
        first = by_name.setdefault(entry.name, entry)
        if (first.value, distribution(first)) != (entry.value, distribution(entry)):
            warn(f"{describe(entry)} is not used: {distribution(first)} has one of that name")
    return by_name


def is_own(entry: EntryPoint) -> bool:
    """Whether this package registers it."""
    return distribution(entry) == OWN


def distribution(entry: EntryPoint) -> str:
    """The name of the distribution that registers an entry point."""
    return entry.dist.name if entry.dist is not None else "an unknown distribution"


def load(entry: EntryPoint, kind: type[Value]) -> Value:
    """The value that an entry point names, which must be of a kind; `UsageError` says why it cannot be used."""
    try:
        value = entry.load()
    except (Exception, SystemExit) as error:  # a module that ends the program must not end ours
        raise UsageError(f"{describe(entry)} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(value, kind):
        raise UsageError(f"{describe(entry)} is a {type(value).__name__}, not a {kind.__name__}")
    if value.api != API:
        raise UsageError(
            f"{describe(entry)} was made for version {value.api} of the plug-in interface; this is version {API}"
        )
    return value


def load_all(group: str, kind: type[Value]) -> Iterator[tuple[EntryPoint, Value]]:
    """Every usable plug-in of a group with its entry point; the others are warned about."""
    for entry in registered(group).values():
        try:
            yield entry, load(entry, kind)
        except UsageError as error:
            warn(str(error))


@cache  # once a message, however often it is asked for
def warn(message: str) -> None:
    """Tell the user, in one line."""
    warnings.warn(message, PluginWarning, stacklevel=2)


def describe(entry: EntryPoint) -> str:
    """Name a plug-in and its distribution, for messages."""
    return f"the plug-in {entry.group} '{entry.name}' of {distribution(entry)}"
