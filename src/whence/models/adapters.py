"""Low-rank adapters on disk: what training changed of a base model, small enough to ship, and its output layer.

`adapter.safetensors` has, in half precision, `NAME.down` (rank x inputs) and `NAME.up` (outputs x rank) for each
matrix NAME of the base model, and `head.weight` and `head.bias`. `card.json` says what they belong to:

    {"base_sha256": "78c0...", "scale": 2.0, "labels": ["follows", "contradicts", "unknown"]}

and may have `pooling` (`first` or `mean`; `first` if it is not there), `most_tokens` (256) and whatever else its
reader knows, such as a temperature. Hu et al. 2022: W + scale * up @ down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from whence.errors import DataError
from whence.files import digest_of, dump_json, read_json, write_text
from whence.models.encoder import Pooling
from whence.models.encoder_network import Floats, read_tensors

WEIGHTS, CARD = "adapter.safetensors", "card.json"


@dataclass(frozen=True)
class Adapter:
    """Low-rank differences of a base model's matrices, and the output layer that was trained with them."""

    base_sha256: str
    scale: float
    labels: tuple[str, ...]
    pooling: Pooling
    """What the output layer sees of a pair."""
    most_tokens: int
    tensors: Mapping[str, Floats]
    card: Mapping[str, Any]
    digest: str
    """The SHA-256 of its tensors' file."""

    @property
    def head(self) -> tuple[Floats, Floats]:
        """The output layer: its weight, a row for each label, and its bias."""
        return self.tensors["head.weight"], self.tensors["head.bias"]

    def deltas(self) -> dict[str, Floats]:
        """The difference of each matrix of the base model that was adapted, under its name there."""
        names = [name.removesuffix(".down") for name in self.tensors if name.endswith(".down")]
        scale = np.float32(self.scale)
        return {
            f"{name}.weight": scale * (self.tensors[f"{name}.up"] @ self.tensors[f"{name}.down"]) for name in names
        }


def read_adapter(folder: Path) -> Adapter:
    """Read the adapter in a folder; what is wrong with it gets one clear line."""
    path, tensors = folder / WEIGHTS, read_tensors(folder / WEIGHTS)
    card = read_json(folder / CARD)
    try:
        adapter = Adapter(
            base_sha256=str(card["base_sha256"]),
            scale=float(card["scale"]),
            labels=tuple(card["labels"]),
            pooling=card.get("pooling", "first"),
            most_tokens=int(card.get("most_tokens", 256)),
            tensors=tensors,
            card=card,
            digest=digest_of(path),
        )
    except KeyError as error:
        raise DataError(folder / CARD, expected=f"the key {error}", found="none") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(folder / CARD, expected="an adapter's card", found=str(error)) from None
    if adapter.pooling not in get_args(Pooling):
        expected = " or ".join(get_args(Pooling))
        raise DataError(folder / CARD, expected=f"pooling {expected}", found=repr(adapter.pooling))
    _check_tensors(path, adapter)
    return adapter


def write_adapter(folder: Path, tensors: Mapping[str, Floats], card: Mapping[str, Any]) -> None:
    """Write an adapter with its tensors in half precision."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: np.ascontiguousarray(tensors[name], dtype=np.float16) for name in sorted(tensors)}
    save_file(halves, folder / WEIGHTS)
    write_text(folder / CARD, dump_json(dict(card)) + "\n")


def _check_tensors(path: Path, adapter: Adapter) -> None:
    tensors = adapter.tensors
    for name in ("head.weight", "head.bias"):
        if name not in tensors:
            raise DataError(path, expected=f"the tensor '{name}'", found="none of that name")
    if len(tensors["head.weight"]) != len(adapter.labels):
        found = f"{len(tensors['head.weight'])}"
        raise DataError(path, expected=f"an output layer of {len(adapter.labels)} labels", found=found)
    for name, tensor in tensors.items():
        matrix, _, part = name.rpartition(".")
        if part in ("down", "up"):
            down, up = tensors.get(f"{matrix}.down"), tensors.get(f"{matrix}.up")
            if down is None or up is None or len(down) != up.shape[-1]:
                raise DataError(
                    path, expected=f"{matrix}.down and {matrix}.up of one rank", found=str(tensor.shape)
                )
