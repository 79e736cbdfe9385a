"""Fine-tuned transformers: the embedded encoder or language model, or any checkpoint, under a head a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from whence.errors import DataError, UsageError
from whence.files import digest_of, dump_json, read_json, write_text
from whence.models.items import AnyItem, FoundSpan, Item, SpanItem, TrainingSet, Verdict
from whence.models.learners.saved import save_tensors
from whence.models.loading import by_length, device, library
from whence.models.measures import watched
from whence.models.training import History, Training
from whence.models.training.torch_trainer import FineTuning, TorchTrainer, copied, seeded
from whence.models.transformer.backbone import load_backbone
from whence.models.transformer.lora import adapt, merge
from whence.models.transformer.network import Network, freeze_lower, outputs_of, weights_of_labels
from whence.models.transformer.reading import Read, Reader
from whence.progress import Report, unreported

WEIGHTS, FORM = "weights.safetensors", "network.json"
SPANS = 10
"""How many spans a verdict has at most."""
_LONGEST_SPAN = 30  # tokens
_JUDGED_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class TransformerSettings(FineTuning):
    """What a recipe may set."""

    weights: str = "encoder"
    """`encoder`, `writer`, the folder of a checkpoint, or a name on transformers' hub."""
    tuning: Literal["full", "lora"] = "full"
    rank: int = 16
    """Of the adapters, where tuning is `lora`."""
    freeze: int = 0
    """How many layers, from the first one, stay as they are, with the embeddings."""
    pooling: Literal["auto", "first", "mean", "last"] = "auto"
    dropout: float = 0.1
    balance: float = 0.0
    """How much more items of rare labels count: 0 all items count alike, 1 all labels do."""
    tokens: int = 128
    """The longest input."""
    epochs: int = 3
    batch: int = 16
    rate: float = 5e-5
    warmup: float = 0.06
    decay: float = 0.01
    patience: int = 2
    """Epochs without improvement on the held-out items after which training stops."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of products in training; `auto`: bfloat16 where the processor has instructions for it. Judging is exact."""


class TransformerLearner:
    """The kind `transformer`."""

    Settings: type = TransformerSettings
    SHAPES = frozenset({"label", "choice", "tags", "span"})

    def train(self, lessons: Sequence[TrainingSet], settings: TransformerSettings, training: Training) -> History:
        """Learns all lessons at once, with one backbone."""
        with seeded(training.seed):
            return _trained(lessons, settings, training)

    def load(self, folder: Path, lesson: str) -> _Judge:
        """The model in a folder, for one of the lessons it learnt."""
        network, form = _loaded(folder)
        if lesson not in form["lessons"]:
            raise UsageError(f"{folder} did not learn {lesson}; it learnt {', '.join(form['lessons'])}")
        reader = Reader(network.backbone, form["settings"]["tokens"])
        name = f"{folder.resolve().name}@{digest_of(folder / WEIGHTS)[:8]}"
        return _Judge(network, reader, lesson, form["lessons"][lesson][0], name)


LEARNERS = {"transformer": TransformerLearner()}


def _trained(lessons: Sequence[TrainingSet], settings: TransformerSettings, training: Training) -> History:
    outputs = {lesson.name: outputs_of(lesson) for lesson in lessons}
    network, changed = _network(settings, outputs, training.start)
    _set_trainable(network, settings)
    if settings.balance:
        network.balance = {
            lesson.name: weights_of_labels(lesson, settings.balance)
            for lesson in lessons
            if lesson.shape == "label"
        }
    reader = Reader(network.backbone, settings.tokens)
    read = [[item for item in reader.read(lesson.train) if _is_answered(lesson, item)] for lesson in lessons]
    form = {
        "settings": asdict(settings),
        "lessons": {lesson.name: [lesson.shape, list(lesson.labels), outputs[lesson.name]] for lesson in lessons},
        "backbone": network.backbone.name,
    }
    return TorchTrainer(
        network,
        lessons,
        read,
        settings.training,
        training,
        length=lambda item: item.length,
        evaluate=lambda lesson: watched(
            lesson, _Judge(network, reader, lesson.name, lesson.shape, "").judge(lesson.dev)
        ),
        keep=lambda: _save(training.folder, network, form, changed),
    ).run()


