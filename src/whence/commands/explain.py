"""`whence explain`: why? One explanation, made and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.errors import UsageError
from whence.structures.verdict import CONTRADICTS

if TYPE_CHECKING:
    from whence.drawing import Diagram
    from whence.structures.facts import Fact
    from whence.structures.results import Example, Problem
    from whence.tasks.method import Explained, Reason
    from whence.tasks.task import AnyTask

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
VerifierOption = Annotated[
    str,
    typer.Option(
        "--verifier", metavar="NAME", help="Who judges what is made: reader, large (slower), or both together."
    ),
]
AnywayOption = Annotated[
    bool, typer.Option("--anyway", help="Show the best attempt even if it does not follow, marked as unsupported.")
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
    verifier: VerifierOption = "reader",
    anyway: AnywayOption = False,
    svg: SvgOption = None,
    output: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain something of your own, or an example of a data set, and draw the explanation.

    Where a verifier judges the task, every part carries its verdict. If the
    explanation does not follow, the answer is no: what is missing is said, and the
    exit code is 1.

    `whence tasks TASK` lists the methods for --with and their settings.

    Examples:
      whence explain worldtree --question "What melts ice?" --answer heat --why
      whence explain explagraphs --belief "Plant trees." --argument "Trees cool streets."
      whence explain worldtree --from samples -n 3 --svg facts.svg
      whence explain anli --from samples -n 1 --with llm --set model=model.gguf
      whence explain contrast --fact "Owls are birds." --claim "Owls are fish."
    """
    from whence.commands.progress import work_progress
    from whence.commands.show import chosen_example
    from whence.models.verifier.choice import verifier_named
    from whence.pipeline.explain import explainer
    from whence.pipeline.recipes import assigned
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
        setup = Setup(data_folder, dataset.facts if dataset else {}, report, verifier_named(verifier))
        maker = explainer(task, method, assigned(overrides or ()), setup)
        explained = maker.explain([example], report)[0]
    if explained.unanswered:
        raise UsageError(f"no explanation could be made: {explained.unanswered}")
    answer = Answer(chosen, example, explained, setup.facts, maker.name, maker.unverified)
    is_shown = answer.is_supported or (anyway and explained.explanation is not None)
    written = list(_write(answer, svg, output)) if is_shown else []
    if as_json:
        print_json(answer.as_json(anyway))
    else:
        print_lines(answer.lines(is_shown))
        if why:
            _show_why(explained)
        print_lines(f"written: {path}" for path in written)
    if not answer.is_supported:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Answer:
    """An example, what a method made of it, and whether to show that."""

    task: AnyTask
    example: Example[Any, Any]
    explained: Explained
    facts: Mapping[str, Fact]
    method: str
    unverified: str
    """Why there is no verdict, where there is none."""

    @property
    def is_supported(self) -> bool:
        """If there is an explanation that follows, that nothing can judge yet, or that is itself a verdict."""
        verdict = self.explained.verdict
        if self.explained.explanation is None:
            return False
        return verdict is None or verdict.is_supported or self.is_verdict

    @property
    def is_verdict(self) -> bool:
        """Whether the verdict is the answer: a method gave it, of a task whose answers nothing else judges."""
        return self.explained.verdict is not None and self.task.verification is None

    def diagram(self) -> Diagram:
        """The explanation as a picture, with the verdicts on its parts."""
        explanation = self.explained.explanation
        picture = self.task.diagram(self.example.inputs, explanation, self.explained.facts or self.facts)
        if self.task.verification is None:
            return picture
        return self.task.verification().mark(picture, explanation, self.explained.parts)

    def problems(self) -> tuple[Problem, ...]:
        """Rules that the explanation breaks: its form, not its truth."""
        from whence.pipeline.check import check_explanation

        if self.explained.explanation is None:
            return ()
        facts = self.explained.facts or self.facts
        return check_explanation(self.task, self.example, self.explained.explanation, facts)

    def lines(self, is_shown: bool) -> Iterator[str]:
        """What the terminal shows: picture, form and truth; or why the answer is no."""
        from whence.commands.show import drawn_lines
        from whence.pipeline.explain import why_none
        from whence.tasks.verification import show

        verdict = self.explained.verdict
        if is_shown:
            yield from drawn_lines(self.diagram())
            yield ""
            problems = self.problems()
            yield from (f"Form: {problem.message}" for problem in problems)
            if not problems:
                yield "Form: well-formed by all rules."
            if self.explained.said is not None:
                yield "Mended: the model's own answer breaks a rule; this is the nearest one that breaks none."
        if self.explained.explanation is None:
            yield "No explanation could be made."
            yield from (f"  {line}" for line in why_none(self.explained))
        elif verdict is None:
            yield f"Not verified: {self.unverified}."
        elif self.is_verdict:
            yield f"Answer: {show(verdict)}, judged by {verdict.judge}."
        elif verdict.is_supported:
            yield f"Verified: {show(verdict)}, judged by {verdict.judge}."
            if self.explained.advice:
                yield f"{self.explained.advice}."
        else:
            is_refuted = verdict.label == CONTRADICTS
            ending = "This is the best attempt." if is_shown else "Add --anyway to see the best attempt."
            answer = "Contradicts" if is_refuted else "Does not follow from"
            yield f"{answer} these facts: {show(verdict)}. {ending}"
            yield from (f"  {line}" for line in self.explained.missing)

    def as_json(self, anyway: bool) -> dict[str, Any]:
        """The same for machines; without `anyway`, an explanation that does not follow is null."""
        explained = self.explained
        shown = explained.explanation is not None and (anyway or self.is_supported)
        return {
            "task": self.task.name,
            "inputs": asdict(self.example.inputs),
            "explanation": asdict(explained.explanation) if shown else None,
            "verdict": asdict(explained.verdict) if explained.verdict else None,
            "parts": [asdict(part) for part in explained.parts],
            "missing": list(explained.missing),
            "problems": [asdict(problem) for problem in self.problems()],
            "reasons": [asdict(reason) for reason in explained.reasons],
            "refused": [asdict(reason) for reason in explained.refused],
            "mended": explained.said is not None and explained.explanation is not None,
            "method": self.method,
        }


def _write(answer: Answer, svg: Path | None, output: Path | None) -> Iterator[Path]:
    from whence.files import write_lines, write_text
    from whence.formats import records
    from whence.structures.results import Prediction

    if output is not None:
        verdict = answer.explained.verdict
        said = answer.explained.said
        prediction = Prediction(
            answer.example.id,
            answer.explained.explanation,
            mended=said is not None,
            before=said,
            verdict=verdict,
        )
        write_lines(output, [records.format_record(prediction, answer.task.form)])
        yield output
    if svg is not None:
        from whence.drawing import to_svg

        write_text(svg, to_svg(answer.diagram()))
        yield svg


def _show_why(explained: Explained) -> None:
    columns = ("score", "part", "because")
    print_lines([""])
    print_table(columns, [_row(reason) for reason in explained.reasons], title="Why")
    if explained.refused:
        print_table(columns, [_row(reason) for reason in explained.refused], title="Not taken")


def _row(reason: Reason) -> tuple[str, str, str]:
    score = "" if reason.score is None else f"{reason.score:.3f}"
    return score, reason.text, "; ".join(reason.because)
