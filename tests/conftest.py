"""What all tests share: the folder of published data, or the reason why it is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
