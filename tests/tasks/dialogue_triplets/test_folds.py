"""The folds that are made here are those that were released, as far as these are known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from whence.structures.dialogue import SpanPair
from whence.structures.results import Example, Label
from whence.tasks.dialogue_triplets.data.folds import read_pairs, read_questions
from whence.tasks.dialogue_triplets.task import TASKS
from whence.tasks.loading import load

BY_NAME = {task.name: task for task in TASKS}
FOLDS = range(1, 6)


def test_a_triplet_is_a_pair_once_and_under_a_relation_of_the_paper(tmp_path: Path) -> None:
    triplets = [
        {"head": "rain", "relation": "Causes", "tail": "wet"},
        {"head": "rain", "relation": "ResultIn", "tail": "wet"},  # read as Causes: said before
        {"head": "wet", "relation": "AchievedBy", "tail": "rain"},  # the same, the other way round
        {"head": "rain", "relation": "RelatedTo", "tail": "wet"},  # none of the paper's
        {"head": "rain", "relation": "Implies", "tail": "wet"},
    ]
    path = tmp_path / "dialogues.json"
    path.write_text(json.dumps([{"id": "d", "utterances": "A: rain    B: wet", "triplets": triplets}]))
    found = read_pairs(path)
    assert [(e.id, e.inputs.head, e.golds[0].name, e.inputs.tail) for e in found.examples] == [
        ("d-triplet-1", "rain", "Causes", "wet"),
        ("d-triplet-5", "rain", "Implies", "wet"),
    ]
    assert found.examples[0].inputs.context == "rain wet"
    assert [(n.text.split(": ")[1], n.count) for n in found.notes if n.name == "left out"] == [
        ("the dialogue has stated them before", 2),
        ("their relation is none of the paper's", 1),
    ]


def test_questions_of_both_parts(tmp_path: Path) -> None:
    for part in ("train", "test"):
        entry = {"id": f"{part}-triplet-1", "question": "What?", "answers": [{"text": "a", "answer_start": 0}]}
        (tmp_path / f"fold3_{part}.json").write_text(json.dumps([{"context": "a b", "qas": [entry]}]))
    found = read_questions(tmp_path / "fold3_train.json")
    assert [example.id for example in found.examples] == ["train-triplet-1", "test-triplet-1"]


@pytest.mark.real_data
def test_pairs_of_fold_1_are_the_released_ones_without_lemmas(real_data: Path) -> None:
    ours = load(BY_NAME["cider-relation"], "fold1-test", lambda: real_data).examples
    released = load(BY_NAME["cider-relation"], "fold1-test-lemmas", lambda: real_data).examples
    assert len(ours) == len(released) == 882

    def labels(examples: Sequence[Example[SpanPair, Label]]) -> Counter[tuple[str, str]]:
        # In one file a dialogue ends in a line of asterisks with notes behind it.
        return Counter((e.inputs.context.partition(" * ")[0].strip(), e.golds[0].name) for e in examples)

    assert labels(ours) == labels(released)
    # The released file of fold 1's train has 3,504 rows (its ids run from 2631 to 6134).
    assert len(load(BY_NAME["cider-relation"], "fold1-train", lambda: real_data).examples) == 3505


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "size"), [("cider-span", 4247), ("cider-relation", 4387)])
def test_folds_are_parts_of_one_whole(name: str, size: int, real_data: Path) -> None:
    parts = {
        (fold, part): {e.id for e in load(BY_NAME[name], f"fold{fold}-{part}", lambda: real_data).examples}
        for fold in FOLDS
        for part in ("train", "test")
    }
    for fold in FOLDS:
        train, test = parts[fold, "train"], parts[fold, "test"]
        assert not {e.split("-triplet-")[0] for e in train} & {e.split("-triplet-")[0] for e in test}
        assert len(train | test) == size == len(train) + len(test)
    assert len(set().union(*(parts[fold, "test"] for fold in FOLDS))) == size
