"""`whence explain`: why? One explanation, made and drawn."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.structures.results import Example
    from whence.tasks.explainers import Explained, Reason

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


def explain(
    task: TaskArgument,
    question: Annotated[
        str,
        typer.Option(help="worldtree, cider-span, cider-choice, entailmentbank-1 --with imagine: the question."),
    ] = "",
    answer: Annotated[
        str, typer.Option(help="worldtree, entailmentbank-1 --with imagine: the right answer.")
    ] = "",
    first: Annotated[str, typer.Option(help="anli, anlg: what was observed first.")] = "",
    second: Annotated[str, typer.Option(help="anli, anlg: what was observed later.")] = "",
    hypothesis: Annotated[
        list[str] | None,
        typer.Option(help="anli: what may have happened (give two). entailmentbank: what to explain."),
    ] = None,
    fact: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="entailmentbank: a sentence to explain it with. Can be repeated."),
    ] = None,
    dialogue: Annotated[
        str, typer.Option(help="cider: a file with one turn a line, or the turns themselves.")
    ] = "",
    head: Annotated[str, typer.Option(help="cider-nli, cider-relation: a span of the dialogue.")] = "",
    relation: Annotated[str, typer.Option(help="cider-nli: the relation of the head to the tail.")] = "",
    tail: Annotated[str, typer.Option(help="cider-nli, cider-relation: another span.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="cider-choice: a possible answer. Can be repeated.")
    ] = None,
    belief: Annotated[str, typer.Option(help="explagraphs: the belief.")] = "",
    argument: Annotated[str, typer.Option(help="explagraphs: the argument for or against it.")] = "",
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
    from whence.tasks import task_named, typed_inputs
    from whence.tasks.explainers import Setup
    from whence.tasks.sources import data_folder
    from whence.tasks.task import load
    from whence.tasks.typed import typed_example

    chosen = task_named(task)
    typed = _typed(
        question=question,
        answer=answer,
        belief=belief,
        argument=argument,
        first=first,
        second=second,
        hypothesis=hypothesis,
        fact=fact,
        dialogue=dialogue,
        head=head,
        relation=relation,
        tail=tail,
        option=option,
    )
    if bool(source) == bool(typed):
        raise UsageError("say what is to be explained: either typed text, or --from SPLIT with --number or --id")
    dataset = load(chosen, source, data_folder) if source else None
    example = chosen_example(dataset, number, id_) if dataset else typed_example(typed_inputs(task), typed)
    with work_progress() as report:
        setup = Setup(data_folder, dataset.facts if dataset else {}, report)
        maker = explainer(task, method, assigned(overrides or ()), setup)
        found = maker.explain([example], report)[0]
    explanation = require_explanation(found)
    diagram = chosen.diagram(example.inputs, explanation, found.facts or setup.facts)
    record = records.format_record(Prediction(example.id, explanation), chosen.form)
    if output is not None:
        write_lines(output, [record])
    if svg is not None:
        from whence.drawing import to_svg

        write_text(svg, to_svg(diagram))
    if as_json:
        print_json(_told(example, found, maker.name))
        return
    _show(diagram, found, why, [path for path in (svg, output) if path is not None])


def _typed(**given: str | list[str] | None) -> dict[str, list[str]]:
    """What was typed, by option."""
    found = {name: [text] if isinstance(text, str) else text for name, text in given.items() if text}
    return {name: texts for name, texts in found.items() if texts}


def _show(diagram: Any, found: Explained, why: bool, written: list[Path]) -> None:
    from whence.commands.show import drawn_lines

    print_lines(drawn_lines(diagram))
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
        "model": name,
    }
