"""A model that writes and knows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.tasks import task_named
from whence.tasks.sources import data_folder


@pytest.fixture(scope="session")
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


def trained(task: str, recipe: str, letters: str, folder: Path) -> str:
    """A model folder by a recipe, learnt from our samples in a moment."""
    given = [f"weights={letters}", "split=samples", "epochs=1", "written=40", "tokens=300"]
    train([recipe_named(task_named(task), recipe, given)], folder, data_folder)
    return str(folder)
