"""Chains of thought as entailment trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from whence.checks.rule import check
from whence.formats.proofs import format_proof
from whence.metrics.metric import Scores
from whence.pipeline.explain import explained_scores
from whence.structures.results import Example, Prediction
from whence.structures.tree import Claim, Sentence, Tree
from whence.structures.tree import texts as texts_of
from whence.tasks import task_named
from whence.tasks.dataset import AnyDataset, Dataset
from whence.tasks.entailment_trees.methods.thoughts.tree_of_thoughts import linked, tree_of_thoughts
from whence.tasks.entailment_trees.rules import rules
from whence.tasks.loading import load, samples
from whence.tasks.thinking import WordLinker, thoughts_of

CLAIM = Claim(
    "a robin can feed its young in spring",
    (
        Sentence("sent1", "a robin is a kind of bird"),
        Sentence("sent2", "birds eat insects"),
        Sentence("sent3", "insects are plentiful in spring"),
        Sentence("sent4", "iron rusts in water"),
    ),
)


def _tree(text: str, claim: Claim = CLAIM) -> Tree | None:
    found = tree_of_thoughts(claim, thoughts_of(text), WordLinker(), linked).explanation
    assert found is None or isinstance(found, Tree)
    return found


@pytest.mark.parametrize(
    "text, proof",
    [
        (
            "A robin is a kind of bird. Birds eat insects. Therefore, a robin eats insects.\n"
            "Insects are plentiful in spring.\nSo a robin can feed its young in spring.",
            "sent1 & sent2 -> int1: a robin eats insects; int1 & sent3 -> hypothesis; ",
        ),
        (  # what it rests on is named
            "1. A robin eats insects (sent1, sent2).\n2. A robin can feed its young in spring (step 1 and sent3).",
            "sent1 & sent2 -> int1: A robin eats insects; int1 & sent3 -> hypothesis; ",
        ),
        (  # the goal stands first, and nothing says the end
            "We need to show that a robin can feed its young in spring.\n"
            "Robins live on insects like other birds do.",
            "sent1 & sent2 -> int1: Robins live on insects like other birds do; int1 & sent3 -> hypothesis; ",
        ),
        (  # what leads nowhere is left out, and said twice is said once
            "A robin is a kind of bird. Birds eat insects. Thus a robin eats insects. A robin eats insects. "
            "Quantum chromodynamics! Insects are plentiful in spring.",
            "sent1 & sent2 -> int1: a robin eats insects; int1 & sent3 -> hypothesis; ",
        ),
    ],
)
def test_what_a_text_says(text: str, proof: str) -> None:
    tree = _tree(text)
    assert tree is not None
    steps = [(set(step.premises), step.conclusion, step.text) for step in tree.steps]
    wanted = [piece.partition(" -> ") for piece in proof.split("; ") if piece]
    expected = []
    for left, _, right in wanted:
        name, _, words = right.partition(": ")
        expected.append((set(left.split(" & ")), name, words))
    assert steps == expected
    assert format_proof(tree)


@pytest.mark.parametrize("text", ["", "...", "Nothing here is about it at all: xyzzy."])
def test_a_text_that_says_nothing(text: str) -> None:
    tree = _tree(text)
    assert tree is None or not check(CLAIM, tree, rules("paper", Dataset((), ())))


def test_without_sentences_there_is_no_tree() -> None:
    found = tree_of_thoughts(Claim("ice floats", ()), thoughts_of("Ice is light."), WordLinker(), linked)
    assert found.explanation is None
    assert found.problems


def told(example: Example[Claim, Tree], *, facts: bool) -> str:
    """A gold tree as a chain of thought: the sentences of each step, if wanted, and what follows."""
    tree = example.golds[0]
    known, said, lines = texts_of(tree, example.inputs), set(), []
    for step in tree.steps:
        fresh = [one for one in step.premises if one.startswith("sent") and one not in said and facts]
        said.update(fresh)
        lines += [f"{known[one]}." for one in fresh]
        lines.append(f"Therefore, {known[step.conclusion]}.")
    return "\n".join(lines)


def _figures(dataset: AnyDataset, trees: Sequence[Tree | None]) -> dict[str, float | None]:
    answers: list[Prediction[Any]] = [
        Prediction(example.id, tree) for example, tree in zip(dataset.examples, trees, strict=True)
    ]
    found: Sequence[Scores] = explained_scores(task_named("entailmentbank-1"), dataset, answers)
    return {scores.metric.name: scores.figure() for scores in found}


def test_gold_trees_that_are_told_come_back() -> None:
    dataset = samples(task_named("entailmentbank-1"))
    trees = [_tree(told(example, facts=True), example.inputs) for example in dataset.examples]
    figures = _figures(dataset, trees)
    assert figures["leaves.f1"] == pytest.approx(1.0)
    assert (figures["steps.f1"] or 0) > 0.9
    shaped = rules("paper", dataset)
    assert not any(check(e.inputs, tree, shaped) for e, tree in zip(dataset.examples, trees, strict=True) if tree)


@pytest.mark.real_data
def test_published_trees_that_are_told_come_back(real_data: Path) -> None:
    """By words alone: nearly all of it where the sentences are said, and much of it where only conclusions are."""
    dataset = load(task_named("entailmentbank-1"), "dev", lambda: real_data)
    for facts, least in ((True, 0.9), (False, 0.55)):
        trees = [_tree(told(example, facts=facts), example.inputs) for example in dataset.examples]
        assert all(tree is not None for tree in trees)
        assert (_figures(dataset, trees)["steps.f1"] or 0) > least
