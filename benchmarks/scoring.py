"""Scorers called item by item, as the released scripts call them, against one call for all different pairs."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import Path

from whence.errors import MissingDataError
from whence.metrics.similarity import score_once
from whence.models.similarity import similarity_named
from whence.tasks import TASKS
from whence.tasks.loading import load

Rows = list[tuple[str, str, str, str]]


def run() -> Rows:
    folder = os.environ.get("WHENCE_DATA")
    if not folder:
        return [("edge similarities", "-", "-", "not run: WHENCE_DATA names no data")]
    try:
        similarity = similarity_named("embedded")
    except MissingDataError as error:
        return [("edge similarities", "-", "-", f"not run: {error}")]
    examples = load(TASKS["explagraphs"], "dev", lambda: Path(folder)).examples[:60]
    items = []
    for example, other in pairwise(examples):
        left, right = (
            [f"{edge.head}; {edge.relation}; {edge.tail}" for edge in found.golds[0].graph.edges]
            for found in (example, other)
        )
        items.append([(one, two) for one in left for two in right])
    started = time.process_time()
    singly = [score for pairs in items for pair in pairs for score in similarity.score([pair])]
    middle = time.process_time()
    together = score_once(similarity, [pair for pairs in items for pair in pairs])
    ended = time.process_time()
    same = max(abs(one - two) for one, two in zip(singly, together, strict=True))
    reference, ours = middle - started, ended - middle
    what = f"BERTScore ({similarity.name}) of {len(together)} edge pairs; largest difference {same:.0e}"
    return [(what, f"{reference:.2f} s, pair by pair", f"{ours:.2f} s, all at once", f"{reference / ours:.0f}x")]


if __name__ == "__main__":
    print(*run(), sep="\n")
