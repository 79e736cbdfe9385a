"""`whence predict`: a model's verdicts on a split, as a run folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table

ModelArgument = Annotated[Path, typer.Argument(metavar="MODEL", help="A folder that `whence train` made.")]
SplitArgument = Annotated[
    str, typer.Argument(metavar="SPLIT", help="A published split such as 'dev', 'samples', or a file.")
]
OutOption = Annotated[Path, typer.Option("-o", "--output", metavar="RUN", help="The run folder.")]
HeadOption = Annotated[
    str, typer.Option(metavar="NAME", help="Which of the things it learnt about the task; else the first.")
]
FormOption = Annotated[str, typer.Option(metavar="NAME", help="How inputs are put; else as it learnt them.")]


def predict(
    task: TaskArgument,
    model: ModelArgument,
    split: SplitArgument,
    output: OutOption,
    head: HeadOption = "",
    form: FormOption = "",
    as_json: JsonOption = False,
) -> None:
    """Judge a split with a model and score it: verdicts, predictions and figures in one run folder.

    A run that was stopped goes on where it was. Example: `whence predict explagraphs stance dev -o runs/stance`
    """
    from whence.commands.progress import work_progress
    from whence.models.trained import load_model
    from whence.pipeline.runs import PREDICTIONS, predict
    from whence.tasks.sources import data_folder

    loaded = load_model(model)
    lesson = loaded.lesson(task, head)
    with work_progress() as report:
        run = predict(loaded, lesson, split, output, data_folder, report, form)
    if as_json:
        print_json({**run.about, "scores": {m.name: asdict(m) for m in run.measurements}})
        return
    rows = [
        (m.name, f"{m.value:.4f}", f"{m.low:.4f} to {m.high:.4f}" if m.low is not None else "", str(m.n))
        for m in run.measurements
    ]
    if rows:
        print_table(("metric", "value", "95% interval", "items"), rows, title=f"{lesson} on {split}")
    else:
        print_lines([f"{run.about['items']:,} items judged; their answers are hidden, so there are no figures"])
    if (output / PREDICTIONS).is_file():
        print_lines([f"Predictions for `whence score {task}`: {output / PREDICTIONS}"])
