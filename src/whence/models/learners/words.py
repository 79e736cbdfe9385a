"""Networks over fixed word vectors, trained from nothing: ART's bag of words, InferSent and ESIM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from whence.errors import DataError, UsageError
from whence.files import digest_of
from whence.models.items import AnyItem, Item, TrainingSet, Verdict
from whence.models.learners import Judge, Learner
from whence.models.learners.options import as_items, softmax, texts_of
from whence.models.learners.saved import TENSORS, describe, described, only_lesson, save_tensors, signature
from whence.models.learners.word_networks import NETWORKS, Batch, Form, Network
from whence.models.loading import device, library
from whence.models.measures import watched
from whence.models.training import History, Training
from whence.models.training.torch_trainer import TorchTrainer, TorchTraining, seeded, trained_tensors
from whence.models.weights import name_of, vectors_folder
from whence.models.word_vectors import WordVectors, glove_tokens, read_glove, read_word_vectors
from whence.progress import Report, unreported

_JUDGED_AT_ONCE = 256
_CLIP = 10.0  # the greatest norm of gradients, as ESIM's authors have it


@dataclass(frozen=True)
class WordSettings:
    """What a recipe may set."""

    vectors: str = "vectors"
    """`vectors` for those that `whence models get vectors` fetches, or a text file of GloVe."""
    hidden: int = 150
    dropout: float = 0.3
    words: int = 60
    """Of a text, at most."""
    epochs: int = 10
    batch: int = 64
    rate: float = 1e-3
    decay: float = 0.0
    patience: int = 2
    """Epochs without improvement on the held-out items before training stops."""


Row = tuple[str, ...]


def _whole(item: Item) -> list[list[Row]]:
    """All texts of an option side by side, as the paper's bag of words has the whole story."""
    return [[texts_of(option)] for option in item.options]


def _paired(item: Item) -> list[list[Row]]:
    """Each pair by itself; the scores of an option's pairs are added."""
    return [list(option) for option in item.options]


_READING = {"bag": _whole, "bilstm": _paired, "esim": _paired}


@dataclass(frozen=True)
class Reader:
    """Makes batches of items: their texts as word vectors, the rows of each option."""

    kind: str
    vectors: WordVectors
    words: int
    _known: dict[str, Any] = field(default_factory=dict)

    def texts(self, items: Sequence[Item]) -> int:
        """How many texts every row has."""
        counts = {len(row) for item in items for option in _READING[self.kind](item) for row in option}
        if len(counts) != 1:
            raise UsageError(f"{self.kind} models need options of equally many texts, not of {sorted(counts)}")
        return counts.pop()

    def batch(self, items: Sequence[Item]) -> tuple[Batch, Any]:
        """The batch, and for each row the item and the option that it belongs to."""
        torch = library("torch")
        rows, owners = [], []
        for number, item in enumerate(items):
            for place, option in enumerate(_READING[self.kind](item)):
                rows += option
                owners += [(number, place)] * len(option)
        places = {text: place for place, text in enumerate(dict.fromkeys(text for row in rows for text in row))}
        found = [self._numbers(text) for text in places]
        padded = torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=len(self._table) - 1)
        lengths = torch.tensor([len(own) for own in found])
        mask = torch.arange(padded.shape[1])[None, :] < lengths[:, None]
        numbers = torch.tensor([[places[text] for text in row] for row in rows])
        tensors = (self._table[padded].float(), mask, numbers)
        return Batch(*(tensor.to(device()) for tensor in tensors)), torch.tensor(owners, device=device())

    def _numbers(self, text: str) -> Any:
        """The rows of the table that a text's words have; where there is no word, the last one, which is zeros."""
        if text not in self._known:
            words = glove_tokens(text)[: self.words] or [""]
            self._known[text] = library("torch").tensor(self.vectors.numbers(words))
        return self._known[text]

    @cached_property
    def _table(self) -> Any:
        torch = library("torch")
        table = torch.from_numpy(self.vectors.table)
        return torch.cat([table, torch.zeros(1, table.shape[1], dtype=table.dtype)])


