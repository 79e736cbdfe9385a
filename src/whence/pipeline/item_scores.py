"""What answers are worth, item by item: by the task's own metrics and by those that other distributions add."""

from __future__ import annotations

from whence import plugins
from whence.errors import WhenceError
from whence.metrics.metric import Scores
from whence.pipeline.licences import with_remarks
from whence.tasks import added_metrics
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, ScoringOptions, TaskMetrics
from whence.tasks.task import AnyTask


def item_scores(
    task: AnyTask, dataset: AnyDataset, answers: Answers, options: ScoringOptions
) -> tuple[Scores, ...]:
    """Measure the task's own metrics, then those that other distributions add."""
    measured = {one.metric.name: one for one in task.scoring().score(dataset, answers, options)}
    for plugin, added in added_metrics(task.name).items():
        for one in _added_scores(plugin, added, dataset, answers, options):
            if one.metric.name in measured:
                plugins.warn(f"{plugin} is not used: {task.name} has a metric {one.metric.name}")
            else:
                measured[one.metric.name] = one
    return tuple(with_remarks(task, options, list(measured.values())))


def _added_scores(
    plugin: str, added: TaskMetrics, dataset: AnyDataset, answers: Answers, options: ScoringOptions
) -> list[Scores]:
    """Measure the metrics of a plug-in; if it breaks, the figures of the task do not."""
    try:
        return added.score(dataset, answers, options)
    except WhenceError:
        raise
    except Exception as error:  # noqa: BLE001 - the code of others: the user is told
        plugins.warn(f"{plugin} broke and is not used: {type(error).__name__}: {error}")
        return []
