"""The tasks. `TASKS` has them by name; each is one `Task` value, registered by an entry point."""

from whence.tasks.registry import (
    TASKS,
    added_metrics,
    families,
    form_inputs,
    hardened_tasks,
    head_named,
    heads_of,
    method_named,
    methods_of,
    scores_of,
    statistics,
    task_named,
)

__all__ = [
    "TASKS",
    "added_metrics",
    "families",
    "form_inputs",
    "hardened_tasks",
    "head_named",
    "heads_of",
    "method_named",
    "methods_of",
    "scores_of",
    "statistics",
    "task_named",
]