@dataclass(frozen=True)
class WordJudge:
    """A trained network."""

    name: str
    shape: str
    network: Network
    reader: Reader

    @property
    def module(self) -> Any:
        """All weights."""
        return self.network.module

    def loss(self, _lesson: str, shape: str, batch: Sequence[Item]) -> Any:
        """The mean negative log-likelihood of what is right."""
        torch = library("torch")
        scores = _scores(self.network, shape, *self.reader.batch(batch))
        golds = torch.tensor([item.gold for item in batch], device=scores.device)
        return torch.nn.functional.cross_entropy(scores, golds)

    def weight(self, batch: Sequence[Item]) -> int:
        """What the loss is a mean over."""
        return len(batch)

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What the network says of each item."""
        torch = library("torch")
        self.network.module.eval()
        verdicts: list[Verdict] = []
        asked = as_items(items)
        for start in range(0, len(asked), _JUDGED_AT_ONCE):
            some = asked[start : start + _JUDGED_AT_ONCE]
            with torch.inference_mode():
                scores = _scores(self.network, self.shape, *self.reader.batch(some)).double().tolist()
            for item, own in zip(some, scores, strict=True):
                answers = len(own) if self.shape == "label" else len(item.options)
                verdicts.append(Verdict(item.id, probabilities=softmax(own[:answers])))
            report("judging", len(verdicts), len(asked))
        return verdicts


def _scores(network: Network, shape: str, batch: Batch, owners: Any) -> Any:
    """A row an item: the scores of its labels, or of its options; minus infinity for those that it has not."""
    torch = library("torch")
    scores = network.scores(batch)
    items, options = (int(count) + 1 for count in owners.amax(dim=0))
    sums = torch.zeros(items * options, scores.shape[1], device=scores.device)
    sums = sums.index_add(0, owners[:, 0] * options + owners[:, 1], scores)
    if shape == "label":
        return sums
    there = torch.zeros(items, options, dtype=torch.bool, device=scores.device)
    there[owners[:, 0], owners[:, 1]] = True
    return sums.view(items, options).masked_fill(~there, float("-inf"))


class WordLearner:
    """One of the networks, as a kind of model."""

    Settings: type = WordSettings
    SHAPES: frozenset[str] = frozenset({"label", "choice"})

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def train(self, lessons: Sequence[TrainingSet], settings: WordSettings, training: Training) -> History:
        """Learns until the held-out items are judged no better, and keeps the best round."""
        lesson = only_lesson(self._kind, self.SHAPES, lessons)
        reader = Reader(self._kind, word_vectors(settings.vectors), settings.words)
        outputs = len(lesson.labels) if lesson.shape == "label" else 1
        texts = reader.texts(as_items(lesson.train))
        form = Form(reader.vectors.width, texts, outputs, settings.hidden, settings.dropout)
        with seeded(training.seed):
            network: Network = NETWORKS[self._kind](form)
            network.module.to(device())
            if training.start is not None:
                _take_over(network, training.start)
            judge = WordJudge("", lesson.shape, network, reader)
            history = TorchTrainer(
                judge,
                [lesson],
                [as_items(lesson.train)],
                TorchTraining(
                    settings.epochs,
                    settings.batch,
                    settings.rate,
                    settings.decay,
                    settings.patience,
                    clip=_CLIP,
                ),
                training,
                length=None,
                evaluate=lambda one: watched(one, judge.judge(one.dev)),
                keep=lambda: save_tensors(training.folder / TENSORS, trained_tensors(network.module), "torch"),
            ).run()
        facts = {"settings": asdict(settings), "form": asdict(form), "vectors": reader.vectors.name}
        describe(training.folder, self._kind, lessons, facts)
        return history

    def load(self, folder: Path, lesson: str) -> Judge:
        """The network in a folder, with the word vectors that it was trained with."""
        found = described(folder, self._kind, lesson)
        settings = WordSettings(**found["settings"])
        vectors = word_vectors(settings.vectors)
        if vectors.name != found["vectors"]:
            raise DataError(folder, expected=f"the word vectors {found['vectors']}", found=vectors.name)
        network: Network = NETWORKS[self._kind](Form(**found["form"]))
        network.module.load_state_dict(_tensors(folder))
        network.module.to(device())
        shape = found["lessons"][lesson]["shape"]
        reader = Reader(self._kind, vectors, settings.words)
        return WordJudge(signature(folder, self._kind), shape, network, reader)


def word_vectors(name: str) -> WordVectors:
    """The vectors that a recipe names: the embedded ones, or a text file as GloVe's authors publish them."""
    if name == "vectors":
        return _embedded(vectors_folder())
    path = Path(name).expanduser()
    if not path.is_file():
        raise UsageError(f"{name}: neither a text file of word vectors nor `vectors`, which are embedded")
    return read_glove(path, f"{path.stem}@{digest_of(path)[:8]}")


@lru_cache(maxsize=1)
def _embedded(folder: Path) -> WordVectors:
    return read_word_vectors(folder, name_of(folder))


def _take_over(network: Network, start: Path) -> None:
    """What another network of the kind has learnt, wherever the two have parts of the same name and size."""
    own = network.module.state_dict()
    taken = {name: part for name, part in _tensors(start).items() if name in own and part.shape == own[name].shape}
    network.module.load_state_dict({**own, **taken})


def _tensors(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    if not (folder / TENSORS).is_file():
        raise UsageError(f"{folder}: no trained network there ({TENSORS})")
    found: dict[str, Any] = load_file(folder / TENSORS)
    return found


LEARNERS: Mapping[str, Learner] = {kind: WordLearner(kind) for kind in NETWORKS}
