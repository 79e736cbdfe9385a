"""The forward pass of encoders in numpy: BERT (such as MiniLM) and MPNet, without torch.

Texts of equal length stand together and their tokens are laid end to end, so nothing is computed for padding:
attention looks at one text at a time (texts of equal length together), and everything else at all tokens at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whence.errors import DataError, MissingDataError
from whence.files import read_json

Floats = NDArray[np.float32]

_BLOCK = 32_768  # numbers that the activation handles at once
_FURTHEST = 128  # MPNet's `max_distance`: all tokens from there on share a bucket

# Abramowitz and Stegun, 7.1.26, for 1 - erf; halved, as the normal distribution needs it. Wrong by 1e-7 at most.
_TAIL = tuple(np.float32(a / 2) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592))
_TAIL_SCALE = np.float32(0.3275911 / np.sqrt(2))


@dataclass(frozen=True)
class Architecture:
    """How `transformers` names and lays out the weights of a kind of encoder."""

    prefix: str
    """What stands before the names where the checkpoint has a head."""
    query: str
    key: str
    value: str
    output: str
    attention_norm: str
    first_position: int
    """The row of the table of positions that belongs to the first token."""
    sentence_tokens: int
    """`max_seq_length` of the published sentence encoder: its vectors see no more of a text."""


ARCHITECTURES = {
    "bert": Architecture(
        prefix="bert.",
        query="attention.self.query",
        key="attention.self.key",
        value="attention.self.value",
        output="attention.output.dense",
        attention_norm="attention.output.LayerNorm",
        first_position=0,
        sentence_tokens=256,
    ),
    "mpnet": Architecture(
        prefix="mpnet.",
        query="attention.attn.q",
        key="attention.attn.k",
        value="attention.attn.v",
        output="attention.attn.o",
        attention_norm="attention.LayerNorm",
        first_position=2,
        sentence_tokens=384,
    ),
}
"""The kinds of encoder that are read, by `model_type`."""


@dataclass(frozen=True)
class Shape:
    """What the configuration of an encoder says of it."""

    architecture: Architecture
    width: int
    """How many numbers a vector has."""
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
    """An encoder without its head."""

    shape: Shape
    words: Floats
    positions: Floats
    """The vector of each position; BERT's with that of the first segment added."""
    second_segment: Floats | None
    """What the vectors of a pair's second text have more than those of its first; None without segments."""
    distances: Floats | None
    """MPNet's relative attention bias, heads by distances; the middle column is that of a token to itself."""
    norm: tuple[Floats, Floats]
    layers: tuple[Layer, ...]


def read_network(folder: Path, tuned: Path | None = None, deltas: Mapping[str, Floats] | None = None) -> Network:
    """The weights of an encoder, as `transformers` saves it with or without a head.

    Tensors in the file `tuned` take the place of those of the same name; `deltas` are added to them.
    """
    shape = read_shape(folder)
    path = folder / "model.safetensors"
    arrays = read_tensors(path, shape.architecture.prefix)
    if tuned is not None:
        arrays |= read_tensors(tuned, "backbone.")
    for name, delta in (deltas or {}).items():
        if name not in arrays or arrays[name].shape != delta.shape:
            raise DataError(path, expected=f"a matrix {name} of {delta.shape}", found="none: is it another model?")
        arrays[name] = arrays[name] + delta
    try:
        return _network(shape, arrays)
    except KeyError as error:
        raise DataError(path, expected=f"an encoder with the tensor {error}", found="none of that name") from None


