"""Recipes: what a model is trained on and how, from a TOML file and `key=value` overrides."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from whence.errors import DataError, UsageError, quoted
from whence.files import read_text
from whence.models.learners import settings_of
from whence.tasks.task import AnyTask

NAMES = ("small", "frozen", "paper")
"""The recipes that a task may have: for two cores and minutes; over an encoder that stays as it is, for the models
that ship with this package; and as the paper trained."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One table of a recipe file."""

    task: str
    name: str
    head: str
    kind: str
    """Of model, as `whence.models.learners` names it."""
    form: str = ""
    """How the inputs are put; empty: as the head usually does."""
    held_out: float = 0.1
    """The share of what is learnt from that is held out, to tell when to stop."""
    fold: int = 0
    """Which share is held out: with 0.5, fold 0 holds out one half and fold 1 the other."""
    examples: int | None = None
    """At most so many items to learn from."""
    start: str = ""
    """What to begin from: the folder of a model; or another table of the file, or `TASK/TABLE` of another task,
    which is trained first."""
    parts: tuple[str, ...] = ()
    """What is put together, where the kind of model does that: named as `start` is."""
    split: str = ""
    """To learn from; empty: the head's own."""
    clear_of: tuple[str, ...] = ()
    """Evaluation splits whose questions must not be learnt from, `TASK` or `TASK/SPLIT`; empty: those of all tasks
    whose questions come from the same place."""
    contaminated: bool = False
    """Whether to learn from such questions all the same; the model's card says which."""
    seed: int = 0
    file: str = "small"
    """Where it comes from, as a user names it: `start` is looked up there."""
    overrides: tuple[str, ...] = ()
    """What a user set in the place of what the file says."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the kind of model is told."""


_OWN = tuple(
    entry.name for entry in dataclasses.fields(Recipe) if entry.name not in ("task", "name", "file", "settings")
)


def recipe_file(task: AnyTask, recipe: str) -> Path:
    """The file that a user means: one of the task's own by name, or a path. `.NAME` behind it is a table."""
    if recipe.endswith(".toml"):
        return Path(recipe)
    own = own_recipes(task)
    if recipe not in own:
        listed = f"; it has {', '.join(own)} (all: whence train {task.name})" if own else ""
        raise UsageError(f"{task.name} has no recipe {quoted(recipe)}{listed}. You can name a FILE.toml of yours")
    return own[recipe]


def own_recipes(task: AnyTask) -> dict[str, Path]:
    """The files of recipes that a task has, by name."""
    if task.recipes is None:
        return {}
    files = {name: task.recipes / f"{name}.toml" for name in NAMES}
    return {name: path for name, path in files.items() if path.is_file()}


def recipes_of(task: AnyTask, recipe: str) -> dict[str, Recipe]:
    """The recipes for a task in a file, by name, in its order."""
    path = recipe_file(task, recipe)
    try:
        document = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise DataError(path, expected="TOML", found=str(error)) from None
    tables = document.get(task.name, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise DataError(path, expected=f"tables [{task.name}.NAME]", found=quoted(str(tables)))
    return {name: _recipe(task.name, name, table, recipe, path) for name, table in tables.items()}


def recipe_named(task: AnyTask, text: str, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe that `small`, `small.NAME`, `FILE.toml` or `FILE.toml:NAME` means, with overrides."""
    where, name = _parts(text)
    found = recipes_of(task, where)
    if not found:
        raise UsageError(f"{recipe_file(task, where)} has no recipe for {task.name}")
    if name and name not in found:
        raise UsageError(f"{where} has no recipe {quoted(name)} for {task.name}; it has {', '.join(found)}")
    chosen = found[name] if name else next(iter(found.values()))
    return overridden(chosen, overrides)


def _parts(text: str) -> tuple[str, str]:
    for name in NAMES:
        if text == name or text.startswith(f"{name}."):
            return name, text[len(name) + 1 :]
    path, _, name = text.partition(".toml:")
    return (f"{path}.toml", name) if name else (text, "")


def overridden(recipe: Recipe, overrides: Sequence[str]) -> Recipe:
    """The recipe with `key=value` in the place of what it says; values are read as TOML, else as text."""
    table = {name: getattr(recipe, name) for name in _OWN} | dict(recipe.settings) | assigned(overrides)
    made = _recipe(recipe.task, recipe.name, table, recipe.file, None)
    return dataclasses.replace(made, overrides=(*recipe.overrides, *overrides))


def assigned(overrides: Sequence[str]) -> dict[str, Any]:
    """What `key=value` sets; values are read as TOML, else as text."""
    table = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            raise UsageError(f"--set {quoted(override)}: write key=value")
        table[key.strip()] = _value(value.strip())
    return table


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _recipe(task: str, name: str, table: Mapping[str, Any], file: str, path: Path | None) -> Recipe:
    own = {key: value for key, value in table.items() if key in _OWN}
    settings = {key: value for key, value in table.items() if key not in _OWN}
    try:
        recipe = _RECIPE.validate_python({"task": task, "name": name, **own, "file": file, "settings": settings})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DataError(
            path, expected=f"a right value for '{where}' in [{task}.{name}]", found=f"{first['msg']}"
        ) from None
    settings_of(recipe.kind, recipe.settings)
    return recipe


_RECIPE = TypeAdapter(with_config(ConfigDict(extra="forbid"))(Recipe))
