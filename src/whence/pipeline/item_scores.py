"""What answers are worth, item by item: by the task's own metrics and by those that other distributions add."""

from __future__ import annotations

from whence import plugins
from whence.metrics.metric import Scores
from whence.tasks import added_metrics
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, ScoringOptions
from whence.tasks.task import AnyTask


def item_scores(
    task: AnyTask, dataset: AnyDataset, answers: Answers, options: ScoringOptions
) -> tuple[Scores, ...]:
    """Measure the task's own metrics, then the added ones."""
    measured = {one.metric.name: one for one in task.scoring().score(dataset, answers, options)}
    for added in added_metrics(task.name):
        for one in added.score(dataset, answers, options):
            if one.metric.name in measured:
                plugins.warn(f"a metric of a plug-in is not used: {task.name} has one named {one.metric.name}")
            else:
                measured[one.metric.name] = one
    return tuple(measured.values())
