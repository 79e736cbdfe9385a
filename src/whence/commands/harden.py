"""`whence harden`: adversarial filtering, with its learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whence.commands.output import EngineOption, JsonOption, print_json, print_lines, print_notes, print_table
from whence.errors import UsageError, quoted

if TYPE_CHECKING:
    from whence.models.learners import Judge
    from whence.pipeline.harden import Hardened
    from whence.structures.results import Measurement

TaskArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="A task with choices to make, such as anli or cider-choice.")
]
PoolsArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="anli: pools of hypotheses (a file, 'samples', or 'pools' of the data folder). "
        "cider-choice: dialogues with triplets (a file, 'samples', or a split such as 'fold1-train').",
    ),
]
OutOption = Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder for the results.")]
IterationsOption = Annotated[
    int | None, typer.Option(min=1, help="At most this many. Default: as in the paper (anli 50, cider-choice 35).")
]
AdversaryOption = Annotated[str, typer.Option(metavar="KIND", help="The kind of model to filter against.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of the adversary. Can be repeated."),
]
FormOption = Annotated[
    str, typer.Option(metavar="NAME", help="How the adversary reads a candidate. Default: as in the paper.")
]
CheckOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND[:NAME=VALUE,...]", help="Another kind of model to compare before and after. Can be repeated."
    ),
]
ExamplesOption = Annotated[int, typer.Option(min=0, help="Use this many questions, drawn at random; 0: all.")]
ShareOption = Annotated[
    float | None,
    typer.Option(min=0.05, max=0.95, help="The share of the questions that the adversary learns from."),
]
PatienceOption = Annotated[
    int | None,
    typer.Option(
        min=0, help="Stop when the adversary's accuracy has not fallen for this many iterations; 0: never."
    ),
]
UntilOption = Annotated[
    float | None,
    typer.Option(min=0.0, max=1.0, help="Stop when the adversary's accuracy is this low, such as chance."),
]
SpansOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="A model that finds more candidates: one trained on cider-span, or 'embedded' (cider-choice).",
    ),
]
ElsewhereOption = Annotated[
    int, typer.Option(min=0, help="This many candidates per question from other dialogues (cider-choice).")
]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same result.")]


def harden(
    task: TaskArgument,
    file: PoolsArgument,
    out: OutOption,
    iterations: IterationsOption = None,
    adversary: AdversaryOption = "logistic",
    settings: SetOption = None,
    form: FormOption = "",
    check: CheckOption = None,
    examples: ExamplesOption = 0,
    share: ShareOption = None,
    patience: PatienceOption = None,
    until: UntilOption = None,
    spans: SpansOption = None,
    elsewhere: ElsewhereOption = 0,
    seed: SeedOption = 0,
    engine: EngineOption = "serial",
    as_json: JsonOption = False,
) -> None:
    """Harden a data set by adversarial filtering: replace the options that a model finds easy.

    A run that was stopped continues when the same command is given again.

    Examples:
      whence harden anli samples -o hard --iterations 10 --adversary random
      whence harden anli pools -o hard --examples 4000 --check transformer:epochs=1
      whence harden cider-choice fold1-train -o hard --spans embedded
    """
    from whence.commands.progress import nested_progress
    from whence.engine import engine_named
    from whence.pipeline.harden import Order, filtering_of, record, run
    from whence.pipeline.harden.adversaries import adversary_named
    from whence.pipeline.harden.loop import Plan
    from whence.tasks.hardening import Wanted
    from whence.tasks.sources import data_folder

    filtering, chosen = filtering_of(task), engine_named(engine)
    if (spans is not None or elsewhere) and not filtering.span_task:
        raise UsageError(f"{task} has its candidates in the file: --spans and --elsewhere are not for it")
    plan = Plan(
        filtering.iterations if iterations is None else iterations,
        filtering.learnt if share is None else share,
        filtering.patience if patience is None else patience,
        until,
        seed,
    )
    order = Order(
        filtering,
        Wanted(file, data_folder, seed, None if spans is None else _judge(spans, filtering.span_task), elsewhere),
        adversary_named(adversary, _pairs(settings or ())),
        plan,
        form,
        tuple(adversary_named(*_kind(text)) for text in check or ()),
        examples,
    )
    with nested_progress() as report:
        hardened = run(order, out, report, chosen)
    if as_json:
        print_json(record(hardened))
        return
    _show(hardened, out)


def _pairs(texts: Sequence[str]) -> Mapping[str, str]:
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"a setting is written NAME=VALUE, not {quoted(text)}")
        found[name.strip()] = value.strip()
    return found


def _kind(text: str) -> tuple[str, Mapping[str, str]]:
    kind, _, settings = text.partition(":")
    return kind, _pairs([part for part in settings.split(",") if part])


def _judge(name: str, task: str) -> Judge:
    """The model of spans in a folder, or the one of the task that ships with this package."""
    from whence.models.trained import bundled, load_model
    from whence.tasks import heads_of

    model = bundled(f"{task}/{next(iter(heads_of(task)))}") if name == "embedded" else load_model(Path(name))
    return model.judge(model.lesson(task))


def _show(hardened: Hardened, out: Path) -> None:
    from whence.pipeline.harden import curve_of
    from whence.pipeline.report.curve import curve_lines

    filtering = hardened.order.filtering
    changed = sum(a != b for a, b in zip(hardened.before, hardened.after, strict=True))
    print_lines(
        [
            f"{filtering.task}: {len(hardened.pools):,} questions, {changed:,} of them with other options now",
            f"{len(hardened.rounds)} iterations; stopped because {hardened.stopped}",
            "",
            "accuracy of the adversary on held questions, by iteration",
            *curve_lines(curve_of(hardened.rounds, filtering)),
        ]
    )
    rows = [
        (found.model, found.form, _figure(found.before), _figure(found.after), _points(found.change.difference))
        for found in hardened.compared
    ]
    print_table(("model", "reads", "before (95%)", "after (95%)", "change"), rows, title="trained from scratch")
    print_notes(hardened.notes)
    print_lines([f"written: {out / f'after{filtering.suffix}'} (and before, curve.svg, run.json)"])


def _figure(found: Measurement) -> str:
    values = (found.value, found.low, found.high)
    value, low, high = ("-" if value is None else f"{100 * value:.1f}" for value in values)
    return f"{value} ({low} to {high})"


def _points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f}"
