"""What all tests share: the folder of published data, or the reason why it is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# In continuous integration the same examples every time; elsewhere new ones, to find what nobody thought of.
settings.register_profile("ci", derandomize=True)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))

REASON = "WHENCE_DATA does not name the folder of published data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not os.environ.get("WHENCE_DATA"):
        for item in items:
            if item.get_closest_marker("real_data"):
                item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of published data; for tests marked `real_data`."""
    return Path(os.environ["WHENCE_DATA"]).resolve()
