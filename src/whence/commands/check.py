"""`whence check`: problems of the explanations in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whence.commands.output import (
    FileArgument,
    JsonOption,
    TaskArgument,
    notes_as_json,
    print_json,
    print_lines,
    print_notes,
)
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.pipeline.check import CheckReport


def check(
    task: TaskArgument,
    file: FileArgument,
    gold: Annotated[
        str | None, typer.Option(metavar="FILE", help="FILE holds predictions for these examples.")
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            help="Whose rules: official (the released evaluator's) or paper (those of the paper's text)."
        ),
    ] = "official",
    as_json: JsonOption = False,
) -> None:
    """Check the explanations in a file against the rules of the task.

    Each problem is one line: file, line (in a JSON document: item), id, rule,
    what is wrong. The exit code is 1 if there is any problem.

    Examples:
      whence check explagraphs dev
      whence check explagraphs mine.tsv --gold dev
    """
    from whence.pipeline.check import check_examples, check_predictions
    from whence.tasks import task_named
    from whence.tasks.loading import load, locate
    from whence.tasks.logged import read_answers
    from whence.tasks.sources import data_folder

    chosen = task_named(task)
    path, _ = locate(chosen, file, data_folder)
    if gold is None:
        report = check_examples(chosen, load(chosen, file, data_folder), protocol)
    else:
        examples = load(chosen, gold, data_folder)
        report = check_predictions(chosen, read_answers(chosen, path, examples), examples, protocol)
    if not report.items:
        hidden = f": its {report.without:,} examples have none" if report.without else ""
        raise UsageError(f"{path} has no explanation to check{hidden}")
    if as_json:
        print_json(_as_json(report))
    else:
        _show(report, path.name)
    raise typer.Exit(1 if report.faulty else 0)


def _show(report: CheckReport, name: str) -> None:
    print_lines(
        f"{name}:{item.line}: {item.id}: {problem.rule}: {problem.message}{_place(problem.where)}"
        for item in report.faulty
        for problem in item.problems
    )
    print_notes(report.notes)
    if report.without:
        print_lines([f"note: items without explanation, not checked: {report.without:,}"])
    if report.counts:
        counts = (f"{count:>7,} {rule}" for rule, count in report.counts.most_common())
        print_lines(["problems by rule:", *counts])
    clean = len(report.items) - len(report.faulty)
    print_lines([f"{clean:,} of {len(report.items):,} explanations are clean ({report.task}, {report.protocol})"])


def _place(where: str) -> str:
    return f" [{where}]" if where else ""


def _as_json(report: CheckReport) -> dict[str, object]:
    return {
        "task": report.task,
        "protocol": report.protocol,
        "checked": len(report.items),
        "clean": len(report.items) - len(report.faulty),
        "without": report.without,
        "counts": dict(report.counts.most_common()),
        "notes": notes_as_json(report.notes),
        "problems": [
            {"line": item.line, "id": item.id, "rule": p.rule, "where": p.where, "message": p.message}
            for item in report.faulty
            for p in item.problems
        ],
    }
