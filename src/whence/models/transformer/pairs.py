"""Queries and documents read apart: each has a vector, and near vectors mean that the document is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whence.models.loading import library
from whence.models.transformer.network import hidden_states
from whence.models.transformer.reading import Row

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone


@dataclass(frozen=True, slots=True)
class AskedPair:
    """A query with a relevant document and others that are not."""

    query: Row
    documents: tuple[Row, ...]
    """The relevant one first."""
    names: tuple[str, ...]
    """Of the documents."""
    gold: frozenset[str]
    """All documents that are relevant to the query."""

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return len(self.query.ids) + sum(len(row.ids) for row in self.documents)


class PairNetwork:
    """An encoder whose vectors are trained: the mean over tokens, of length 1."""

    def __init__(self, backbone: Backbone, scale: float) -> None:
        self.backbone = backbone
        self.module = library("torch").nn.ModuleDict({"backbone": backbone.model})
        self._scale = scale

    def vectors(self, rows: Sequence[Row]) -> Any:
        """One vector a row."""
        torch = library("torch")
        hidden = hidden_states(self.backbone, rows)
        lengths = torch.tensor([len(row.ids) for row in rows], device=hidden.device)
        inside = torch.arange(hidden.shape[1], device=hidden.device)[None] < lengths[:, None]
        means = (hidden * inside[..., None]).sum(dim=1) / lengths[:, None]
        return torch.nn.functional.normalize(means, dim=-1)

    def loss(self, _lesson: str, _shape: str, batch: Sequence[AskedPair]) -> Any:
        """How improbable the relevant document is among all documents of the batch, other relevant ones aside."""
        torch = library("torch")
        rows = {name: row for pair in batch for name, row in zip(pair.names, pair.documents, strict=True)}
        places = {name: place for place, name in enumerate(rows)}
        scores = self._scale * self.vectors([pair.query for pair in batch]) @ self.vectors(list(rows.values())).T
        aside = torch.zeros_like(scores, dtype=torch.bool)
        for number, pair in enumerate(batch):
            for name in pair.gold & places.keys() - {pair.names[0]}:
                aside[number, places[name]] = True
        right = torch.tensor([places[pair.names[0]] for pair in batch], device=scores.device)
        return torch.nn.functional.cross_entropy(scores.masked_fill(aside, float("-inf")), right)

    def weight(self, batch: Sequence[AskedPair]) -> int:
        """What the loss is a mean over."""
        return len(batch)
