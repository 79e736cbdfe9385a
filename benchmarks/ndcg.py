"""NDCG with missing facts a million ranks away: the array of a million ranks against the closed form."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from whence.metrics.ranking import ndcg

QUESTIONS = 20
SIZES = (100, 1000)
"""Facts in a ranking: a reranker's hundred, and a long one."""

Ranker = Callable[[Sequence[str], Mapping[str, float]], float]


def padded(ranking: Sequence[str], relevance: Mapping[str, float]) -> float:
    """What the released evaluator does, in our words: every rank up to the million is an element of an array."""
    places = {name: place for place, name in enumerate(ranking)}
    gains = np.zeros(len(ranking) + 10**6)
    last = len(gains) - 1
    for name, rating in relevance.items():
        if name in places:
            gains[places[name]] = rating
        else:
            gains[last] = rating
            last -= 1
    discounts = np.log2(np.arange(2, len(gains) + 2))
    ideal = np.sum((2.0 ** np.sort(gains)[::-1] - 1) / discounts)
    return float(np.sum((2.0**gains - 1) / discounts) / ideal)


def questions(size: int, seed: int = 0) -> list[tuple[list[str], dict[str, float]]]:
    """Rankings that lack some of the thirty facts that are rated."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(QUESTIONS):
        names = [f"{number:04x}-{number:04x}" for number in generator.permutation(2 * size)]
        rated = generator.choice(names, 30, replace=False)
        found.append((names[:size], {str(name): float(generator.integers(1, 4)) for name in rated}))
    return found


def run() -> list[tuple[str, ...]]:
    rows = []
    for size in SIZES:
        items = questions(size)
        reference, slow = _timed(padded, items)
        ours, fast = _timed(ndcg, items, repeats=20)
        difference = max(abs(one - two) for one, two in zip(reference, ours, strict=True))
        if difference > 1e-12:
            raise SystemExit(f"NDCG differs by {difference}")
        rows.append(
            (
                f"NDCG of {QUESTIONS} rankings of {size} facts",
                f"{slow * 1000:.0f} ms",
                f"{fast * 1000:.2f} ms",
                f"{slow / fast:.0f}×",
            )
        )
    return rows


def _timed(
    function: Ranker, items: Sequence[tuple[list[str], dict[str, float]]], repeats: int = 1
) -> tuple[list[float], float]:
    """The figures, and the seconds of the fastest of the repeats."""
    best, found = float("inf"), list[float]()
    for _ in range(repeats):
        start = time.perf_counter()
        found = [function(ranking, relevance) for ranking, relevance in items]
        best = min(best, time.perf_counter() - start)
    return found, best


if __name__ == "__main__":
    for row in run():
        print(*row, sep="\t")
