"""Trains a model by a recipe: one folder with its weights and a card that says what it is."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from whence import __version__
from whence.errors import UsageError, quoted
from whence.files import dump_json, parse_json, read_json, write_text
from whence.models.items import AnyItem, TrainingSet
from whence.models.learners import OF_PARTS, TOGETHER, Learner, learner, settings_of
from whence.models.learners.saved import require_shapes
from whence.models.trained import CARD, HELD_OUT, RECIPE, Model, is_begun, load_model
from whence.models.training import History, Training
from whence.models.training.processes import process_group
from whence.pipeline.contamination import Guard, guard, recipe_source
from whence.pipeline.recipes import Recipe, recipes_of
from whence.progress import Report, unreported
from whence.tasks import TASKS, head_named, task_named
from whence.tasks.head import lesson
from whence.tasks.sources import source_named


def train(recipes: Sequence[Recipe], folder: Path, data: Callable[[], Path], report: Report = unreported) -> Model:
    """Trains what the recipes say, several of one kind with the same settings jointly, and writes the card.

    A folder with a model is left alone; one whose training was interrupted is taken up again, if the recipe is the
    same.
    """
    told = parse_json(dump_json([asdict(recipe) for recipe in recipes]))
    if (folder / CARD).is_file():
        raise UsageError(f"{folder} has a model already; name another folder, or delete it")
    if is_begun(folder) and read_json(folder / RECIPE) != told:
        raise UsageError(f"{folder} has the beginning of another training; name another folder, or delete it")
    _check_alike(recipes)
    first, together = recipes[0], process_group()
    if together.size > 1 and first.kind not in TOGETHER:
        raise UsageError(f"{first.kind} models are trained by one process: leave the launcher away")
    kind, settings = learner(first.kind), settings_of(first.kind, first.settings)
    guards = [guard(recipe, data) for recipe in recipes]
    lessons = [_lesson(recipe, data, one) for recipe, one in zip(recipes, guards, strict=True)]
    require_shapes(first.kind, kind.SHAPES, lessons)
    together.all_gather(None)  # nobody writes before all have looked
    if together.is_first:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / RECIPE, dump_json(told) + "\n")
    start = _start(first, folder, data, report)
    parts = tuple(_part(first, name, folder, data, report) for name in first.parts)
    if not together.is_first:
        return _helped(kind, lessons, settings, Training(folder, first.seed, start, report, parts))
    begun = time.process_time()
    history = kind.train(lessons, settings, Training(folder, first.seed, start, report, parts))
    if not history.core_seconds:
        history = replace(history, core_seconds=time.process_time() - begun)
    held = sorted({item.group or item.id for one in lessons for item in one.dev})
    write_text(folder / HELD_OUT, dump_json(held) + "\n")
    left_out = [_left_out(recipe, data, one) for recipe, one in zip(recipes, guards, strict=True)]
    card = _card(recipes, lessons, settings, history, left_out, guards)
    write_text(folder / CARD, dump_json(card) + "\n")
    (folder / RECIPE).unlink()
    together.broadcast(card)
    return load_model(folder)


def _helped(kind: Learner, lessons: Sequence[TrainingSet], settings: Any, training: Training) -> Model:
    """The part of a process that is not the first: what it writes is nothing to anybody."""
    with tempfile.TemporaryDirectory() as place:
        kind.train(lessons, settings, replace(training, folder=Path(place)))
    return Model(training.folder, process_group().broadcast({}))


def _check_alike(recipes: Sequence[Recipe]) -> None:
    ways = {(one.kind, dump_json(dict(one.settings)), one.seed, one.start, one.parts) for one in recipes}
    if len(ways) > 1:
        raise UsageError("what is learnt jointly needs the same kind of model, settings, seed, start and parts")
    if recipes[0].parts and recipes[0].kind not in OF_PARTS:
        raise UsageError(f"{recipes[0].kind} models are not made of parts; {' and '.join(OF_PARTS)} models are")


def _lesson(recipe: Recipe, data: Callable[[], Path], kept: Guard) -> TrainingSet:
    head = head_named(recipe.task, recipe.head)
    form = recipe.form or head.forms[0]
    if form not in head.forms:
        raise UsageError(f"{recipe.head} has no form {quoted(form)}; it has {', '.join(head.forms)}")
    source = replace(recipe_source(recipe, data), without=kept.without)
    name, items = f"{recipe.task}/{recipe.head}", head.items(source)
    made = lesson(name, head, items, held_out=recipe.held_out, seed=recipe.seed, fold=recipe.fold)
    if kept.without and not made.train:
        names = ", ".join(kept.dropped)
        raise UsageError(
            f"nothing of {recipe.task} {source.where} is left to learn from: its questions are in {names}. "
            "Learn from another split, or add --set contaminated=true"
        )
    documents = head.documents(source) if head.documents is not None else {}
    return replace(made, train=_limited(made.train, recipe), documents=documents)


def _left_out(recipe: Recipe, data: Callable[[], Path], kept: Guard) -> dict[str, int]:
    """What of the data could not or must not be learnt from, counted."""
    count = head_named(recipe.task, recipe.head).left_out
    source = replace(recipe_source(recipe, data), without=kept.without)
    notes = {} if count is None else {note.text: note.count for note in count(source)}
    return notes | {f"examples whose question is in {name}": number for name, number in kept.dropped.items()}


def _limited(items: Sequence[AnyItem], recipe: Recipe) -> Sequence[AnyItem]:
    """As many items as the recipe wants, drawn by chance: one of each group, then a second one, and so on."""
    if recipe.examples is None or len(items) <= recipe.examples:
        return items
    order = list(items)
    random.Random(recipe.seed).shuffle(order)
    seen: dict[str, int] = {}
    rounds = []
    for item in order:
        group = item.group or item.id
        rounds.append(seen.get(group, 0))
        seen[group] = rounds[-1] + 1
    places = sorted(range(len(order)), key=rounds.__getitem__)[: recipe.examples]
    return [order[place] for place in places]


def _start(recipe: Recipe, folder: Path, data: Callable[[], Path], report: Report) -> Path | None:
    """The model to begin from: a folder, or what another table of recipes makes, kept inside."""
    if not recipe.start:
        return None
    if (Path(recipe.start).expanduser() / CARD).is_file():
        return Path(recipe.start).expanduser()
    return _trained_in(folder / "start", before(recipe), data, report)


def _part(recipe: Recipe, name: str, folder: Path, data: Callable[[], Path], report: Report) -> Path:
    """A part: a model's folder, or what another table of recipes makes, kept inside."""
    if (Path(name).expanduser() / CARD).is_file():
        return Path(name).expanduser()
    own = replace(
        other_recipe(recipe, name, "is made of"),
        seed=recipe.seed,
        clear_of=recipe.clear_of,
        contaminated=recipe.contaminated,
    )
    return _trained_in(folder / "parts" / own.name, own, data, report)


