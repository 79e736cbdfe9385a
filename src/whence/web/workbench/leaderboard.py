"""The leaderboard: every scored run, on boards of runs that may be compared."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from whence.errors import WhenceError
from whence.pipeline.contamination import contamination_of
from whence.pipeline.leaderboard import LEVEL, boards
from whence.pipeline.opened import answers_task
from whence.pipeline.report.figures import is_whole
from whence.tasks import head_named
from whence.web.pages import pages_of
from whence.web.workbench.library import Library


def leaderboard_router(library: Library) -> APIRouter:
    """The page."""
    router = APIRouter(prefix="/leaderboard")

    @router.get("")
    def leaderboard(request: Request, task: str = "", by: str = "") -> Response:
        runs = library.runs()
        tasks = sorted({run.about["task"] for run in runs.values()})
        wanted = {name: run for name, run in runs.items() if not task or run.about["task"] == task}
        found = {name: library.measured(run) for name, run in wanted.items()}
        unmeasured = {name: one for name, one in found.items() if isinstance(one, WhenceError)}
        measured = [one for one in found.values() if not isinstance(one, WhenceError)]
        without = [name for name, one in found.items() if not isinstance(one, WhenceError) and not one.scores]
        return pages_of(request).show(
            request,
            "leaderboard.html",
            boards=boards(measured, by),
            names={run.folder: name for name, run in runs.items()},
            answers={run.folder: answers_task(run) for run in runs.values()},
            head_named=head_named,
            is_whole=is_whole,
            contamination_of=contamination_of,
            level=LEVEL,
            unmeasured=unmeasured,
            without=without,
            broken=library.broken(),
            folder=library.folder,
            tasks=tasks,
            task=task,
            by=by,
        )

    return router
