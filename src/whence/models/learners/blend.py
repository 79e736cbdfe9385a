"""Rankings that weigh all evidence: words, explanatory power, meaning, use and nearness to the best documents.

A small network learns how much each counts, with the encoder as it is. Encoders that were fine-tuned may be parts:
a second network weighs what they say against the first one's score. What a network learns from must look as a new
query would: power is asked of cases outside the query's own fold, and a part about queries that it did not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
from numpy.typing import NDArray

from whence.errors import MissingDataError, UsageError
from whence.files import read_json
from whence.models.encoder import Floats
from whence.models.items import MOST_RANKED, AnyItem, RankItem, TrainingSet, Verdict
from whence.models.learners import Learner
from whence.models.learners.dense import Dense, DenseJudge, DenseSettings
from whence.models.learners.saved import (
    PARTS,
    TENSORS,
    copied_parts,
    describe,
    described,
    in_one_round,
    only_lesson,
    refuse_start,
    save_tensors,
    signature,
)
from whence.models.learners.sparse import (
    CASES,
    INDEX,
    SparseSettings,
    explained_cases,
    read_cases,
    weighted_words,
    write_cases,
)
from whence.models.retrieval.evidence import FEATURES, POWER, Gathered, chained, gather
from whence.models.retrieval.explained import ExplainedTexts, Reason
from whence.models.retrieval.index import Index
from whence.models.retrieval.listwise import ListNetwork, train_lists
from whence.models.retrieval.segment import Flags
from whence.models.retrieval.storage import indexed, open_index
from whence.models.trained import HELD_OUT, load_model
from whence.models.training import History, Training
from whence.models.training.numpy_trainer import NumpyTraining
from whence.progress import Report, unreported

FROZEN = "frozen"
SECOND = ("first", "meaning", "chain")
"""What the second network weighs: the first one's score, and meaning and nearness by the fine-tuned parts."""
_SECOND_HIDDEN = 16
_SECOND_TRAINING = NumpyTraining(epochs=40, batch=16, rate=1e-2, weight_decay=1e-3, is_linear=True)
"""Of the second network: its lists are few, and its numbers three."""
_AT_ONCE = 32
_WORDS = SparseSettings(power=POWER)


@dataclass(frozen=True, slots=True)
class BlendSettings:
    """What a recipe may set."""

    candidates: int = 200
    """So many documents are weighed anew; the others follow in the order of the first score."""
    folds: int = 10
    """The training queries are learnt from in so many groups, each blind to its own explanations."""
    hidden: int = 32
    epochs: int = 8
    batch: int = 16
    rate: float = 3e-3
    decay: float = 1e-4

    @property
    def training(self) -> NumpyTraining:
        """How the first network is trained."""
        return NumpyTraining(self.epochs, self.batch, self.rate, self.decay, is_linear=True)


@dataclass(frozen=True, eq=False)
class Part:
    """An encoder: the vectors of all documents, in the order of the index, and which queries it never saw."""

    judge: DenseJudge
    ids: tuple[str, ...]
    unseen: frozenset[str] = frozenset()

    @cached_property
    def documents(self) -> Floats:
        """One row a document."""
        places = {name: place for place, name in enumerate(self.judge.ids)}
        missing = [name for name in self.ids if name not in places]
        if missing:
            raise UsageError(f"{self.judge.name} has no vector of {missing[0]}: it learnt other documents")
        return np.asarray(self.judge.vectors[[places[name] for name in self.ids]], dtype=np.float32)

    def cosines(self, items: Sequence[RankItem]) -> Floats:
        """One row a query: how close each document is in meaning."""
        return np.asarray(self.judge.encoder.sentences([item.text for item in items]) @ self.documents.T)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a blend looks at."""

    texts: ExplainedTexts
    frozen: Part
    tuned: tuple[Part, ...]
    candidates: int

    def first(self, items: Sequence[RankItem], asked: Flags | None = None) -> Gathered:
        """The candidates of queries, with what the first network weighs."""
        queries = [weighted_words(item, _WORDS.focus) for item in items]
        meaning = self.frozen.cosines(items).astype(np.float64)
        names = [item.id for item in items]
        return gather(self.texts, queries, names, meaning, self.frozen.documents, self.candidates, asked)

    def second(
        self, parts: Sequence[Part], items: Sequence[RankItem], places: NDArray[np.int64], scores: Floats
    ) -> Floats:
        """What the second network weighs, of candidates with the first one's scores, by some of the parts."""
        order = np.argsort(-scores, axis=1, kind="stable")
        back = np.argsort(order, axis=1, kind="stable")
        best = np.take_along_axis(places, order, axis=1)
        meaning = np.mean([np.take_along_axis(part.cosines(items), places, axis=1) for part in parts], axis=0)
        chain = np.mean([chained(part.documents, best) for part in parts], axis=0)
        columns = {"first": scores, "meaning": meaning, "chain": np.take_along_axis(chain, back, axis=1)}
        return np.stack([columns[name] for name in SECOND], axis=-1).astype(np.float32)


