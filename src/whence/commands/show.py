"""`whence show`: one example, drawn."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from whence.commands.output import FileArgument, JsonOption, TaskArgument, print_lines
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.drawing import Diagram
    from whence.structures.results import Example, Prediction
    from whence.tasks.dataset import AnyDataset
    from whence.tasks.export_forms import ExportForm
    from whence.tasks.task import AnyTask

WIDEST = 110


def show(
    task: TaskArgument,
    file: FileArgument = "samples",
    number: Annotated[int | None, typer.Option("--number", "-n", help="Which example, counted from 1.")] = None,
    id_: Annotated[str | None, typer.Option("--id", help="Which example, by its id.")] = None,
    gold: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="FILE holds predictions for these examples; mark the differences."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="FILE", help="Mark the differences to the same example in this file.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture to this file.")] = None,
    form: Annotated[
        Literal["graphml", "jsonld", "mermaid", "paper"] | None,
        typer.Option(
            "--as", help="Print only the explanation, in a form of other tools or as the paper's string."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw one example with its explanation, in the terminal and as SVG.

    Examples:
      whence show explagraphs
      whence show entailmentbank-1 dev -n 12 --svg tree.svg
      whence show explagraphs predictions.tsv --gold dev -n 3
      whence show explagraphs --as mermaid
    """
    from whence.drawing import compare, to_svg
    from whence.files import write_text
    from whence.formats import records
    from whence.structures.results import Prediction
    from whence.tasks import task_named
    from whence.tasks.loading import load, locate
    from whence.tasks.logged import read_answers
    from whence.tasks.sources import data_folder
    from whence.tasks.verification import show as show_verdict

    chosen = task_named(task)
    if gold is not None and against is not None:
        raise UsageError("--gold and --against do not go together: each says what FILE is compared with")
    if number is not None and id_ is not None:
        raise UsageError("--number and --id do not go together: each says which example")
    if form is not None and as_json:
        raise UsageError("--as and --json do not go together: each says what is printed")
    if svg is not None and svg.suffix.lower() in (".png", ".jpg", ".jpeg", ".pdf"):
        raise UsageError(f"{svg}: pictures are written as SVG, so name it .svg")
    dataset = load(chosen, gold or file, data_folder)
    example = chosen_example(dataset, number, id_)
    record: Example[Any, Any] | Prediction[Any] = example
    diagram = _diagram(chosen, example, _first(example), dataset)
    before = None
    if gold is not None:
        path, _ = locate(chosen, file, data_folder)
        record = _answer(read_answers(chosen, path, dataset).predictions, example.id)
        if record.explanation is None:
            reasons = "; ".join(problem.message for problem in record.problems) or "it has no explanation"
            typer.echo(f"note: the prediction could not be read: {reasons}", err=as_json)
        before, diagram = diagram, _diagram(chosen, example, record.explanation, dataset)
    elif against is not None:
        other = load(chosen, against, data_folder)
        before = _diagram(chosen, example, _first(chosen_example(other, number, id_ or example.id)), other)
    if svg is not None:
        write_text(svg, to_svg(compare(before, diagram) if before else diagram))
    if as_json:
        print_lines([records.format_record(record, chosen.form)])
        return
    if form is not None:
        sys.stdout.write(_exported(record, compare(before, diagram) if before else diagram, form))
        return
    place = dataset.examples.index(example) + 1
    print_lines([f"{task} {example.id} ({place} of {len(dataset.examples)} in {gold or file})", ""])
    if isinstance(record, Prediction) and record.verdict is not None:
        print_lines([f"verdict: {show_verdict(record.verdict)}, judged by {record.verdict.judge}", ""])
    _show_drawing(diagram, before, svg)


def _exported(record: Example[Any, Any] | Prediction[Any], diagram: Diagram, form: ExportForm) -> str:
    from whence.structures.results import Example
    from whence.tasks.export_forms import exported

    explanation = _first(record) if isinstance(record, Example) else record.explanation
    if explanation is None:
        raise UsageError(f"{record.id} has no explanation to print")
    return exported(explanation, diagram, form)


def _show_drawing(diagram: Diagram, before: Diagram | None, svg: Path | None) -> None:
    from whence.drawing import differences

    print_lines(drawn_lines(diagram))
    if before is not None:
        print_lines(["", *(differences(before, diagram) or ["no difference"])])
    if svg is not None:
        print_lines(["", f"picture: {svg}"])


def drawn_lines(diagram: Diagram) -> list[str]:
    """A diagram for this terminal."""
    from whence.drawing import to_text

    width = min(shutil.get_terminal_size((100, 24)).columns, WIDEST)
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return to_text(diagram, width=width, ascii_only=not encoding.startswith("utf")).splitlines()


def chosen_example(dataset: AnyDataset, number: int | None, name: str | None) -> Example[Any, Any]:
    """The example with that number or id; the first if neither is given."""
    if name is not None:
        found = next((example for example in dataset.examples if example.id == name), None)
        if found is None:
            raise UsageError(f"there is no example '{name}' among the {len(dataset.examples)}")
        return found
    wanted = 1 if number is None else number
    if not 1 <= wanted <= len(dataset.examples):
        raise UsageError(f"there is no example number {wanted}: there are {len(dataset.examples)}")
    example: Example[Any, Any] = dataset.examples[wanted - 1]
    return example


def _answer(predictions: tuple[Prediction[Any], ...], name: str) -> Prediction[Any]:
    found = next((prediction for prediction in predictions if prediction.id == name), None)
    if found is None:
        raise UsageError(f"there is no prediction for '{name}'")
    return found


def _first(example: Example[Any, Any]) -> Any:
    return example.golds[0] if example.golds else None


def _diagram(task: AnyTask, example: Example[Any, Any], explanation: Any, dataset: AnyDataset) -> Diagram:
    return task.diagram(example.inputs, explanation, dataset.facts)
