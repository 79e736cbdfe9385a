"""The small models that ship with the package: there for every recipe, small, described, and at work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.contracts.built_in import BUILT_IN

from whence.models.learners import learner
from whence.models.measures import measured
from whence.models.trained import BUNDLED, CARD, bundled
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.pipeline.recipes import recipes_of
from whence.tasks import head_named, heads_of, task_named
from whence.tasks.head import Source
from whence.tasks.sources import data_folder

LESSONS = [
    f"{task}/{recipe.head}"
    for task in BUILT_IN
    if heads_of(task)
    for recipe in recipes_of(task_named(task), "frozen").values()
]
MOST_BYTES = 5 * 1024**2
needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)


def test_all_of_them_are_small() -> None:
    assert sum(path.stat().st_size for path in BUNDLED.rglob("*")) < MOST_BYTES


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_card_says_what_it_is(lesson: str) -> None:
    card = json.loads((BUNDLED / lesson.replace("/", ".") / CARD).read_text(encoding="utf-8"))
    assert card["kind"] in ("logistic", "counts", "bridges")
    entry = card["lessons"][lesson]
    head = head_named(*lesson.split("/"))
    assert tuple(entry["labels"]) == head.labels
    assert entry["form"] in head.forms
    assert entry["data"]["licence"]
    assert entry["examples"] > 500
    assert bool(card["dev"]) == bool(entry["held_out"])
    assert str(Path.home()) not in json.dumps(card)


@needs_encoder
@pytest.mark.parametrize("lesson", LESSONS)
def test_it_judges_our_samples(lesson: str) -> None:
    """They learnt from other data: on ours they must at least give valid verdicts, and not all one."""
    task, name = lesson.split("/")
    head = head_named(task, name)
    model = bundled(lesson)
    items = head.items(Source(task_named(task), "samples", data_folder, model.card["lessons"][lesson]["form"]))
    verdicts = learner(model.card["kind"]).load(model.folder, lesson).judge(items[:60])
    for item, verdict in zip(items, verdicts, strict=False):
        assert verdict.id == item.id
        if head.shape in ("label", "choice"):
            assert sum(verdict.probabilities) == pytest.approx(1, abs=1e-4)
    assert len({(verdict.probabilities, verdict.tags, verdict.spans) for verdict in verdicts}) > 1
    assert measured(head.shape, head.labels, items[:60], verdicts)
