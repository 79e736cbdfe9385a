"""How verbs show their results: JSON for machines, tables and plain lines for people."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from whence.tasks.dataset import Note

PIPED_WIDTH = 140
"""How wide tables are where no terminal says how wide it is."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A file, 'samples', or a published split such as 'dev'.")
]
EngineOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="Where to do the work: serial, processes[:NUMBER] or ray[:ADDRESS]."),
]
TaskArgument = Annotated[str, typer.Argument(metavar="TASK", help="A task; `whence tasks` lists them.")]


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Plain lines on standard output, as they are: no markup, no wrapping."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def console() -> Console:
    """Where tables go. Not for text that others wrote: it would be read as markup."""
    from rich.console import Console

    found = Console(highlight=False)
    if found.is_terminal:
        return found
    return Console(highlight=False, width=shutil.get_terminal_size((PIPED_WIDTH, 24)).columns)


def print_table(columns: Iterable[str], rows: Iterable[Iterable[str]], *, title: str = "") -> None:
    """A table whose cells are shown as they are; columns of numbers are set flush right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD)
    for number, column in enumerate(columns):
        values = [row[number] for row in cells if row[number]]
        numeric = bool(values) and all(value[0].isdigit() or value[0] == "-" for value in values)
        table.add_column(Text(column), justify="right" if numeric else "left")
    for row in cells:
        table.add_row(*(Text(value) for value in row))
    console().print(table)


def counted(count: int, noun: str) -> str:
    """So many of a thing: "1 item", "1,200 items"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def print_notes(notes: Iterable[Note]) -> None:
    """What a reader came across, one line each."""
    print_lines(f"note: {note.text}: {note.count:,}" for note in notes)


def notes_as_json(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes for machines."""
    return [{"name": note.name, "count": note.count, "text": note.text} for note in notes]
