"""Progress with time left, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
