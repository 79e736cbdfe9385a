"""Trees over the same sentences, one of them gold: what a judge of groupings learns from.

A tree is held as the sets of sentences that its conclusions rest on, each set the bits of a number. Of few
sentences all trees are options; of more, gold and trees that come of it when parts of it are moved elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from whence.models.items import Group, Problem, StepItem, step_item
from whence.solvers.grouping import all_groupings
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Tree, leaves
from whence.tasks.head import Source

ALL = 4
"""Of so many sentences, and fewer, every tree is an option."""
MOVED = 60
"""Of more sentences, so many trees beside gold."""
MOST = 12
"""Trees over more sentences than these are not learnt from: few, and each as long as ten others."""
_MOVES = (1, 1, 2, 3)

Sets = frozenset[int]


def grouping_items(source: Source) -> Sequence[StepItem]:
    """One item for each gold tree over three sentences or more: which of several trees is it?

    Trees that use a sentence twice, or have a step from a single premise, are left out.
    """
    dataset = source.dataset()
    found = []
    for example, line in zip(dataset.examples, dataset.lines, strict=True):
        for gold in example.golds[:1]:
            problem, groups = problem_of(gold, example.inputs), groups_of(gold, example.inputs)
            if groups is None or not 3 <= len(problem.sentences) <= MOST:
                continue
            if len(set(problem.sentences)) < len(problem.sentences):
                continue
            drawn = random.Random(f"{source.seed}:{Path(source.where).name}:{line}")
            found.append(_item(f"{example.id}/{line}", example.id, problem, groups, drawn))
    return found


def needed_items(source: Source) -> Sequence[StepItem]:
    """One item for each sentence that is at hand: does the gold tree use it?"""
    dataset = source.dataset()
    found = []
    for example, line in zip(dataset.examples, dataset.lines, strict=True):
        used = {id_ for gold in example.golds[:1] for id_ in leaves(gold)}
        # Gold of task 3 speaks of its own sentences, not of those at hand.
        known = bool(used) and not any(gold.sentences for gold in example.golds[:1])
        for sentence, item in zip(example.inputs.context, sentence_items(example.id, example.inputs), strict=True):
            gold = int(sentence.id in used) if known else None
            found.append(replace(item, id=f"{example.id}/{line}/{sentence.id}", gold=gold))
    return found


def sentence_items(name: str, claim: Claim) -> list[StepItem]:
    """One item for each sentence of a claim: is it needed?"""
    problem = Problem(tuple(one.text for one in claim.context), claim.hypothesis)
    return [
        step_item(f"{name}/{one.id}", problem, (((1 << place,),),), group=name)
        for place, one in enumerate(claim.context)
    ]


def _item(name: str, group: str, problem: Problem, gold: Sequence[Group], drawn: random.Random) -> StepItem:
    things = len(problem.sentences)
    others = all_groupings(things) if things <= ALL else _moved_trees(gold, things, drawn)
    trees = {frozenset(tree): tree for tree in (tuple(gold), *others)}
    options = drawn.sample(list(trees.values()), len(trees))
    return step_item(name, problem, options, [frozenset(tree) for tree in options].index(frozenset(gold)), group)


def problem_of(tree: Tree, claim: Claim) -> Problem:
    """The sentences that a tree uses, in the order of the context, and its hypothesis."""
    return Problem(tuple(one.text for one in _used(tree, claim)), claim.hypothesis)


def _used(tree: Tree, claim: Claim) -> list[Sentence]:
    wanted = set(leaves(tree))
    return [one for one in tree.sentences or claim.context if one.id in wanted]


def groups_of(tree: Tree, claim: Claim) -> tuple[Group, ...] | None:
    """The steps of a tree as sets of its sentences; None if a premise is used twice or stands alone."""
    sets = {one.id: 1 << place for place, one in enumerate(_used(tree, claim))}
    used = [premise for step in tree.steps for premise in step.premises]
    if len(set(used)) < len(used):
        return None
    found = []
    for step in tree.steps:
        if len(step.premises) < 2 or not all(premise in sets for premise in step.premises):
            return None
        found.append(tuple(sorted(sets[premise] for premise in step.premises)))
        sets[step.conclusion] = sum(found[-1])
    return tuple(found) if sets.get(HYPOTHESIS) == sum(found[-1]) else None


def _moved_trees(gold: Sequence[Group], things: int, drawn: random.Random) -> Iterator[tuple[Group, ...]]:
    """Trees in which one part of gold, or two or three one after the other, hang elsewhere."""
    whole = frozenset(sum(group) for group in gold)
    for _ in range(MOVED):
        sets = whole
        for _ in range(drawn.choice(_MOVES)):
            sets = _moved(sets, things, drawn)
        yield _groups(sets)


def _moved(sets: Sets, things: int, drawn: random.Random) -> Sets:
    everything = (1 << things) - 1
    part = drawn.choice(sorted((sets - {everything}) | _single(everything)))
    inside = {one for one in sets if one & ~part == 0}
    rest = {one & ~part for one in sets - inside}
    rest = {one for one in rest if one.bit_count() > 1}
    place = drawn.choice(sorted(rest | _single(everything & ~part)))
    # Either the part and what is there become the premises of a new step, or it becomes one more premise there.
    joins = place in rest and drawn.random() < 0.2
    above = {one | part if one & place == place and (joins or one != place) else one for one in rest}
    return frozenset(inside | above | {place | part})


def _single(members: int) -> set[int]:
    return {1 << place for place in range(members.bit_length()) if members >> place & 1}


def _groups(sets: Sets) -> tuple[Group, ...]:
    """The steps of a tree: what each conclusion rests on, from small to large."""
    found = []
    for whole in sorted(sets, key=lambda one: (one.bit_count(), one)):
        below = sorted(
            (one for one in sets if one != whole and one & ~whole == 0), key=int.bit_count, reverse=True
        )
        premises: list[int] = []
        for one in (*below, *sorted(_single(whole))):
            if not any(one & ~other == 0 for other in premises):
                premises.append(one)
        found.append(tuple(sorted(premises)))
    return tuple(found)
