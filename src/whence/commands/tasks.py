"""`whence tasks`: what there is."""

from __future__ import annotations

from whence.commands.output import JsonOption, print_json, print_lines, print_table


def tasks(as_json: JsonOption = False) -> None:
    """List the tasks: what each explains, how, and its published splits.

    Example: `whence tasks`
    """
    from whence.tasks import TASKS

    rows = [(task.name, task.title, task.paper, list(task.splits)) for task in TASKS.values()]
    if as_json:
        print_json({n: {"title": title, "paper": paper, "splits": splits} for n, title, paper, splits in rows})
        return
    print_table(("task", "inputs -> explanation", "paper"), ((n, title, paper) for n, title, paper, _ in rows))
    print_lines(["'anli' is abductive NLI (ART), not Adversarial NLI. See one: whence show explagraphs"])
