"""Models that were trained: a folder each, with weights and a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.errors import MissingDataError, UsageError
from whence.files import read_json
from whence.metrics.similarity import Pair
from whence.models.items import Item
from whence.models.learners import Judge, learner

CARD = "model.json"
"""What a model is: what it learnt, from what, how, with which figures."""
HELD_OUT = "held_out.json"
"""The groups of items that training was stopped by and never learnt from."""
RECIPE = "recipe.json"
"""What a training that did not end yet was told."""


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model: its folder, and what its card says."""

    folder: Path
    card: Mapping[str, Any]

    @property
    def lessons(self) -> tuple[str, ...]:
        """What it learnt, such as `explagraphs/stance`."""
        return tuple(self.card["lessons"])

    def lesson(self, task: str, head: str = "") -> str:
        """The lesson for a task, and for one of its heads; the first if there are several."""
        for name in self.lessons:
            if name == f"{task}/{head}" or (not head and name.startswith(f"{task}/")):
                return name
        wanted = f"{task}/{head}" if head else task
        raise UsageError(f"{self.folder} did not learn {wanted}; it learnt {', '.join(self.lessons)}")

    def judge(self, lesson: str) -> Judge:
        """The model itself, for a lesson."""
        return learner(self.card["kind"]).load(self.folder, lesson)


def load_model(folder: Path) -> Model:
    """The model in a folder."""
    path = folder.expanduser() / CARD
    if not path.is_file():
        advice = ": its training was interrupted; give the same command again" if is_begun(folder) else ""
        raise MissingDataError(f"{folder}: no model there (a folder with {CARD}){advice}")
    return Model(folder.expanduser(), read_json(path))


def is_begun(folder: Path) -> bool:
    """Whether a training began there and did not end."""
    return (folder / RECIPE).is_file()


BUNDLED = Path(__file__).parent / "bundled"
"""Small models that ship with this package, a folder a lesson."""


def bundled(lesson: str) -> Model:
    """The small model for a lesson that ships with this package; it needs the embedded encoder."""
    folder = BUNDLED / lesson.replace("/", ".")
    if not (folder / CARD).is_file():
        names = sorted(path.parent.name.replace(".", "/", 1) for path in BUNDLED.glob(f"*/{CARD}"))
        raise UsageError(f"no model for {lesson} ships with this package; there are {', '.join(names)}")
    return load_model(folder)


class TrainedClassifier:
    """A model that gives labels to texts, as metrics ask for one."""

    def __init__(self, model: Model, lesson: str) -> None:
        self._judge = model.judge(lesson)
        self._labels: list[str] = model.card["lessons"][lesson]["labels"]

    @property
    def name(self) -> str:
        """The model's name and fingerprint."""
        return self._judge.name

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        """For each pair, the probability of each label."""
        verdicts = self._judge.judge([Item(str(place), ((pair,),)) for place, pair in enumerate(pairs)])
        return [dict(zip(self._labels, verdict.probabilities, strict=True)) for verdict in verdicts]