class BlendJudge:
    """Ranks documents by all evidence, and can say what it saw."""

    def __init__(self, name: str, evidence: Evidence, networks: Sequence[ListNetwork]) -> None:
        self.name = name
        self._evidence, self._networks = evidence, networks

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The best documents of each query."""
        asked = cast(Sequence[RankItem], items)
        ids = self._evidence.texts.index.ids
        found: list[Verdict] = []
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            known = self._evidence.first(some)
            weighed = self._networks[0].scores(known.features)
            if self._evidence.tuned:
                second = self._evidence.second(self._evidence.tuned, some, known.places, weighed)
                weighed = self._networks[1].scores(second)
            for item, places, scores, first in zip(some, known.places, weighed, known.first, strict=True):
                found.append(_verdict(item.id, places, scores, first, ids))
            report("ranking", len(found), len(asked))
        return found

    def reason(self, item: RankItem, document: str) -> Reason:
        """Which words and similar queries speak for a document, and how close it is in meaning."""
        found = self._evidence.texts.reason(weighted_words(item, _WORDS.focus), document, item.id)
        parts = self._evidence.tuned or (self._evidence.frozen,)
        close = np.mean([part.judge.reason(item, document).score for part in parts])
        return Reason(document, found.score, found.words, found.cases, float(close))


class Blend:
    """The kind `blend`."""

    Settings: type = BlendSettings
    SHAPES: frozenset[str] = frozenset({"ranking"})

    def train(self, lessons: Sequence[TrainingSet], settings: BlendSettings, training: Training) -> History:
        """Learns what counts how much. The parts, if there are any, are `dense` models."""
        started = perf_counter()
        refuse_start("blend", training)
        lesson = only_lesson("blend", self.SHAPES, lessons)
        tuned = copied_parts(training)
        frozen = training.folder / PARTS / FROZEN
        frozen.mkdir(parents=True, exist_ok=True)
        Dense().train([lesson], DenseSettings(), Training(frozen, training.seed, report=training.report))
        index = indexed(training.folder / INDEX, lesson.documents, training.report)
        items = cast(Sequence[RankItem], lesson.train)
        write_cases(training.folder / CASES, explained_cases(items, _WORDS.focus))
        evidence = _evidence(training.folder, lesson.name, index, tuned, settings)
        networks, lists = _learnt(evidence, items, settings, training)
        tensors = {f"{n}.{name}": tensor for n, own in enumerate(networks) for name, tensor in own.tensors.items()}
        save_tensors(training.folder / TENSORS, tensors)
        about = {
            "settings": asdict(settings),
            "parts": [folder.name for folder in tuned],
            "encoders": [part.judge.encoder.name for part in (evidence.frozen, *evidence.tuned)],
            "features": [list(FEATURES), list(SECOND)][: len(networks)],
            "lists": lists,
        }
        describe(training.folder, "blend", [lesson], about)
        size = sum(tensor.size for tensor in tensors.values())
        return in_one_round(self, lesson, training, started, size)

    def load(self, folder: Path, lesson: str) -> BlendJudge:
        """The ranking in a folder."""
        from safetensors.numpy import load_file

        found = described(folder, "blend", lesson)
        settings = BlendSettings(**found["settings"])
        index = open_index(folder / INDEX)
        tuned = [folder / PARTS / name for name in found["parts"]]
        tensors = load_file(folder / TENSORS)
        networks = [
            ListNetwork({name[2:]: tensor for name, tensor in tensors.items() if name.startswith(f"{number}.")})
            for number in range(len(found["features"]))
        ]
        return BlendJudge(signature(folder, "blend"), _evidence(folder, lesson, index, tuned, settings), networks)


def _evidence(folder: Path, lesson: str, index: Index, tuned: Sequence[Path], settings: BlendSettings) -> Evidence:
    texts = ExplainedTexts(index, read_cases(folder / CASES), _WORDS.counted)
    ids = texts.index.ids
    frozen = Part(Dense().load(folder / PARTS / FROZEN, lesson), ids)
    return Evidence(texts, frozen, tuple(_part(part, lesson, ids) for part in tuned), settings.candidates)


def _part(folder: Path, lesson: str, ids: tuple[str, ...]) -> Part:
    kind = load_model(folder).card["kind"]
    if kind != "dense":
        raise UsageError(f"{folder}: a blend is made of dense models, not of {kind} models")
    if not (folder / HELD_OUT).is_file():
        raise MissingDataError(f"{folder} does not say what its training held out ({HELD_OUT}); train it again")
    unseen: list[str] = read_json(folder / HELD_OUT)
    return Part(Dense().load(folder, lesson), ids, frozenset(unseen))


def _learnt(
    evidence: Evidence, items: Sequence[RankItem], settings: BlendSettings, training: Training
) -> tuple[list[ListNetwork], list[int]]:
    """The networks, and from how many lists each was learnt."""
    seen = list(_as_new(evidence, items, settings.folds, training.report))
    features = np.concatenate([known.features for _, known, _ in seen])
    right = np.concatenate([own for *_, own in seen])
    first = train_lists(features, right, settings.hidden, settings.training, training.seed, training.report)
    if not evidence.tuned:
        return [first], [len(right)]
    lists: list[tuple[Floats, Flags]] = []
    for some, known, own in seen:
        scores = first.scores(known.features)
        for blind, rows in _by_blind_parts(evidence.tuned, some).items():
            asked = [some[row] for row in rows]
            lists.append((evidence.second(blind, asked, known.places[rows], scores[rows]), own[rows]))
    if not lists:
        raise UsageError("every training query was seen by all parts: train them with another fold or held_out")
    features = np.concatenate([features for features, _ in lists])
    unseen = np.concatenate([own for _, own in lists])
    second = train_lists(features, unseen, _SECOND_HIDDEN, _SECOND_TRAINING, training.seed, training.report)
    return [first, second], [len(right), len(unseen)]


def _as_new(
    evidence: Evidence, items: Sequence[RankItem], folds: int, report: Report
) -> Iterator[tuple[list[RankItem], Gathered, Flags]]:
    """Training queries with their candidates as if they were new, fold by fold; and which candidates are right."""
    ids = np.array(evidence.texts.index.ids, dtype=object)
    numbers = np.arange(len(items)) % folds
    for fold in range(min(folds, len(items))):
        some = [item for item, number in zip(items, numbers, strict=True) if number == fold]
        known = evidence.first(some, numbers != fold)
        report("gathering evidence", fold + 1, folds)
        right = [np.isin(ids[row], item.gold or ()) for row, item in zip(known.places, some, strict=True)]
        yield some, known, np.array(right)


def _by_blind_parts(parts: Sequence[Part], items: Sequence[RankItem]) -> dict[tuple[Part, ...], list[int]]:
    """Rows of queries by the parts that did not see them; those that all parts saw are left out."""
    found: dict[tuple[Part, ...], list[int]] = {}
    for row, item in enumerate(items):
        blind = tuple(part for part in parts if (item.group or item.id) in part.unseen)
        if blind:
            found.setdefault(blind, []).append(row)
    return found


def _verdict(name: str, places: np.ndarray, weighed: np.ndarray, first: np.ndarray, ids: Sequence[str]) -> Verdict:
    """The candidates as weighed, then the others as they were found, with scores below."""
    order = np.argsort(-weighed, kind="stable")
    rest = np.argsort(-first, kind="stable")
    rest = rest[~np.isin(rest, places)][: max(0, MOST_RANKED - len(places))]
    below = weighed.min() + first[rest] - first[rest].max(initial=0.0)
    ranking = (*(ids[place] for place in places[order]), *(ids[place] for place in rest))
    scores = np.concatenate([weighed[order], below])[:MOST_RANKED]
    return Verdict(name, ranking=ranking[:MOST_RANKED], scores=tuple(round(float(one), 5) for one in scores))


LEARNERS: Mapping[str, Learner] = {"blend": Blend()}
