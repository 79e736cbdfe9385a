"""The embedded language model, in this process and behind llama.cpp's own server."""

from __future__ import annotations

import pytest

from whence.errors import MissingDataError
from whence.models.generators.embedded import LocalSettings, embedded_file, server


@pytest.fixture(scope="session")
def local_settings() -> LocalSettings:
    pytest.importorskip("xllamacpp", reason="needs the extra `llm`")
    try:
        return LocalSettings(embedded_file(), context=2048, threads=1)
    except MissingDataError:
        pytest.skip("the embedded language model is not here: whence models get writer")


@pytest.fixture(scope="session")
def llama_url(local_settings: LocalSettings) -> str:
    """Where llama.cpp's server listens, on a free port of this machine."""
    return f"{server(local_settings).listening_address}/v1"
