"""A backbone with one output layer for each lesson, and what it says of rows of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from whence.models.items import Item, TrainingSet
from whence.models.loading import library
from whence.models.transformer.reading import Read, Row

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone

_UNTOLD = -100  # the target of tokens that have none, as torch leaves it out


def outputs_of(lesson: TrainingSet) -> int:
    """How many numbers the output layer gives."""
    pairs = max((len(option) for item in lesson.train for option in getattr(item, "options", ())), default=1)
    return {"label": len(lesson.labels), "tags": len(lesson.labels), "choice": pairs, "span": 2}[lesson.shape]


def weights_of_labels(lesson: TrainingSet, balance: float) -> list[float]:
    """How much an item of each label counts: with 0 as much as any other, with 1 so that labels count alike.

    The mean over all items is 1, so that the rate of learning means the same.
    """
    golds = Counter(item.gold for item in lesson.train if isinstance(item, Item) and item.gold is not None)
    shares = [golds[label] ** -balance if golds[label] else 0.0 for label in range(len(lesson.labels))]
    mean = sum(shares[label] * count for label, count in golds.items()) / max(1, golds.total())
    return [share / mean for share in shares]


class Network:
    """What is trained. `module` has all weights; `heads` names the output layers."""

    def __init__(self, backbone: Backbone, outputs: Mapping[str, int], pooling: str, dropout: float) -> None:
        torch = library("torch")
        self.backbone = backbone
        self.pooling = ("last" if backbone.is_causal else "mean") if pooling == "auto" else pooling
        self.heads = {name: f"head{number}" for number, name in enumerate(outputs)}
        layers = {self.heads[name]: torch.nn.Linear(backbone.width, count) for name, count in outputs.items()}
        self.module = torch.nn.ModuleDict({"backbone": backbone.model, **layers})
        self._dropout = torch.nn.Dropout(dropout)
        self.balance: dict[str, list[float]] = {}
        """Of lessons whose labels are to be balanced: how much an item of each label counts."""

    def scores(self, lesson: str, shape: str, batch: Sequence[Read]) -> list[Any]:
        """For each item: scores of its labels or options; of each word; or of each token as start and as end."""
        torch = library("torch")
        rows = [row for read in batch for row in read.rows]
        hidden = hidden_states(self.backbone, rows)
        layer = self.module[self.heads[lesson]]
        if shape in ("tags", "span"):
            scores = layer(self._dropped(hidden))
            return [scores[number, : len(row.ids)] for number, row in enumerate(rows)]
        vectors = self._dropped(torch.cat([self._pooled(hidden[number], row) for number, row in enumerate(rows)]))
        scores, found, start = layer(vectors), [], 0
        for read in batch:
            own = scores[start : start + len(read.pairs)]
            start += len(read.pairs)
            found.append(own[0] if shape == "label" else _by_option(own, read.pairs))
        return found

    def loss(self, lesson: str, shape: str, batch: Sequence[Read]) -> Any:
        """The mean over items of the negative log-likelihood of what is right."""
        torch = library("torch")
        counts = self.balance.get(lesson)
        losses = [
            _LOSSES[shape](torch, scores, read)
            * (1.0 if counts is None or read.gold is None else counts[read.gold])
            for scores, read in zip(self.scores(lesson, shape, batch), batch, strict=True)
        ]
        return torch.stack(losses).mean()

    def weight(self, batch: Sequence[Read]) -> int:
        """What the loss is a mean over."""
        return len(batch)

    def _dropped(self, vectors: Any) -> Any:
        return self._dropout(vectors) if self.module.training else vectors

    def _pooled(self, hidden: Any, row: Row) -> Any:
        """A vector for each option of a row."""
        if self.pooling == "mean":
            return hidden[: len(row.ids)].mean(dim=0, keepdim=True)
        return hidden[[0] if self.pooling == "first" else [end - 1 for end in row.ends]]


def freeze_lower(model: Any, layers: int) -> None:
    """Lets so many layers, from the first one, stay as they are, with the embeddings; 0 is none of them."""
    if layers:
        lower = tuple(f"{name}.{n}." for name in ("layers", "layer", "h") for n in range(layers))
        for name, weights in model.named_parameters():
            if "embed" in name or "wte" in name or any(part in name for part in lower):
                weights.requires_grad = False


def hidden_states(backbone: Backbone, rows: Sequence[Row]) -> Any:
    """The last layer's vectors of all rows, padded to the longest."""
    torch = library("torch")
    device = next(backbone.model.parameters()).device
    longest = max(len(row.ids) for row in rows)
    padding = backbone.tokenizer.pad_token_id or 0
    ids = torch.tensor([[*row.ids, *[padding] * (longest - len(row.ids))] for row in rows], device=device)
    inputs: dict[str, Any] = {"input_ids": ids}
    if any(row.types for row in rows):
        types = [[*row.types, *[0] * (longest - len(row.types))] for row in rows]
        inputs["token_type_ids"] = torch.tensor(types, device=device)
    if any(len(row.ends) > 1 for row in rows):
        masks = torch.stack([_mask(torch, row, longest) for row in rows])[:, None]
        inputs["attention_mask"] = masks.to(device)
        inputs["position_ids"] = torch.tensor([_positions(row, longest) for row in rows], device=device)
    else:
        lengths = torch.tensor([len(row.ids) for row in rows], device=device)
        inputs["attention_mask"] = (torch.arange(longest, device=device)[None] < lengths[:, None]).long()
    if backbone.is_causal:
        inputs["use_cache"] = False
    return backbone.model(**inputs).last_hidden_state


