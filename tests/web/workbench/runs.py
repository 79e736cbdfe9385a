"""Run folders for tests: gold explanations with mistakes in them."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from whence.formats import records
from whence.pipeline.explain import explained_scores
from whence.pipeline.runs import measurements
from whence.structures.graph import Graph, StanceGraph
from whence.structures.results import Prediction
from whence.structures.tree import Tree
from whence.structures.verdict import Verdict
from whence.tasks import TASKS
from whence.tasks.loading import samples


def write_run(folder: Path, task: str, mistakes: float, seed: int = 0, *, verdicts: bool = False) -> Path:
    """A scored run on the samples: a share of the answers is worse than gold; with verdicts, all follow."""
    chosen, dataset = TASKS[task], samples(TASKS[task])
    generator = random.Random(seed)
    made = [
        Prediction(example.id, _worse(example.golds[0]) if generator.random() < mistakes else example.golds[0])
        for example in dataset.examples
    ]
    if verdicts:
        made = [replace(one, verdict=Verdict("follows", 0.97, "judge@1")) for one in made]
    folder.mkdir(parents=True)
    about = {"task": task, "method": "written", "settings": {}, "split": "samples", "model": "a person"}
    (folder / "run.json").write_text(json.dumps({**about, "items": len(made)}))
    lines = [records.format_record(one, chosen.form) for one in made]
    (folder / "predictions.jsonl").write_text("\n".join(lines) + "\n")
    measured = measurements(explained_scores(chosen, dataset, made), len(made))
    (folder / "scores.json").write_text(json.dumps({one.name: asdict(one) for one in measured}))
    return folder


def _worse(gold: Any) -> Any:
    if isinstance(gold, StanceGraph):
        return StanceGraph("counter" if gold.stance == "support" else "support", Graph(gold.graph.edges[:2]))
    if isinstance(gold, Tree):
        last = gold.steps[-1]
        return Tree((*gold.steps[:-1], replace(last, premises=(*last.premises[:1], "sent99"))), gold.sentences)
    return gold
