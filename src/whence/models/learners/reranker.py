"""Rankings looked at twice: a first ranker finds documents, a model that reads query and document together orders
the best of them, each by itself (pointwise, as TFR-BERT does in the expert-ratings paper)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np

from whence.errors import UsageError
from whence.files import dump_json, read_json, write_text
from whence.models.items import AnyItem, Item, RankItem, TrainingSet, Verdict
from whence.models.learners import Judge, Learner
from whence.models.learners.saved import (
    PARTS,
    copied_parts,
    describe,
    described,
    in_one_round,
    only_lesson,
    refuse_start,
    signature,
)
from whence.models.trained import Model, load_model
from whence.models.training import History, Training
from whence.progress import Report, unreported

DOCUMENTS = "documents.json"


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """What a recipe may set."""

    depth: int = 100
    """So many documents of the first ranking are read with the query; the others stay behind them."""
    first: float = 0.0
    """What the first ranker's score counts, in its spread over these documents, beside the rating's."""


class RerankerJudge:
    """Orders the best documents of a first ranking by the rating that is expected of each."""

    def __init__(
        self, name: str, first: Judge, rater: Judge, documents: Mapping[str, str], settings: RerankerSettings
    ) -> None:
        self.name = name
        self._first, self._rater, self._documents, self._settings = first, rater, documents, settings

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The rankings of the first ranker, their tops in a new order."""
        asked = cast(Sequence[RankItem], items)
        rankings = self._first.judge(asked, report)
        pairs = [
            Item(f"{item.id}/{name}", (((item.text, self._documents[name]),),))
            for item, ranking in zip(asked, rankings, strict=True)
            for name in ranking.ranking[: self._settings.depth]
        ]

        def report_share(what: str, done: int, total: int) -> None:
            report(what, done * len(asked) // max(total, 1), len(asked))

        ratings = iter([expected_rating(verdict) for verdict in self._rater.judge(pairs, report_share)])
        return [self._reordered(ranking, ratings) for ranking in rankings]

    def _reordered(self, ranking: Verdict, ratings: Iterator[float]) -> Verdict:
        depth = min(self._settings.depth, len(ranking.ranking))
        first = np.array(ranking.scores[:depth])
        scores = np.array([next(ratings) for _ in range(depth)])
        if self._settings.first:
            scores = _spread(scores) + self._settings.first * _spread(first)
        order = np.argsort(-scores, kind="stable")
        rest = np.array(ranking.scores[depth:])
        below = rest - rest.max(initial=0.0) + scores.min(initial=0.0)
        names = (*(ranking.ranking[place] for place in order), *ranking.ranking[depth:])
        values = tuple(round(float(value), 5) for value in (*scores[order], *below))
        return Verdict(ranking.id, ranking=names, scores=values)


def expected_rating(verdict: Verdict) -> float:
    """The mean of the labels' numbers, each as probable as it is: labels stand in the order of relevance."""
    return sum(number * probability for number, probability in enumerate(verdict.probabilities))


def _spread(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / (values.std() or 1.0))


class Reranker:
    """The kind `reranker`. Its parts: a model that ranks, and one that labels pairs of texts."""

    Settings: type = RerankerSettings
    SHAPES: frozenset[str] = frozenset({"ranking"})

    def train(self, lessons: Sequence[TrainingSet], settings: RerankerSettings, training: Training) -> History:
        """Puts the two together; they learnt before."""
        started = perf_counter()
        refuse_start("reranker", training)
        lesson = only_lesson("reranker", self.SHAPES, lessons)
        if len(training.parts) != 2:
            raise UsageError('a reranker has two parts: parts = ["a model that ranks", "one that labels"]')
        folders = copied_parts(training)
        load_model(folders[0]).lesson(*lesson.name.split("/"))
        _labels(load_model(folders[1]))
        write_text(training.folder / DOCUMENTS, dump_json(dict(lesson.documents)) + "\n")
        about = {"settings": asdict(settings), "parts": [folder.name for folder in folders]}
        describe(training.folder, "reranker", [lesson], about)
        return in_one_round(self, lesson, training, started)

    def load(self, folder: Path, lesson: str) -> RerankerJudge:
        """The two models in a folder."""
        found = described(folder, "reranker", lesson)
        first, rater = (load_model(folder / PARTS / name) for name in found["parts"])
        judges = first.judge(lesson), rater.judge(_labels(rater))
        name = f"{signature(folder, 'reranker')} of {' and '.join(judge.name for judge in judges)}"
        settings = RerankerSettings(**found["settings"])
        return RerankerJudge(name, *judges, read_json(folder / DOCUMENTS), settings)


def _labels(model: Model) -> str:
    """What a model learnt that labels texts."""
    for name, entry in model.card["lessons"].items():
        if entry["shape"] == "label":
            return str(name)
    raise UsageError(f"{model.folder} labels no texts: the second part of a reranker does")


LEARNERS: Mapping[str, Learner] = {"reranker": Reranker()}
