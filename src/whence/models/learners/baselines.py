"""What every model must beat: the most frequent answer, a random one, the most frequent one of the same texts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from whence.models.items import (
    MOST_RANKED,
    AnyItem,
    FoundSpan,
    Item,
    Pair,
    RankItem,
    SpanItem,
    TrainingSet,
    Verdict,
    WordItem,
)
from whence.models.learners import Judge, Learner
from whence.models.learners.options import as_items
from whence.models.learners.saved import describe, described, in_one_round, refuse_start, require_shapes, signature
from whence.models.training import History, Training
from whence.progress import Report, unreported

_WORD = re.compile(r"\S+")
Table = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class NoSettings:
    """There is nothing to set."""


@dataclass(frozen=True)
class MajorityJudge:
    """Gives each label, place, tag or document the share that it has among the answers it learnt from."""

    name: str
    shape: str
    shares: tuple[float, ...]
    documents: tuple[str, ...] = ()
    """Of a ranking, the most frequent first."""

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The same verdict on every item."""
        tag = max(range(len(self.shares)), key=self.shares.__getitem__)
        verdicts = []
        for item in items:
            if isinstance(item, WordItem):
                verdicts.append(Verdict(item.id, tags=(tag,) * len(item.words)))
            elif isinstance(item, RankItem):
                verdicts.append(Verdict(item.id, ranking=self.documents, scores=self.shares))
            else:
                verdicts.append(Verdict(item.id, probabilities=self._probabilities(cast(Item, item))))
        report("judging", len(items), len(items))
        return verdicts

    def _probabilities(self, item: Item) -> tuple[float, ...]:
        """Of the labels, or of as many places as the item has options."""
        if self.shape == "label":
            return self.shares
        count = len(item.options)
        shares = (*self.shares[:count], *(0.0,) * (count - len(self.shares)))
        total = sum(shares)
        return tuple(share / total for share in shares) if total else (1 / count,) * count


class Majority:
    """The answer that was most frequent in training; of equally frequent ones the first."""

    Settings: type = NoSettings
    SHAPES: frozenset[str] = frozenset({"label", "choice", "tags", "ranking"})  # no stretch of text is frequent

    def train(self, lessons: Sequence[TrainingSet], settings: NoSettings, training: Training) -> History:
        """Counts the answers of each lesson."""
        started = perf_counter()
        refuse_start("majority", training)
        require_shapes("majority", self.SHAPES, lessons)
        documents = {lesson.name: _frequent(lesson) for lesson in lessons}
        shares = {lesson.name: list(documents[lesson.name].values()) or _shares(lesson) for lesson in lessons}
        ids = {name: list(found) for name, found in documents.items()}
        describe(training.folder, "majority", lessons, {"shares": shares, "documents": ids})
        return in_one_round(self, lessons[0], training, started, sum(map(len, shares.values())))

    def load(self, folder: Path, lesson: str) -> Judge:
        """The counts in a folder."""
        found = described(folder, "majority", lesson)
        shape, shares = found["lessons"][lesson]["shape"], found["shares"][lesson]
        documents = found.get("documents", {}).get(lesson, ())
        return MajorityJudge(signature(folder, "majority"), shape, tuple(shares), tuple(documents))


def _frequent(lesson: TrainingSet) -> dict[str, float]:
    """Of a ranking: the share of queries that each document is relevant to, the most frequent first."""
    queries = [item for item in lesson.train if isinstance(item, RankItem)]
    answers = Counter(name for item in queries for name in item.gold or ())
    order = sorted(lesson.documents, key=lambda name: -answers[name])[:MOST_RANKED]
    return {name: answers[name] / len(queries) for name in order}


def _shares(lesson: TrainingSet) -> list[float]:
    """How frequent each answer is. Of places there are as many as the item with the most options has."""
    answers: Counter[int] = Counter()
    for item in lesson.train:
        gold = cast(int | tuple[int, ...], item.gold)
        answers.update(gold if isinstance(gold, tuple) else (gold,))
    choices = [len(item.options) for item in lesson.train if isinstance(item, Item)]
    places = max(choices) if lesson.shape == "choice" else len(lesson.labels)
    return [answers[place] / answers.total() for place in range(places)]


@dataclass(frozen=True)
class RandomJudge:
    """Every answer is as probable as every other; what it says of an item depends on its id and the seed only."""

    name: str
    seed: int
    shape: str
    labels: int

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """One draw an item."""
        verdicts = [self._verdict(item, random.Random(f"{self.seed}:{item.id}")) for item in items]
        report("judging", len(items), len(items))
        return verdicts

    def _verdict(self, item: AnyItem, chance: random.Random) -> Verdict:
        if isinstance(item, WordItem):
            return Verdict(item.id, tags=tuple(chance.randrange(self.labels) for _ in item.words))
        if isinstance(item, SpanItem):
            return Verdict(item.id, spans=_some_words(item.context, chance))
        answers = self.labels if self.shape == "label" else len(cast(Item, item).options)
        drawn = [1 - chance.random() for _ in range(answers)]  # never 0
        return Verdict(item.id, probabilities=tuple(number / sum(drawn) for number in drawn))


class Random:
    """An answer by chance."""

    Settings: type = NoSettings
    SHAPES: frozenset[str] = frozenset({"label", "choice", "tags", "span"})

    def train(self, lessons: Sequence[TrainingSet], settings: NoSettings, training: Training) -> History:
        """Keeps the seed; there is nothing to learn."""
        started = perf_counter()
        refuse_start("random", training)
        require_shapes("random", self.SHAPES, lessons)
        describe(training.folder, "random", lessons, {"seed": training.seed})
        return in_one_round(self, lessons[0], training, started)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The seed in a folder."""
        found = described(folder, "random", lesson)
        learnt = found["lessons"][lesson]
        return RandomJudge(signature(folder, "random"), found["seed"], learnt["shape"], len(learnt["labels"]))


def _some_words(context: str, chance: random.Random) -> tuple[FoundSpan, ...]:
    """A run of words: any of them is as likely as any other."""
    words = [match.span() for match in _WORD.finditer(context)]
    if not words:
        return ()
    runs = len(words) * (len(words) + 1) // 2
    drawn, first = chance.randrange(runs), 0
    while drawn >= len(words) - first:
        drawn -= len(words) - first
        first += 1
    start, end = words[first][0], words[first + drawn][1]
    return (FoundSpan(start, end, context[start:end], 1 / runs),)


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

    def train(self, lessons: Sequence[TrainingSet], settings: CountsSettings, training: Training) -> History:
        """Counts labels."""
        started = perf_counter()
        refuse_start("counts", training)
        require_shapes("counts", self.SHAPES, lessons)
        training.folder.mkdir(parents=True, exist_ok=True)
        counted = {lesson.name: _counted(lesson, settings.pull) for lesson in lessons}
        describe(training.folder, "counts", lessons, {"counted": counted})
        tables = [one[table] for one in counted.values() for table in ("first", "both")]
        size = sum(len(row) for table in tables for row in table.values())
        return in_one_round(self, lessons[0], training, started, size)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The shares in a folder."""
        found = described(folder, "counts", lesson)["counted"][lesson]
        return CountsJudge(signature(folder, "counts"), tuple(found["everywhere"]), found["first"], found["both"])


def _counted(lesson: TrainingSet, pull: float) -> dict[str, Any]:
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


LEARNERS: Mapping[str, Learner] = {"majority": Majority(), "random": Random(), "counts": Counts()}
