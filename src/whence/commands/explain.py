"""`whence explain`: why? One explanation, made and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.structures.results import Example
    from whence.tasks.method import Explained, Reason

WithOption = Annotated[
    str,
    typer.Option(
        "--with",
        metavar="METHOD",
        help="How to make it; `whence tasks TASK` lists the methods. Default: the first.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A setting of the method, such as the folder of a model. Can be repeated.",
    ),
]
FromOption = Annotated[
    str,
    typer.Option(
        "--from", metavar="SPLIT", help="Explain an example of a split or file instead of text that you type."
    ),
]
NumberOption = Annotated[
    int | None, typer.Option("--number", "-n", help="Which example of --from, counted from 1.")
]
IdOption = Annotated[str | None, typer.Option("--id", help="Which example of --from, by its id.")]
WhyOption = Annotated[bool, typer.Option("--why", help="Say why each part was chosen, and what was not.")]
SvgOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture to this file.")]
SaveOption = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Also save the explanation as a line of our own JSONL."),
]


class ExplainCommand(TyperCommand):
    """The verb, with an option for every text that some task can be given. They go to `Context.obj`, by name."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of tasks, which are imported when somebody looks, and those that all tasks have."""
        shared = super().get_params(ctx)
        return [*_text_options(frozenset(name for one in shared for name in (one.name, *one.opts))), *shared]

    def invoke(self, ctx: Any) -> Any:
        """Runs the verb."""
        shared = {one.name for one in super().get_params(ctx)}
        given = {name: ctx.params.pop(name) for name in [*ctx.params] if name not in shared}
        ctx.obj = {name: texts for name, texts in given.items() if texts and any(texts)}
        return super().invoke(ctx)


@cache
def _text_options(taken: frozenset[str]) -> tuple[Any, ...]:
    from whence import plugins
    from whence.tasks import TASKS, form_inputs

    meanings: dict[str, dict[str, list[str]]] = {}
    for name, task in TASKS.items():
        try:
            texts = form_inputs(task).texts
        except Exception as error:  # noqa: BLE001 (other people's code)
            plugins.warn(f"texts for {name} cannot be typed: {type(error).__name__}: {error}")
            continue
        for text in texts:
            if not text.name.isidentifier() or {text.name, f"--{text.name}"} & taken:
                plugins.warn(f"the text '{text.name}' of {name} cannot be an option: give it another name")
            else:
                meanings.setdefault(text.name, {}).setdefault(text.meaning, []).append(name)

    def read() -> None: ...

    read.__signature__ = Signature(  # type: ignore[attr-defined]  # typer makes options of parameters
        [_parameter(name, found) for name, found in meanings.items()]
    )
    application = typer.Typer(add_completion=False)
    application.command()(read)
    return tuple(get_command(application).params)


def _parameter(name: str, meanings: Mapping[str, Sequence[str]]) -> Parameter:
    """An option that may be repeated, with what it means to which tasks."""
    told = " ".join(f"{', '.join(tasks)}: {meaning}." for meaning, tasks in meanings.items())
    option = typer.Option(f"--{name}", metavar="TEXT", help=told, rich_help_panel="What is to be explained")
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[list[str] | None, option])


def explain(
    context: typer.Context,
    task: TaskArgument,
    method: WithOption = "",
    overrides: SetOption = None,
    source: FromOption = "",
    number: NumberOption = None,
    id_: IdOption = None,
    why: WhyOption = False,
    svg: SvgOption = None,
    output: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain something of your own, or an example of a data set, and draw the explanation.

    `whence tasks TASK` lists the methods for --with and their settings.

    Examples:
      whence explain worldtree --question "What melts ice?" --answer heat --why
      whence explain explagraphs --belief "Plant trees." --argument "Trees cool streets."
      whence explain worldtree --from samples -n 3 --svg facts.svg
      whence explain anli --from samples -n 1 --with llm --set model=model.gguf
    """
    from whence.commands.progress import work_progress
    from whence.commands.show import chosen_example
    from whence.files import write_lines, write_text
    from whence.formats import records
    from whence.pipeline.explain import explainer, require_explanation
    from whence.pipeline.recipes import assigned
    from whence.structures.results import Prediction
    from whence.tasks import form_inputs, task_named
    from whence.tasks.form_inputs import typed_example
    from whence.tasks.loading import load
    from whence.tasks.method import Setup
    from whence.tasks.sources import data_folder

    chosen = task_named(task)
    if bool(source) == bool(context.obj):
        raise UsageError("say what is to be explained: either typed text, or --from SPLIT with --number or --id")
    dataset = load(chosen, source, data_folder) if source else None
    example = chosen_example(dataset, number, id_) if dataset else typed_example(form_inputs(chosen), context.obj)
    with work_progress() as report:
        setup = Setup(data_folder, dataset.facts if dataset else {}, report)
        maker = explainer(task, method, assigned(overrides or ()), setup)
        found = maker.explain([example], report)[0]
    explanation = require_explanation(found)
    diagram = chosen.diagram(example.inputs, explanation, found.facts or setup.facts)
    prediction = Prediction(example.id, explanation, mended=found.said is not None, before=found.said)
    record = records.format_record(prediction, chosen.form)
    if output is not None:
        write_lines(output, [record])
    if svg is not None:
        from whence.drawing import to_svg

        write_text(svg, to_svg(diagram))
    if as_json:
        print_json(_told(example, found, maker.name))
        return
    _show(diagram, found, why, [path for path in (svg, output) if path is not None])


def _show(diagram: Any, found: Explained, why: bool, written: list[Path]) -> None:
    from whence.commands.show import drawn_lines

    print_lines(drawn_lines(diagram))
    if found.said is not None:
        print_lines(["Mended: the model's own answer breaks a rule; this is the nearest one that breaks none."])
    if why:
        print_lines([""])
        print_table(("score", "part", "because"), [_row(reason) for reason in found.reasons], title="Why")
        if found.refused:
            print_table(("score", "part", "because"), [_row(one) for one in found.refused], title="Not taken")
    print_lines(f"written: {path}" for path in written)


def _row(reason: Reason) -> tuple[str, str, str]:
    score = "" if reason.score is None else f"{reason.score:.3f}"
    return score, reason.text, "; ".join(reason.because)


def _told(example: Example[Any, Any], found: Explained, name: str) -> dict[str, Any]:
    return {
        "inputs": asdict(example.inputs),
        "explanation": asdict(found.explanation),
        "reasons": [asdict(reason) for reason in found.reasons],
        "refused": [asdict(reason) for reason in found.refused],
        "mended": found.said is not None,
        "model": name,
    }
