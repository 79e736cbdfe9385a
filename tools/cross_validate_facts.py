"""Cross-validates what the ranking of facts by words counts, over WorldTree's training questions; prints a table.

    WHENCE_DATA=... python tools/cross_validate_facts.py [FOLDS]

Each setting is varied alone, the others as in the recipe `small.facts`. Dev is never read.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from whence.metrics.ranking import average_precision
from whence.models.learners.sparse import SparseJudge, SparseSettings, explained_cases
from whence.models.retrieval.explained import ExplainedTexts
from whence.models.retrieval.index import build_index
from whence.tasks import head_named, task_named
from whence.tasks.head import Source, lesson
from whence.tasks.sources import data_folder

USUAL = SparseSettings(power=0.6)
VARIED = {
    "power": (0.0, 0.3, 0.6, 1.0),
    "sharpness": (1.0, 1.8, 3.0),
    "similar": (100, 300, 1000),
    "k1": (0.5, 1.0, 2.0),
    "focus": (1.0, 1.25, 1.6),
}


def main(folds: int) -> None:
    head = head_named("worldtree", "facts")
    source = Source(task_named("worldtree"), "train", data_folder)
    items = head.items(source)
    index = build_index(head.documents(source) if head.documents else {})
    parts = [lesson("x", head, items, held_out=1 / folds, seed=0, fold=fold) for fold in range(folds)]

    def figure(settings: SparseSettings) -> float:
        values = []
        for part in parts:
            texts = ExplainedTexts(index, explained_cases(part.train, settings.focus), settings.counted)
            verdicts = SparseJudge("", texts, settings.focus).judge(part.dev)
            golds = [item.gold or () for item in part.dev]
            values += [average_precision(one.ranking, gold) for one, gold in zip(verdicts, golds, strict=True)]
        return float(np.mean([value for value in values if value is not None]))

    known: dict[SparseSettings, float] = {}
    for name, values in VARIED.items():
        for value in values:
            settings = replace(USUAL, **{name: value})
            known[settings] = known.get(settings) or figure(settings)
            sys.stdout.write(f"{name} {value}: {known[settings]:.4f}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
