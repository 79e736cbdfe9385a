"""Rankings by vectors: the embedded encoder, as it is or fine-tuned, gives queries and documents a vector each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, cast

import numpy as np

from whence.errors import UsageError, quoted
from whence.files import dump_json, read_json, write_text
from whence.models.encoder import Encoder, Floats, embedded_encoder
from whence.models.items import AnyItem, RankItem, TrainingSet, Verdict
from whence.models.learners import Learner
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
from whence.models.learners.sparse import near_documents, ranked
from whence.models.loading import by_length, library
from whence.models.measures import watched
from whence.models.retrieval.explained import Reason
from whence.models.training import History, Training
from whence.models.training.torch_trainer import FineTuning, TorchTrainer, seeded, trained_tensors
from whence.models.vector_cache import CachedEncoder
from whence.progress import Report, unreported

VECTORS, DOCUMENTS = "vectors.npy", "documents.json"
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class DenseSettings(FineTuning):
    """What a recipe may set."""

    epochs: int = 0
    """Rounds of fine-tuning. With none the encoder stays as it is, and torch is not needed."""
    pairs: int | None = None
    """At most so many pairs of query and relevant document are learnt from."""
    negatives: int = 2
    """Documents that share words with the query and are not relevant, for each pair."""
    pool: int = 50
    """They are drawn from so many."""
    scale: float = 20.0
    """What a cosine is multiplied by, before the softmax."""
    tokens: int = 96
    batch: int = 32
    rate: float = 5e-5
    warmup: float = 0.06
    decay: float = 0.01
    patience: int = 2
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


class DenseJudge:
    """Ranks documents by the cosine of their vectors with the query's."""

    def __init__(self, name: str, encoder: CachedEncoder, ids: Sequence[str], vectors: Floats) -> None:
        self.name = name
        self.encoder, self.ids, self.vectors = encoder, ids, vectors

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The nearest documents of each query."""
        asked = cast(Sequence[RankItem], items)
        queries = self.encoder.sentences([item.text for item in asked], report)
        return _ranked(asked, queries, self.vectors, self.ids)

    def reason(self, item: RankItem, document: str) -> Reason:
        """How close a document is in meaning."""
        if document not in self.ids:
            raise UsageError(f"there is no text {quoted(document)} to rank")
        own = self.vectors[self.ids.index(document)] @ self.encoder.sentences([item.text])[0]
        return Reason(document, float(own), (), (), float(own))


class Dense:
    """The kind `dense`."""

    Settings: type = DenseSettings
    SHAPES: frozenset[str] = frozenset({"ranking"})

    def train(self, lessons: Sequence[TrainingSet], settings: DenseSettings, training: Training) -> History:
        """Fine-tunes the encoder, if that is wanted, and keeps the vectors of all documents."""
        started = perf_counter()
        refuse_start("dense", training)
        lesson = only_lesson("dense", self.SHAPES, lessons)
        tuned = _tuned(lesson, settings, training) if settings.epochs else History()
        encoder = _encoder(training.folder)
        vectors = encoder.sentences(list(lesson.documents.values()), training.report)
        np.save(training.folder / VECTORS, vectors.astype(np.float16))
        write_text(training.folder / DOCUMENTS, dump_json(list(lesson.documents)) + "\n")
        describe(training.folder, "dense", [lesson], {"settings": asdict(settings), "encoder": encoder.name})
        if settings.epochs:
            return tuned
        return in_one_round(self, lesson, training, started)

    def load(self, folder: Path, lesson: str) -> DenseJudge:
        """The vectors in a folder; they stay on the disk until they are needed."""
        found = described(folder, "dense", lesson)
        encoder = _encoder(folder)
        if encoder.name != found["encoder"]:
            raise UsageError(f"{folder} was made with the encoder {found['encoder']}; here is {encoder.name}")
        vectors = np.load(folder / VECTORS, mmap_mode="r")
        return DenseJudge(signature(folder, "dense"), encoder, read_json(folder / DOCUMENTS), vectors)


def _encoder(folder: Path) -> CachedEncoder:
    tuned = folder / TENSORS
    return CachedEncoder(Encoder(embedded_encoder().folder, tuned) if tuned.is_file() else embedded_encoder())


def _ranked(items: Sequence[RankItem], queries: Floats, vectors: Floats, ids: Sequence[str]) -> list[Verdict]:
    return [ranked(item.id, vectors @ query, ids) for item, query in zip(items, queries, strict=True)]


def _tuned(lesson: TrainingSet, settings: DenseSettings, training: Training) -> History:
    """Fine-tunes the encoder; the weights of the best round are left in the folder."""
    from whence.models.transformer.backbone import load_backbone
    from whence.models.transformer.pairs import PairNetwork
    from whence.models.transformer.reading import Reader

    with seeded(training.seed):
        network = PairNetwork(load_backbone("encoder"), settings.scale)
        reader = Reader(network.backbone, settings.tokens)
        return TorchTrainer(
            network,
            [lesson],
            [_pairs(lesson, settings, reader, training.seed)],
            settings.training,
            training,
            length=lambda pair: pair.length,
            evaluate=lambda one: watched(one, _judged(one, network, reader)),
            keep=lambda: save_tensors(training.folder / TENSORS, trained_tensors(network.module), "torch"),
        ).run()


def _judged(lesson: TrainingSet, network: Any, reader: Any) -> list[Verdict]:
    asked = cast(Sequence[RankItem], lesson.dev)
    documents = _vectors(list(lesson.documents.values()), network, reader)
    queries = _vectors([item.text for item in asked], network, reader)
    return _ranked(asked, queries, documents, list(lesson.documents))


def _vectors(texts: Sequence[str], network: Any, reader: Any) -> Floats:
    torch = library("torch")
    network.module.eval()
    rows = [reader.text(text) for text in texts]
    found = np.zeros((len(rows), network.backbone.width), dtype=np.float32)
    for places in by_length([len(row.ids) for row in rows], _AT_ONCE):
        with torch.inference_mode():
            found[places] = network.vectors([rows[place] for place in places]).cpu().numpy()
    return found


def _pairs(lesson: TrainingSet, settings: DenseSettings, reader: Any, seed: int) -> list[Any]:
    """Every query with each of its documents, or as many as wanted, with others that share its words."""
    from whence.models.transformer.pairs import AskedPair

    items = cast(Sequence[RankItem], lesson.train)
    both = [(item, name) for item in items for name in item.gold or () if name in lesson.documents]
    chance = random.Random(seed)
    chance.shuffle(both)
    both = both[: settings.pairs]
    near = near_documents(lesson.documents, list({item.text: None for item, _ in both}), settings.pool)
    rows: Mapping[str, Any] = {name: reader.text(text) for name, text in lesson.documents.items()}
    queries = {item.text: reader.text(item.text) for item, _ in both}
    found = []
    for item, name in both:
        gold = frozenset(item.gold or ())
        others = [other for other in near[item.text] if other not in gold]
        names = (name, *chance.sample(others, min(settings.negatives, len(others))))
        found.append(AskedPair(queries[item.text], tuple(rows[one] for one in names), names, gold))
    return found


LEARNERS: Mapping[str, Learner] = {"dense": Dense()}
