"""`whence serve`: the workbench in a browser."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from whence.commands.output import print_lines
from whence.commands.score import EaOption, SecaOption, SimilarityOption, UncalibratedOption, scorers
from whence.errors import UsageError

PortOption = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any free one.")]
HostOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="The address to listen on; by default only this machine can reach it."),
]
RunsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="A folder with run folders, at any depth. Default: ./runs if it exists.",
    ),
]
DataOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of published data. Default: that of WHENCE_DATA.")
]


def serve(
    port: PortOption = 8642,
    host: HostOption = "127.0.0.1",
    runs: RunsOption = None,
    data: DataOption = None,
    similarity: SimilarityOption = None,
    seca: SecaOption = None,
    ea: EaOption = None,
    uncalibrated: UncalibratedOption = False,
) -> None:
    """Open the workbench in a browser: explain, browse, compare, leaderboard.

    It prints its address, needs neither network nor login, and only this
    machine can reach it. Ctrl-C stops it.

    Examples:
      whence serve
      whence serve --runs runs --port 9000
    """
    from whence.pipeline.licences import with_licences
    from whence.tasks import TASKS
    from whence.tasks.scoring import ScoringOptions
    from whence.tasks.sources import data_folder

    if runs is None and Path("runs").is_dir():
        runs = Path("runs")
    for folder, name in ((runs, "--runs"), (data, "--data")):
        if folder is not None and not folder.is_dir():
            raise UsageError(f"{name} {folder}: there is no such folder")
    from whence.web.application import create_app
    from whence.web.security.guard import Security, is_loopback, loopback_hosts
    from whence.web.serve import address_of, listen
    from whence.web.serve import serve as serve_until_stopped
    from whence.web.workbench import workbench_sections
    from whence.web.workbench.library import Library

    models = {"similarity": similarity, "graph_classifier": seca, "stance_classifier": ea}
    options = ScoringOptions("official", *scorers(similarity, seca, ea))
    for task in TASKS.values() if any(models.values()) else ():
        options = with_licences(task, options, models, uncalibrated=uncalibrated)
    library = Library(
        (lambda: data) if data is not None else data_folder, runs, options, settable=is_loopback(host)
    )
    app = create_app(workbench_sections(library), Security(hosts=loopback_hosts(host), candid=True))
    opened = listen(host, port)

    def begun() -> None:
        shown = f"runs of {runs}; " if runs is not None else ""
        print_lines([f"The workbench is at {address_of(opened)} ({shown}stop it with Ctrl-C)"])
        sys.stdout.flush()

    with suppress(KeyboardInterrupt):  # this is how it is stopped, not an interruption
        serve_until_stopped(app, opened, begun)
    print_lines(["Stopped."])
