"""What may be written as a proof."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.checks.rule import check
from whence.formats.proofs import format_proof, parse_proof
from whence.structures.tree import Claim, Sentence, leaves
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.proof_automaton import ProofForm
from whence.tasks.loading import rules_of, samples

FORM = ProofForm(("sent1", "sent2", "sent12", "sent3"))
ALL = ProofForm(("sent1", "sent2", "sent12"), all_used=True)
RULES = rules_of(task_named("entailmentbank-1"), "paper", Dataset((), ()))


@pytest.mark.parametrize(
    "form, text, begins, ends",
    [
        (FORM, "", True, False),
        (FORM, "sent1", True, False),
        (FORM, "sent4", False, False),  # no such sentence
        (FORM, "sent1 & sent1", True, False),  # sent12 may follow
        (FORM, "sent1 & sent1 ", False, False),  # twice
        (FORM, "sent1 ->", False, False),  # one premise where there are more
        (FORM, "sent1 & sent2 -> hypothesis;", True, True),
        (FORM, "sent1 & sent2 -> hypothesis; ", True, True),
        (FORM, "sent1 & sent2 -> hypothesis; s", False, False),  # nothing follows the hypothesis
        (FORM, "sent1 & sent2 -> int2", False, False),  # conclusions are numbered
        (FORM, "sent1 & sent2 -> int1: ", True, False),
        (FORM, "sent1 & sent2 -> int1: ;", False, False),  # a conclusion has words
        (FORM, "sent1 & sent2 -> int1: ice melts; sent3 & sent12 -> hypothesis", False, False),  # int1 unused
        (FORM, "sent1 & sent2 -> int1: ice melts; sent3 & int1 -> hypothesis;", True, True),
        (FORM, "int1", False, False),  # not reached yet
        (FORM, "sent1 & sent2 -> int1: a -> b", False, False),  # would be read as a step
        (ALL, "sent1 & sent2 -> hypothesis", False, False),  # a sentence is left
        (ALL, "sent1 & sent2 & sent12 -> int1", False, False),  # nothing to join it with
        (ALL, "sent1 & sent2 & sent12 -> hypothesis;", True, True),
        (ProofForm(("sent1",)), "sent1 -> hypothesis;", True, True),
    ],
)
def test_what_may_begin_and_end(form: ProofForm, text: str, begins: bool, ends: bool) -> None:
    assert (form.may_begin(text), form.may_end(text)) == (begins, ends)


@pytest.mark.parametrize("task", ["entailmentbank-1", "entailmentbank-2"])
def test_gold_may_be_written(task: str) -> None:
    """But for trees that use a sentence twice, and conclusions that have other numbers."""
    written = 0
    for example in samples(task_named(task)).examples:
        form = ProofForm(tuple(one.id for one in example.inputs.context), all_used=task == "entailmentbank-1")
        proof = format_proof(example.golds[0])
        used = [premise for step in example.golds[0].steps for premise in step.premises]
        if len(set(used)) == len(used) and "int1" in f"{proof}int1" and form.may_end(proof):
            written += 1
            assert all(form.may_begin(proof[:end]) for end in range(len(proof)))
    assert written >= 5


@given(st.integers(1, 9), st.integers(0, 10_000), st.booleans(), st.integers(2, 5))
@settings(max_examples=50, deadline=None)
def test_chance_writes_a_tree_in_any_case(count: int, seed: int, all_used: bool, most: int) -> None:
    """A writer that knows nothing and is shown the way on always ends with one tree that keeps the rules."""
    drawn = random.Random(seed)
    names = tuple(f"sent{number}" for number in drawn.sample(range(1, 30), count))
    form = ProofForm(names, all_used, most, longest=12)
    text = ""
    while not form.may_end(text):
        pieces = [*names, "int1", "int2", "int3", " & ", " -> ", "hypothesis", ";", "; ", ": ", "a", " ", "ice is"]
        fits = [piece for piece in drawn.sample(pieces, 8) if form.may_begin(text + piece)]
        text += fits[0] if fits else form.way_on(text)[: drawn.randint(1, 3)]
        assert form.may_begin(text), text
        assert form.may_end(text + form.way_on(text)), text
        assert len(text) < 2000
    tree = parse_proof(text)
    claim = Claim("h", tuple(Sentence(name, name) for name in names))
    assert check(claim, tree, RULES) == ()
    assert len(leaves(tree)) == sum(premise in names for step in tree.steps for premise in step.premises)
    if all_used:
        assert set(leaves(tree)) == set(names)
