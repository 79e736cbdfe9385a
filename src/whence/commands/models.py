"""`whence models`: pretrained weights that ship inside packages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_table
from whence.errors import UsageError

if TYPE_CHECKING:
    from whence.models.weights import Weights

application = typer.Typer(help="Pretrained weights: list, download.", no_args_is_help=True)


@application.command("list")
def list_weights(json: JsonOption = False) -> None:
    """List the weights: what they are, size, licence, and whether they are here.

    Example:
      whence models list
    """
    from whence.models.weights import WEIGHTS, is_here, models_folder

    folder = models_folder()
    rows = [(weights, is_here(weights, folder)) for weights in WEIGHTS.values()]
    if json:
        models = {weights.name: {**_as_json(weights, folder), "here": here} for weights, here in rows}
        print_json({"folder": str(folder), "models": models})
        return
    cells = ((w.name, w.what, _size(w.package.size), w.licence, "yes" if here else "no") for w, here in rows)
    print_table(("name", "what", "download", "licence", "here"), cells)
    print_lines([f"Folder: {folder}", "Get one with: whence models get NAME"])


@application.command("get")
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Weights; `whence models list` lists them.")],
    yes: Annotated[bool, typer.Option("--yes", help="Accept the licence without being asked.")] = False,
    json: JsonOption = False,
) -> None:
    """Download weights after showing their licence and size. Nothing is installed.

    They ship in packages of pip (`vectors`: of npm), which must be there.

    Example:
      whence models get encoder
    """
    from whence.models import weights as library

    weights, folder = library.weights_named(name), library.models_folder()
    here = library.is_intact(weights, folder)
    if not here:
        typer.echo("\n".join(_notice(weights, folder)), err=json)
        _confirm(yes)
        package = weights.package
        with _waiting(f"{package.tool} downloads {package.name} {package.version}"):
            library.get(weights, folder)
    if json:
        print_json({**_as_json(weights, folder), "here": True, "downloaded": not here})
        return
    place = folder / weights.folder_name
    print_lines([f"{weights.model} is here already: {place}" if here else f"{weights.model} is now in {place}"])


def _notice(weights: Weights, folder: Path) -> list[str]:
    package = weights.package
    return [
        f"{weights.model}: {weights.what}",
        f"Licence: {weights.licence}",
        f"Source: the package {package.name} {package.version} of {package.tool}, a third party's upload; "
        "its sha256 is checked",
        f"Size: {_size(package.size)} to download, {_size(weights.size)} in {folder}",
    ]


def _confirm(yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody is here to accept the licence: add --yes if you do")
    typer.confirm("Download on these terms?", abort=True, err=True)


def _waiting(text: str) -> Any:
    """A sign of life on standard error while the download lasts; silent where that is no terminal."""
    from rich.console import Console

    return Console(stderr=True).status(text)


def _as_json(weights: Weights, folder: Path) -> dict[str, Any]:
    return {
        "name": weights.name,
        "model": weights.model,
        "what": weights.what,
        "licence": weights.licence,
        "package": weights.package.name,
        "version": weights.package.version,
        "sha256": weights.files[0].sha256,
        "download_size": weights.package.size,
        "size": weights.size,
        "folder": str(folder / weights.folder_name),
    }


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
