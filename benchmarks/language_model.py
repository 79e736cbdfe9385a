"""The embedded language model on a processor: writing in full precision and in bfloat16.

    python benchmarks/language_model.py

Needs the extra `train` and `whence models get writer`. One thread; prompts are drawn by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time
from typing import Any

import torch

from whence.models.learners.writer import WriterSettings, untrained_writer
from whence.models.transformer.writing import Manner, PromptedText

_BATCH, _PROMPT, _WRITTEN, _TIMES = 16, 40, 24, 3


def run() -> list[tuple[str, ...]]:
    """The time that the same tokens take in either."""
    torch.set_num_threads(1)
    network = untrained_writer(WriterSettings())._network
    chance = random.Random(0)
    prompts = [
        PromptedText(place, tuple(chance.randrange(100, 40_000) for _ in range(_PROMPT)), ())
        for place in range(_BATCH)
    ]

    def write(numbers: Any) -> None:
        network.module.to(numbers)
        network.write(prompts, Manner(_WRITTEN), [None] * _BATCH)

    full, half = _seconds(lambda: write(torch.float32)), _seconds(lambda: write(torch.bfloat16))
    written = _BATCH * _WRITTEN
    return [
        (
            f"the language model writes {_WRITTEN} tokens after each of {_BATCH} prompts, one thread",
            f"float32, {written / full:.0f} tokens/s",
            f"bfloat16, {written / half:.0f} tokens/s",
            f"{full / half:.1f}×",
        )
    ]


def _seconds(work: Callable[[], None]) -> float:
    """Of the processor, the least of a few: other work on the machine only lengthens it."""
    work()
    taken = []
    for _ in range(_TIMES):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


if __name__ == "__main__":
    for row in run():
        print(" | ".join(row))
