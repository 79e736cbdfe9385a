"""`whence data`: sources, downloads, statistics, our own file form."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from whence.commands.output import (
    FileArgument,
    JsonOption,
    TaskArgument,
    notes_as_json,
    print_json,
    print_lines,
    print_notes,
    print_table,
)
from whence.errors import MissingDataError, UsageError, quoted

if TYPE_CHECKING:
    from whence.structures.results import Measurement
    from whence.tasks.dataset import AnyDataset, Predictions
    from whence.tasks.statistics import StatisticsTable

application = typer.Typer(help="Published data sets: list, download, count, convert.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A data set; `whence data list` lists them.")]


@application.command("list")
def list_sources(json: JsonOption = False) -> None:
    """List the data sets: what they are, their licence, and whether they are here.

    Example:
      whence data list
    """
    from whence.tasks.sources import all_sources, data_folder

    folder = data_folder()
    rows = [(source, (folder / source.name).is_dir()) for source in all_sources().values()]
    if json:
        print_json(
            {
                "folder": str(folder),
                "sources": {
                    source.name: {
                        "title": source.title,
                        "publisher": source.publisher,
                        "homepage": source.homepage,
                        "licence": source.licence,
                        "here": here,
                    }
                    for source, here in rows
                },
            }
        )
        return
    cells = ((s.name, s.title, s.licence, "yes" if here else "no") for s, here in rows)
    print_table(("name", "what", "licence", "here"), cells)
    print_lines([f"Data folder: {folder}", "Get one with: whence data get NAME"])


@application.command("get")
def get(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Accept the licence without being asked.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that differ from the published ones.")
    ] = False,
) -> None:
    """Download a data set from its publisher, after showing its licence.

    An interrupted download continues where it stopped.

    Example:
      whence data get explagraphs
    """
    from whence.commands.progress import download_progress, resumable
    from whence.tasks.fetching import fetch, licence_notice
    from whence.tasks.sources import data_folder, source_named

    source, folder = source_named(name), data_folder()
    print_lines([licence_notice(source, folder)])
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody is here to accept the licence: add --yes if you do")
        typer.confirm("Download on these terms?", abort=True)
    with resumable(), download_progress() as progress:
        report = fetch(source, folder, progress=progress, force=force)
    print_lines(report.lines())


@application.command("stats")
def stats(name: NameArgument, json: JsonOption = False) -> None:
    """Count a data set, with the paper's figure in brackets after each of ours.

    Example:
      whence data stats entailmentbank
    """
    from whence.tasks import statistics
    from whence.tasks.sources import data_folder
    from whence.tasks.statistics import as_json

    known = statistics()
    if name not in known:
        raise UsageError(f"there is no data set '{name}'; there are {', '.join(known)}")
    folder = data_folder()
    if not (folder / name).is_dir():
        raise MissingDataError(
            f"{name} is not here: {folder / name} does not exist. Get it with: whence data get {name}"
        )
    tables = list(known[name](folder))
    if json:
        print_json({"name": name, "tables": [as_json(table) for table in tables]})
        return
    for table in tables:
        show_statistics(table)


def show_statistics(table: StatisticsTable) -> None:
    """A table with what the paper prints in brackets."""
    rows = ([name, *map(_figure, cells)] for name, cells in table.rows)
    print_table(("", *table.columns), rows, title=table.title)
    print_lines(f"  {remark}" for remark in table.remarks)


def _figure(measured: Measurement | None) -> str:
    """The value, and in brackets what the paper prints."""
    if measured is None:
        return ""
    value = "?" if measured.value is None else _number(measured.value)
    return value if measured.published is None else f"{value} ({measured.published:,})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}" if abs(value) < 100 else f"{value:,.1f}"


@application.command("overlap")
def overlap(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A data set; without it, all that are here.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Count the questions that data sets have in common, where one is evaluated on.

    `whence train` leaves out examples whose question is in a split that models
    are evaluated on, of this task or of one with the same questions.

    Example:
      whence data overlap worldtree
    """
    from dataclasses import asdict

    from whence.tasks import TASKS
    from whence.tasks.overlap import shared_questions
    from whence.tasks.sources import data_folder

    sources = dict.fromkeys(task.source for task in TASKS.values() if task.source and task.questions)
    if name is not None and name not in sources:
        raise UsageError(f"there is no data set '{name}' with questions; there are {', '.join(sources)}")
    tasks = [task for task in TASKS.values() if name in (None, task.source)]
    rows = list(shared_questions(tasks, data_folder))
    if json:
        print_json([asdict(row) for row in rows])
        return
    cells = [
        (row.learnt, f"{row.items:,} of {row.of:,}", row.evaluated, f"{row.covered:,} of {row.questions:,}")
        for row in rows
    ]
    if cells:
        print_table(("examples of", "with a question of", "the split", "which has of its questions there"), cells)
    else:
        print_lines(["no split that is here has a question of a split that models are evaluated on"])


