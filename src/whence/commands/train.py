"""`whence train`: a model that judges, by a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import JsonOption, print_json, print_lines, print_table

if TYPE_CHECKING:
    from whence.models.trained import Model
    from whence.tasks.task import AnyTask

TasksArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="A task, or several with commas to learn them jointly.")
]
RecipeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="RECIPE",
        help="small, frozen, paper, one table such as small.stance, or FILE.toml:NAME. Without it: a list.",
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="The model folder to write.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a value of the recipe. Can be repeated."),
]


def train(
    task: TasksArgument,
    recipe: RecipeArgument = None,
    output: OutOption = None,
    overrides: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a model by a recipe, or list the recipes of a task.

    Training that was stopped continues when the same command is given again.

    Examples:
      whence train anli
      whence train explagraphs small -o models/stance
      whence train anli small.esim -o models/esim --set seed=1
    """
    from whence.commands.progress import resumable, work_progress
    from whence.errors import UsageError
    from whence.models.training.processes import process_group
    from whence.pipeline import train as training
    from whence.pipeline.recipes import recipe_named
    from whence.progress import unreported
    from whence.tasks import task_named
    from whence.tasks.sources import data_folder

    chosen = [task_named(name.strip()) for name in task.split(",")]
    if recipe is None:
        for one in chosen:
            _list(one, as_json)
        return
    if output is None:
        raise UsageError("say where the model goes: -o FOLDER")
    recipes = [recipe_named(one, recipe, overrides or ()) for one in chosen]
    first = process_group().is_first
    with resumable(), work_progress() as report:
        model = training.train(recipes, output, data_folder, report if first else unreported)
    process_group().leave()
    if not first:
        return
    if as_json:
        print_json(dict(model.card))
        return
    print_lines(described(model))


def _list(task: AnyTask, as_json: bool) -> None:
    from dataclasses import asdict

    from whence.pipeline.recipes import own_recipes, recipes_of

    found = [recipe for name in own_recipes(task) for recipe in recipes_of(task, name).values()]
    if as_json:
        print_json([asdict(recipe) for recipe in found])
        return
    rows = [
        (f"{one.file}.{one.name}", one.head, one.kind, one.form, str(one.settings.get("weights", "")))
        for one in found
    ]
    print_table(("recipe", "head", "kind of model", "form", "weights"), rows, title=f"Recipes for {task.name}")


def described(model: Model) -> list[str]:
    """What was learnt from, what was left out, and what to do next."""
    card: Any = model.card
    lines = [
        f"{name}: learnt from {entry['examples']:,} items of {entry['split']}, {entry['held_out']:,} held out"
        for name, entry in card["lessons"].items()
    ]
    lines += [
        f"note: {what}, left out of {name}: {count:,}"
        for name, entry in card["lessons"].items()
        for what, count in entry["left_out"].items()
    ]
    for name, entry in card["lessons"].items():
        lines += [
            f"note: {name} is contaminated: it learnt from {count:,} examples whose question is in {split}"
            for split, count in entry.get("contaminated", {}).items()
        ]
        if entry["unchecked"]:
            lines.append(f"note: {name} was not checked against {', '.join(entry['unchecked'])}: not here")
    if card["dev"]:
        rounds = ", ".join(f"{value:.3f}" for value in card["dev"])
        measures = " and ".join(sorted({entry["measure"] for entry in card["lessons"].values()}))
        lines.append(f"{measures} on the held-out items, by round: {rounds}; kept round {card['kept'] + 1}")
    task = next(iter(card["lessons"])).partition("/")[0]
    lines.append(
        f"{card['parameters']:,} parameters, {card['seconds']:.0f} s. Next: whence predict {task} "
        f"{model.folder} SPLIT -o RUN"
    )
    return lines
