"""`whence compare`: any number of systems on the same items, as a table for a paper."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_notes, print_table
from whence.commands.score import (
    ContextsOption,
    EaOption,
    LenientOption,
    ProtocolOption,
    SamplesOption,
    SecaOption,
    SeedOption,
    SimilarityOption,
    StepOption,
    UncalibratedOption,
    WordnetOption,
    read_examples,
    read_system,
    refuse_unused,
    scoring_options,
)
from whence.errors import MissingDataError, UsageError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from whence.pipeline.comparison import Comparison
    from whence.pipeline.runs import Run
    from whence.tasks.dataset import Note
    from whence.tasks.scoring import ScoringOptions
    from whence.tasks.task import AnyTask

SystemsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="[TASK] SYSTEM...",
        help="A task and files of answers, each with a name if you like: NAME=FILE. Or run folders alone.",
    ),
]
CompareGoldOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="The examples: a file, a split such as 'dev', or 'samples'. Runs know theirs."
    ),
]
MetricOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Show this metric only. Can be repeated.")
]
LatexOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a LaTeX table (booktabs).")]
CsvOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write one row for each system and metric as CSV.")
]
MarkdownOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the table as Markdown.")]

SHOWN = 30
"""Tests that are listed; of more, only their number is told."""


def compare(
    systems: SystemsArgument,
    gold: CompareGoldOption = None,
    metric: MetricOption = None,
    latex: LatexOption = None,
    csv: CsvOption = None,
    markdown: MarkdownOption = None,
    protocol: ProtocolOption = "official",
    similarity: SimilarityOption = None,
    seca: SecaOption = None,
    ea: EaOption = None,
    step: StepOption = None,
    wordnet: WordnetOption = False,
    uncalibrated: UncalibratedOption = False,
    contexts: ContextsOption = None,
    lenient: LenientOption = False,
    samples: SamplesOption = 1000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare any number of systems: intervals, floors, and which differ from the best.

    Every two systems are tested by every metric on the same items. The tests are
    corrected for their number (Holm), so choose the metrics you report.

    Examples:
      whence compare explagraphs mine.tsv theirs.jsonl base=old.tsv --gold dev
      whence compare entailmentbank-1 a.tsv b.tsv --gold test --metric steps.f1 --latex t.tex
      whence compare runs/llm runs/structured --csv table.csv
    """
    from whence.files import write_text
    from whence.pipeline.comparison import as_json as json_of
    from whence.pipeline.comparison.tables import FORMS
    from whence.tasks import TASKS, task_named

    if systems[0] in TASKS:
        task, named = systems[0], named_paths(systems[1:])
    else:
        task, named = "", named_paths(systems)
    if len(named) < 2:
        raise UsageError("name at least two systems to compare: files after a TASK, or run folders")
    runs = {} if task and gold else _runs(named, task)
    task, gold = task or _shared(runs, "task"), gold or _shared(runs, "split")
    chosen = task_named(task)
    refuse_unused(chosen, {"similarity": similarity, "seca": seca, "ea": ea, "step": step, "wordnet": wordnet})
    notes: Mapping[str, tuple[Note, ...]] = {}
    options = partial(scoring_options, task, protocol, similarity, seca, ea, wordnet, step, uncalibrated)
    if runs and contexts is None:
        compared = _of_runs(runs, gold, options(), metric or ())
    else:
        compared, notes = _of_files(
            chosen, named, gold, contexts, options(), metric or (), lenient=lenient, samples=samples, seed=seed
        )
    written = {"latex": latex, "csv": csv, "markdown": markdown}
    for form, path in written.items():
        if path is not None:
            write_text(path, FORMS[form](compared))
    if as_json:
        print_json(json_of(compared))
        return
    _show_notes(notes)
    show_comparison(compared)
    print_lines(f"written: {path}" for path in written.values() if path is not None)


def _show_notes(notes: Mapping[str, tuple[Note, ...]]) -> None:
    """What the reader came across: of the examples once, of answers with the system's name."""
    shared = [note for note in next(iter(notes.values()), ()) if all(note in found for found in notes.values())]
    print_notes(shared)
    for name, found in notes.items():
        print_notes(replace(note, text=f"{name}: {note.text}") for note in found if note not in shared)


