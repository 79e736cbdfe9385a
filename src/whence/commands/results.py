"""`whence results`: what models are worth, side by side, from run folders."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_table

RunsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="FOLDER...", help="Run folders, folders that contain them, or a .json file written by --keep."
    ),
]
KeepOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write the figures to a .json file that this command can read again."),
]
CurveOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Also draw a learning curve (SVG): one recipe by its number of training items."
    ),
]
MarkdownOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write the tables as a Markdown page.")
]


def results(
    runs: RunsArgument,
    markdown: MarkdownOption = None,
    curve: CurveOption = None,
    keep: KeepOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare models by their run folders: beside trivial models and the papers' figures.

    Runs of one recipe on several folds become one row, their mean. Figures
    written by --keep can be named again when the runs themselves are gone.

    Examples:
      whence results runs
      whence results kept.json runs --keep kept.json --markdown results.md
    """
    from whence.commands.progress import work_progress
    from whence.files import dump_json, write_lines, write_text
    from whence.pipeline.report.curve import curve_lines, curve_svg
    from whence.pipeline.results import as_markdown, find_runs, gathered, judges, learning_curve
    from whence.tasks.sources import data_folder

    with work_progress() as report:
        rows = gathered(runs, data_folder, report)
    if markdown is not None:
        write_lines(markdown, [*_HEAD, *as_markdown(rows)])
    if keep is not None:
        kept = ",\n".join(dump_json(asdict(row)) for row in rows)
        write_text(keep, f"[\n{kept}\n]\n")
    drawn = None if curve is None else learning_curve(rows)
    if curve is not None and drawn is not None:
        write_text(curve, curve_svg(drawn) + "\n")
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    shown = [
        (
            f"{row.task}/{row.head}",
            " ".join((row.recipe, *row.overrides)),
            row.metric,
            f"{100 * row.value:.1f}",
            "" if row.low is None or row.high is None else f"{100 * row.low:.1f} to {100 * row.high:.1f}",
            "" if row.p is None else f"{row.p:.3f}",
            "; ".join(f"{figure.value:g} {figure.model}" for figure in row.published[:1]),
        )
        for row in rows
    ]
    print_table(("lesson", "recipe", "metric", "value", "95% interval", "p over trivial", "paper"), shown)
    print_lines(
        f"note: {row.task}/{row.head} {row.recipe}: {row.contaminated}" for row in rows if row.contaminated
    )
    if drawn is not None:
        print_lines([drawn.title, *curve_lines(drawn)])
    if explained := sum(not judges(run) for run in find_runs(runs)):
        print_lines([f"note: runs of methods that explain, not compared here: {explained:,}"])
    print_lines(f"written: {path}" for path in (markdown, curve, keep) if path is not None)


_HEAD = (
    "# Results",
    "",
    "What the models of this project are worth on the published data, made by `whence results` from run",
    "folders. Figures are times 100, with 95% intervals over items. Each is compared with the best model that",
    "learns nothing (the most frequent answer, or chance) on the same items, by a paired test. Models learn",
    "from the training split alone, a tenth of it held out to tell when to stop. Where the split has questions",
    "that are trained on, the table says *contaminated*. A paper's figure is on the same split as ours unless",
    "brackets name another one. Core time is that of all processor cores together: on two cores, training",
    "takes half as long.",
    "",
)
