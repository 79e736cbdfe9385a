"""The embedded encoder: BERT's forward pass in numpy, for token vectors and sentence vectors without torch.

Texts are sorted by length and their tokens laid end to end, so nothing is computed for padding: attention looks at
one text at a time (texts of equal length together), and everything else at all tokens at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from whence.errors import DataError, MissingDataError
from whence.files import digest_of, read_json
from whence.models.weights import encoder_folder, name_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = NDArray[np.float32]
Result = TypeVar("Result")

SENTENCE_TOKENS = 256
"""Sentence vectors see no more tokens of a text than this: `max_seq_length` of the published sentence encoder."""

_BATCH_TOKENS = 2048  # large enough for fast matrix products, small enough for the cache of a laptop
_BLOCK = 32_768  # numbers that the activation handles at once
_SPECIAL = ("[CLS]", "[SEP]")

# Abramowitz and Stegun, 7.1.26, for 1 - erf; halved, as the normal distribution needs it. Wrong by 1e-7 at most.
_TAIL = tuple(np.float32(a / 2) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592))
_TAIL_SCALE = np.float32(0.3275911 / np.sqrt(2))


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
class Shape:
    """The sizes of a BERT that its weights do not tell."""

    layers: int
    heads: int
    epsilon: float
    most_tokens: int


@dataclass(frozen=True)
class Layer:
    """One layer's weights; matrices are laid out for `rows @ matrix`."""

    attend: tuple[Floats, Floats]  # query (already divided by the root of its width), key and value, side by side
    project: tuple[Floats, Floats]
    attend_norm: tuple[Floats, Floats]
    widen: tuple[Floats, Floats]
    narrow: tuple[Floats, Floats]
    norm: tuple[Floats, Floats]


@dataclass(frozen=True)
class Network:
    """A BERT without its head."""

    shape: Shape
    words: Floats
    positions: Floats  # with the vector of the first segment added: we encode single texts
    norm: tuple[Floats, Floats]
    layers: tuple[Layer, ...]


class Encoder:
    """The encoder in a folder with `model.safetensors`, `config.json` and `tokenizer.json`.

    Nothing is read before the first use, and the fingerprint in the name is that of the file that is read. What of
    the weights was changed by training may lie in a file of its own.
    """

    def __init__(self, folder: Path, tuned: Path | None = None) -> None:
        self.folder = folder
        self.tuned = tuned

    @cached_property
    def name(self) -> str:
        """The model's name and the start of its weights' SHA-256."""
        changed = "" if self.tuned is None else f"+{digest_of(self.tuned)[:8]}"
        return f"{name_of(self.folder)}{changed}"

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._network.words.shape[1])

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, by number, with those that frame it."""
        return self._ids(texts, self._network.shape.most_tokens)

    def tokens(self, texts: Sequence[str]) -> list[EncodedText]:
        """The tokens of each text with their vectors in context. Equal texts share one result."""
        known = (self._tokenizer.token_to_id(token) for token in _SPECIAL)
        special = [token for token in known if token is not None]

        def encoded(ids: list[int], vectors: Floats) -> EncodedText:
            return EncodedText(np.asarray(ids), np.isin(ids, special), vectors)

        return self._each(texts, self._network.shape.most_tokens, encoded)

    def sentences(self, texts: Sequence[str]) -> Floats:
        """One row a text: the mean of its tokens' vectors, of length 1."""
        most = min(SENTENCE_TOKENS, self._network.shape.most_tokens)
        means = self._each(texts, most, lambda _, vectors: vectors.mean(axis=0))
        rows = np.stack(means) if means else np.zeros((0, self.width), dtype=np.float32)
        return normalised(rows)

    def _each(
        self, texts: Sequence[str], most_tokens: int, result: Callable[[list[int], Floats], Result]
    ) -> list[Result]:
        different = list(dict.fromkeys(texts))
        ids = self._ids(different, most_tokens)
        found: dict[str, Result] = {}
        for batch in _batches([len(text) for text in ids]):
            for place, vectors in zip(batch, encode(self._network, [ids[place] for place in batch]), strict=True):
                found[different[place]] = result(ids[place], vectors)
        return [found[text] for text in texts]

    def _ids(self, texts: Sequence[str], most_tokens: int) -> list[list[int]]:
        try:
            "".join(texts).encode()
        except UnicodeEncodeError:  # JSON can write half a character and Python can hold it; tokenizers differ
            raise DataError(expected="texts of whole characters", found="half a character") from None
        return [_truncated(encoding.ids, most_tokens) for encoding in self._tokenizer.encode_batch(list(texts))]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        path = _existing(self.folder / "tokenizer.json")
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _network(self) -> Network:
        return read_network(self.folder, self.tuned)


