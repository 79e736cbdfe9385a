"""The plug-in of `tests/plugin`, which `make test` installs as a distribution of its own."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

import pytest
from tests.collection.conftest import _close_stores, _without_waiting_for_the_disk
from tests.commands.conftest import run

__all__ = ["_close_stores", "_without_waiting_for_the_disk", "run"]


@pytest.fixture(scope="session", autouse=True)
def _plugin_is_installed() -> None:
    """Without it these tests would say nothing about plug-ins."""
    try:
        distribution("whence-rationales")
    except PackageNotFoundError:
        pytest.fail("the plug-in of the tests is not installed: make .venv/.installed-test")
