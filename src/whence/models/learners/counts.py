"""Labels by how often they were seen with the very same texts: for questions in a few fixed phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from whence.models.items import AnyItem, Lesson, Pair, Verdict
from whence.models.learners import History, Judge, Learner, Training
from whence.models.learners.options import as_items
from whence.models.learners.saved import describe, described, in_one_round, refuse_start, require_shapes, signature
from whence.progress import Report, unreported

_KIND = "counts"
Table = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class CountsSettings:
    """What a recipe may set."""

    pull: float = 10.0
    """How many sightings the wider case counts for: both texts are pulled to the first alone, it to all items."""


@dataclass(frozen=True)
class CountsJudge:
    """Shares of labels: of all items, of those with the same first text, of those with the same two texts."""

    name: str
    everywhere: tuple[float, ...]
    first: Table
    both: Table

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The shares for the narrowest case that was seen."""
        asked = as_items(items)
        report("judging", len(asked), len(asked))
        return [Verdict(item.id, probabilities=self._shares(item.options[0][0])) for item in asked]

    def _shares(self, pair: Pair) -> tuple[float, ...]:
        return tuple(self.both.get(_key(pair), self.first.get(pair[0], self.everywhere)))


class Counts:
    """Nothing is read but whether texts are the same."""

    Settings: type = CountsSettings
    SHAPES: frozenset[str] = frozenset({"label"})

    def train(self, lessons: Sequence[Lesson], settings: CountsSettings, training: Training) -> History:
        """Counts labels."""
        started = perf_counter()
        refuse_start(_KIND, training)
        require_shapes(_KIND, self.SHAPES, lessons)
        training.folder.mkdir(parents=True, exist_ok=True)
        counted = {lesson.name: _counted(lesson, settings.pull) for lesson in lessons}
        describe(training.folder, _KIND, lessons, {"counted": counted})
        tables = [one[table] for one in counted.values() for table in ("first", "both")]
        size = sum(len(row) for table in tables for row in table.values())
        return in_one_round(self, lessons[0], training, started, size)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The shares in a folder."""
        found = described(folder, _KIND, lesson)["counted"][lesson]
        return CountsJudge(signature(folder, _KIND), tuple(found["everywhere"]), found["first"], found["both"])


def _counted(lesson: Lesson, pull: float) -> dict[str, Any]:
    """Shares, to five digits: more would say nothing, and fill files."""
    items = as_items(lesson.train)
    seen = [(item.options[0][0], item.gold or 0) for item in items]
    labels = len(lesson.labels)
    everywhere = _pulled(Counter(gold for _, gold in seen), [1 / labels] * labels, 1.0)
    first: dict[str, list[float]] = {}
    both: dict[str, list[float]] = {}
    for text in sorted({pair[0] for pair, _ in seen}):
        first[text] = _pulled(Counter(gold for pair, gold in seen if pair[0] == text), everywhere, pull)
    for pair in sorted({pair for pair, _ in seen}):
        both[_key(pair)] = _pulled(Counter(gold for own, gold in seen if own == pair), first[pair[0]], pull)
    return {"everywhere": everywhere, "first": first, "both": both}


def _pulled(counts: Counter[int], wider: Sequence[float], pull: float) -> list[float]:
    total = counts.total() + pull
    return [round((counts[label] + pull * share) / total, 5) for label, share in enumerate(wider)]


def _key(pair: Pair) -> str:
    return f"{pair[0]} | {pair[1]}"


LEARNERS: Mapping[str, Learner] = {_KIND: Counts()}