def read_tensors(path: Path, prefix: str = "") -> dict[str, Floats]:
    """The tensors of a safetensors file in single precision, their names without the prefix."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    if not path.is_file():
        raise MissingDataError(f"{path}: no such file")
    try:
        return {key.removeprefix(prefix): array.astype(np.float32) for key, array in load_file(path).items()}
    except SafetensorError as error:
        raise DataError(path, expected="a safetensors file", found=str(error)) from None


def read_shape(folder: Path) -> Shape:
    """The shape of the encoder in a folder, without reading its weights."""
    path = folder / "config.json"
    config: dict[str, Any] = read_json(path)
    for key, known in (("model_type", list(ARCHITECTURES)), ("hidden_act", ["gelu"])):
        if config.get(key) not in known:
            raise DataError(path, expected=f"{key} {' or '.join(map(repr, known))}", found=repr(config.get(key)))
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise DataError(path, expected="absolute positions", found=repr(config["position_embedding_type"]))
    architecture = ARCHITECTURES[config["model_type"]]
    try:
        return Shape(
            architecture,
            width=int(config["hidden_size"]),
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config["layer_norm_eps"]),
            most_tokens=int(config["max_position_embeddings"]) - architecture.first_position,
        )
    except KeyError as error:
        raise DataError(path, expected=f"the key {error}", found="none") from None


def _network(shape: Shape, arrays: dict[str, Floats]) -> Network:
    architecture = shape.architecture

    def linear(name: str) -> tuple[Floats, Floats]:
        return np.ascontiguousarray(arrays[f"{name}.weight"].T), arrays[f"{name}.bias"]

    def norm(name: str) -> tuple[Floats, Floats]:
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def layer(number: int) -> Layer:
        at = f"encoder.layer.{number}"
        parts = [linear(f"{at}.{part}") for part in (architecture.query, architecture.key, architecture.value)]
        query, bias = parts[0]
        scale = np.float32(1 / np.sqrt(query.shape[1] // shape.heads))
        parts[0] = query * scale, bias * scale
        return Layer(
            attend=(np.hstack([matrix for matrix, _ in parts]), np.hstack([offset for _, offset in parts])),
            project=linear(f"{at}.{architecture.output}"),
            attend_norm=norm(f"{at}.{architecture.attention_norm}"),
            widen=linear(f"{at}.intermediate.dense"),
            narrow=linear(f"{at}.output.dense"),
            norm=norm(f"{at}.output.LayerNorm"),
        )

    positions = arrays["embeddings.position_embeddings.weight"][architecture.first_position :]
    segments = distances = None
    if architecture is ARCHITECTURES["bert"]:
        segments = arrays["embeddings.token_type_embeddings.weight"]
        positions = positions + segments[0]
    else:
        distances = _distances(arrays["encoder.relative_attention_bias.weight"], shape.most_tokens)
    return Network(
        shape,
        words=arrays["embeddings.word_embeddings.weight"],
        positions=positions,
        second_segment=None if segments is None or len(segments) < 2 else segments[1] - segments[0],
        distances=distances,
        norm=norm("embeddings.LayerNorm"),
        layers=tuple(layer(number) for number in range(shape.layers)),
    )


def _distances(table: Floats, most_tokens: int) -> Floats:
    """The bias of each head for each distance, from -(most_tokens - 1) to most_tokens - 1.

    T5's buckets, which MPNet shares: half of them for tokens ahead; of each half, half for near distances one by
    one, the others wider and wider up to the furthest.
    """
    distance = np.arange(1 - most_tokens, most_tokens)
    half = len(table) // 2
    exact = half // 2
    size = np.abs(distance)
    ratio = np.log(np.maximum(size, 1).astype(np.float32) / exact) / np.float32(np.log(_FURTHEST / exact))
    far = np.minimum(exact + (ratio * (half - exact)).astype(np.int64), half - 1)
    bucket = np.where(distance > 0, half, 0) + np.where(size < exact, size, far)
    return np.ascontiguousarray(table[bucket].T)


def encode(network: Network, ids: Sequence[Sequence[int]], starts: Sequence[int] | None = None) -> list[Floats]:
    """The last layer's vectors of each text. Texts of equal length should stand together.

    Of pairs, `starts` says where the second text begins.
    """
    lengths = [len(text) for text in ids]
    position = np.concatenate([np.arange(length) for length in lengths])
    rows = network.words[np.concatenate([np.asarray(text) for text in ids])] + network.positions[position]
    if starts is not None and network.second_segment is not None:
        rows[position >= np.repeat(starts, lengths)] += network.second_segment
    rows = _layer_norm(rows, *network.norm, network.shape.epsilon)
    runs = [_Run(len(list(run)), length, _bias(network, length)) for length, run in groupby(lengths)]
    for layer in network.layers:
        rows = _apply(layer, rows, runs, network.shape)
    return np.split(rows, np.cumsum(lengths)[:-1])


@dataclass(frozen=True)
class _Run:
    """Texts of equal length that stand together, with the bias that their attention has."""

    texts: int
    length: int
    bias: Floats | None


def _bias(network: Network, length: int) -> Floats | None:
    """Heads by tokens by tokens, from each to each other."""
    if network.distances is None:
        return None
    middle = network.distances.shape[1] // 2
    index = np.arange(length)
    return network.distances[:, middle + index[None, :] - index[:, None]]


def _apply(layer: Layer, rows: Floats, runs: Sequence[_Run], shape: Shape) -> Floats:
    seen = _linear(_attention(_linear(rows, *layer.attend), runs, shape.heads), *layer.project)
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


def _attention(rows: Floats, runs: Sequence[_Run], heads: int) -> Floats:
    """Every token's mean of its own text's values, weighted by softmax(query · key + bias), head by head."""
    width = rows.shape[1] // 3
    mixed = np.empty((len(rows), width), dtype=np.float32)
    start = 0
    for run in runs:
        end = start + run.texts * run.length
        parts = rows[start:end].reshape(run.texts, run.length, 3, heads, width // heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        weights = query @ key.swapaxes(-1, -2)
        if run.bias is not None:
            weights += run.bias
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
