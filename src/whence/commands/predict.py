"""`whence predict`: a model's verdicts on a split, as a run folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import EngineOption, JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.engine import Engine
    from whence.pipeline.runs import Run
    from whence.structures.results import Measurement

ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A folder made by `whence train`, or a method of `whence explain`."),
]
SplitArgument = Annotated[
    str, typer.Argument(metavar="SPLIT", help="A published split such as 'dev', or 'samples', or a file.")
]
OutOption = Annotated[Path, typer.Option("-o", "--output", metavar="RUN", help="The run folder to write.")]
HeadOption = Annotated[
    str, typer.Option(metavar="NAME", help="Which of the heads that the model learnt. Default: the first.")
]
FormOption = Annotated[
    str, typer.Option(metavar="NAME", help="How the inputs are presented. Default: as in training.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the method, such as the folder of a model. Can be repeated.",
    ),
]
VerifierOption = Annotated[
    str,
    typer.Option(
        "--verifier",
        metavar="NAME",
        help="Who judges what a method makes: reader (the default), large (slower), or both together.",
    ),
]

_SHOWN_FAILURES = 10


def predict(
    task: TaskArgument,
    model: ModelArgument,
    split: SplitArgument,
    output: OutOption,
    head: HeadOption = "",
    form: FormOption = "",
    overrides: SetOption = None,
    verifier: VerifierOption = "",
    engine: EngineOption = "serial",
    as_json: JsonOption = False,
) -> None:
    """Run a model or a method over a split, and score it: everything goes to one run folder.

    A run that was stopped continues when the same command is given again.

    Examples:
      whence predict explagraphs structured samples -o runs/graphs
      whence predict explagraphs models/stance dev -o runs/stance
      whence predict anli llm dev -o runs/llm --set model=model.gguf
    """
    from whence.engine import engine_named
    from whence.pipeline.explain import is_unanswered
    from whence.pipeline.runs import PREDICTIONS
    from whence.tasks import methods_of

    chosen = engine_named(engine)
    if model in methods_of(task) and not Path(model).is_dir():
        _refuse_with_method(head, form)
        title = f"{task}, {model}"
        run = _explained(task, model, split, output, overrides or [], chosen, verifier)
    else:
        if verifier:
            raise UsageError("--verifier is for methods; the answers of a model folder are not judged")
        title, run = _judged(task, model, split, output, head, form, overrides, chosen)
    if as_json:
        print_json({**run.about, "scores": {m.name: asdict(m) for m in run.measurements}, **_outcome(run)})
    else:
        measurement_table(run, f"{title} on {split}")
        print_lines(_told(run))
        if (output / PREDICTIONS).is_file():
            print_lines([f"Predictions for `whence score {task}`: {output / PREDICTIONS}"])
    if any(is_unanswered(one) for one in run.failures):
        raise typer.Exit(1)


def measurement_table(run: Run, title: str) -> None:
    """The figures of a run."""
    rows = [_row(one) for one in run.measurements]
    if rows:
        print_table(("metric", "value", "95% interval", "floor", "ceiling", "items", ""), rows, title=title)
    else:
        print_lines([f"{run.about['items']:,} items judged; their answers are hidden, so there are no figures"])


def _row(one: Measurement) -> tuple[str, ...]:
    """Shares have four digits, percentages two."""
    digits = 4 if max(one.value or 0, one.high or 0) <= 1 else 2
    between = "" if one.low is None else f"{one.low:.{digits}f} to {one.high:.{digits}f}"
    floor, ceiling = ("" if bound is None else f"{bound:.{digits}f}" for bound in (one.floor, one.ceiling))
    note = "not above its floor" if one.above_floor is False else ""
    return one.name, f"{one.value:.{digits}f}", between, floor, ceiling, str(one.n), note


def _told(run: Run) -> Iterator[str]:
    """What was asked for, and what could not be explained."""
    from whence.errors import printable
    from whence.pipeline.contamination import contamination_of
    from whence.pipeline.explain import is_unanswered

    if said := contamination_of(run.about):
        yield f"note: {said}"
    used = run.usage
    if used is not None:
        cost = f", cost {used.cost:,.4f}" if used.cost else ""
        yield (
            f"{used.requests:,} requests ({used.cached:,} answered by the cache), "
            f"{used.read:,} tokens read, {used.written:,} written{cost}"
        )
    if run.supported is not None:
        yield f"{run.supported:,} of {run.about['items']:,} answers follow, by their verdicts"
    if run.broken:
        yield f"{run.broken:,} answers break a rule, and are scored as they are"
    if run.mended:
        before = ", ".join(f"{one.name} {one.value:.4f}" for one in run.before if one.value is not None)
        yield f"{run.mended:,} answers were mended; before: {before or 'no figures'}"
    if run.failures:
        yield f"{len(run.failures):,} of {run.about['items']:,} have no explanation:"
    for failure in run.failures[:_SHOWN_FAILURES]:
        because = "; ".join(problem.message for problem in failure.problems) or "see its reasons"
        yield printable(f"  {failure.id}: {because}")
    if len(run.failures) > _SHOWN_FAILURES:
        yield f"  and {len(run.failures) - _SHOWN_FAILURES:,} more, in {run.folder / 'predictions.jsonl'}"
    if unanswered := sum(map(is_unanswered, run.failures)):
        yield f"{unanswered:,} were not answered: give the same command again, and only they are asked for"


def _outcome(run: Run) -> dict[str, Any]:
    """The same for machines."""
    failures = [{"id": one.id, "problems": [asdict(problem) for problem in one.problems]} for one in run.failures]
    found: dict[str, Any] = {}
    if "method" in run.about:
        found = {"failures": failures, "broken": run.broken, "mended": run.mended}
    if run.supported is not None:
        found["supported"] = run.supported
    if run.before:
        found["before_mending"] = {one.name: asdict(one) for one in run.before}
    return found if run.usage is None else {**found, "usage": asdict(run.usage)}


def _judged(
    task: str,
    model: str,
    split: str,
    output: Path,
    head: str,
    form: str,
    overrides: list[str] | None,
    engine: Engine,
) -> tuple[str, Run]:
    from whence.commands.progress import resumable, work_progress
    from whence.models.trained import load_model
    from whence.pipeline.runs import predict
    from whence.tasks import methods_of
    from whence.tasks.sources import data_folder

    if not Path(model).expanduser().exists():
        methods = ", ".join(methods_of(task)) or "it has none"
        raise UsageError(f"'{model}' is neither the folder of a model nor a method of {task} ({methods})")
    if overrides:
        raise UsageError("--set is for methods; a model folder has its settings")
    loaded = load_model(Path(model))
    lesson = loaded.lesson(task, head)
    with resumable(), work_progress() as report:
        return lesson, predict(loaded, lesson, split, output, data_folder, report, form, engine)


def _explained(
    task: str, method: str, split: str, output: Path, overrides: list[str], engine: Engine, verifier: str
) -> Run:
    from whence.commands.progress import resumable, work_progress
    from whence.models.verifier.choice import READER
    from whence.pipeline.explain import explain_split
    from whence.pipeline.recipes import assigned
    from whence.tasks.sources import data_folder

    with resumable(), work_progress() as report:
        settings = assigned(overrides)
        return explain_split(
            task, method, settings, split, output, data_folder, report, engine, verifier or READER
        )


def _refuse_with_method(head: str, form: str) -> None:
    for name, value in (("--head", head), ("--form", form)):
        if value:
            raise UsageError(f"{name} is for model folders; a method has settings: --set KEY=VALUE")
