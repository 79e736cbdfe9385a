"""What trivial answers and gold answers get on the published data, for every task.

    .venv/bin/python benchmarks/floors.py [--write]

Needs the published data (`WHENCE_DATA`). With `--write` the tables go to docs/lab/floors.md. A floor that is given
a part of the answers it is compared with is given that of gold here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from whence.metrics.metric import Metric, Scores
from whence.pipeline.item_scores import item_scores
from whence.tasks import TASKS
from whence.tasks.loading import load
from whence.tasks.scoring import ScoringOptions
from whence.tasks.sources import data_folder
from whence.tasks.task import AnyTask

PAGE = Path(__file__).parents[1] / "docs/lab/floors.md"
SPLITS = dict.fromkeys(("cider", "cider-nli", "cider-span", "cider-choice", "cider-relation"), "fold1-test")
"""Where there is no dev."""
HEAD = """# What do trivial answers get?

Made by `.venv/bin/python benchmarks/floors.py --write`, with the protocol `official` and without metrics that need
a model. `whence score` prints the best of these beside every figure, as its floor, and what gold or people get as
its ceiling ([why](../design/022-floors-and-signatures.md)). Answers of ExplaGraphs' *own stance* have the gold
stance here; beside a system's figure they have that system's."""


def lines() -> Iterator[str]:
    yield HEAD
    for name, task in TASKS.items():
        if task.source:
            yield from _task(task, SPLITS.get(name, "dev"))


def _task(task: AnyTask, split: str) -> Iterator[str]:
    dataset, options = load(task, split, data_folder), ScoringOptions()
    answered = [
        (floor.name, floor.description, item_scores(task, dataset, floor.answers(dataset, 0), options))
        for floor in task.floors()
    ]
    best = [
        (ceiling.name, ceiling.description, item_scores(task, *ceiling.answers(dataset), options))
        for ceiling in task.ceilings()
    ]
    rows = [*answered, *((f"*{name}*", description, scores) for name, description, scores in best)]
    metrics = [
        one.metric
        for index, one in enumerate(rows[0][2])
        if any(scores[index].figure() is not None for _, _, scores in rows)
    ]
    yield f"\n## {task.name}\n"
    yield f"{split}, {len(dataset.examples):,} examples. Ceilings are in italics.\n"
    yield f"| answers | {' | '.join(metric.name for metric in metrics)} |"
    yield f"|---|{'---:|' * len(metrics)}"
    for name, _, scores in rows:
        by_name = {one.metric.name: one for one in scores}
        yield f"| {name} | {' | '.join(_cell(metric, by_name[metric.name]) for metric in metrics)} |"
    yield ""
    yield from (f"- {name}: {description}." for name, description, _ in rows)


def _cell(metric: Metric, scores: Scores) -> str:
    value = scores.figure()
    return "" if value is None else f"{value * metric.scale:.{1 if metric.scale == 100 else 3}f}"


if __name__ == "__main__":
    page = "\n".join(lines()) + "\n"
    if "--write" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(page)
