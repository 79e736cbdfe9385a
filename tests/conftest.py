"""What all tests share: the folder of published data, the embedded language model, or why they are not there."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is there: several test processes share the cores

import pytest
from hypothesis import settings

from whence.errors import MissingDataError
from whence.models.generators.embedded import LocalSettings, embedded_file, server

# In continuous integration the same examples every time; elsewhere new ones, to find what nobody thought of.
# An example has no deadline: machines are busy, and what is slow has tests of its own.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("here", deadline=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "here"))

REASON = "WHENCE_DATA does not name the folder of published data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if not os.environ.get("WHENCE_DATA"):
        for item in items:
            if item.get_closest_marker("real_data"):
                item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of published data; for tests marked `real_data`."""
    return Path(os.environ["WHENCE_DATA"]).resolve()


@pytest.fixture(scope="session")
def local_settings() -> LocalSettings:
    """The embedded language model, run by llama.cpp in this process."""
    pytest.importorskip("xllamacpp", reason="needs the extra `llm`")
    try:
        return LocalSettings(embedded_file(), context=2048, threads=1)
    except MissingDataError:
        pytest.skip("the embedded language model is not here: whence models get writer")


@pytest.fixture(scope="session")
def llama_url(local_settings: LocalSettings) -> str:
    """Where llama.cpp's server listens, on a free port of this machine."""
    return f"{server(local_settings).listening_address}/v1"
