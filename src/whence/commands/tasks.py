"""`whence tasks`: what there is."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_table

if TYPE_CHECKING:
    from whence.tasks.method import Method
    from whence.tasks.task import AnyTask

OneArgument = Annotated[str, typer.Argument(metavar="TASK", help="Show this one, with its methods and settings.")]


def tasks(task: OneArgument = "", as_json: JsonOption = False) -> None:
    """List the tasks; or show one: its splits, methods with settings, heads and breakdowns.

    Examples:
      whence tasks
      whence tasks explagraphs
    """
    from whence.tasks import TASKS, task_named

    if task:
        chosen = task_named(task)
        if as_json:
            print_json(_about(chosen))
        else:
            _show(chosen)
    elif as_json:
        print_json({name: _about(one) for name, one in TASKS.items()})
    else:
        rows = ((one.name, one.title, one.paper) for one in TASKS.values())
        print_table(("task", "inputs -> explanation", "paper"), rows)
        print_lines(
            [
                "'anli' is abductive NLI (ART), not Adversarial NLI.",
                "More about one: whence tasks explagraphs. See an example: whence show explagraphs",
            ]
        )


def _about(task: AnyTask) -> dict[str, Any]:
    from whence.pipeline.score import slice_names
    from whence.tasks import heads_of, methods_of

    return {
        "title": task.title,
        "paper": task.paper,
        "data": task.source,
        "splits": list(task.data.splits),
        "methods": {
            name: {"title": one.title, "settings": _settings(one)} for name, one in methods_of(task.name).items()
        },
        "heads": {name: head.title for name, head in heads_of(task.name).items()},
        "breakdowns": list(slice_names(task)),
        "floors": {floor.name: floor.description for floor in task.floors()},
    }


def _settings(method: Method) -> dict[str, Any]:
    """What a user may set, with defaults."""
    return {entry.name: entry.default for entry in fields(method.settings)}


def _show(task: AnyTask) -> None:
    about = _about(task)
    print_lines(
        [
            f"{task.name}: {task.title} ({task.paper})",
            "",
            f"{_splits_title(task)}: {', '.join(['samples', *task.data.splits])}",
            f"breakdowns (whence score --by): {', '.join(about['breakdowns'])}",
        ]
    )
    if about["floors"]:
        print_table(("floor", "how it answers"), about["floors"].items(), title="Floors (whence score)")
    if about["methods"]:
        rows = (
            (name, one["title"], " ".join(f"{key}={_shown(value)}" for key, value in one["settings"].items()))
            for name, one in about["methods"].items()
        )
        title = "Methods (whence explain --with, whence predict); the first is the default"
        print_table(("method", "how it explains", "settings (--set) with their defaults"), rows, title=title)
    if about["heads"]:
        print_table(("head", "what a model learns to tell"), about["heads"].items(), title="Heads (whence train)")


def _splits_title(task: AnyTask) -> str:
    return f"splits of the data set {task.source}" if task.source else "splits"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
