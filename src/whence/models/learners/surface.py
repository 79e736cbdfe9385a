"""A linear support vector machine on what texts look like: length, overlap, sentiment (ART, appendix A.4).

The paper names the three families and no more, so the features are ours. scikit-learn learns the weights; to apply
them takes an inner product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whence.models.items import AnyItem, Item, TrainingSet, Verdict
from whence.models.learners import Judge, Learner
from whence.models.learners.options import as_items, softmax, texts_a_option, texts_of
from whence.models.learners.saved import (
    TENSORS,
    describe,
    described,
    in_one_round,
    only_lesson,
    refuse_start,
    save_tensors,
    signature,
)
from whence.models.loading import library
from whence.models.training import History, Training
from whence.models.word_vectors import glove_tokens
from whence.progress import Report, unreported

Array = NDArray[np.float64]
Planes = dict[str, NDArray[Any]]

_KIND = "surface"


@dataclass(frozen=True)
class SurfaceSettings:
    """What a recipe may set."""

    cost: float = 1.0
    """What an item on the wrong side costs; less of it means smaller weights."""
    steps: int = 20_000
    """The most rounds of the solver."""


def features(texts: Sequence[str]) -> list[float]:
    """What texts look like, each alone and each two together; `feature_names` says which number is what."""
    words = [glove_tokens(text) for text in texts]
    found: list[float] = []
    for text, own in zip(texts, words, strict=True):
        found += [len(own), sum(map(len, own)) / max(1, len(own)), *_sentiment(text)]
    for one, other in combinations(range(len(texts)), 2):
        found += _overlap(words[one], words[other])
        found.append(abs(_sentiment(texts[one])[-1] - _sentiment(texts[other])[-1]))
    return found


def feature_names(texts: int) -> list[str]:
    """The names of the numbers that `features` gives for so many texts."""
    alone = ("words", "letters a word", "negative", "neutral", "positive", "sentiment")
    together = ("shared words", "share of the first", "share of the second", "overlap", "change of sentiment")
    return [
        *(f"{name}, text {text + 1}" for text in range(texts) for name in alone),
        *(f"{name}, texts {a + 1} and {b + 1}" for a, b in combinations(range(texts), 2) for name in together),
    ]


def _overlap(one: Sequence[str], other: Sequence[str]) -> list[float]:
    """How many different words two texts share: as a number, as a share of each, and of both together."""
    first, second = set(one), set(other)
    shared = len(first & second)
    return [shared, *(shared / max(1, len(all_)) for all_ in (first, second, first | second))]


@lru_cache(maxsize=200_000)
def _sentiment(text: str) -> tuple[float, ...]:
    """VADER's shares of negative, neutral and positive words, and its sum of them from -1 to 1."""
    found = _analyser().polarity_scores(text)
    return tuple(float(found[name]) for name in ("neg", "neu", "pos", "compound"))


@lru_cache(maxsize=1)
def _analyser() -> Any:
    return library("vaderSentiment.vaderSentiment").SentimentIntensityAnalyzer()


