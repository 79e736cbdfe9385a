"""Models for tests: the embedded encoder where it is on this machine, and small ones made of chance numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from whence.errors import MissingDataError
from whence.models.encoder import Encoder, embedded_encoder

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "the",
    "dog",
    "cat",
    "barks",
    "sleep",
    "##s",
    "at",
    "on",
    "mat",
    ".",
    ",",
    "health",
    "bad",
    "light",
]
CONFIG = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "hidden_act": "gelu",
    "hidden_size": 16,
    "intermediate_size": 32,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 12,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "vocab_size": len(WORDS),
    "pad_token_id": 0,
}


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The embedded encoder; tests that need it are skipped where its weights are not here."""
    try:
        return embedded_encoder()
    except MissingDataError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def tiny_tensors() -> dict[str, np.ndarray]:
    """The tensors of a BERT of two layers, made of chance numbers, under the names that transformers gives."""
    numbers = np.random.default_rng(7)
    hidden, inner = 16, 32
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), hidden),
        "embeddings.position_embeddings.weight": (12, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    for layer in range(2):
        at = f"encoder.layer.{layer}"
        for name, rows, columns in (
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", inner, hidden),
            ("output.dense", hidden, inner),
        ):
            shapes[f"{at}.{name}.weight"] = (rows, columns)
            shapes[f"{at}.{name}.bias"] = (rows,)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{at}.{name}.weight"] = (hidden,)
            shapes[f"{at}.{name}.bias"] = (hidden,)
    return {name: numbers.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory, tiny_tensors: dict[str, np.ndarray]) -> Path:
    """The folder of that BERT."""
    from safetensors.numpy import save_file

    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    folder.mkdir()
    save_file(tiny_tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG))
    write_tokenizer(folder)
    return folder


@pytest.fixture(scope="session")
def tokenizer_writer() -> object:
    """Writes the small tokenizer into a folder."""
    return write_tokenizer


def write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_padding(length=9)  # as published files have it: the encoder must switch it off
    tokenizer.enable_truncation(5)
    tokenizer.save(str(folder / "tokenizer.json"))
    special = {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]"}
    described = {**special, "mask_token": "[MASK]", "tokenizer_class": "PreTrainedTokenizerFast"}
    (folder / "tokenizer_config.json").write_text(json.dumps(described))


SENTENCE = "cats dogs birds sleep bark sing loudly at night by day and we like them because of that"


def word_tokenizer(*, framed: bool) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {
        word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *SENTENCE.split()])
    }
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if framed:
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", eos_token="[SEP]", model_max_length=64
    )


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=40, max_position_embeddings=64, **size)).save_pretrained(folder)
    word_tokenizer(framed=True).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def tiny_writer(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("writer")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    LlamaForCausalLM(LlamaConfig(vocab_size=40, max_position_embeddings=64, **size)).save_pretrained(folder)
    word_tokenizer(framed=False).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def tiny_translator(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from transformers import T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("translator")
    torch.manual_seed(0)
    size = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2}
    config = T5Config(vocab_size=40, decoder_start_token_id=0, pad_token_id=0, eos_token_id=3, **size)
    T5ForConditionalGeneration(config).save_pretrained(folder)
    word_tokenizer(framed=False).save_pretrained(folder)
    return str(folder)
