"""All verbs under one command."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from whence import __version__
from whence.commands import (
    check,
    collect,
    combine,
    compare,
    data,
    explain,
    harden,
    integrations,
    models,
    predict,
    results,
    schemas,
    score,
    serve,
    shortlist,
    show,
    tasks,
    tour,
    train,
    tune,
)

application = typer.Typer(
    name="whence",
    help="Structured explanations: the graph, tree, facts, triplets or hypothesis that says why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"whence {__version__}")
        raise typer.Exit


@application.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Structured explanations: the graph, tree, facts, triplets or hypothesis that says why."""


_PANELS: dict[str, dict[str, Any]] = {
    "Begin here": {"tour": tour.tour, "tasks": tasks.tasks, "serve": serve.serve},
    "Explanations": {
        "explain": explain.explain,
        "show": show.show,
        "check": check.check,
        "score": score.score,
        "compare": compare.compare,
    },
    "Models": {
        "train": train.train,
        "predict": predict.predict,
        "tune": tune.tune,
        "combine": combine.combine,
        "results": results.results,
        "models": models.application,
    },
    "Data and people": {
        "data": data.application,
        "collect": collect.application,
        "harden": harden.harden,
        "shortlist": shortlist.shortlist,
        "schemas": schemas.application,
        "integrations": integrations.application,
    },
}
_CLASSES = {"explain": explain.ExplainCommand}
for _panel, _verbs in _PANELS.items():
    for _name, _verb in _verbs.items():
        if isinstance(_verb, typer.Typer):
            application.add_typer(_verb, name=_name, rich_help_panel=_panel)
        else:
            application.command(_name, cls=_CLASSES.get(_name), rich_help_panel=_panel)(_verb)
