"""`whence shortlist`: facts for people to rate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import JsonOption, print_json, print_lines

RunsArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN RUN...", help="Runs of models that rank facts, on the same split.")
]
FileOption = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")]
MostOption = Annotated[int, typer.Option(help="How many facts to take from each ranking.")]


def shortlist(runs: RunsArgument, output: FileOption, most: MostOption = 20, as_json: JsonOption = False) -> None:
    """Choose facts for people to rate: the best of each ranking, and the gold facts.

    Synonyms are left out, as in the published expert ratings.

    Example:
      whence shortlist runs/words runs/vectors -o shortlists.jsonl
    """
    from whence.commands.data import show_statistics
    from whence.pipeline.shortlist import write_shortlists
    from whence.tasks.sources import data_folder
    from whence.tasks.statistics import as_json as table_as_json

    table = write_shortlists(runs, output, most, data_folder)
    if as_json:
        print_json({"file": str(output), **table_as_json(table)})
        return
    show_statistics(table)
    print_lines([f"written: {output}, for `whence data`, `whence show worldtree` and `whence collect`"])
