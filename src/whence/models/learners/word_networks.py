"""Networks over word vectors: a bag of words, InferSent, ESIM. Each scores rows of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from whence.models.loading import library


@dataclass(frozen=True)
class Batch:
    """Texts as vectors of their words, each once, and the texts that each row is made of."""

    vectors: Any
    """Text, word, number; zeros behind the last word."""
    mask: Any
    """Text, word: where there is a word. Each text has one at least."""
    rows: Any
    """Row, text: which text stands there."""


class Network(Protocol):
    """What is trained: `module` has all weights."""

    module: Any

    def scores(self, batch: Batch) -> Any:
        """Row, output."""


@dataclass(frozen=True)
class Form:
    """The sizes of a network."""

    width: int
    """Numbers of a word vector."""
    texts: int
    """Of a row."""
    outputs: int
    hidden: int
    dropout: float


class Bag:
    """The mean of the word vectors of each text, side by side, through fully connected layers (ART, A.4)."""

    def __init__(self, form: Form) -> None:
        torch = library("torch")
        layers = _layers(torch, (form.texts * form.width, form.hidden, form.hidden, form.outputs), form.dropout)
        self.module = torch.nn.ModuleDict({"layers": layers})

    def scores(self, batch: Batch) -> Any:
        """The vectors of a row's texts are one long vector."""
        means = batch.vectors.sum(dim=1) / batch.mask.sum(dim=1, keepdim=True)
        return self.module["layers"](means[batch.rows].flatten(start_dim=1))


class BiLstm:
    """InferSent (Conneau et al. 2017): texts as the maximum over a bidirectional LSTM's states, then compared."""

    def __init__(self, form: Form) -> None:
        torch = library("torch")
        width = 2 * form.hidden
        compared = form.texts * width + 2 * (form.texts - 1) * width
        layers = _layers(torch, (compared, form.hidden, form.outputs), form.dropout)
        self.module = torch.nn.ModuleDict({"encoder": _lstm(torch, form.width, form.hidden), "layers": layers})

    def scores(self, batch: Batch) -> Any:
        """Of texts next to each other also the difference and the product are seen."""
        torch = library("torch")
        states = _encoded(torch, self.module["encoder"], batch.vectors, batch.mask)
        pooled = states.masked_fill(~batch.mask[:, :, None], float("-inf")).amax(dim=1)
        texts = [pooled[column] for column in batch.rows.unbind(dim=1)]
        between = [part for one, other in pairwise(texts) for part in ((one - other).abs(), one * other)]
        return self.module["layers"](torch.cat([*texts, *between], dim=1))


class Esim:
    """ESIM (Chen et al. 2017) for two texts, with word vectors where the paper has ELMo."""

    def __init__(self, form: Form) -> None:
        torch = library("torch")
        width, nn = 2 * form.hidden, torch.nn
        self.module = nn.ModuleDict(
            {
                "encoder": _lstm(torch, form.width, form.hidden),
                "projection": nn.Sequential(
                    nn.Linear(4 * width, form.hidden), nn.ReLU(), nn.Dropout(form.dropout)
                ),
                "composition": _lstm(torch, form.hidden, form.hidden),
                "layers": nn.Sequential(
                    nn.Dropout(form.dropout),
                    nn.Linear(4 * width, form.hidden),
                    nn.Tanh(),
                    nn.Dropout(form.dropout),
                    nn.Linear(form.hidden, form.outputs),
                ),
            }
        )

    def scores(self, batch: Batch) -> Any:
        """Encodes, aligns each word with the other text softly, compares, reads again, pools, decides."""
        torch = library("torch")
        states = _encoded(torch, self.module["encoder"], batch.vectors, batch.mask)
        first, second = (states[column] for column in batch.rows.unbind(dim=1))
        mask, other_mask = (batch.mask[column] for column in batch.rows.unbind(dim=1))
        alike = first @ second.transpose(1, 2)
        pooled = [
            *self._read_again(torch, first, _aligned(alike, other_mask, second), mask),
            *self._read_again(torch, second, _aligned(alike.transpose(1, 2), mask, first), other_mask),
        ]
        return self.module["layers"](torch.cat(pooled, dim=1))

    def _read_again(self, torch: Any, own: Any, aligned: Any, mask: Any) -> tuple[Any, Any]:
        """The mean and the maximum over the words of a text, each compared with what it is aligned with."""
        compared = self.module["projection"](torch.cat([own, aligned, own - aligned, own * aligned], dim=2))
        states = _encoded(torch, self.module["composition"], compared, mask)
        mean = states.sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return mean, states.masked_fill(~mask[:, :, None], float("-inf")).amax(dim=1)


NETWORKS: Mapping[str, type[Bag] | type[BiLstm] | type[Esim]] = {"bag": Bag, "bilstm": BiLstm, "esim": Esim}


def _layers(torch: Any, sizes: Sequence[int], dropout: float) -> Any:
    """Fully connected layers, with ReLU and dropout between them."""
    parts: list[Any] = []
    for size, following in pairwise(sizes):
        parts += [torch.nn.Linear(size, following), torch.nn.ReLU(), torch.nn.Dropout(dropout)]
    return torch.nn.Sequential(*parts[:-2])


def _lstm(torch: Any, width: int, hidden: int) -> Any:
    return torch.nn.LSTM(width, hidden, batch_first=True, bidirectional=True)


def _encoded(torch: Any, lstm: Any, vectors: Any, mask: Any) -> Any:
    """The states of both directions at each word; zeros behind the last one, where the way back begins."""
    rnn = torch.nn.utils.rnn
    packed = rnn.pack_padded_sequence(vectors, mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
    return rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=vectors.shape[1])[0]


def _aligned(alike: Any, mask: Any, states: Any) -> Any:
    """For each word the mean of the other text's words, weighted by how like they are."""
    weights = alike.masked_fill(~mask[:, None, :], float("-inf")).softmax(dim=2)
    return weights @ states
