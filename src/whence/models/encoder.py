"""Encoders without torch: token vectors and sentence vectors of texts and of pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from whence.errors import DataError, MissingDataError
from whence.files import digest_of
from whence.models.encoder_network import Floats as Floats
from whence.models.encoder_network import Network, Shape, encode, read_network, read_shape
from whence.models.weights import encoder_folder, located, name_of

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Text = TypeVar("Text", str, tuple[str, str])
Result = TypeVar("Result")

Pooling = Literal["first", "mean"]
"""What stands for a whole text: the first token's vector, or the mean of all tokens'."""

_POOLED: Mapping[Pooling, Callable[[Floats], Floats]] = {
    "first": lambda vectors: vectors[0],
    "mean": lambda vectors: vectors.mean(axis=0),
}
_BATCH_TOKENS = 2048  # large enough for fast matrix products, small enough for the cache of a laptop
_SPECIAL = ("[CLS]", "[SEP]", "<s>", "</s>")


@dataclass(frozen=True)
class EncodedText:
    """A text's tokens with one vector each. `special` marks those that frame every text, such as [CLS]."""

    ids: NDArray[np.int64]
    special: NDArray[np.bool_]
    vectors: Floats


class TokenEncoder(Protocol):
    """What gives every token of a text a vector."""

    @property
    def name(self) -> str:
        """Which model it is, with a fingerprint of its weights."""

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, by number; no more of them than `tokens` has."""

    def tokens(self, texts: Sequence[str]) -> list[EncodedText]:
        """The tokens of each text with a vector each."""


@dataclass(frozen=True)
class _Tokens:
    """A text, or a pair of texts, as numbers, and where BERT's second segment begins (without one, at the end)."""

    ids: list[int]
    second: int


class Encoder:
    """The BERT or MPNet in a folder with `model.safetensors`, `config.json` and `tokenizer.json`.

    Nothing is read before the first use, and the fingerprint in the name is that of the file that is read. What of
    the weights was changed by training may lie in a file of its own (`tuned`), or be added to them (`deltas`).
    """

    def __init__(
        self, folder: Path, tuned: Path | None = None, deltas: Callable[[], Mapping[str, Floats]] = dict
    ) -> None:
        self.folder = folder
        self.tuned = tuned
        self._deltas = deltas
        self._truncating_tokenizers: dict[int, Tokenizer] = {}

    @cached_property
    def name(self) -> str:
        """The model's name and the start of its weights' SHA-256."""
        changed = "" if self.tuned is None else f"+{digest_of(self.tuned)[:8]}"
        return f"{name_of(self.folder)}{changed}"

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return self._shape.width

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, by number, with those that frame it."""
        return [tokens.ids for tokens in self._tokens(texts, self._shape.most_tokens)]

    def tokens(self, texts: Sequence[Text]) -> list[EncodedText]:
        """The tokens of each text, or pair of texts, with their vectors in context. Equal ones share one result.

        Of a pair that is too long, the longer text loses tokens at its end, as `transformers` does it.
        """
        known = (self._tokenizer.token_to_id(token) for token in _SPECIAL)
        special = [token for token in known if token is not None]

        def encoded(ids: list[int], vectors: Floats) -> EncodedText:
            return EncodedText(np.asarray(ids), np.isin(ids, special), vectors)

        return self._each(texts, self._shape.most_tokens, encoded)

    def sentences(self, texts: Sequence[str]) -> Floats:
        """One row a text: the mean of its tokens' vectors, of length 1."""
        return normalised(self.pooled(texts, "mean", self._shape.architecture.sentence_tokens))

    def pooled(self, texts: Sequence[Text], pooling: Pooling, most_tokens: int) -> Floats:
        """One row a text, or pair of texts: its first token's vector, or the mean of all its tokens' vectors."""
        most = min(most_tokens, self._shape.most_tokens)
        rows = self._each(texts, most, lambda _, vectors: _POOLED[pooling](vectors))
        return np.stack(rows) if rows else np.zeros((0, self.width), dtype=np.float32)

    def _each(
        self, texts: Sequence[Text], most_tokens: int, result: Callable[[list[int], Floats], Result]
    ) -> list[Result]:
        different = list(dict.fromkeys(texts))
        tokens = self._tokens(different, most_tokens)
        results: dict[Text, Result] = {}
        for batch in _batches([len(text.ids) for text in tokens]):
            ids = [tokens[index].ids for index in batch]
            encoded = encode(self._network, ids, [tokens[index].second for index in batch])
            for index, vectors in zip(batch, encoded, strict=True):
                results[different[index]] = result(tokens[index].ids, vectors)
        return [results[text] for text in texts]

    def _tokens(self, texts: Sequence[Text], most_tokens: int) -> list[_Tokens]:
        try:
            "".join(text if isinstance(text, str) else "".join(text) for text in texts).encode()
        except UnicodeEncodeError:  # JSON can write half a character and Python can hold it; tokenizers differ
            raise DataError(expected="texts of whole characters", found="half a character") from None
        encodings: list[Encoding] = self._tokenizer.encode_batch(list(texts))
        for index, encoding in enumerate(encodings):
            if len(encoding.ids) > most_tokens:
                encodings[index] = self._truncating(most_tokens).encode_batch([texts[index]])[0]
        return [_numbers(encoding) for encoding in encodings]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        path = self.folder / "tokenizer.json"
        if not path.is_file():
            raise MissingDataError(f"{path}: no such file")
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _truncating(self, most_tokens: int) -> Tokenizer:
        """Another tokenizer, which cuts texts off: one that changes would not do for several threads."""
        if most_tokens not in self._truncating_tokenizers:
            tokenizer = type(self._tokenizer).from_str(self._tokenizer.to_str())
            tokenizer.enable_truncation(most_tokens)
            self._truncating_tokenizers[most_tokens] = tokenizer
        return self._truncating_tokenizers[most_tokens]

    @cached_property
    def _shape(self) -> Shape:
        return read_shape(self.folder)

    @cached_property
    def _network(self) -> Network:
        return read_network(self.folder, self.tuned, self._deltas())


def embedded_encoder() -> Encoder:
    """The encoder that `whence models get encoder` brings: the same one at every call, so it is read once."""
    return _encoder_at(encoder_folder())


def encoder_named(weights: str) -> Encoder:
    """An encoder by a name of the catalogue (`encoder`, `reader`) or by its folder; it is read once."""
    return _encoder_at(located(weights))


@lru_cache(maxsize=2)
def _encoder_at(folder: Path) -> Encoder:
    return Encoder(folder)


def _numbers(encoding: Encoding) -> _Tokens:
    second = encoding.type_ids.index(1) if 1 in encoding.type_ids else len(encoding.ids)
    return _Tokens(encoding.ids, second)


def normalised(rows: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True).astype(np.float32)
    unit: Floats = rows / np.maximum(lengths, np.float32(1e-12))
    return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices of texts, shortest text first, in batches of a limited number of tokens."""
    batch: list[int] = []
    size = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and size + lengths[index] > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(index)
        size += lengths[index]
    if batch:
        yield batch
