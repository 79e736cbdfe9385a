"""What models can learn about entailment: whether a step holds, and what follows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from whence.errors import DataError
from whence.models.items import Item, Pair, TextItem
from whence.models.learners import Judge
from whence.structures.results import Example
from whence.structures.tree import Claim, Tree
from whence.tasks.dataset import AnyDataset, Dataset
from whence.tasks.entailment_trees.data.chains import CHAINS, INVALID, VALID, VOTES, verdict_of
from whence.tasks.entailment_trees.data.files import read_chains
from whence.tasks.entailment_trees.heads.grouping import grouping_items, needed_items
from whence.tasks.entailment_trees.heads.one_step import ONE_STEP
from whence.tasks.entailment_trees.heads.wrong_steps import (
    WordedStep,
    premises_text,
    stock_of,
    worded_steps,
    wrong_step,
)
from whence.tasks.entailment_trees.methods.written.writer import PROOF, TREE
from whence.tasks.entailment_trees.proof_automaton import cut_free
from whence.tasks.entailment_trees.retrieval import SENTENCES
from whence.tasks.head import Head, Source


def step_pair(premises: Sequence[str], conclusion: str) -> Pair:
    """The premises one after the other, each a sentence, read with the conclusion."""
    return premises_text(premises), conclusion


def validities(step: Judge, pairs: Sequence[Pair]) -> list[float]:
    """How probable it is that each step holds, by a model of the head `step`; equal steps are judged once."""
    different = list(dict.fromkeys(pairs))
    verdicts = step.judge([Item(str(number), ((pair,),)) for number, pair in enumerate(different)])
    found = {pair: verdict.probabilities[VALID] for pair, verdict in zip(different, verdicts, strict=True)}
    return [found[pair] for pair in pairs]


def tree_items(name: str, tree: Tree, claim: Claim) -> list[Item]:
    """One item for each step of a tree, say a predicted one: does it hold?"""
    steps = worded_steps(tree, claim)
    return [_item(f"{name}/{number}", name, step, None) for number, step in enumerate(steps, 1)]


def step_items(source: Source) -> Sequence[Item]:
    """Every step of the gold trees and, for each, one that does not hold; chains with votes as people judged them.

    The name of an item ends with `true` or with the kind of what is wrong.
    """
    dataset = _dataset(source)
    if any(example.meta.get("votes") for example in dataset.examples):
        lines = zip(dataset.examples, dataset.lines, strict=True)
        return [_voted(example, source.where, line) for example, line in lines]
    steps = list(_named_steps(dataset, source.where))
    stock = stock_of(step for _, _, step in steps)
    made: Counter[str] = Counter()
    found: list[Item] = []
    for name, group, step in steps:
        drawn = random.Random(f"{source.seed}:{name}")
        found.append(_item(f"{name}/true", group, _reordered(step, drawn), VALID))
        wrong = wrong_step(step, stock, made, drawn)
        if wrong is not None:
            made[wrong.kind] += 1
            found.append(_item(f"{name}/{wrong.kind}", group, _reordered(wrong.step, drawn), INVALID))
    return found


def conclusion_items(source: Source) -> Sequence[TextItem]:
    """The premises of every step of the gold trees, to be followed by its conclusion; of chains with votes those
    that people found valid."""
    dataset = _dataset(source)
    kept = [
        place
        for place, example in enumerate(dataset.examples)
        if not example.meta.get("votes") or verdict_of(example.meta["votes"]) == VALID
    ]
    dataset = replace(
        dataset,
        examples=tuple(dataset.examples[place] for place in kept),
        lines=tuple(dataset.lines[place] for place in kept),
    )
    found = []
    for name, group, step in _named_steps(dataset, source.where):
        premises = _reordered(step, random.Random(f"{source.seed}:{name}")).premises
        found.append(TextItem(name, premises_text(premises), cut_free(step.conclusion), group))
    return found


def _dataset(source: Source) -> AnyDataset:
    task = source.task
    if source.given is None and (source.where in CHAINS or Path(source.where).suffix == ".tsv"):
        task = replace(task, data=replace(task.data, splits=CHAINS, read=_read_chains))
    return replace(source, task=task).dataset()


def _read_chains(path: Path) -> Dataset[Claim, Tree]:
    chains = list(read_chains(path))
    examples = [
        Example(chain.id, chain.claim, (chain.tree,), {"votes": tuple(vote.answer for vote in chain.votes)})
        for chain in chains
    ]
    return Dataset(tuple(examples), tuple(range(2, len(examples) + 2)))


def _voted(example: Example[Claim, Tree], where: str, line: int) -> Item:
    votes: Sequence[str] = example.meta["votes"]
    unknown = set(votes) - {*VOTES, "unsure"}
    if unknown:
        raise DataError(where, line, expected=f"votes like {', '.join(VOTES)}", found=", ".join(sorted(unknown)))
    (step,) = worded_steps(example.golds[0], example.inputs)
    return _item(example.id, _group(example), step, verdict_of(votes))


def _group(example: Example[Claim, Tree]) -> str:
    """An example's id; of chains their conclusion, which several have."""
    return example.inputs.hypothesis if "votes" in example.meta else example.id


def _named_steps(dataset: AnyDataset, where: str) -> Iterator[tuple[str, str, WordedStep]]:
    """The steps of the gold trees with their names and groups. A few examples have the id of an earlier one."""
    seen: Counter[str] = Counter()
    for example, line in zip(dataset.examples, dataset.lines, strict=True):
        seen[example.id] += 1
        name = example.id if seen[example.id] == 1 else f"{example.id} ({seen[example.id]})"
        try:
            for tree in example.golds[:1]:
                for number, step in enumerate(worded_steps(tree, example.inputs), 1):
                    yield f"{name}/{number}", _group(example), step
        except DataError as error:
            raise error.at(where, line) from None


def _reordered(step: WordedStep, drawn: random.Random) -> WordedStep:
    """Premises in an order that tells nothing: proofs name those that were concluded first."""
    return replace(step, premises=tuple(drawn.sample(step.premises, len(step.premises))))


def _item(name: str, group: str, step: WordedStep, gold: int | None) -> Item:
    return Item(name, ((step_pair(step.premises, step.conclusion),),), gold, group)


def _head(**given: Any) -> Head:
    return Head(
        shape="label",
        items=step_items,
        examples=_dataset,
        labels=("invalid", "valid"),
        measure="macro_f1",
        **given,
    )


HEADS: dict[str, tuple[Head, ...]] = {
    "entailmentbank-1": (
        _head(name="step", title="do the premises entail the conclusion", train="train", test="dev"),
        _head(
            name="chain",
            title="do two facts entail the conclusion, as people judged it",
            train="eqasc-perturbed",
            test="eobqa",
        ),
        Head(
            name="grouping",
            title="which of several trees over the same sentences is it",
            shape="choice",
            items=grouping_items,
            train="train",
            test="dev",
        ),
        PROOF,
        ONE_STEP,
        Head(
            name="conclusion",
            title="write what the premises entail",
            shape="text",
            items=conclusion_items,
            examples=_dataset,
            train="train",
            test="dev",
            measure="likelihood",
        ),
        TREE,
    ),
    "entailmentbank-2": (
        Head(
            name="needed",
            title="is the sentence needed for the hypothesis",
            shape="label",
            items=needed_items,
            labels=("no", "yes"),
            measure="macro_f1",
            train="train",
            test="dev",
        ),
        PROOF,
    ),
    "entailmentbank-3": (SENTENCES,),
}
