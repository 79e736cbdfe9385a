"""Stores: migrations make the tables that the code knows; wrong places get one clear line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.collection.tiny import begun, tiny

from whence.collection.collection import new_collection, open_collection
from whence.collection.store import open_store, store_url
from whence.collection.tables import APPEND_ONLY, METADATA
from whence.errors import MissingDataError, UsageError, WhenceError


def test_migrations_make_todays_tables(where: str) -> None:
    store = open_store(where, new=True)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    again = open_store(where) if "://" in where or Path(where).is_file() else store
    assert again.is_postgresql == ("postgresql" in where)


def test_every_table_of_what_was_said_is_kept() -> None:
    migration = Path(open_store.__globals__["__file__"]).parent / "migrations/versions/0001_the_first_tables.py"
    listed = re.search(r"APPEND_ONLY = \((.*?)\)", migration.read_text(), re.S)
    assert listed is not None
    assert tuple(re.findall(r'"(\w+)"', listed[1])) == APPEND_ONLY


def test_collection_is_there_after_closing(where: str) -> None:
    first = begun(where, topics=2)
    worker = first.join("worker")
    slot = first.next_slot(worker)
    assert slot is not None
    first.store.close()
    second = open_collection(where)
    assert second.version == first.version
    assert second.next_slot(worker) == slot


def test_new_collection_needs_a_new_place(where: str) -> None:
    begun(where)
    with pytest.raises(UsageError, match="already"):
        new_collection(where, tiny())


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        ("nothing.db", MissingDataError, "no collection there. Make one with"),
        ("no/such/folder/x.db", MissingDataError, "no collection there"),
        ("mysql://localhost/x", UsageError, "SQLite or PostgreSQL"),
        ("http//:x://y", UsageError, "neither a file nor the URL"),
        ("postgresql://nobody@127.0.0.1:1/none", WhenceError, "connection"),
    ],
)
def test_wrong_places(place: str, error: type[WhenceError], message: str, tmp_path: Path) -> None:
    where = place if "//" in place else str(tmp_path / place)
    with pytest.raises(error, match=message) as wrong:
        open_store(where)
    assert "\n" not in str(wrong.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_text("just a text, and a long one at that, so that it cannot be taken for an empty database\n" * 20)
    with pytest.raises(WhenceError, match="not a database"):
        open_store(str(path))


def test_passwords_are_not_told() -> None:
    assert "secret" in store_url("postgresql://me:secret@127.0.0.1:1/x")
    with pytest.raises(WhenceError) as wrong:
        open_store("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(wrong.value)
