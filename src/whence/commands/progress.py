"""Progress with time left: bars on a terminal; a line now and then where there is none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from whence.errors import StoppedError

if TYPE_CHECKING:
    from whence.tasks.fetching import Progress


@contextmanager
def download_progress() -> Iterator[Callable[[Progress], None]]:
    """A bar for each file that is being fetched, on standard error; silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    terminal = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    bars: dict[str, TaskID] = {}
    with Bars(*columns, console=terminal, disable=not terminal.is_terminal, transient=True) as shown:

        def update(progress: Progress) -> None:
            if progress.name not in bars:
                bars[progress.name] = shown.add_task(progress.name, total=progress.total)
            shown.update(bars[progress.name], completed=progress.done, total=progress.total)

        yield update


LINE_EVERY = 60.0
"""Seconds between two lines about long work, where there is no terminal."""


@contextmanager
def resumable() -> Iterator[None]:
    """Around work that goes on where it was stopped: says so when it is stopped."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError("interrupted; what is done is kept, and the same command goes on from there") from None


@contextmanager
def work_progress() -> Iterator[Callable[[str, int, int], None]]:
    """What long work does, how far it is and how long it will take, on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield _lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal, transient=True) as shown:
        bar = shown.add_task("", total=None)

        def update(what: str, done: int, total: int) -> None:
            shown.update(bar, description=what, completed=done, total=total)

        yield update


def _lines() -> Callable[[str, int, int], None]:
    told = time.monotonic()
    # When work of this size began, and how much was done by then: a stopped run goes on.
    first: dict[int, tuple[float, int]] = {}

    def update(what: str, done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        begun, before = first.setdefault(total, (now, done))
        if now - told >= LINE_EVERY and done > before:
            told = now
            left = (now - begun) / (done - before) * (total - done)
            sys.stderr.write(f"{what}: {done:,} of {total:,}, about {left / 60:.0f} min left\n")
            sys.stderr.flush()

    return update
