"""`whence integrations`: files that other harnesses read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import print_lines

application = typer.Typer(help="Files for other harnesses.", no_args_is_help=True)


@application.callback()
def _only_parts() -> None:
    """Files for other harnesses."""


@application.command("lm-eval")
def lm_eval(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write the task files.")],
    tasks: Annotated[
        list[str] | None, typer.Argument(metavar="TASK", help="Tasks; without any, all that have a prompt.")
    ] = None,
    examples: Annotated[
        str, typer.Option(metavar="FILE", help="A file, 'samples', or a published split such as 'dev'.")
    ] = "samples",
) -> None:
    """Write the tasks for lm-evaluation-harness, a folder for its --include_path.

    Prompts are ours, and answers are scored as `whence score` does.

    Example:
      whence integrations lm-eval tasks explagraphs anli --examples dev
    """
    from whence.integrations.lm_eval import write_tasks

    names = write_tasks(folder, tasks or (), examples)
    print_lines(
        [
            f"{len(names)} tasks written to {folder}: {', '.join(names)}",
            f"Run them: lm_eval --model ... --include_path {folder} --tasks {names[0]}",
        ]
    )