class _Judge:
    """A trained network on one of its lessons."""

    def __init__(self, network: Network, reader: Reader, lesson: str, shape: str, name: str) -> None:
        self.name = name
        self._network, self._reader, self._lesson, self._shape = network, reader, lesson, shape

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What the network says of each item."""
        torch = library("torch")
        self._network.module.eval().to(device())
        read = self._reader.read(items)
        found: dict[int, Verdict] = {}
        for places in by_length([item.length for item in read], _JUDGED_AT_ONCE):
            with torch.inference_mode():
                scores = self._network.scores(self._lesson, self._shape, [read[place] for place in places])
            for place, own in zip(places, scores, strict=True):
                found[place] = _verdict(items[place], read[place], own.double().cpu())
            report("judging", len(found), len(items))
        return [found[place] for place in range(len(items))]


def _verdict(item: AnyItem, read: Read, scores: Any) -> Verdict:
    if isinstance(item, Item):
        return Verdict(item.id, probabilities=tuple(scores.softmax(dim=-1).tolist()))
    if isinstance(item, SpanItem):
        return Verdict(item.id, spans=_spans(item, read, scores))
    best = scores.argmax(dim=-1).tolist()
    outside = max(0, scores.shape[-1] - 1)  # words behind the longest input are tagged with the last tag, `O`
    chances = [tuple(row) for row in scores.softmax(dim=-1).tolist()]
    surely = tuple(float(tag == outside) for tag in range(scores.shape[-1]))
    return Verdict(
        item.id,
        tags=tuple(best[token] if token >= 0 else outside for token in read.words),
        chances=tuple(chances[token] if token >= 0 else surely for token in read.words),
    )


def _spans(item: SpanItem, read: Read, scores: Any) -> tuple[FoundSpan, ...]:
    """The most probable spans, of different texts."""
    torch = library("torch")
    inside = torch.tensor([end > start for start, end in read.offsets])
    if not inside.any():
        return ()
    logs = torch.log_softmax(scores.masked_fill(~inside[:, None], float("-inf")), dim=0)
    both = logs[:, 0][:, None] + logs[:, 1][None, :]
    allowed = torch.ones_like(both).triu().tril(_LONGEST_SPAN - 1).bool()
    both = both.masked_fill(~allowed, float("-inf")).flatten()
    values, places = both.topk(min(4 * SPANS, len(both)))
    found: dict[str, FoundSpan] = {}
    for value, place in zip(values.tolist(), places.tolist(), strict=True):
        first, last = divmod(place, len(scores))
        start, end = read.offsets[first][0], read.offsets[last][1]
        text = item.context[start:end]
        if value > float("-inf") and text.strip() and len(found) < SPANS:
            found.setdefault(text, FoundSpan(start, end, text, float(torch.tensor(value).exp())))
    return tuple(found.values())


def _is_answered(lesson: TrainingSet, read: Read) -> bool:
    """Whether the right answer is within the longest input."""
    return {
        "label": read.gold is not None,
        "choice": read.gold is not None,
        "tags": bool(read.tags) and any(word >= 0 for word in read.words),
        "span": read.span is not None,
    }[lesson.shape]


def _network(
    settings: TransformerSettings, outputs: dict[str, int], start: Path | None
) -> tuple[Network, set[str]]:
    """A network with its pretrained backbone, or with that of another model; and what the latter had changed."""
    backbone = load_backbone(settings.weights)
    network = Network(backbone, outputs, settings.pooling, settings.dropout)
    if start is None:
        return network, set()
    before, form = _loaded(start)
    if form["backbone"] != backbone.name:
        raise UsageError(
            f"{start} is a {form['backbone']}, this is to be a {backbone.name}: take the same weights"
        )
    merge(before.backbone.model)
    backbone.model.load_state_dict(before.backbone.model.state_dict())
    for name, head in before.heads.items():
        if outputs.get(name) == form["lessons"][name][2]:
            network.module[network.heads[name]].load_state_dict(before.module[head].state_dict())
    return network, {f"backbone.{name}" for name, _ in backbone.model.named_parameters()}


def _set_trainable(network: Network, settings: TransformerSettings) -> None:
    model = network.backbone.model
    if settings.tuning == "lora":
        adapt(model, settings.rank)
    freeze_lower(model, settings.freeze)


def _save(folder: Path, network: Network, form: dict[str, Any], changed: set[str]) -> None:
    """What differs from the pretrained weights, and what the network is."""
    tensors = {
        name: copied(weights)
        for name, weights in network.module.named_parameters()
        if weights.requires_grad or name.replace(".base.", ".") in changed
    }
    save_tensors(folder / WEIGHTS, tensors, "torch")
    write_text(folder / FORM, dump_json(form) + "\n")


def _loaded(folder: Path) -> tuple[Network, dict[str, Any]]:
    from safetensors.torch import load_file

    form: dict[str, Any] = read_json(folder / FORM)
    settings = TransformerSettings(**form["settings"])
    backbone = load_backbone(settings.weights)
    if backbone.name != form["backbone"]:
        raise DataError(folder / FORM, expected=f"weights {form['backbone']}", found=backbone.name)
    outputs = {name: count for name, (_, _, count) in form["lessons"].items()}
    network = Network(backbone, outputs, settings.pooling, settings.dropout)
    if settings.tuning == "lora":
        adapt(backbone.model, settings.rank)
    tensors = load_file(folder / WEIGHTS)
    left = network.module.load_state_dict(tensors, strict=False)
    if left.unexpected_keys:
        raise DataError(folder / WEIGHTS, expected="weights of this network", found=left.unexpected_keys[0])
    return network, form
