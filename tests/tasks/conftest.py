"""The server that tests of fetching ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.tasks.fetch_site import Site, serving


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    with serving() as site:
        yield site
