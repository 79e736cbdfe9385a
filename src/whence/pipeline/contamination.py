"""No model is evaluated on what it was trained on, unless somebody wants that and everybody is told.

Training leaves out examples whose question is in an evaluation split of a task with the same questions. A run says
of how many of its items the model has seen the question, whatever its card says or does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from whence.errors import MissingDataError, UsageError
from whence.files import read_json
from whence.models.trained import BUNDLED, CARD
from whence.pipeline.recipes import Recipe
from whence.tasks import TASKS, head_named, heads_of, task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.head import Source
from whence.tasks.loading import SAMPLES
from whence.tasks.method import EMBEDDED, Method
from whence.tasks.overlap import evaluation_questions, linked_tasks, reader
from whence.tasks.questions import question_keys
from whence.tasks.task import AnyTask

Data = Callable[[], Path]


@dataclass(frozen=True, slots=True)
class Guard:
    """What a training must stay clear of, and what that costs it."""

    without: frozenset[str] = frozenset()
    """The questions whose examples are left out."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many examples that is, by evaluation split."""
    contaminated: Mapping[str, int] = field(default_factory=dict)
    """How many were left in although they should not, by evaluation split."""
    clear_of: tuple[str, ...] = ()
    """The splits that were looked at, and that no example is of, unless `contaminated` says so."""
    unchecked: tuple[str, ...] = ()
    """The splits that are not here to be looked at."""


def recipe_source(recipe: Recipe, data: Data) -> Source:
    """Where the items of a recipe come from."""
    head = head_named(recipe.task, recipe.head)
    form = recipe.form or head.forms[0]
    return Source(task_named(recipe.task), recipe.split or head.train, data, form, recipe.seed)


def guard(recipe: Recipe, data: Data) -> Guard:
    """What the recipe must stay clear of. Our own samples are in no data set."""
    source, examples = recipe_source(recipe, data), head_named(recipe.task, recipe.head).examples
    if source.task.questions is None or examples is None or source.where == SAMPLES:
        return Guard()
    evaluated = evaluation_questions(source.task, source.where, reader(data), recipe.clear_of)
    keys = question_keys(source.task, examples(source))
    names = tuple(name for one in evaluated.splits for name in (one.name, *one.same))
    counts = evaluated.counts(keys)
    if recipe.contaminated:
        return Guard(contaminated=counts, clear_of=names, unchecked=evaluated.unchecked)
    return Guard(evaluated.keys & frozenset(keys), counts, {}, names, evaluated.unchecked)


@dataclass(frozen=True, slots=True)
class Seen:
    """Items that are evaluated, of which a model has seen the question in training."""

    items: int
    of: int
    where: tuple[str, ...]
    """What it was trained on, such as `worldtree train`."""

    @property
    def text(self) -> str:
        """In words."""
        names = ", ".join(self.where)
        count = f"{self.items:,} of {self.of:,} examples"
        return f"contaminated: {count} have a question of {names}, which the model learnt from"


def seen_in_training(
    folders: Iterable[Path], dataset: AnyDataset, task: AnyTask, where: str, data: Data
) -> Seen | None:
    """How many of the examples that are evaluated ask what the models in folders were trained on; None: none."""
    linked = {one.name for one in linked_tasks(task)}
    lessons = [lesson for folder in folders for lesson in _lessons(folder)]
    keys = question_keys(task, dataset)
    seen: set[str] = set()
    sources: dict[str, None] = {}
    for name, entry in lessons:
        learnt, _, head = name.partition("/")
        is_clear = f"{task.name} {where}" in entry.get("clear_of", ()) and not entry.get("contaminated")
        if learnt not in linked or is_clear:
            continue
        common = _questions(learnt, head, str(entry["split"]), data).intersection(keys)
        if common:
            seen |= common
            sources[f"{learnt} {entry['split']}"] = None
    count = sum(key in seen for key in keys if key)
    return Seen(count, len(keys), tuple(sources)) if count else None


def said_of_run(seen: Seen | None) -> dict[str, Any]:
    """What `run.json` says of it; nothing where the model has seen no question."""
    return {} if seen is None else {"contaminated": {**asdict(seen), "where": list(seen.where), "text": seen.text}}


def contamination_of(about: Mapping[str, Any]) -> str:
    """What a run says of questions that its model was trained on; empty: nothing."""
    said = about.get("contaminated")
    return str(said.get("text", "")) if isinstance(said, Mapping) else ""


def models_of(method: Method, settings: Any) -> list[Path]:
    """The folders of the models that a method uses: those that its settings name, and those that ship with it."""
    folders = []
    for name, value in asdict(settings).items():
        if value == EMBEDDED and name in method.embedded:
            folders.append(BUNDLED / method.embedded[name].replace("/", "."))
        elif isinstance(value, str) and value:
            folders.append(Path(value).expanduser())
    return folders


def _lessons(folder: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """The lessons of a model, and of those that it began from or is made of."""
    if not (folder / CARD).is_file():
        return []
    card = read_json(folder / CARD)
    if not isinstance(card, dict):
        return []
    lessons: list[tuple[str, Mapping[str, Any]]] = list(card.get("lessons", {}).items())
    start = card.get("start")
    inside = [folder / "start", *(folder / "parts" / Path(part).name for part in card.get("parts", ()))]
    for other in [*inside, *(Path(name) for name in [start, *card.get("parts", ())] if name)]:
        lessons += _lessons(other.expanduser())
    return lessons


def _questions(task: str, head: str, split: str, data: Data) -> frozenset[str]:
    """The questions that a lesson was learnt from; none are known where its split or file is not here."""
    if task not in TASKS or head not in heads_of(task):
        return frozenset()
    examples = head_named(task, head).examples
    if examples is None:
        return frozenset()
    try:
        dataset = examples(Source(task_named(task), split, data))
    except (MissingDataError, UsageError):
        return frozenset()
    return frozenset(question_keys(task_named(task), dataset)) - {""}
