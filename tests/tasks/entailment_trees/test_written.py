"""Trees that a language model writes. The model knows nothing; what it writes is a tree all the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.entailment_trees.conftest import trained

from whence.checks.rule import check
from whence.errors import UsageError
from whence.structures.results import Example
from whence.structures.tree import Claim, leaves
from whence.tasks import form_inputs, method_named, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.proof_automaton import TreeForm, parse_tree_text, tree_text
from whence.tasks.form_inputs import typed_example
from whence.tasks.loading import rules_of, samples
from whence.tasks.method import Setup
from whence.tasks.sources import data_folder

RULES = rules_of(task_named("entailmentbank-1"), "paper", Dataset((), ()))


@pytest.mark.parametrize("task", ["entailmentbank-1", "entailmentbank-2"])
def test_whatever_a_model_writes_is_a_tree(task: str, letters: str, tmp_path: Path) -> None:
    method = method_named(task, "write")
    model = trained(task, "small.proof", letters, tmp_path / "model")
    examples = samples(task_named(task)).examples[:3]
    maker = method.make(method.settings(model=model), Setup(data_folder))
    for example, found in zip(examples, maker.explain(examples), strict=True):
        assert check(example.inputs, found.explanation, RULES) == ()
        if task == "entailmentbank-1":
            assert len(leaves(found.explanation)) == len(example.inputs.context)
    (nothing,) = maker.explain([Example("x", Claim("h", ()))])
    assert nothing.explanation is None


def test_a_tree_is_imagined_from_a_question(letters: str, tmp_path: Path) -> None:
    method = method_named("entailmentbank-1", "imagine")
    model = trained("entailmentbank-1", "small.tree", letters, tmp_path / "model")
    maker = method.make(method.settings(model=model), Setup(data_folder))
    claim = Claim("", (), "What melts ice?", "heat")
    (found,) = maker.explain([Example("x", claim)])
    assert check(claim, found.explanation, RULES) == ()
    assert len(found.explanation.sentences) >= 2
    assert found.explanation.steps[-1].text == found.reasons[0].text  # the hypothesis, which nobody gave
    with pytest.raises(UsageError, match="--question"):
        maker.explain([Example("x", Claim("h", ()))])
    typed = {"question": ["What melts ice?"], "answer": ["heat"]}
    assert typed_example(form_inputs(task_named("entailmentbank-1")), typed).inputs == claim


def test_a_writer_must_be_named() -> None:
    method = method_named("entailmentbank-2", "write")
    with pytest.raises(UsageError, match=r"whence train entailmentbank-2 small\.proof"):
        method.make(method.settings(), Setup(data_folder))


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_chance_imagines_a_tree_in_any_case(seed: int) -> None:
    drawn, form, text = random.Random(seed), TreeForm(most=5, longest=12), ""
    while not form.may_end(text):
        pieces = ["hypothesis", "sent1", "sent2", "sent3", "int1", ": ", "; ", ";", " & ", " -> ", " ", "ice", "é"]
        fits = [piece for piece in drawn.sample(pieces, 8) if form.may_begin(text + piece)]
        text += fits[0] if fits else form.way_on(text)[: drawn.randint(1, 3)]
        assert form.may_begin(text), text
        assert form.may_end(text + form.way_on(text)), text
        assert len(text) < 2000
    hypothesis, tree = parse_tree_text(text)
    assert hypothesis
    assert check(Claim(hypothesis, ()), tree, RULES) == ()
    assert set(leaves(tree)) == {one.id for one in tree.sentences}
    said = [hypothesis, *(one.text for one in tree.sentences), *(step.text for step in tree.steps[:-1])]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    "text, begins",
    [
        ("hypothesis: ice melts; sent1: ice melt", True),
        ("hypothesis: ice melts; sent1: ice melts", False),
        ("hypothesis: ice melts; sent1: ice melts;", False),
        ("hypothesis: ice melts; sent1: Ice  melts.; ", False),
        ("hypothesis: ice melts; sent1: it is hot; sent2: it is hot;", False),
        ("hypothesis: ice melts; sent1: it is hot; sent2: it is ice; sent1 & sent2 ->", True),
        ("hypothesis: ice melts; sent1: a; sent2: b; sent3: c; sent1 & sent2 -> int1: bc", True),
        ("hypothesis: ice melts; sent1: a; sent2: b; sent3: c; sent1 & sent2 -> int1: b", False),
    ],
)
def test_nothing_is_imagined_twice(text: str, begins: bool) -> None:
    form = TreeForm()
    assert form.may_begin(text) == begins
    if begins:
        assert form.may_end(text + form.way_on(text))


def test_gold_trees_read_back_from_their_text() -> None:
    for example in samples(task_named("entailmentbank-1")).examples:
        hypothesis, tree = parse_tree_text(tree_text(example.golds[0], example.inputs))
        assert hypothesis == example.inputs.hypothesis.replace(":", "").replace(";", ",")
        assert len(tree.steps) == len(example.golds[0].steps)
        assert len(tree.sentences) == len(leaves(example.golds[0]))
