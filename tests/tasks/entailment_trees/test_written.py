"""Trees that a language model writes. The model knows nothing; what it writes is a tree all the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.checks.rule import check
from whence.errors import UsageError
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.structures.results import Example
from whence.structures.tree import Claim, leaves
from whence.tasks import method_named, task_named
from whence.tasks.entailment_trees.constrained import TreeForm, parse_tree_text, tree_text
from whence.tasks.explainers import Setup
from whence.tasks.sources import data_folder
from whence.tasks.task import Dataset, rules_of, samples

RULES = rules_of(task_named("entailmentbank-1"), "paper", Dataset((), ()))


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A language model of letters, made of chance numbers."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("transformers", reason="needs the extra `train`")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("letters")
    alphabet = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({letter: place for place, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    torch.manual_seed(0)
    size = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = LlamaConfig(vocab_size=len(alphabet), max_position_embeddings=2048, **size)
    LlamaForCausalLM(config).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>").save_pretrained(
        folder
    )
    return str(folder)


def _trained(task: str, recipe: str, letters: str, folder: Path) -> str:
    given = [f"weights={letters}", "split=samples", "epochs=1", "written=40", "tokens=300"]
    train([recipe_named(task_named(task), recipe, given)], folder, data_folder)
    return str(folder)


@pytest.mark.parametrize("task", ["entailmentbank-1", "entailmentbank-2"])
def test_whatever_a_model_writes_is_a_tree(task: str, letters: str, tmp_path: Path) -> None:
    method = method_named(task, "write")
    model = _trained(task, "small.proof", letters, tmp_path / "model")
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
    model = _trained("entailmentbank-1", "small.tree", letters, tmp_path / "model")
    maker = method.make(method.settings(model=model), Setup(data_folder))
    claim = Claim("", (), "What melts ice?", "heat")
    (found,) = maker.explain([Example("x", claim)])
    assert check(claim, found.explanation, RULES) == ()
    assert len(found.explanation.sentences) >= 2
    with pytest.raises(UsageError, match="--question"):
        maker.explain([Example("x", Claim("h", ()))])


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


def test_gold_trees_read_back_from_their_text() -> None:
    for example in samples(task_named("entailmentbank-1")).examples:
        hypothesis, tree = parse_tree_text(tree_text(example.golds[0], example.inputs))
        assert hypothesis == example.inputs.hypothesis.replace(":", "").replace(";", ",")
        assert len(tree.steps) == len(example.golds[0].steps)
        assert len(tree.sentences) == len(leaves(example.golds[0]))
