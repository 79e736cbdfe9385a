"""An ensemble: what several runs say together, as a run of its own: verdicts joined, or sets of facts united."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from whence import __version__
from whence.errors import UsageError
from whence.models.ensembles import combined
from whence.pipeline.explain import finish_explanations, run_explanations
from whence.pipeline.runs import Run, begin_run, finish_run, read_run, run_source, run_verdicts
from whence.structures.facts import FactSet, united
from whence.structures.results import Prediction
from whence.tasks import head_named, task_named
from whence.tasks.loading import load

KIND = "ensemble"


def combine(folders: Sequence[Path], folder: Path, data: Callable[[], Path]) -> Run:
    """Joins the verdicts of runs of one head on one split, each counting the same, and scores them.

    Of runs that explain by facts the facts are put together.
    """
    runs = [read_run(one) for one in folders]
    if len(runs) < 2:
        raise UsageError("an ensemble needs two runs or more")
    if all("method" in run.about for run in runs):
        return _united(runs, folder, data)
    _require_alike(runs)
    first = runs[0]
    head = head_named(first.about["task"], first.about["head"])
    if head.shape == "text":
        raise UsageError("what models write cannot be combined")
    told = [run_verdicts(run) for run in runs]
    for run, verdicts in zip(runs, told, strict=True):
        if [one.id for one in verdicts] != [one.id for one in told[0]]:
            raise UsageError(f"{run.folder} is not finished, or has other items than {first.folder}")
    about = _about(runs)
    begin_run(folder, about)
    verdicts = [combined(own) for own in zip(*told, strict=True)]
    return finish_run(folder, about, head, run_source(first, data), verdicts)


def _require_alike(runs: Sequence[Run]) -> None:
    """Refuses runs that are not all verdicts of one head on the same items."""
    for run in runs:
        if "head" not in run.about:
            raise UsageError(f"{run.folder} has explanations, not verdicts: only verdicts can be combined")
    first = runs[0]
    for run in runs:
        for name in ("task", "head", "split", "items"):
            if run.about[name] != first.about[name]:
                raise UsageError(
                    f"{run.folder} has {name} {run.about[name]}, {first.folder} has {first.about[name]}: "
                    "an ensemble is of runs on the same items"
                )


def _united(runs: Sequence[Run], folder: Path, data: Callable[[], Path]) -> Run:
    """The facts of all explanations together, as the ensembles of WorldTree's whole explanations are made."""
    first = runs[0].about
    task, dataset = task_named(first["task"]), load(task_named(first["task"]), first["split"], data)
    told = [run_explanations(run, task) for run in runs]
    for run, answers in zip(runs, told, strict=True):
        if (run.about["task"], run.about["split"]) != (first["task"], first["split"]):
            raise UsageError(f"{run.folder} has another task or split than {runs[0].folder}")
        if [answer.id for answer in answers] != [example.id for example in dataset.examples]:
            raise UsageError(f"{run.folder} is not finished, or has other items than {runs[0].folder}")
    about = {
        **{name: first[name] for name in ("task", "split", "items")},
        "whence": __version__,
        "method": KIND,
        "settings": {},
        "model": " + ".join(run.about["model"] for run in runs),
    }
    joined = [_joined(run_answers) for run_answers in zip(*told, strict=True)]
    begin_run(folder, about)
    return finish_explanations(folder, about, task, dataset, joined)


def _joined(answers: Sequence[Prediction[Any]]) -> Prediction[Any]:
    given = [answer.explanation for answer in answers if answer.explanation is not None]
    if not all(isinstance(one, FactSet) for one in given):
        raise UsageError("of explanations only sets of facts can be combined")
    return Prediction(answers[0].id, united(given) if given else None)


def _about(runs: Sequence[Run]) -> dict[str, Any]:
    first = runs[0].about
    lesson = f"{first['task']}/{first['head']}"
    cards = [run.about["card"] for run in runs]
    entries = [card["lessons"][lesson] for card in cards]
    recipes = [" ".join((entry["recipe"], *entry["overrides"])) for entry in entries]
    entry = {**entries[0], "recipe": " + ".join(recipes), "overrides": []}
    card = {
        "whence": __version__,
        "kind": KIND,
        "settings": {},
        "seed": cards[0]["seed"],
        "lessons": {lesson: {**entry, "examples": max(one["examples"] for one in entries)}},
        **{name: sum(card.get(name, 0) for card in cards) for name in ("parameters", "seconds", "core_seconds")},
    }
    told = {name: first[name] for name in ("task", "head", "split", "form", "items")}
    return {"whence": __version__, **told, "model": " + ".join(run.about["model"] for run in runs), "card": card}
