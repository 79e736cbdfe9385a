"""How much the official step scores underestimate: the table in docs/metrics/tree-equivalence.md.

    WHENCE_DATA=... .venv/bin/python benchmarks/tree_equivalence.py [FOLDER OF PREDICTIONS]

The folder has the released predictions as `T5_11B_task1_dev.tsv` and so on; without it, it is
`golden/entailmentbank/inputs` beside the data. Gold with every wide step split in two, and gold as one step, show
what splitting and merging do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from whence.structures.results import Prediction
from whence.structures.tree import HYPOTHESIS, Step, Tree, leaves
from whence.tasks.dataset import AnyDataset
from whence.tasks.entailment_trees.data.files import read, read_predictions
from whence.tasks.entailment_trees.scoring import SCORERS
from whence.tasks.scoring import Answers, ScoringOptions

MODELS = {"T5-11B": "T5_11B", "T5-large": "T5_large"}
COLUMNS = ("answers", "task", "steps.f1", "equivalence.f1", "steps.all", "equivalent", "higher", "lower")


def main() -> None:
    data = Path(os.environ["WHENCE_DATA"]).resolve()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else data.parent / "golden/entailmentbank/inputs"
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for row in table(data, folder):
        print(f"| {' | '.join(row)} |")


def table(data: Path, folder: Path) -> Iterator[tuple[str, ...]]:
    """Rows of the table; official figures beside ours."""
    for task in (1, 2):
        gold = read(data / f"entailmentbank/task_{task}/dev.jsonl")
        for title, name in MODELS.items():
            answers = read_predictions(folder / f"{name}_task{task}_dev.tsv", gold).predictions
            yield (title, f"{task} dev", *figures(gold, answers, task))
    for part in ("dev", "test"):
        gold = read(data / f"entailmentbank/task_1/{part}.jsonl")
        for title, change in (("gold, wide steps split", split), ("gold, merged into one step", merged)):
            changed = [Prediction(example.id, change(example.golds[0])) for example in gold.examples]
            yield (title, f"1 {part}", *figures(gold, changed, 1))


def figures(gold: AnyDataset, answers: Answers, task: int) -> tuple[str, ...]:
    """Means in percent, the share of trees with the same structure, and how many trees go up and down."""
    found = {part.metric.name: part for part in SCORERS[f"entailmentbank-{task}"](gold, answers, ScoringOptions())}
    steps, same = _values(found["steps.f1"].by_item()), _values(found["equivalence.f1"].by_item())
    full = _values(found["steps.all"].by_item())
    pairs = list(zip(steps, same, strict=True))
    return (
        *(f"{100 * sum(values) / len(values):.2f}" for values in (steps, same, full, [x == 1 for x in same])),
        str(sum(ours > official + 1e-9 for official, ours in pairs)),
        str(sum(ours < official - 1e-9 for official, ours in pairs)),
    )


def _values(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def split(tree: Tree) -> Tree:
    """The tree with every step of three or more premises in two: the first two premises, then the rest."""
    steps: list[Step] = []
    for number, step in enumerate(tree.steps):
        if len(step.premises) > 2:
            part = f"int{number}x"
            steps.append(Step(step.premises[:2], part, "a part"))
            step = Step((part, *step.premises[2:]), step.conclusion, step.text)
        steps.append(step)
    return Tree(tuple(steps))


def merged(tree: Tree) -> Tree:
    """The tree as one step."""
    return Tree((Step(leaves(tree), HYPOTHESIS),))


if __name__ == "__main__":
    main()