def embedded_encoder() -> Encoder:
    """The encoder that `whence models get encoder` brings: the same one at every call, so it is read once."""
    return _encoder_at(encoder_folder())


@lru_cache(maxsize=1)
def _encoder_at(folder: Path) -> Encoder:
    return Encoder(folder)


def read_network(folder: Path, tuned: Path | None = None) -> Network:
    """The weights of a BERT, as `transformers` saves it with or without a head, with what another file changes."""
    shape = _shape(folder / "config.json")
    path = _existing(folder / "model.safetensors")
    arrays = _arrays(path, "bert.") | ({} if tuned is None else _arrays(tuned, "backbone."))
    try:
        return _network(shape, arrays)
    except KeyError as error:
        raise DataError(path, expected=f"a BERT with the tensor {error}", found="none of that name") from None


def _arrays(path: Path, prefix: str) -> dict[str, Floats]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return {key.removeprefix(prefix): array.astype(np.float32) for key, array in load_file(path).items()}
    except SafetensorError as error:
        raise DataError(path, expected="a safetensors file", found=str(error)) from None


def _shape(path: Path) -> Shape:
    config: dict[str, Any] = read_json(path)
    for key, expected in (("model_type", "bert"), ("hidden_act", "gelu")):
        if config.get(key) != expected:
            raise DataError(path, expected=f"{key} {expected!r}", found=repr(config.get(key)))
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise DataError(path, expected="absolute positions", found=repr(config["position_embedding_type"]))
    try:
        return Shape(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config["layer_norm_eps"]),
            most_tokens=int(config["max_position_embeddings"]),
        )
    except KeyError as error:
        raise DataError(path, expected=f"the key {error}", found="none") from None


