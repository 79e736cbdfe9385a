"""The pretrained model under a head: the embedded encoder, the embedded language model, or any checkpoint."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.errors import UsageError
from whence.models.loading import library, loaded, most_tokens, quiet
from whence.models.weights import CARD, encoder_folder, name_of, writer_folder

_UNPACKED = "float32"
"""The folder, beside the language model's file, that has its weights as torch reads them."""


@dataclass(frozen=True)
class Backbone:
    """A pretrained model with its tokenizer."""

    name: str
    """With a fingerprint of the weights."""
    model: Any
    tokenizer: Any
    is_causal: bool
    """Whether tokens see only what stands before them."""

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.model.config.hidden_size)

    @property
    def most_tokens(self) -> int:
        """The longest text."""
        return most_tokens(self.tokenizer, self.model.config)


def load_backbone(weights: str) -> Backbone:
    """What a recipe names: `encoder`, `writer`, the folder of a checkpoint, or a name on transformers' hub."""
    where = _place(weights)
    config = loaded("AutoConfig", where)
    if config.is_encoder_decoder:
        raise UsageError(
            f"{weights}: a {config.model_type} both reads and writes; give an encoder or a language model"
        )
    model = loaded("AutoModel", where, **({"add_pooling_layer": False} if _has_pooler(config) else {})).float()
    return Backbone(_named(where), model, _tokenizer(where), _is_causal(config))


def load_writer(weights: str) -> Backbone:
    """A model that writes: a language model, or one that reads a text and then writes another (T5, BART)."""
    where = _place(weights)
    config = loaded("AutoConfig", where)
    if not config.is_encoder_decoder and not _is_causal(config):
        raise UsageError(f"{weights}: a {config.model_type} does not write; give a language model")
    kind = "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"
    return Backbone(_named(where), loaded(kind, where).float(), _tokenizer(where), not config.is_encoder_decoder)


def _named(where: Path | str) -> str:
    return name_of(where) if isinstance(where, Path) else where


def _tokenizer(where: Path | str) -> Any:
    tokenizer = loaded("AutoTokenizer", where)
    if not tokenizer.is_fast:
        raise UsageError(f"{where}: its tokenizer does not tell where tokens stand; give a model with a fast one")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _place(weights: str) -> Path | str:
    if weights == "encoder":
        return encoder_folder()
    if weights == "writer":
        return writer_checkpoint()
    folder = Path(weights).expanduser()
    return folder if folder.is_dir() else weights


def _has_pooler(config: Any) -> bool:
    return config.model_type in ("bert", "roberta", "xlm-roberta", "camembert", "mpnet")


def _is_causal(config: Any) -> bool:
    names = [str(name) for name in config.architectures or ()]
    return any(name.endswith("ForCausalLM") for name in names) or config.model_type in ("llama", "gpt2", "gemma3")


def writer_checkpoint() -> Path:
    """The embedded language model as a folder that transformers reads, unpacked once: it takes half a minute."""
    folder = writer_folder()
    unpacked = folder / _UNPACKED
    if not unpacked.is_dir():
        with tempfile.TemporaryDirectory(dir=folder, prefix=".unpack-") as name:
            _unpack(next(folder.glob("*.gguf")), Path(name) / "checkpoint")
            try:
                (Path(name) / "checkpoint").rename(unpacked)
            except OSError:
                if not unpacked.is_dir():  # another process may have been faster
                    raise
    return unpacked


def _unpack(file: Path, folder: Path) -> None:
    library("gguf")
    # Its progress bar heeds no setting of transformers.
    with quiet(library("transformers")), contextlib.redirect_stderr(io.StringIO()):
        tokenizer = loaded("AutoTokenizer", file.parent, gguf_file=file.name)
        model = loaded("AutoModelForCausalLM", file.parent, gguf_file=file.name)
        # Only weights that are no longer packed can be saved; these are not, whatever the configuration says.
        del model.config.quantization_config
        model.hf_quantizer = None
        plain = type(model)(model.config)
        plain.load_state_dict(model.state_dict())
        plain.tie_weights()
        plain.float().save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    for name in (CARD, "LICENSE"):
        shutil.copy(file.parent / name, folder / name)
