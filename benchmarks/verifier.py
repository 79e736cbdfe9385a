"""How well a verifier judges: its figures on every set of the task `contrast`, beside those of trivial answers.

    .venv/bin/python benchmarks/verifier.py [--write] [reader|large|both]

Needs the published data (`WHENCE_DATA`) for the sets made of EntailmentBank's steps. With `--write` the tables go
to docs/lab/verifier.md. The reader takes about a tenth of a second for each of the 1,947 items.
"""

from __future__ import annotations

import runpy
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from whence.metrics.metric import Scores
from whence.models.verifier.choice import verifier_named
from whence.pipeline.calibrate import auc
from whence.pipeline.explain import explainer
from whence.pipeline.item_scores import item_scores
from whence.structures.results import Prediction
from whence.structures.verdict import FOLLOWS
from whence.tasks import task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import load
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.sources import data_folder

PAGE = Path(__file__).parents[1] / "docs/lab/verifier.md"
TASK = task_named("contrast")
LEAST = 10
"""Kinds with fewer items are counted together."""
REST = "kinds with fewer items"
HEAD = """# How well does the verifier judge?

Made by `.venv/bin/python benchmarks/verifier.py --write` on the sets of the task
[`contrast`](../tasks/contrast.md#the-sets). AUC is how often a conclusion that follows is held surer to follow
than one that contradicts, or is unknown. *Word overlap* ranks by the share of the conclusion's content words that
the premises have; from which share on it says *follows* was fitted on contrasts made by template.

The verifier learns from worlds written by hand, from the templates of `families` with other seeds, and from steps
of EntailmentBank's train, changed by the rules that make `steps-dev` and `steps-test`. So `families` says whether
it learnt, the steps whether that holds for other sentences, and `trial` whether it holds for claims that no rule
made. Nothing is learnt from `trial` and `development`. That a changed step is unknown was decided by its words, so
word overlap tells these well by construction.
*In training* counts items whose premises and conclusion `tools/train_verifier.py` learns from too."""


def lines(verifier: str) -> Iterator[str]:
    setup = Setup(data_folder, verifier=verifier_named(verifier))
    method = explainer("contrast", "verifier", {}, setup)
    sets = {name: load(TASK, name, data_folder) for name in TASK.data.splits}
    answered = {}
    for name, dataset in sets.items():
        found = method.explain(dataset.examples)
        answered[name] = [
            Prediction(example.id, one.explanation, verdict=one.verdict)
            for example, one in zip(dataset.examples, found, strict=True)
        ]
    yield HEAD
    yield f"\nThe verifier is `{method.name}`.\n\n## By set\n"
    yield "| set | answers | items | in training | accuracy | macro F1 | AUC, contradicts | AUC, unknown |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    learnt = _learnt()
    for name, dataset in sets.items():
        seen = sum((frozenset(one.inputs.premises), one.inputs.conclusion) in learnt for one in dataset.examples)
        floors = [(floor.name, floor.answers(dataset, 0)) for floor in TASK.floors()]
        for answers_name, answers in ((verifier, answered[name]), *floors):
            cells = [_cell(one) for one in item_scores(TASK, dataset, answers, ScoringOptions())]
            yield f"| `{name}` | {answers_name} | {len(answers)} | {seen} | {' | '.join(cells)} |"
    yield "\n## By kind\n"
    yield f"Kinds with at least {LEAST} items. AUC is of all that follows in the set against the items of a kind."
    for name in ("families", "steps-dev", "steps-test"):
        yield from _by_kind(name, verifier, sets[name], answered[name])


def _learnt() -> set[tuple[frozenset[str], str]]:
    """The premises and conclusions that the verifier is trained on."""
    training = runpy.run_path(str(PAGE.parents[2] / "tools/train_verifier.py"))
    folder = data_folder() / "entailmentbank"
    return {
        (frozenset(one.premises), one.conclusion)
        for stage in training["STAGES"]
        for one in training["stage_set"](folder, stage)
    }


def _by_kind(name: str, verifier: str, dataset: AnyDataset, answers: Sequence[Prediction[Any]]) -> Iterator[str]:
    overlap = next(floor for floor in TASK.floors() if floor.name == "word overlap").answers(dataset, 0)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, example in enumerate(dataset.examples):
        places[example.golds[0].name, str(example.meta["kind"])].append(place)
    for label, kind in [key for key, found in places.items() if len(found) < LEAST]:
        places[label, REST] += places.pop((label, kind))
    following = [place for place, example in enumerate(dataset.examples) if example.golds[0].name == FOLLOWS]
    yield f"\n### `{name}`\n"
    yield f"| label | kind | items | accuracy: {verifier} | word overlap | AUC: {verifier} | word overlap |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for (label, kind), found in sorted(places.items(), key=lambda entry: (entry[0][0], -len(entry[1]))):
        cells = [f"{_share(label, some, found):.3f}" for some in (answers, overlap)]
        for some in (answers, overlap):
            sure = [one.verdict.support if one.verdict else None for one in some]
            area = auc([sure[place] for place in following], [sure[place] for place in found])
            cells.append("" if label == FOLLOWS else f"{area:.3f}")
        yield f"| {label} | {kind} | {len(found)} | {' | '.join(cells)} |"


def _share(label: str, answers: Sequence[Prediction[Any]], places: Sequence[int]) -> float:
    right = sum(
        answers[place].explanation is not None and answers[place].explanation.name == label for place in places
    )
    return right / len(places)


def _cell(scores: Scores) -> str:
    value = scores.figure()
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--write"]
    page = "\n".join(lines(given[0] if given else "reader")) + "\n"
    if "--write" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(page)
