"""Checkpoints by their folder, on a small BERT of chance numbers that transformers saves."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from whence.errors import DataError, UsageError
from whence.metrics.similarity import Classifier, Similarity
from whence.models.bertscore import EmbeddedBertScore
from whence.models.checkpoint import (
    CheckpointBertScore,
    CheckpointClassifier,
    CheckpointEncoder,
    CheckpointRegression,
)
from whence.models.encoder import Encoder

REASON = "torch and transformers are not installed (the extra 'train')"
TEXTS = ["The dog barks.", "a cat sleeps on the mat", "", "dog", "light , health", "dog " * 30]
PAIRS = [
    ("The dog barks.", "a cat sleeps"),
    ("dog", "dog"),
    ("", "health"),
    ("a dog", "the dog at the mat ."),
] * 12

Save = Callable[..., Path]


@pytest.fixture
def torch() -> Any:
    pytest.importorskip("transformers", reason=REASON)
    return pytest.importorskip("torch", reason=REASON)


@pytest.fixture
def save(torch: Any, tmp_path: Path, tokenizer_writer: Callable[[Path], None]) -> Save:
    """Saves a small BERT with a head, and says where."""
    import transformers

    def saved(labels: list[str], name: str = "judge") -> Path:
        torch.manual_seed(3)
        config = transformers.BertConfig(
            vocab_size=20,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=32,
            max_position_embeddings=24,
            initializer_range=0.5,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
        )
        folder = tmp_path / name
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
        tokenizer_writer(folder)
        return folder

    return saved


def outputs(folder: Path, torch: Any, first: str, second: str) -> Any:
    """The head's output for one pair alone, as a user of transformers would get it."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        return model(**tokenizer([first], [second], truncation=True, max_length=24, return_tensors="pt")).logits[0]


def test_classifier_gives_probabilities_by_label(save: Save, torch: Any) -> None:
    folder = save(["counter", "support", "incorrect"])
    classifier: Classifier = CheckpointClassifier(folder)
    assert classifier.name.startswith("classifier:judge@")
    found = classifier.probabilities(PAIRS)
    assert len(found) == len(PAIRS)
    for pair, probabilities in zip(PAIRS[:4], found, strict=False):
        expected = outputs(folder, torch, *pair).softmax(dim=-1).tolist()
        assert list(probabilities) == ["counter", "support", "incorrect"]
        assert_allclose(list(probabilities.values()), expected, atol=1e-5)
    assert classifier.probabilities([]) == []


def test_regression_reads_the_reference_first(save: Save, torch: Any) -> None:
    folder = save(["score"])
    regression: Similarity = CheckpointRegression(folder)
    assert regression.name.startswith("regression:judge@")
    for (candidate, reference), score in zip(PAIRS[:4], regression.score(PAIRS), strict=False):
        assert score == pytest.approx(float(outputs(folder, torch, reference, candidate)[0]), abs=1e-5)


def test_heads_must_fit(save: Save) -> None:
    with pytest.raises(UsageError, match="a regression has one output, this has 2"):
        CheckpointRegression(save(["no", "yes"], "two")).score(PAIRS)
    with pytest.raises(UsageError, match="a classifier has two labels or more, this has 1"):
        CheckpointClassifier(save(["score"], "one")).probabilities(PAIRS)


def test_a_head_of_chance_numbers_is_refused(torch: Any, tiny_folder: Path) -> None:
    # transformers would make one up, and say so in its log only
    with pytest.raises(DataError, match="expected all weights of the model, found"):
        CheckpointClassifier(tiny_folder).probabilities(PAIRS)


def test_tokens_are_those_of_the_embedded_encoder(torch: Any, tiny_folder: Path) -> None:
    ours, theirs = Encoder(tiny_folder), CheckpointEncoder(tiny_folder)
    assert theirs.name == f"{ours.name}_L2"
    for one, other in zip(ours.tokens(TEXTS), theirs.tokens(TEXTS), strict=True):
        assert one.ids.tolist() == other.ids.tolist()
        assert one.special.tolist() == other.special.tolist()
        assert_allclose(one.vectors, other.vectors, atol=2e-5)
    for idf in (False, True):
        theirs_scored = CheckpointBertScore(tiny_folder, 2, idf).score(PAIRS)
        assert theirs_scored == pytest.approx(EmbeddedBertScore(ours, idf).score(PAIRS), abs=1e-5)


