"""`whence schemas`: constraint patterns over fact tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, counted, print_json, print_lines
from whence.errors import UsageError, quoted

if TYPE_CHECKING:
    from whence.solvers.schemas.solutions import PatternSolutions, SolutionTable
    from whence.tasks.ranked_facts.schemas.solving import Order

application = typer.Typer(
    help="Schemas, constraint patterns over fact tables: solve, check.", no_args_is_help=True
)

FilesArgument = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Pattern files (*.iml), or folders of them.")
]
TablesOption = Annotated[
    Path, typer.Option("--tables", metavar="DIR", help="A table store: a folder with tableindex.txt and tables/.")
]
LemmasOption = Annotated[
    Path | None,
    typer.Option(
        "--lemmas", metavar="FILE", help="A word list of lines lemma<TAB>word. Default: built-in lemmas."
    ),
]
ProtocolOption = Annotated[
    str, typer.Option(metavar="NAME", help="official finds what the released solver finds, whence all solutions.")
]
LimitOption = Annotated[
    int, typer.Option(min=0, metavar="N", help="At most this many solutions per pattern; 0: no limit.")
]
ShownOption = Annotated[
    int,
    typer.Option(
        "-n", "--show", min=0, metavar="N", help="List this many solutions of each pattern; 0: only counts."
    ),
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Processes to share many files among. Default: one per core."),
]


@application.command("solve")
def solve(
    files: FilesArgument,
    tables: TablesOption,
    lemmas: LemmasOption = None,
    protocol: ProtocolOption = "official",
    limit: LimitOption = 10_000,
    shown: ShownOption = 3,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the table rows that fit together in each pattern.

    Solutions are kept in the cache, so asking again is fast.

    Examples:
      whence schemas solve patterns --tables tablestore -n 5
      whence schemas solve patterns --tables tablestore --json > solutions.json
    """
    from whence.commands.progress import work_progress
    from whence.tasks.ranked_facts.schemas.solving import solved

    order = _order(files, tables, lemmas, protocol, limit, processes or os.cpu_count() or 1)
    with work_progress() as report:
        table = solved(order, report)
    if as_json:
        _print_solutions(table)
        return
    for pattern in table.patterns:
        print_lines(_listed(table, pattern, shown))
    total = sum(len(pattern) for pattern in table.patterns)
    without = sum(not len(pattern) for pattern in table.patterns)
    found = f"{counted(total, 'solution')} of {counted(len(table.patterns), 'pattern')}"
    print_lines([f"{found}; without solutions: {without:,}" if without else found])


@application.command("check")
def check(files: FilesArgument, tables: TablesOption, as_json: JsonOption = False) -> None:
    """Check pattern files: their grammar, and the tables, columns, rows and names they refer to.

    The exit code is 1 if anything is wrong.

    Example:
      whence schemas check patterns --tables tablestore
    """
    from whence.tasks.ranked_facts.schemas.checking import check_files

    found = check_files(_pattern_files(files), tables)
    if as_json:
        keys = ("expected", "found", "advice")
        problems: list[dict[str, Any]] = [
            {"file": str(error.path), "line": error.line} | {key: getattr(error, key) for key in keys}
            for error in found.problems
        ]
        print_json({"files": found.files, "patterns": found.patterns, "problems": problems})
    else:
        print_lines(str(error) for error in found.problems)
        counts = f"{counted(found.files, 'file')}, {counted(found.patterns, 'pattern')}"
        print_lines([f"{counts}: {counted(len(found.problems), 'problem') if found.problems else 'no problems'}"])
    if found.problems:
        raise typer.Exit(1)


def _order(
    files: list[Path], tables: Path, lemmas: Path | None, protocol: str, limit: int, processes: int
) -> Order:
    from whence.tasks.ranked_facts.schemas.solving import Order

    if protocol not in ("official", "whence"):
        raise UsageError(f"the protocols are official and whence, not {quoted(protocol)}")
    all_of_them = protocol == "whence"
    return Order(
        _pattern_files(files), tables, lemmas, "whence" if all_of_them else "official", limit or None, processes
    )


def _pattern_files(named: Iterable[Path]) -> tuple[Path, ...]:
    """The files that are named, and those of folders that are."""
    found: list[Path] = []
    for path in named:
        inside = sorted(path.glob("*.iml")) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"{path} has no pattern files (*.iml)")
        found += inside
    return tuple(dict.fromkeys(found))


def _print_solutions(table: SolutionTable) -> None:
    """One JSON list on one line, as the released solutions are; a pattern at a time, as there may be many."""
    from whence.files import dump_json
    from whence.formats.schemas import format_solutions

    sys.stdout.write("[")
    for number, pattern in enumerate(table.patterns):
        (value,) = format_solutions([table.solutions(pattern)])
        sys.stdout.write(", " * (number > 0) + dump_json(value))
    sys.stdout.write("]\n")


def _listed(table: SolutionTable, pattern: PatternSolutions, shown: int) -> Iterator[str]:
    ended = "" if pattern.complete else ", where the limit ended the search"
    yield f"{pattern.pattern}: {counted(len(pattern), 'solution')}{ended}"
    for number, row in enumerate(pattern.facts[:shown].tolist(), start=1):
        yield f"  {number}."
        for slot, fact in zip(pattern.slots, row, strict=True):
            yield f"    {slot}: {table.texts[fact]} ({table.ids[fact]})" if fact >= 0 else f"    {slot}: -"
    if shown and len(pattern) > shown:
        yield f"  and {len(pattern) - shown:,} more"
    if shown:
        yield ""