def _network(shape: Shape, arrays: dict[str, Floats]) -> Network:
    def linear(name: str) -> tuple[Floats, Floats]:
        return np.ascontiguousarray(arrays[f"{name}.weight"].T), arrays[f"{name}.bias"]

    def norm(name: str) -> tuple[Floats, Floats]:
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def layer(number: int) -> Layer:
        at = f"encoder.layer.{number}"
        parts = [linear(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
        query, bias = parts[0]
        scale = np.float32(1 / np.sqrt(query.shape[1] // shape.heads))
        parts[0] = query * scale, bias * scale
        return Layer(
            attend=(np.hstack([matrix for matrix, _ in parts]), np.hstack([offset for _, offset in parts])),
            project=linear(f"{at}.attention.output.dense"),
            attend_norm=norm(f"{at}.attention.output.LayerNorm"),
            widen=linear(f"{at}.intermediate.dense"),
            narrow=linear(f"{at}.output.dense"),
            norm=norm(f"{at}.output.LayerNorm"),
        )

    return Network(
        shape,
        words=arrays["embeddings.word_embeddings.weight"],
        positions=arrays["embeddings.position_embeddings.weight"]
        + arrays["embeddings.token_type_embeddings.weight"][0],
        norm=norm("embeddings.LayerNorm"),
        layers=tuple(layer(number) for number in range(shape.layers)),
    )


def encode(network: Network, ids: Sequence[Sequence[int]]) -> list[Floats]:
    """The last layer's vectors of each text. Texts of equal length should stand together."""
    lengths = [len(text) for text in ids]
    place = np.concatenate([np.arange(length) for length in lengths])
    rows = network.words[np.concatenate([np.asarray(text) for text in ids])] + network.positions[place]
    rows = _layer_norm(rows, *network.norm, network.shape.epsilon)
    for layer in network.layers:
        rows = _apply(layer, rows, lengths, network.shape)
    return np.split(rows, np.cumsum(lengths)[:-1])


def _apply(layer: Layer, rows: Floats, lengths: list[int], shape: Shape) -> Floats:
    seen = _linear(_attention(_linear(rows, *layer.attend), lengths, shape.heads), *layer.project)
    seen += rows
    seen = _layer_norm(seen, *layer.attend_norm, shape.epsilon)
    wide = _linear(seen, *layer.widen)
    gelu(wide)
    narrow = _linear(wide, *layer.narrow)
    narrow += seen
    return _layer_norm(narrow, *layer.norm, shape.epsilon)


def _linear(rows: Floats, matrix: Floats, bias: Floats) -> Floats:
    product: Floats = rows @ matrix
    product += bias
    return product


def _attention(rows: Floats, lengths: list[int], heads: int) -> Floats:
    """Every token's mean of its own text's values, weighted by softmax(query · key), head by head."""
    width = rows.shape[1] // 3
    mixed = np.empty((len(rows), width), dtype=np.float32)
    start = 0
    for length, run in groupby(lengths):
        texts = len(list(run))
        end = start + texts * length
        parts = rows[start:end].reshape(texts, length, 3, heads, width // heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        weights = query @ key.swapaxes(-1, -2)
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed[start:end] = (weights @ value).transpose(0, 2, 1, 3).reshape(-1, width)
        start = end
    return mixed


def _layer_norm(rows: Floats, weight: Floats, bias: Floats, epsilon: float) -> Floats:
    centred: Floats = rows - rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred) / np.float32(rows.shape[1])
    centred /= np.sqrt(variance + np.float32(epsilon))[:, None]
    centred *= weight
    centred += bias
    return centred


def gelu(values: Floats) -> None:
    """Replaces each x by x Φ(x), with Φ the normal distribution, = max(x, 0) - |x| (1 - Φ(|x|)).

    Block by block, so that all steps find their numbers in the processor's cache: four times as fast as an `erf`.
    """
    flat = values.reshape(-1)
    memory = np.empty((3, min(_BLOCK, flat.size)), dtype=np.float32)
    for start in range(0, flat.size, _BLOCK):
        block = flat[start : start + _BLOCK]
        size, inverse, tail = memory[:, : len(block)]
        np.abs(block, out=size)
        np.multiply(size, _TAIL_SCALE, out=inverse)
        inverse += np.float32(1)
        np.reciprocal(inverse, out=inverse)
        np.multiply(inverse, _TAIL[0], out=tail)
        for factor in _TAIL[1:]:
            tail += factor
            tail *= inverse
        density = np.multiply(size, size, out=inverse)
        density *= np.float32(-0.5)
        np.exp(density, out=density)
        tail *= density
        tail *= size
        np.maximum(block, np.float32(0), out=block)
        block -= tail


def _truncated(ids: list[int], most: int) -> list[int]:
    """The first tokens, and the last one, which ends every text."""
    return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


def normalised(rows: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True).astype(np.float32)
    unit: Floats = rows / np.maximum(lengths, np.float32(1e-12))
    return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts, shortest text first, in batches of a limited number of tokens."""
    batch: list[int] = []
    size = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and size + lengths[place] > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += lengths[place]
    if batch:
        yield batch


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise MissingDataError(f"{path}: no such file")
    return path
