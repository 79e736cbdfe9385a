"""What the workbench has at hand: data sets, methods, and runs. Everything is found by name, never by path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from whence.errors import MissingDataError, WhenceError
from whence.pipeline.explain import explainer
from whence.pipeline.leaderboard import Measured, measured
from whence.pipeline.opened import run_dataset, run_report
from whence.pipeline.runs import RUN, SCORES, Run, read_run
from whence.pipeline.score import ScoreReport, slice_names
from whence.structures.facts import Fact
from whence.tasks import TASKS
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import load
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask
from whence.tasks.verification import VerifiedExplainer
from whence.web.workbench.kept import Kept

SAMPLES = "samples"


class Library:
    """Data sets of the data folder, runs of the folder of runs; what was read is kept."""

    def __init__(
        self,
        data: Callable[[], Path],
        runs: Path | None = None,
        options: ScoringOptions | None = None,
        *,
        settable: bool = True,
    ) -> None:
        self.data, self.folder = data, runs
        self.options = options or ScoringOptions()
        """How everything is scored."""
        self.settable = settable
        """Whether methods may be given settings. They name files and addresses: not for everybody on a network."""
        self._datasets: Kept[AnyDataset] = Kept(24)
        self._explainers: Kept[VerifiedExplainer] = Kept(8)
        self._reports: Kept[ScoreReport] = Kept(32)
        self._measured: Kept[Measured | WhenceError] = Kept(256)

    def task(self, name: str) -> AnyTask:
        """The task of that name."""
        if name not in TASKS:
            raise HTTPException(404, f"There is no task {name!r}.")
        return TASKS[name]

    def splits(self, task: AnyTask) -> list[str]:
        """The parts of a task's data that are here."""
        try:
            folder = self.data()
        except MissingDataError:
            return [SAMPLES]
        return [SAMPLES, *(name for name, split in task.data.splits.items() if split.file(folder).exists())]

    def dataset(self, task: AnyTask, where: str) -> AnyDataset:
        """The examples of a split."""
        if where != SAMPLES and where not in task.data.splits:
            raise HTTPException(404, f"{task.name} has no part {where!r}.")
        return self._datasets.get((task.name, where), lambda: load(task, where, self.data))

    def facts(self, task: AnyTask, where: str = "") -> Mapping[str, Fact]:
        """The facts of a split; else all facts that explanations of the task can refer to here."""
        return self.dataset(task, where or self.splits(task)[-1]).facts if task.data.has_facts else {}

    def explainer(
        self, task: AnyTask, method: str, settings: Mapping[str, Any], where: str = ""
    ) -> VerifiedExplainer:
        """A method made ready, with the facts of the split that examples are of."""
        key = (task.name, method, tuple(sorted(settings.items())), where)

        def make() -> VerifiedExplainer:
            facts = self.dataset(task, where).facts if where else {}
            return explainer(task.name, method, settings, Setup(self.data, facts))

        return self._explainers.get(key, make)

    def runs(self) -> dict[str, Run]:
        """All scored runs that can be read, by their path below the folder of runs."""
        return {name: found for name, found in self._found().items() if isinstance(found, Run)}

    def broken(self) -> dict[str, WhenceError]:
        """Folders that look like runs and cannot be read, and why."""
        return {name: found for name, found in self._found().items() if isinstance(found, WhenceError)}

    def _found(self) -> dict[str, Run | WhenceError]:
        if self.folder is None:
            return {}
        places = sorted(path.parent for path in self.folder.rglob(SCORES) if (path.parent / RUN).is_file())
        return {place.relative_to(self.folder).as_posix(): _read(place) for place in places}

    def run(self, name: str) -> Run:
        """The run of that name."""
        found = self.runs()
        if name not in found:
            raise HTTPException(404, f"There is no scored run {name!r}.")
        return found[name]

    def run_dataset(self, run: Run) -> AnyDataset:
        """The examples that a run is about: a split, or the file that was named when it was made."""
        key = (run.about["task"], run.about["split"], str(run.about.get("contexts", "")))
        return self._datasets.get(key, lambda: run_dataset(run, self.data))

    def report(self, run: Run, against: Run | None = None) -> ScoreReport:
        """A run scored, in every breakdown that its task has; and compared with another."""

        def make() -> ScoreReport:
            by = tuple(slice_names(self.task(run.about["task"])))
            return run_report(run, self.run_dataset(run), self.options, by=by, against=against)

        return self._reports.get((_state(run), _state(against) if against else None), make)

    def measured(self, run: Run) -> Measured | WhenceError:
        """A run with a value for every item; or why it has none here."""

        def make() -> Measured | WhenceError:
            try:
                return measured(run, self.data, self.options)
            except WhenceError as error:
                return error

        return self._measured.get(_state(run), make)


def _read(folder: Path) -> Run | WhenceError:
    try:
        return read_run(folder)
    except WhenceError as error:
        return error


def _state(run: Run) -> tuple[str, int]:
    """A run as it is now: a folder that is written anew is another one."""
    files = [path for path in run.folder.iterdir() if path.suffix in (".json", ".jsonl")]
    return str(run.folder), max((path.stat().st_mtime_ns for path in files), default=0)