@application.command("schema")
def schema(
    task: TaskArgument,
    kind: Annotated[
        Literal["example", "prediction"], typer.Option(help="The schema of an example or of a prediction.")
    ] = "example",
) -> None:
    """Print the JSON schema of one line of our own JSONL form.

    Example:
      whence data schema explagraphs --kind prediction
    """
    from whence.formats import records
    from whence.tasks import task_named

    print_json(records.json_schema(task_named(task).form, kind))


@application.command("prompt")
def prompt(
    task: TaskArgument,
    example: Annotated[
        str, typer.Option(metavar="ID", help="Ask about this example; without it, about the first one.")
    ] = "",
    examples: Annotated[
        str,
        typer.Option(metavar="FILE", help="Where the example is: a file, 'samples', or a split such as 'dev'."),
    ] = "samples",
    json: JsonOption = False,
) -> None:
    """Print how a language model is asked for an explanation, and the JSON schema of its answer.

    Send the two texts and the schema to a model of yours, and score the answers
    with `whence score`.

    Example:
      whence data prompt explagraphs --json
    """
    from whence.integrations.questions import prompt_of
    from whence.tasks.loading import load
    from whence.tasks.sources import data_folder

    asked = prompt_of(task)
    found = load(asked.task, examples, data_folder).examples
    chosen = next((one for one in found if one.id == example), None) if example else found[0]
    if chosen is None:
        raise UsageError(f"{examples} has no example {quoted(example)}; the first is {found[0].id}")
    question, answer = asked.ask(chosen.inputs), asked.schema(chosen.inputs)
    if json:
        print_json(
            {"task": task, "id": chosen.id, "system": asked.instruction, "user": question, "schema": answer}
        )
        return
    print_lines([asked.instruction, "", question, "", "The answer's JSON schema:"])
    print_json(answer)


@application.command("convert")
def convert(
    task: TaskArgument,
    file: FileArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write; - is standard output.")
    ],
    to: Annotated[
        Literal["whence", "published", "rows"] | None,
        typer.Option(help="Our own JSONL (the default), the published form, or table rows in JSONL or .parquet."),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="FILE holds predictions, or a log of answers, for these examples."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Convert examples or predictions: our own JSONL, the published form, or rows for `datasets` and pandas.

    With --gold, FILE holds predictions in any form that `whence score` reads,
    including logs of inspect_ai and lm-evaluation-harness.

    Examples:
      whence data convert explagraphs dev -o dev.parquet
      whence data convert explagraphs run.eval --gold dev -o predictions.jsonl
    """
    from whence.tasks import task_named
    from whence.tasks.loading import load, locate, require_read
    from whence.tasks.logged import read_answers
    from whence.tasks.saving import form_for, lines_of, write_records
    from whence.tasks.sources import data_folder

    chosen = task_named(task)
    form = form_for(output, to)
    path, _ = locate(chosen, file, data_folder)
    dataset: AnyDataset | Predictions[Any]
    if gold is None:
        dataset = require_read(load(chosen, file, data_folder), path)
    else:
        dataset = read_answers(chosen, path, load(chosen, gold, data_folder))
    if str(output) == "-":
        print_lines(lines_of(chosen, dataset, form))
        return
    write_records(output, chosen, dataset, form)
    what = "examples" if gold is None else "predictions"
    unread = sum(one.explanation is None for one in getattr(dataset, "predictions", ()))
    if json:
        counts = {what: len(dataset.lines)} | ({} if gold is None else {"unread": unread})
        print_json({"task": task, **counts, "notes": notes_as_json(dataset.notes)})
        return
    print_notes(dataset.notes)
    if unread:
        print_lines(
            [f"note: predictions without an explanation that could be read, kept with the reason: {unread:,}"]
        )
    print_lines([f"{len(dataset.lines):,} {what} written to {output}"])
