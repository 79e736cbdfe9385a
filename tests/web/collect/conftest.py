from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra collect")
pytest.importorskip("sqlalchemy", reason="needs the extra collect")

from whence.collection.collection import Collection, new_collection, open_collection
from whence.collection.configuration_files import read_configuration
from whence.collection.importing import add_items

Made = Callable[..., Collection]


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Stores with nothing but a configuration in them: made once, for to make their tables takes longest."""
    folder = tmp_path_factory.mktemp("stores")

    def store(name: str) -> Path:
        path = folder / f"{name}.db"
        if not path.exists():
            made = new_collection(str(path), read_configuration(name)[1])
            made.store.close()
        return path

    return store


@pytest.fixture
def collection(tmp_path: Path, stores: Callable[[str], Path]) -> Made:
    """A collection by the name of its configuration, with items by source."""

    def make(name: str, **items: list[dict[str, Any]]) -> Collection:
        path = shutil.copy(stores(name), tmp_path)
        made = open_collection(str(path))
        for source, found in items.items():
            made.write(lambda tx, s=source, f=found: add_items(tx, tx.configuration.source(s), f))
        return made

    return make
