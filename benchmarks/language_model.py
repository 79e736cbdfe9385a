"""The embedded language model on a processor: training by how attention is computed, writing by precision.

    python benchmarks/language_model.py

Needs the extra `train` and `whence models get writer`. One thread; tokens are drawn by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import torch

from whence.models.learners.writer import WriterSettings, untrained_writer
from whence.models.loading import in_precision
from whence.models.transformer.writing import Manner, PromptedText

_BATCH, _PROMPT, _TEXT, _WRITTEN, _STEPS = 16, 40, 60, 24, 3


def run() -> list[tuple[str, ...]]:
    """Two comparisons: fused and plain attention in training; full precision and bfloat16 in writing."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    network = untrained_writer(WriterSettings())._network
    network.module.eval()
    texts, prompts = _drawn(_TEXT), _drawn(0)

    def step(attention: str) -> None:
        network.backbone.model.config._attn_implementation = attention
        with in_precision("auto"):
            loss = network.loss("", "", texts)
        loss.backward()
        network.module.zero_grad(set_to_none=True)

    def write(numbers: Any) -> None:
        network.module.to(numbers)
        network.write(prompts, Manner(_WRITTEN), [None] * _BATCH)

    fused, plain = _seconds(lambda: step("sdpa")), _seconds(lambda: step("eager"))
    full, half = _seconds(lambda: write(torch.float32)), _seconds(lambda: write(torch.bfloat16))
    read, written = _BATCH * (_PROMPT + _TEXT), _BATCH * _WRITTEN
    return [
        (
            f"a step of training, {_BATCH} texts of {_PROMPT + _TEXT} tokens, one thread",
            f"fused attention, {read / fused:.0f} tokens/s",
            f"plain attention, {read / plain:.0f} tokens/s",
            f"{fused / plain:.1f}×",
        ),
        (
            f"writing {_WRITTEN} tokens after each of {_BATCH} prompts, one thread",
            f"float32, {written / full:.0f} tokens/s",
            f"bfloat16, {written / half:.0f} tokens/s",
            f"{full / half:.1f}×",
        ),
    ]


def _drawn(length: int) -> Sequence[PromptedText]:
    chance = random.Random(length)

    def tokens(count: int) -> tuple[int, ...]:
        return tuple(chance.randrange(100, 40_000) for _ in range(count))

    return [PromptedText(place, tokens(_PROMPT), tokens(length)) for place in range(_BATCH)]


def _seconds(work: Callable[[], None]) -> float:
    """Of the processor, the least of a few: other work on the machine only lengthens it."""
    work()
    taken = []
    for _ in range(_STEPS):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


if __name__ == "__main__":
    for row in run():
        print(" | ".join(row))
