"""Where a collection is kept: SQLite by default, PostgreSQL by URL. Transactions and migrations."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from whence.errors import MissingDataError, UsageError, WhenceError, quoted

if TYPE_CHECKING:
    from alembic.config import Config

Result = TypeVar("Result")

_POOL = 10  # connections that are kept
_WAIT = 30  # seconds for another process to finish writing
_AGAIN = 5  # times that a transaction is tried which another one stood in the way of
_IN_THE_WAY = ("40001", "40P01", "23505")  # serialization failure, deadlock, the same row added by both


class Store:
    """One collection's database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        # SQLite has one writer at a time and lets the others ask again and again, some of them for ever. Threads
        # of one process wait in a queue instead; only processes still ask.
        self._turn: AbstractContextManager[object] = threading.Lock()
        if self.is_postgresql:
            self._turn = nullcontext()

    @property
    def is_postgresql(self) -> bool:
        """Whether several writers work at a time, and rows are locked one by one."""
        return self.engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view."""
        with self.engine.connect() as connection:
            if self.is_postgresql:
                connection = connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            with connection.begin():
                yield connection

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Does the work in one transaction, all of it or nothing; again where others stood in the way."""
        for last in [False] * (_AGAIN - 1) + [True]:
            try:
                with self._turn, self._writing() as connection:
                    return work(connection)
            except DBAPIError as error:
                if last or getattr(error.orig, "sqlstate", None) not in _IN_THE_WAY:
                    raise
                time.sleep(0.01)
        raise AssertionError  # the last round returns or raises

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self.engine.connect() as connection, connection.execution_options(writes=True).begin():
            yield connection

    def close(self) -> None:
        """Gives connections back."""
        self.engine.dispose()


def store_url(where: str) -> str:
    """The URL of a store: the path of a SQLite file, or a URL as it is. PostgreSQL is spoken to by psycopg."""
    if "://" not in where:
        return f"sqlite:///{Path(where)}"
    try:
        url = make_url(where)
    except ArgumentError:
        raise UsageError(f"{quoted(where)} is neither a file nor the URL of a database") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise UsageError(f"collections are kept in SQLite or PostgreSQL, not in {quoted(url.drivername)}")
    return url.render_as_string(hide_password=False)


def open_store(where: str, *, new: bool = False) -> Store:
    """The store, its tables brought up to date. Unless it is to be new, it must be there."""
    url = make_url(store_url(where))
    if url.drivername == "sqlite":
        path = Path(url.database or "")
        if new and path.exists():
            raise UsageError(f"{path} is there already; a new collection needs a new file")
        if not new and not path.is_file():
            raise MissingDataError(f"{path}: no collection there. Make one with: whence collect new CONFIG {path}")
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent}: no such folder")
    try:
        store = Store(_engine(url))
        has_tables = inspect(store.engine).has_table("configurations")
        if new and has_tables:
            raise UsageError(
                f"{url.render_as_string()} holds a collection already; a new one needs a database of its own"
            )
        if not new and not has_tables:
            raise MissingDataError(f"{url.render_as_string()}: no collection there")
        migrate(store)
    except DBAPIError as error:
        reason = str(error.orig).strip().split("\n")[0]
        raise WhenceError(f"{url.render_as_string()}: {reason}") from None
    return store


def _engine(url: Any) -> Engine:
    if url.drivername != "sqlite":
        return create_engine(url, pool_size=_POOL, max_overflow=_POOL, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": _WAIT}, pool_size=_POOL, max_overflow=4 * _POOL)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        # The driver must not begin transactions by itself: it would begin them too late.
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # One that will write says so at once: to wait for others then is safe, to find out later is a conflict.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def migrate(store: Store) -> None:
    """Brings the tables up to date, all or nothing."""
    from alembic import command

    def upgrade(connection: Connection) -> None:
        if store.is_postgresql:
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(727465)")  # one process at a time
        config = migrations()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    store.write(upgrade)


def migrations() -> Config:
    """Where the migrations are."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
