"""Progress with time left: bars on a terminal; a line now and then where there is none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from whence.errors import StoppedError

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn, TaskID

    from whence.progress import Report
    from whence.tasks.fetching import Progress


LINE_EVERY = 60.0
"""Seconds between two lines about long work, where there is no terminal."""


@contextmanager
def download_progress() -> Iterator[Callable[[Progress], None]]:
    """A bar for each file that is being fetched, on standard error; silent where that is no terminal."""
    from rich.progress import DownloadColumn

    with _bars(DownloadColumn()) as update:
        yield lambda progress: update(progress.name, progress.done, progress.total)


@contextmanager
def weights_progress() -> Iterator[Report]:
    """How many bytes of weights have arrived and how long the rest will take, on standard error."""
    from rich.progress import DownloadColumn

    if not _on_terminal():
        yield _lines(every=10.0, unit=1_000_000, unit_name=" MB")
        return
    with _bars(DownloadColumn()) as update:
        yield update


@contextmanager
def resumable() -> Iterator[None]:
    """Around work that goes on where it was stopped: says so when it is stopped."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError("interrupted; what is done is kept, and the same command goes on from there") from None


@contextmanager
def work_progress() -> Iterator[Report]:
    """What long work does, how far it is and how long it will take, on standard error."""
    if not _on_terminal():
        yield _lines()
        return
    with _shown() as shown:
        bar = shown.add_task("", total=None)
        yield lambda what, done, total: shown.update(bar, description=what, completed=done, total=total)


@contextmanager
def nested_progress() -> Iterator[Report]:
    """A bar for the work and for each piece of work within it, which is told of with a blank before its name.

    Lines, where there is no terminal, are of the work alone.
    """
    if not _on_terminal():
        lines = _lines()
        yield lambda what, done, total: None if what.startswith(" ") else lines(what, done, total)
        return
    with _bars() as update:
        yield update


def _on_terminal() -> bool:
    from rich.console import Console

    return Console(stderr=True).is_terminal


@contextmanager
def _bars(amount: ProgressColumn | None = None) -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar for each name that is told of."""
    bars: dict[str, TaskID] = {}
    with _shown(amount) as shown:

        def update(what: str, done: int, total: int | None) -> None:
            if what not in bars:
                bars[what] = shown.add_task(what, total=total)
            shown.update(bars[what], completed=done, total=total)

        yield update


def _shown(amount: ProgressColumn | None = None) -> Bars:
    """Bars with what is done of how much, told in `amount` or as numbers, and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    terminal = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        amount or MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Bars(*columns, console=terminal, disable=not terminal.is_terminal, transient=True)


def _lines(every: float = LINE_EVERY, unit: int = 1, unit_name: str = "") -> Report:
    told = time.monotonic()
    # When work of this size began, and how much was done by then: a stopped run goes on.
    first: dict[int, tuple[float, int]] = {}

    def update(what: str, done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        begun, before = first.setdefault(total, (now, done))
        if now - told >= every and done > before:
            told = now
            left = (now - begun) / (done - before) * (total - done)
            time_left = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
            amount = f"{done // unit:,} of {total // unit:,}{unit_name}"
            sys.stderr.write(f"{what}: {amount}, about {time_left} left\n")
            sys.stderr.flush()

    return update