@dataclass(frozen=True)
class SurfaceJudge:
    """Weights of the features, a row for each label that occurred; of a choice there is one row."""

    name: str
    shape: str
    labels: int
    seen: NDArray[np.int64]
    mean: Array
    scale: Array
    weights: Array
    bias: Array

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The farther on its side of the plane, the more probable; the probabilities are not calibrated."""
        verdicts = []
        for done, item in enumerate(as_items(items), start=1):
            verdicts.append(Verdict(item.id, self._probabilities(item)))
            if done % 1000 == 0 or done == len(items):
                report("judging", done, len(items))
        return verdicts

    def _probabilities(self, item: Item) -> tuple[float, ...]:
        rows = (np.array([features(texts_of(option)) for option in item.options]) - self.mean) / self.scale
        scores = rows @ self.weights.T + self.bias
        if self.shape == "choice":
            return softmax(scores[:, 0].tolist())
        found = dict(zip(self.seen.tolist(), softmax(scores[0].tolist()), strict=True))
        return tuple(found.get(label, 0.0) for label in range(self.labels))


class Surface:
    """The learner."""

    Settings: type = SurfaceSettings
    SHAPES: frozenset[str] = frozenset({"label", "choice"})

    def train(self, lessons: Sequence[TrainingSet], settings: SurfaceSettings, training: Training) -> History:
        """Finds the planes that separate what is right from what is wrong."""
        started = perf_counter()
        refuse_start(_KIND, training)
        lesson = only_lesson(_KIND, self.SHAPES, lessons)
        items = as_items(lesson.train)
        count = texts_a_option(items)
        rows, mean, scale = _table(items, training.report)
        solve = {"label": _label_planes, "choice": _choice_plane}[lesson.shape]
        planes = solve(rows, items, settings, training.seed)
        training.folder.mkdir(parents=True, exist_ok=True)
        save_tensors(training.folder / TENSORS, {"mean": mean, "scale": scale, **planes})
        describe(training.folder, _KIND, lessons, {"features": feature_names(count)})
        return in_one_round(self, lesson, training, started, planes["weights"].size + planes["bias"].size)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The planes in a folder."""
        from safetensors.numpy import load_file

        found = described(folder, _KIND, lesson)
        learnt = found["lessons"][lesson]
        tensors = load_file(folder / TENSORS)
        return SurfaceJudge(signature(folder, _KIND), learnt["shape"], len(learnt["labels"]), **tensors)


def _table(items: Sequence[Item], report: Report) -> tuple[list[Array], Array, Array]:
    """The features of every item, a row an option, with mean 0 and deviation 1; and what that took."""
    found = []
    for done, item in enumerate(items, start=1):
        found.append(np.array([features(texts_of(option)) for option in item.options]))
        if done % 1000 == 0 or done == len(items):
            report("reading", done, len(items))
    stacked = np.concatenate(found)
    mean, scale = stacked.mean(axis=0), stacked.std(axis=0)
    scale[scale == 0] = 1
    return [(rows - mean) / scale for rows in found], mean, scale


def _label_planes(rows: Sequence[Array], items: Sequence[Item], settings: SurfaceSettings, seed: int) -> Planes:
    """One plane for each label that occurs, against all others."""
    golds = np.array([item.gold for item in items], dtype=np.int64)
    table = np.concatenate([own[:1] for own in rows])
    seen = np.unique(golds)
    weights, bias = np.zeros((len(seen), table.shape[1])), np.zeros(len(seen))
    for row, label in enumerate(seen if len(seen) > 1 else ()):
        machine = _fitted(table, golds == label, settings, seed, fit_intercept=True)
        weights[row], bias[row] = machine.coef_[0], machine.intercept_[0]
    return {"seen": seen, "weights": weights, "bias": bias}


def _choice_plane(rows: Sequence[Array], items: Sequence[Item], settings: SurfaceSettings, seed: int) -> Planes:
    """One plane through the origin of differences: on one side right less wrong, on the other wrong less right."""
    differences = np.array(list(_differences(rows, items)))
    signs = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
    machine = _fitted(differences * signs[:, None], signs > 0, settings, seed, fit_intercept=False)
    return {"seen": np.zeros(1, np.int64), "weights": machine.coef_.astype(np.float64), "bias": np.zeros(1)}


def _differences(rows: Sequence[Array], items: Sequence[Item]) -> Iterator[Array]:
    for own, item in zip(rows, items, strict=True):
        for place in range(len(own)):
            if place != item.gold:
                yield own[item.gold] - own[place]


def _fitted(table: Array, sides: Any, settings: SurfaceSettings, seed: int, *, fit_intercept: bool) -> Any:
    svm = library("sklearn.svm")
    machine = svm.LinearSVC(
        C=settings.cost, max_iter=settings.steps, random_state=seed, dual="auto", fit_intercept=fit_intercept
    )
    return machine.fit(table, sides)


LEARNERS: Mapping[str, Learner] = {_KIND: Surface()}
