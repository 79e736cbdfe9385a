"""All verbs under one command."""

from __future__ import annotations

from typing import Annotated

import typer

from whence import __version__
from whence.commands import (
    check,
    collect,
    combine,
    data,
    explain,
    harden,
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


application.command("tour")(tour.tour)
application.command("tasks")(tasks.tasks)
application.add_typer(data.application, name="data")
application.command("check")(check.check)
application.command("show")(show.show)
application.command("explain")(explain.explain)
application.command("score")(score.score)
application.command("shortlist")(shortlist.shortlist)
application.command("harden")(harden.harden)
application.command("train")(train.train)
application.command("predict")(predict.predict)
application.command("tune")(tune.tune)
application.command("combine")(combine.combine)
application.command("results")(results.results)
application.add_typer(collect.application, name="collect")
application.add_typer(schemas.application, name="schemas")
application.add_typer(models.application, name="models")
application.command("serve")(serve.serve)
