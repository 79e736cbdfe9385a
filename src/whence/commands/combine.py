"""`whence combine`: an ensemble of runs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import JsonOption, print_json, print_lines
from whence.commands.predict import OutOption, measurement_table

RunsArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN RUN...", help="Run folders of the same task on the same split.")
]


def combine(runs: RunsArgument, output: OutOption, as_json: JsonOption = False) -> None:
    """Combine several models' runs on the same items into one, with equal weights, and score it.

    Example:
      whence combine runs/option runs/option-encoder -o runs/both
    """
    from whence.pipeline.combine import combine
    from whence.tasks.sources import data_folder

    run = combine(runs, output, data_folder)
    if as_json:
        print_json({**run.about, "scores": {m.name: asdict(m) for m in run.measurements}})
        return
    measurement_table(run, f"{run.about['task']}, {len(runs)} runs together on {run.about['split']}")
    print_lines([f"written: {output}"])
