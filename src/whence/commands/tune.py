"""`whence tune`: which settings of a method are best on a split."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.commands.predict import SetOption, SplitArgument
from whence.errors import UsageError

MethodArgument = Annotated[
    str, typer.Argument(metavar="METHOD", help="A method of `whence explain`; `whence tasks TASK` lists them.")
]
TryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--try",
        metavar="KEY=VALUE,VALUE,...",
        help="Values to try for a setting. Can be repeated: all combinations are tried.",
    ),
]
ByOption = Annotated[str, typer.Option("--by", metavar="METRIC", help="The metric to choose by.")]


def tune(
    task: TaskArgument,
    method: MethodArgument,
    split: SplitArgument,
    tried: TryOption = None,
    by: ByOption = "f1",
    overrides: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try settings of a method on a split, and say which are best.

    Tune on one split and report on another.

    Example:
      whence tune worldtree facts dev --try count=4,6,8,10,12 --by f1
    """
    from whence.commands.progress import work_progress
    from whence.pipeline.recipes import assigned
    from whence.pipeline.tune import best_of, tune
    from whence.tasks.sources import data_folder

    with work_progress() as report:
        trials = tune(task, method, split, assigned(overrides or ()), _values(tried or []), data_folder, report)
    best = best_of(trials, by)
    if as_json:
        told = [
            {"settings": trial.settings, "scores": {m.name: asdict(m) for m in trial.measurements}}
            for trial in trials
        ]
        print_json(
            {"task": task, "method": method, "split": split, "by": by, "best": best.settings, "trials": told}
        )
        return
    names = [one.name for one in trials[0].measurements]
    rows = [(_told(trial.settings), *(f"{trial.figure(name):.4f}" for name in names)) for trial in trials]
    print_table(("settings", *names), rows, title=f"{task}, {method} on {split}")
    print_lines([f"best in {by}: {' '.join(f'--set {key}={value}' for key, value in best.settings.items())}"])


def _values(tried: list[str]) -> dict[str, list[Any]]:
    from whence.pipeline.recipes import assigned

    found = {}
    for text in tried:
        key, mark, values = text.partition("=")
        if not mark or not values:
            raise UsageError(f"--try {text}: expected KEY=VALUE,VALUE,...")
        found[key] = [assigned([f"{key}={value}"])[key] for value in values.split(",")]
    return found


def _told(settings: Any) -> str:
    return ", ".join(f"{key}={value}" for key, value in settings.items())
