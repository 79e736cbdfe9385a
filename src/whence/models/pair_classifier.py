"""A classifier of pairs of texts without torch: an encoder with a low-rank adapter merged into it, and its head.

classifier = PairClassifier(located("reader"), Path("adapters/entailment"))
classifier.logits([("Robins are birds. Birds lay eggs.", "A robin lays eggs.")])   # a row with one a label
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from whence.errors import DataError
from whence.files import digest_of
from whence.models.adapters import Adapter, read_adapter
from whence.models.encoder import Encoder
from whence.models.encoder_network import Floats


class PairClassifier:
    """Scores the labels of an adapter for pairs of texts. Nothing is read before the first use.

    Of a pair that is too long, the longer text loses tokens at its end.
    """

    def __init__(self, base: Path, adapter: Path) -> None:
        self._base, self._folder = base, adapter

    @cached_property
    def name(self) -> str:
        """The base model and the adapter, each with a fingerprint."""
        return f"{self._encoder.name}+{self._folder.name}@{self.adapter.digest[:8]}"

    @cached_property
    def adapter(self) -> Adapter:
        """What was trained, with its labels and its card."""
        return read_adapter(self._folder)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """One row a pair, with one number for each of the adapter's labels."""
        weight, bias = self.adapter.head
        vectors = self._encoder.pooled(pairs, self.adapter.pooling, self.adapter.most_tokens)
        rows: Floats = vectors @ weight.T + bias
        return rows

    @cached_property
    def _encoder(self) -> Encoder:
        path = self._base / "model.safetensors"
        encoder = Encoder(self._base, deltas=self.adapter.deltas)
        if path.is_file() and (digest := digest_of(path)) != self.adapter.base_sha256:
            expected = f"the weights that the adapter in {self._folder} was trained on"
            raise DataError(
                path, expected=f"{expected} (sha256 {self.adapter.base_sha256[:12]})", found=digest[:12]
            )
        return encoder
