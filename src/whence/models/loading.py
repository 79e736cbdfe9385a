"""Loading `transformers` checkpoints: quietly, safely, with one clear line where it fails.

Torch and transformers are the extra `train`; they are imported when a checkpoint is first used, not before.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from whence.errors import DataError, UsageError

_BATCH = 32
_MOST_TOKENS = 512  # where neither tokenizer nor model has a limit


def library(name: str) -> Any:
    """A package of the extra `train`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(f"this needs {name}: pip install 'whence[train]'") from None


def loaded(kind: str, where: Path | str, **options: Any) -> Any:
    """What `transformers` makes of a folder, never with code from there; of a name, by way of its hub.

    A folder is never looked for on the network.
    """
    from safetensors import SafetensorError

    transformers = library("transformers")
    try:
        with quiet(transformers):
            return getattr(transformers, kind).from_pretrained(
                str(where), local_files_only=isinstance(where, Path), trust_remote_code=False, **options
            )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        reason = str(error).strip().split("\n")[0]
        raise DataError(Path(where), expected="a checkpoint that transformers reads", found=reason) from None


def whole_model(kind: str, path: Path, unused: str | None = None, **options: Any) -> Any:
    """A model on the fastest device here, in full precision, whose every weight comes from the file."""
    model, report = loaded(kind, path, output_loading_info=True, **options)
    # transformers fills what is missing with chance numbers, and goes on.
    missing = sorted(key for key in report["missing_keys"] if unused is None or unused not in key)
    if missing:
        raise DataError(
            path, expected="all weights of the model", found=f"{len(missing)} missing, such as {missing[0]}"
        )
    return model.eval().float().to(device())


def device() -> str:
    """Where models run: a graphics card if there is one."""
    return "cuda" if library("torch").cuda.is_available() else "cpu"


def in_precision(name: str) -> AbstractContextManager[Any]:
    """In which products are computed in bfloat16, if that is the precision."""
    torch = library("torch")
    enabled = number_type(name) is torch.bfloat16
    return torch.autocast(device(), torch.bfloat16, enabled=enabled)  # type: ignore[no-any-return]


def number_type(name: str) -> Any:
    """Torch's type of numbers of a precision; `auto`: bfloat16 where that is faster than full precision."""
    torch = library("torch")
    wanted = _multiplies_bfloat16() if name == "auto" else name == "bfloat16"
    return torch.bfloat16 if wanted else torch.float32


@lru_cache
def _multiplies_bfloat16() -> bool:
    """Whether the device has instructions for it. Processors without are many times slower so."""
    torch = library("torch")
    if device() == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    described = Path("/proc/cpuinfo")
    flags = described.read_text(encoding="utf-8").split() if described.is_file() else []
    return "avx512_bf16" in flags or "amx_bf16" in flags


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Without progress bars and tables of unused weights."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def most_tokens(tokenizer: Any, config: Any) -> int:
    """The longest text that a model reads."""
    positions = getattr(config, "max_position_embeddings", None) or _MOST_TOKENS
    if config.model_type in ("roberta", "xlm-roberta", "camembert"):
        positions -= config.pad_token_id + 1  # theirs start after the number of the padding
    return min(int(tokenizer.model_max_length), int(positions))


def by_length(lengths: Sequence[int], size: int = _BATCH) -> Iterator[list[int]]:
    """Places in batches, those of similar length together: little padding."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), size):
        yield order[start : start + size]