def named_paths(texts: Sequence[str]) -> dict[str, Path]:
    """Files and folders by the names of their systems: `NAME=FILE`, or the file's name without its ending."""
    named: dict[str, Path] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        if Path(text).exists() or not (equals and name.strip()):
            path = Path(text)
            name = path.resolve().name if path.is_dir() else path.stem
        else:
            path = Path(rest)
        if not path.exists():
            raise MissingDataError(f"{path}: no such file")
        if name.strip() in named:
            raise UsageError(f"two systems are named {quoted(name.strip())}: write NAME=FILE to tell them apart")
        named[name.strip()] = path
    return named


def _runs(named: Mapping[str, Path], task: str) -> dict[str, Run]:
    """The runs that systems are, where task or examples must come from them."""
    from whence.pipeline.runs import RUN, read_run

    for path in named.values():
        if not (path / RUN).is_file():
            if task:
                raise UsageError("say which examples the answers are for: --gold SPLIT or --gold FILE")
            raise UsageError(f"{quoted(str(path))} is neither a task nor a run folder: name the task first")
    runs = {name: read_run(path) for name, path in named.items()}
    for name, run in runs.items():
        if task and run.about["task"] != task:
            raise UsageError(f"{name} is a run of {run.about['task']}, not of {task}")
    return runs


def _shared(runs: Mapping[str, Run], key: str) -> str:
    values = {name: str(run.about[key]) for name, run in runs.items()}
    if len(set(values.values())) > 1:
        listed = ", ".join(f"{name}: {value}" for name, value in values.items())
        raise UsageError(f"these runs are not of one {key}: {listed}")
    return next(iter(values.values()))


def _of_runs(runs: Mapping[str, Run], gold: str, options: ScoringOptions, metrics: Sequence[str]) -> Comparison:
    from whence.pipeline.comparison import compare_runs
    from whence.tasks.sources import data_folder

    moved = {name: replace(run, about={**run.about, "split": gold}) for name, run in runs.items()}
    return compare_runs(moved, data_folder, options, metrics=metrics)


def _of_files(
    task: AnyTask,
    named: Mapping[str, Path],
    gold: str,
    contexts: str | None,
    options: ScoringOptions,
    metrics: Sequence[str],
    *,
    lenient: bool,
    samples: int,
    seed: int,
) -> tuple[Comparison, dict[str, tuple[Note, ...]]]:
    from whence.commands.progress import work_progress
    from whence.pipeline.comparison import compare as compare_systems
    from whence.pipeline.comparison import system_of_report
    from whence.pipeline.score import score

    dataset = read_examples(task, gold, contexts)
    reports = {}
    with work_progress() as report:
        for number, (name, path) in enumerate(named.items()):
            report("scoring", number, len(named))
            answers = read_system(task, path, dataset)
            try:
                reports[name] = score(
                    task,
                    dataset,
                    answers,
                    options,
                    lenient=lenient,
                    samples=samples,
                    seed=seed,
                    floors="without models",
                )
            except UsageError as error:
                raise UsageError(f"{name}: {error}") from None
    systems = [system_of_report(name, one) for name, one in reports.items()]
    signature = next(iter(reports.values())).signature
    compared = compare_systems(
        f"{task.name} {gold}", signature, systems, metrics=metrics, samples=samples, seed=seed
    )
    return compared, {name: one.notes for name, one in reports.items()}


def show_comparison(compared: Comparison) -> None:
    """The table, the tests where they are few, and what a reader must know."""
    from whence.pipeline.comparison.tables import grid, marks_explained, plain_cell, plain_label, remarks

    table = grid(compared)
    rows = [[plain_label(head), *map(plain_cell, cells)] for head, cells in table.rows]
    print_table(("", *map(plain_label, table.columns)), rows, title=f"{compared.title}, {compared.n:,} items")
    print_lines(marks_explained(compared))
    significant = [test for test in compared.tests if test.significant]
    if len(compared.tests) <= SHOWN:
        tests = [
            (
                test.metric,
                test.first,
                test.second,
                f"{test.difference:+.4g}",
                "" if test.low is None or test.high is None else f"{test.low:+.4g} to {test.high:+.4g}",
                _p(test.p),
                _p(test.p_corrected),
                test.test,
            )
            for test in compared.tests
        ]
        columns = ("metric", "first", "second", "second - first", "95% interval", "p", "p corrected", "test")
        print_table(columns, tests, title="tests")
    else:
        print_lines(
            [
                f"{len(compared.tests):,} tests, {len(significant):,} significant: --json lists them, and "
                "--metric NAME makes them fewer"
            ]
        )
    print_lines(f"note: {line}" for line in remarks(compared))
    print_lines([str(compared.signature)])


def _p(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}"
