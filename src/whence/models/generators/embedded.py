"""A language model in a GGUF file, run in this process by llama.cpp: the embedded one, or any other."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from whence.errors import DataError, MissingDataError, UsageError
from whence.files import digest_of
from whence.models.generators import Reply, Request, Told, failed, untold
from whence.models.generators.completions import body_of, error_of, reply_of
from whence.models.weights import writer_folder

_ERRORS_ONLY = 0  # llama.cpp's own lines


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """Which file, and how it is run."""

    file: Path
    context: int = 8192
    """The most tokens of a request and its answer together."""
    threads: int = 0
    """0: half of the cores. llama.cpp's threads wait for each other, and crawl where cores are shared."""


class LocalGenerator:
    """A language model in this process. It answers one request at a time; the same ones always alike."""

    def __init__(self, settings: LocalSettings) -> None:
        self._settings = settings
        if not settings.file.is_file():
            raise MissingDataError(f"{settings.file}: no such file")
        self.name = f"{settings.file.stem}@{digest_of(settings.file)[:8]} by llama.cpp"

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """The reply to each request."""
        found = []
        for place, request in enumerate(requests):
            found.append(self._reply(request))
            told(place, found[-1])
        return found

    def _reply(self, request: Request) -> Reply:
        # What llama.cpp keeps of an earlier request changes the last digits of what it computes.
        body = {**body_of(request), "cache_prompt": False}
        document = server(self._settings).handle_chat_completions(body)
        if isinstance(document, dict) and "error" in document:
            return failed(f"llama.cpp: {error_of(document)}")
        try:
            return reply_of(document)
        except DataError as error:
            return failed(f"llama.cpp: {error}")


def embedded_file() -> Path:
    """The language model that `whence models get writer` brings."""
    return next(writer_folder().glob("*.gguf"))


@lru_cache(maxsize=1)
def server(settings: LocalSettings) -> Any:
    """llama.cpp with a model; it listens on a free port of this machine too (`listening_address`)."""
    library = _library()
    params = library.CommonParams()
    params.model.path = str(settings.file)
    params.n_ctx, params.n_parallel = settings.context, 1
    params.port, params.verbosity, params.warmup = 0, _ERRORS_ONLY, False
    threads = settings.threads or max(1, (os.cpu_count() or 1) // 2)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    try:
        return library.Server(params)
    except (RuntimeError, ValueError) as error:
        raise DataError(settings.file, expected="a GGUF file that llama.cpp reads", found=str(error)) from None


def _library() -> Any:
    try:
        return importlib.import_module("xllamacpp")
    except ImportError:
        raise UsageError("this needs xllamacpp: pip install 'whence[llm]'") from None
