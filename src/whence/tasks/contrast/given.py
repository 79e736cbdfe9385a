"""Steps and trees of EntailmentBank, and the contrasts that rules make of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from whence.structures.verdict import LABELS
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.steps import GivenStep, GivenTree, Stock, step_contrasts, tree_contrasts
from whence.tasks.entailment_trees.data.files import read
from whence.tasks.entailment_trees.heads.wrong_steps import worded_steps


def given_steps(path: Path) -> list[GivenStep]:
    """The steps of all gold trees of a file."""
    return [
        GivenStep(step.premises, step.conclusion)
        for example in read(path).examples
        for tree in example.golds[:1]
        for step in worded_steps(tree, example.inputs)
    ]


def given_trees(folder: Path, name: str) -> Iterator[GivenTree]:
    """The trees of a file of task 1; distractors are those of the same file of task 2."""
    with_distractors = {
        (example.id, example.inputs.hypothesis): example for example in read(folder / "task_2" / name).examples
    }
    for example in read(folder / "task_1" / name).examples:
        if not example.golds:
            continue
        facts = tuple(sentence.text for sentence in example.inputs.context)
        other = with_distractors.get((example.id, example.inputs.hypothesis))
        context = other.inputs.context if other else ()
        distractors = tuple(sentence.text for sentence in context if sentence.text not in facts)
        yield GivenTree(facts, example.inputs.hypothesis, distractors)


def change(
    steps: Sequence[GivenStep], trees: Sequence[GivenTree], seed: int
) -> tuple[list[Contrast], list[Contrast]]:
    """Make contrasts of steps and of trees; both are exchanged for parts of the steps."""
    stock, chance = Stock(steps), random.Random(seed)
    by_step = [replace(c, family="steps") for step in steps for c in step_contrasts(step, stock, chance)]
    by_tree = [replace(c, family="trees") for tree in trees for c in tree_contrasts(tree, stock, chance)]
    return [_shuffle(c, chance) for c in by_step], [_shuffle(c, chance) for c in by_tree]


def _shuffle(contrast: Contrast, chance: random.Random) -> Contrast:
    premises = list(dict.fromkeys(contrast.premises))
    chance.shuffle(premises)
    return replace(contrast, premises=tuple(premises))


def balance(contrasts: Sequence[Contrast], count: int, chance: random.Random) -> list[Contrast]:
    """Choose so many contrasts, a third of each label."""
    chosen = []
    for label in LABELS:
        same = [contrast for contrast in contrasts if contrast.label == label]
        chosen += chance.sample(same, min(len(same), count // len(LABELS)))
    return chosen