def test_layers_are_those_that_transformers_shows(torch: Any, tiny_folder: Path) -> None:
    import transformers

    model = transformers.AutoModel.from_pretrained(tiny_folder).eval()
    text = "the dog barks"
    for layer in (0, 1, 2):
        (found,) = CheckpointEncoder(tiny_folder, layer).tokens([text])
        with torch.inference_mode():
            states = model(torch.tensor([found.ids.tolist()]), output_hidden_states=True).hidden_states
        assert_allclose(found.vectors, states[layer][0].numpy(), atol=1e-5)
    with pytest.raises(UsageError, match="there is no layer 3; there are 0 to 2"):
        CheckpointEncoder(tiny_folder, 3).tokens([text])


def test_the_layer_is_that_of_bert_score_where_it_has_one(torch: Any, tmp_path: Path) -> None:
    import transformers

    shapes = [
        (transformers.RobertaConfig, 24, 17),
        (transformers.BertConfig, 12, 9),
        (transformers.BertConfig, 5, 5),
    ]
    for number, (config, layers, expected) in enumerate(shapes):
        config(num_hidden_layers=layers).save_pretrained(tmp_path / str(number))
        assert CheckpointEncoder(tmp_path / str(number)).layer == expected


def test_the_first_word_of_roberta_is_one_like_any_other(torch: Any, tmp_path: Path) -> None:
    import tokenizers
    import transformers

    signs = {sign: number for number, sign in enumerate(["<s>", "<pad>", "</s>", "<unk>", "Ġ", "d", "o", "g"])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(signs, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    special = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(tmp_path / "r")
    config = transformers.RobertaConfig(
        vocab_size=8,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=12,
    )
    transformers.RobertaModel(config).save_pretrained(tmp_path / "r")
    dog, spaced, empty, long = CheckpointEncoder(tmp_path / "r").tokens(["dog", " dog ", "", "dog " * 9])
    assert dog.ids.tolist() == spaced.ids.tolist() == [0, 4, 5, 6, 7, 2]
    assert dog.special.tolist() == [True, False, False, False, False, True]
    assert empty.ids.tolist() == [0, 2]
    assert len(long.ids) == 10  # RoBERTa's positions start at 2


def test_nothing_in_nothing_out(torch: Any, tiny_folder: Path) -> None:
    assert CheckpointEncoder(tiny_folder).tokens([]) == []
    assert CheckpointBertScore(tiny_folder).score([]) == []


def test_damaged_checkpoints_get_one_clear_line(torch: Any, tiny_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder, tmp_path / "bad")
    for damage in (lambda path: path.write_bytes(b"no tensors"), Path.unlink):
        damage(tmp_path / "bad/model.safetensors")
        with pytest.raises(DataError, match="expected a checkpoint that transformers reads") as error:
            CheckpointEncoder(tmp_path / "bad").tokens(["dog"])
        assert "\n" not in str(error.value)


def test_the_whole_embedded_encoder_through_torch(torch: Any, encoder: Encoder) -> None:
    texts = ["Plants need light to grow.", "Stones sink.", ""]
    for one, other in zip(encoder.tokens(texts), CheckpointEncoder(encoder.folder).tokens(texts), strict=True):
        assert np.abs(one.vectors - other.vectors).max() < 1e-5


def test_without_torch_there_is_one_clear_line(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    for call in (
        lambda: CheckpointBertScore(tiny_folder).score(PAIRS),
        lambda: CheckpointClassifier(tiny_folder).probabilities(PAIRS),
        lambda: CheckpointRegression(tiny_folder).score(PAIRS),
    ):
        with pytest.raises(UsageError, match=r"pip install 'whence\[train\]'"):
            call()
