"""What every model must beat: the answer that is most frequent, and an answer by chance."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import cast

from whence.models.items import (
    MOST_RANKED,
    AnyItem,
    FoundSpan,
    Item,
    Lesson,
    RankItem,
    SpanItem,
    Verdict,
    WordItem,
)
from whence.models.learners import History, Judge, Learner, Training
from whence.models.learners.saved import describe, described, in_one_round, refuse_start, require_shapes, signature
from whence.progress import Report, unreported

_WORD = re.compile(r"\S+")


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

    def train(self, lessons: Sequence[Lesson], settings: NoSettings, training: Training) -> History:
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


def _frequent(lesson: Lesson) -> dict[str, float]:
    """Of a ranking: the share of queries that each document is relevant to, the most frequent first."""
    queries = [item for item in lesson.train if isinstance(item, RankItem)]
    answers = Counter(name for item in queries for name in item.gold or ())
    order = sorted(lesson.documents, key=lambda name: -answers[name])[:MOST_RANKED]
    return {name: answers[name] / len(queries) for name in order}


def _shares(lesson: Lesson) -> list[float]:
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

    def train(self, lessons: Sequence[Lesson], settings: NoSettings, training: Training) -> History:
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


LEARNERS: Mapping[str, Learner] = {"majority": Majority(), "random": Random()}
