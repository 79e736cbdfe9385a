"""Which questions of one data set are in another."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contracts.built_in import BUILT_IN

from whence.models.trained import BUNDLED
from whence.pipeline.contamination import guard, seen_in_training
from whence.pipeline.recipes import recipe_named
from whence.tasks import task_named
from whence.tasks.loading import load, samples
from whence.tasks.overlap import evaluation_splits, linked_tasks, shared_questions
from whence.tasks.questions import question_key, question_keys


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("Which dries\nclothes?", "which dries clothes", True),
        ("A cell's wall", "a cell s wall", True),
        ("pH 7.0", "pH 70", False),
        ("Größe", "größe!", True),
        ("snake_case", "snake case", True),
    ],
)
def test_question_key(one: str, other: str, same: bool) -> None:
    assert (question_key(one) == question_key(other)) == same


@pytest.mark.parametrize("task", BUILT_IN)
def test_every_task_says_what_it_asks(task: str) -> None:
    chosen = task_named(task)
    assert all(question_keys(chosen, samples(chosen)))
    assert chosen in linked_tasks(chosen)
    names = {(one.name, split) for one, split in evaluation_splits(chosen, "train")}
    assert any(one == task for one, _ in names)


def test_tasks_with_the_same_questions_are_linked() -> None:
    assert {one.name for one in linked_tasks(task_named("worldtree"))} == {
        "worldtree",
        "entailmentbank-1",
        "entailmentbank-2",
        "entailmentbank-3",
    }
    assert {one.name for one in linked_tasks(task_named("anlg"))} == {"anli", "anlg"}


def test_a_fold_stays_clear_of_its_own_test_part_alone() -> None:
    splits = {split for _, split in evaluation_splits(task_named("cider-span"), "fold2-train")}
    assert splits == {"fold2-test"}
    assert len({split for _, split in evaluation_splits(task_named("cider-span"), "mine.json")}) == 5


@pytest.mark.real_data
def test_worldtree_and_entailmentbank_cross(real_data: Path) -> None:
    tasks = [task_named(name) for name in ("worldtree", "entailmentbank-1")]
    rows = {(row.learnt, row.evaluated): row for row in shared_questions(tasks, lambda: real_data)}
    dev = rows["worldtree train", "entailmentbank-1 dev"]
    assert (dev.items, dev.covered, dev.questions) == (187, 187, 187)
    test = rows["worldtree dev", "entailmentbank-1 test"]
    assert (test.items, test.covered, test.questions) == (339, 339, 339)
    turned = rows["entailmentbank-1 test", "worldtree dev"]
    assert (turned.items, turned.of) == (340, 340)  # two of them ask the same
    assert rows["worldtree train", "worldtree test"].items == 10
    assert rows["entailmentbank-1 train", "entailmentbank-1 test"].items == 1


@pytest.mark.real_data
def test_the_choices_of_art_hold_most_stories_of_the_generations(real_data: Path) -> None:
    rows = {(row.learnt, row.evaluated): row for row in shared_questions([task_named("anli")], lambda: real_data)}
    assert (rows["anli train", "anlg dev"].covered, rows["anli train", "anlg dev"].questions) == (1514, 1780)
    assert ("anli train", "anli dev") not in rows


@pytest.mark.real_data
def test_a_ranker_of_worldtree_stays_clear_of_entailmentbank(real_data: Path) -> None:
    kept = guard(recipe_named(task_named("worldtree"), "small.facts"), lambda: real_data)
    assert kept.dropped["entailmentbank-1 dev"] == 187
    task = task_named("entailmentbank-3")
    # The model that ships learnt from all of WorldTree's train.
    seen = seen_in_training(
        [BUNDLED / "worldtree.relevance"], load(task, "dev", lambda: real_data), task, "dev", lambda: real_data
    )
    assert seen is not None and (seen.items, seen.of, seen.where) == (187, 187, ("worldtree train",))
