"""Predictions from outside as a run folder, so that they stand on the leaderboard beside our own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence import __version__
from whence.errors import UsageError
from whence.files import dump_json, read_json, write_lines, write_text
from whence.formats import records
from whence.pipeline.correct import Correction
from whence.pipeline.report import report_page
from whence.pipeline.runs import PREDICTIONS, RUN, SCORES, Run, begin_run
from whence.pipeline.score import ScoreReport
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.task import AnyTask

OUTSIDE = "outside"
"""The method of such a run."""
REPORT = "report.html"


def outside_run(
    task: AnyTask,
    dataset: AnyDataset,
    answers: Predictions[Any],
    split: str,
    name: str,
    settings: Mapping[str, Any],
    contexts: str = "",
) -> dict[str, Any]:
    """What `run.json` says of outside predictions. The same answers scored in the same way are the same run."""
    digest = hashlib.sha256()
    for answer in answers.predictions:
        digest.update(records.format_record(answer, task.form).encode("utf-8", "surrogatepass"))
    return {
        "whence": __version__,
        "task": task.name,
        "method": OUTSIDE,
        "settings": dict(settings),
        "split": _lasting(task, split),
        **({"contexts": _lasting(task, contexts)} if contexts else {}),
        "model": name,
        "answers": digest.hexdigest()[:12],
        "items": len(dataset.examples),
    }


def _lasting(task: AnyTask, where: str) -> str:
    """A split by its name; a file by its full path, so that the run can be read from anywhere."""
    path = Path(where)
    is_name = where in task.data.splits or where == "samples"
    return where if is_name and not path.is_file() else str(path.resolve())


def require_free(folder: Path, about: Mapping[str, Any]) -> None:
    """Refuses a folder that has another run, or that has files and is no run."""
    if folder.is_file():
        raise UsageError(f"{folder} is a file; name a folder for the run")
    if (folder / RUN).is_file():
        before = read_json(folder / RUN)
        if not isinstance(before, dict) or {key: before[key] for key in before if key != "made"} != about:
            raise UsageError(f"{folder} has another run, which stays as it is; name another folder, or delete it")
    elif folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} has files and is no run; name another folder")


def write_outside_run(
    folder: Path,
    about: Mapping[str, Any],
    report: ScoreReport,
    corrections: Sequence[Correction] = (),
) -> Run:
    """Writes `run.json`, the answers in our own form, their figures, and the report with every item drawn."""
    require_free(folder, about)
    begin_run(folder, about)
    given = [answer for answer in report.answers if answer is not None]
    write_lines(folder / PREDICTIONS, (records.format_record(answer, report.task.form) for answer in given))
    measured = tuple(one for one in report.measurements if one.value is not None)
    write_text(folder / REPORT, report_page(report, corrections, title=f"{about['model']} on {about['split']}"))
    write_text(folder / SCORES, dump_json({one.name: asdict(one) for one in measured}) + "\n")
    return Run(folder, about, measured)