def _by_option(scores: Any, pairs: Sequence[int]) -> Any:
    """The sum over an option's pairs, each scored by its own output: phi and phi' of the linear chain."""
    torch = library("torch")
    own = scores[torch.arange(len(pairs)), torch.tensor(pairs)]
    return own.reshape(-1, max(pairs) + 1).sum(dim=1)


def _mask(torch: Any, row: Row, longest: int) -> Any:
    """Who sees whom: everyone what came before, but no option another one. Padding sees itself."""
    size = len(row.ids)
    mask = torch.zeros(longest, longest, dtype=torch.bool)
    mask[:size, :size] = torch.ones(size, size, dtype=torch.bool).tril()
    for start, end in zip((row.shared, *row.ends), row.ends, strict=False):
        mask[start:end, row.shared : start] = False
    mask.fill_diagonal_(True)
    return mask


def _positions(row: Row, longest: int) -> list[int]:
    """Every option stands right behind the shared start."""
    found = list(range(row.shared))
    for start, end in zip((row.shared, *row.ends), row.ends, strict=False):
        found += range(row.shared, row.shared + end - start)
    return [*found, *[0] * (longest - len(found))]


def _of_one(torch: Any, scores: Any, read: Read) -> Any:
    return -torch.log_softmax(scores, dim=-1)[read.gold]


def _of_words(torch: Any, scores: Any, read: Read) -> Any:
    targets = torch.full((len(scores),), _UNTOLD)
    for token, tag in zip(read.words, read.tags, strict=True):
        if token >= 0:
            targets[token] = tag
    return torch.nn.functional.cross_entropy(scores, targets.to(scores.device), ignore_index=_UNTOLD)


def _of_span(torch: Any, scores: Any, read: Read) -> Any:
    inside = torch.tensor([end > start for start, end in read.offsets], device=scores.device)
    logs = torch.log_softmax(scores.masked_fill(~inside[:, None], float("-inf")), dim=0)
    first, last = read.span or (0, 0)
    return -(logs[first, 0] + logs[last, 1]) / 2


_LOSSES = {"label": _of_one, "choice": _of_one, "tags": _of_words, "span": _of_span}
