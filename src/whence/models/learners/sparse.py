"""Rankings by words: BM25, TF-IDF, and explanatory power, which asks what explained similar queries before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Literal, Protocol, cast, runtime_checkable

import numpy as np

from whence.errors import DataError
from whence.files import dump_json, parse_json, read_lines, write_lines
from whence.models.items import MOST_RANKED, AnyItem, RankItem, TrainingSet, Verdict
from whence.models.learners import Learner
from whence.models.learners.saved import describe, described, in_one_round, only_lesson, refuse_start, signature
from whence.models.retrieval.explained import Case, ExplainedTexts, Reason, Settings
from whence.models.retrieval.index import build_index
from whence.models.retrieval.search import Query
from whence.models.retrieval.storage import indexed, open_index
from whence.models.retrieval.weighting import BM25_COSINE, Weighting
from whence.models.retrieval.words import query_words
from whence.models.training import History, Training
from whence.progress import Report, unreported

INDEX, CASES = "index", "cases.jsonl"
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class SparseSettings:
    """What a recipe may set."""

    frequency: Literal["saturated", "logarithm", "count", "once"] = "saturated"
    """`saturated` is BM25's, `logarithm` that of TF-IDF."""
    rarity: Literal["odds", "smooth", "share", "none"] = "odds"
    k1: float = 1.0
    b: float = 0.75
    cosine: bool = True
    focus: float = 1.25
    """What a word of the part that matters most counts, beside 1 for any other."""
    power: float = 0.0
    """The weight of explanatory power beside likeness; 0 is none."""
    similar: int = 300
    """Only so many of the most similar queries are asked what explained them."""
    sharpness: float = 1.8
    """Likeness of queries is raised to this power: the higher, the less distant ones say."""

    @property
    def counted(self) -> Settings:
        """What counts how much, as the ranking wants it."""
        weighting = Weighting(self.frequency, self.rarity, self.k1, self.b, self.cosine)
        return Settings(weighting, self.power, self.similar, self.sharpness)


@runtime_checkable
class Reasoned(Protocol):
    """A model that ranks and can say why."""

    def reason(self, item: RankItem, document: str) -> Reason:
        """Why a document has its place."""


class SparseJudge:
    """Ranks documents by words, and can say why."""

    def __init__(self, name: str, texts: ExplainedTexts, focus: float) -> None:
        self.name = name
        self._texts, self._focus = texts, focus

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The best documents of each query; of equal ones that with the lower id."""
        asked = cast(Sequence[RankItem], items)
        found = []
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            names = [item.id for item in some]
            rows = self._texts.scores([weighted_words(item, self._focus) for item in some], names)
            found += [ranked(item.id, row, self._texts.index.ids) for item, row in zip(some, rows, strict=True)]
            report("ranking", len(found), len(asked))
        return found

    def reason(self, item: RankItem, document: str) -> Reason:
        """Which words and which similar queries gave a document its score."""
        return self._texts.reason(weighted_words(item, self._focus), document, item.id)


class Sparse:
    """The kind `sparse`."""

    Settings: type = SparseSettings
    SHAPES: frozenset[str] = frozenset({"ranking"})

    def train(self, lessons: Sequence[TrainingSet], settings: SparseSettings, training: Training) -> History:
        """Builds the index, and keeps which documents explained which queries."""
        started = perf_counter()
        refuse_start("sparse", training)
        lesson = only_lesson("sparse", self.SHAPES, lessons)
        indexed(training.folder / INDEX, lesson.documents, training.report)
        items = cast(Sequence[RankItem], lesson.train)
        write_cases(training.folder / CASES, explained_cases(items, settings.focus) if settings.power else [])
        describe(training.folder, "sparse", [lesson], {"settings": asdict(settings)})
        return in_one_round(self, lesson, training, started)

    def load(self, folder: Path, lesson: str) -> SparseJudge:
        """The index in a folder; it stays on the disk until it is asked."""
        found = described(folder, "sparse", lesson)
        settings = SparseSettings(**found["settings"])
        texts = ExplainedTexts(open_index(folder / INDEX), read_cases(folder / CASES), settings.counted)
        return SparseJudge(signature(folder, "sparse"), texts, settings.focus)


def weighted_words(item: RankItem, focus: float) -> Query:
    """What is looked for: each word of the query once, those of the part that matters most more."""
    weighty = query_words(item.focus) if item.focus else {}
    return {word: focus if word in weighty else 1.0 for word in query_words(item.query, item.focus)}


def ranked(name: str, scores: np.ndarray, ids: Sequence[str]) -> Verdict:
    """The best of all documents by their scores; of equal ones the first."""
    best = np.argsort(-scores, kind="stable")[:MOST_RANKED]
    values = tuple(round(float(scores[place]), 5) for place in best)
    return Verdict(name, ranking=tuple(ids[place] for place in best), scores=values)


def near_documents(documents: Mapping[str, str], queries: Sequence[str], most: int) -> dict[str, list[str]]:
    """For each query the documents that share most words with it: where wrong ones that look right are found."""
    texts = ExplainedTexts(build_index(documents), (), Settings(BM25_COSINE))
    found = {}
    for start in range(0, len(queries), _AT_ONCE):
        some = queries[start : start + _AT_ONCE]
        for query, row in zip(some, texts.scores([query_words(query) for query in some]), strict=True):
            found[query] = [texts.index.ids[place] for place in np.argsort(-row, kind="stable")[:most]]
    return found


def explained_cases(items: Sequence[RankItem], focus: float) -> list[Case]:
    """Queries whose documents are known, as cases."""
    return [Case(item.id, weighted_words(item, focus), item.gold or ()) for item in items]


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """One a line."""
    write_lines(path, (dump_json(asdict(case)) for case in cases))


def read_cases(path: Path) -> list[Case]:
    """What `write_cases` wrote."""
    found = []
    for number, line in read_lines(path):
        case = parse_json(line)
        try:
            found.append(Case(case["id"], case["query"], tuple(case["used"])))
        except (KeyError, TypeError):
            raise DataError(path, number, expected="a query and what explains it", found=line[:60]) from None
    return found


LEARNERS: Mapping[str, Learner] = {"sparse": Sparse()}