def _trained_in(place: Path, recipe: Recipe, data: Callable[[], Path], report: Report) -> Path:
    if not (place / CARD).is_file():
        train([recipe], place, data, report)
    return place


def other_recipe(recipe: Recipe, name: str, verb: str) -> Recipe:
    """A recipe that another one names: of the same task, or `TASK/TABLE` of another one."""
    other, _, table = name.rpartition("/")
    task = task_named(other if other in TASKS else recipe.task)
    table = table if other in TASKS else name
    found = recipes_of(task, recipe.file)
    if table not in found:
        raise UsageError(
            f"{recipe.task}.{recipe.name} {verb} {quoted(name)}, neither a model nor a recipe; "
            f"there are {', '.join(found) or 'none'}"
        )
    return found[table]


def before(recipe: Recipe) -> Recipe:
    """The recipe whose model this one begins from: of the same task, or `TASK/TABLE` of another one."""
    own = other_recipe(recipe, recipe.start, "starts from")
    shared = {key: value for key, value in recipe.settings.items() if key in ("weights", "tuning", "rank")}
    return replace(
        own,
        seed=recipe.seed,
        clear_of=recipe.clear_of,
        contaminated=recipe.contaminated,
        settings={**own.settings, **shared},
    )


def _card(
    recipes: Sequence[Recipe],
    lessons: Sequence[TrainingSet],
    settings: Any,
    history: History,
    left_out: Sequence[dict[str, int]],
    guards: Sequence[Guard],
) -> dict[str, Any]:
    return {
        "whence": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "kind": recipes[0].kind,
        "settings": asdict(settings),
        "seed": recipes[0].seed,
        "start": recipes[0].start,
        "parts": list(recipes[0].parts),
        "lessons": {
            one.name: {
                "recipe": f"{recipe.file}.{recipe.name}",
                "overrides": list(recipe.overrides),
                "form": recipe.form or head_named(recipe.task, recipe.head).forms[0],
                "shape": one.shape,
                "labels": list(one.labels),
                "split": recipe.split or head_named(recipe.task, recipe.head).train,
                "examples": len(one.train),
                "held_out": len(one.dev),
                "left_out": missing,
                "clear_of": list(kept.clear_of),
                "unchecked": list(kept.unchecked),
                **({"contaminated": dict(kept.contaminated)} if kept.contaminated else {}),
                "measure": one.measure,
                "data": _data(recipe.task),
            }
            for recipe, one, missing, kept in zip(recipes, lessons, left_out, guards, strict=True)
        },
        "parameters": history.parameters,
        "seconds": round(history.seconds, 1),
        "core_seconds": round(history.core_seconds, 1),
        "dev": [round(value, 4) for value in history.dev],
        "kept": history.kept,
    }


def _data(task: str) -> dict[str, str]:
    name = task_named(task).source
    return {"name": name, "licence": source_named(name).licence} if name else {}
