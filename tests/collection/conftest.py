"""Stores to test on: SQLite, and a PostgreSQL cluster of our own where its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'collect' is not installed")

from sqlalchemy import Engine, create_engine, event, text

from whence.collection import store

MakeStore = Callable[[], str]
"""Gives the place of a store that is not there yet."""


@pytest.fixture(scope="session", autouse=True)
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Tests need not survive a power cut."""

    def hurry(connection: object, _record: object) -> None:
        if type(connection).__module__.startswith("sqlite3"):
            connection.execute("PRAGMA synchronous = OFF")  # type: ignore[attr-defined]

    event.listen(Engine, "connect", hurry)
    yield
    event.remove(Engine, "connect", hurry)


@pytest.fixture(autouse=True)
def _close_stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections that nobody gave back are an error of the driver's; tests need not care."""
    engines: list[Engine] = []
    make = store._engine

    def remembered(*given: object) -> Engine:
        engines.append(make(*given))  # type: ignore[arg-type]
        return engines[-1]

    monkeypatch.setattr(store, "_engine", remembered)
    yield
    for engine in engines:
        engine.dispose()


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if found:
        return found[-1].parent
    known = shutil.which("pg_ctl")
    return Path(known).parent if known else None


def _other_user() -> list[str]:
    """PostgreSQL does not run as root."""
    if os.getuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        if shutil.which("runuser"):
            return ["runuser", "-u", name, "--"]
    pytest.skip("PostgreSQL does not run as root, and there is no user to run it as")


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The URL of a private cluster on a socket, without a port."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    user = _other_user()
    folder = Path(tempfile.mkdtemp(prefix="whence-pg-", dir="/tmp"))  # a socket's path must be short
    folder.chmod(0o777)
    data = folder / "data"

    def run(program: str, *words: str) -> None:
        done = subprocess.run(
            [*user, str(programs / program), *words], capture_output=True, text=True, check=False, cwd=folder
        )
        if done.returncode:
            pytest.fail(f"{program}: {done.stderr or done.stdout}")

    run("initdb", "-D", str(data), "-U", "whence", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=200"
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql+psycopg://whence@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgresql_url(cluster: str) -> str:
    """The URL of an empty database."""
    name = f"whence_{uuid.uuid4().hex[:12]}"
    engine = create_engine(cluster, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return cluster.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return str(request.getfixturevalue("postgresql_url"))
