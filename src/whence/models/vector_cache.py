"""Vectors that were computed before, kept on disk: a text is encoded once on a machine, whoever asks.

There is one SQLite file a model, named after it and its fingerprint; a vector is found by the SHA-256 of model,
kind of vector and text. Several processes may use a file at once, and one that is killed harms nothing. The cache
saves time and holds nothing else: where it cannot be read or written, vectors are computed as if it were empty.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from whence.files import cache_folder
from whence.models.encoder import Encoder, Floats, embedded_encoder
from whence.progress import Report, unreported

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LIMIT = 1024**3
"""The most bytes that the file of one model takes, about; beyond it the oldest vectors are forgotten."""

_VERSION = 1  # to be counted up where the same text would get another vector
_WAIT = 30.0  # seconds that a process waits for another one to finish writing
_KEYS = 500  # in one query; SQLite takes no more than 999 where it is old
_AT_ONCE = 512  # texts that are encoded before they are kept: what a killed process may lose
_KEPT_SHARE = 0.75  # of the limit, once it is passed
_DAMAGED = ("malformed", "not a database", "no such table", "no such column", "disk image")

Value = TypeVar("Value")
Offsets = list[tuple[int, int]]
"""Where the tokens of a text are in it, by characters; those that only frame it are left out."""


def vectors_folder() -> Path:
    """The folder of vectors (which may not exist yet)."""
    return cache_folder() / "vectors"


class VectorCache:
    """Bytes by key in an SQLite file. Every call opens and closes it: threads and forks need no care."""

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self.path = path
        self.limit = limit
        self.fault: str | None = None
        """Why the last call could not use the file; None where it could."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of the keys. A value that was damaged is not."""
        if not self.path.exists():
            return {}
        found: dict[bytes, bytes] = {}

        def read(connection: sqlite3.Connection) -> None:
            for some in _runs(keys, _KEYS):
                places = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, value FROM vectors WHERE key IN ({places})", some)
                found.update((key, value[4:]) for key, value in rows if value[:4] == _checksum(value[4:]))

        self._use(read)
        return found

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Keeps all values, in one transaction. Beyond the limit the oldest ones go."""
        rows = [(key, _checksum(value) + value) for key, value in values.items()]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors (key, value) VALUES (?, ?)", rows)
            self._forget_the_oldest(connection)

        self._use(write)

    def clear(self) -> None:
        """Forgets everything."""
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _use(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Does the work on the file; a damaged one is made anew first, one that cannot be used is passed over."""
        self.fault = None
        for attempt in range(2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with _connected(self.path) as connection:
                    work(connection)
                return
            except (sqlite3.Error, OSError) as error:
                self.fault = f"{self.path}: {error}"
                if attempt == 0 and any(sign in str(error) for sign in _DAMAGED):
                    self._clear_if_possible()
                    continue
                return

    def _clear_if_possible(self) -> None:
        try:
            self.clear()
        except OSError as error:
            self.fault = f"{self.path}: {error}"

    def _forget_the_oldest(self, connection: sqlite3.Connection) -> None:
        """The file does not shrink, but what is free in it is used again."""
        if _used(connection) <= self.limit:
            return
        count, first, last = connection.execute("SELECT count(*), min(rowid), max(rowid) FROM vectors").fetchone()
        mean = _used(connection) / max(count, 1)
        keep = int(self.limit * _KEPT_SHARE / mean)
        oldest = connection.execute(
            "SELECT rowid FROM vectors ORDER BY rowid DESC LIMIT 1 OFFSET ?", (max(keep, 1),)
        ).fetchone()
        if oldest is not None and first <= oldest[0] <= last:
            with connection:
                connection.execute("DELETE FROM vectors WHERE rowid <= ?", oldest)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=_WAIT)) as connection:
        # Readers and a writer do not wait for each other, and a killed process leaves whole transactions.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)")
        yield connection


def _used(connection: sqlite3.Connection) -> int:
    (pages,), (free,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _checksum(value: bytes) -> bytes:
    return zlib.crc32(value).to_bytes(4, "little")


def _runs(values: Sequence[Value], most: int) -> Iterator[Sequence[Value]]:
    for start in range(0, len(values), most):
        yield values[start : start + most]


class CachedEncoder:
    """An encoder that remembers. Its vectors are the same whether they were known or not."""

    def __init__(self, encoder: Encoder, cache: VectorCache | None = None) -> None:
        self.encoder = encoder
        file = re.sub(r"[^\w.@-]", "_", encoder.name) + ".sqlite"
        self.cache = VectorCache(vectors_folder() / file) if cache is None else cache

    @property
    def name(self) -> str:
        """Which model it is, with a fingerprint of its weights."""
        return self.encoder.name

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return self.encoder.width

    def sentences(self, texts: Sequence[str], report: Report = unreported) -> Floats:
        """One row a text, of length 1."""
        found = self._known("sentence", texts, np.float32, lambda some: list(self.encoder.sentences(some)), report)
        rows = [found[text].reshape(-1) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.width), dtype=np.float32)

    def tokens(self, texts: Sequence[str], report: Report = unreported) -> list[Floats]:
        """One row a token of each text, frame and all, to the precision of two bytes: files stay half as large."""

        def compute(some: Sequence[str]) -> list[Floats]:
            return [text.vectors for text in self.encoder.tokens(some)]

        found = self._known("tokens", texts, np.float16, compute, report)
        return [found[text] for text in texts]

    def offsets(self, texts: Sequence[str]) -> list[Offsets]:
        """Where each text's tokens are in it; of a long text, more of them than it has vectors."""
        tokenizer = _tokenizer(self.encoder.folder)
        return [list(found.offsets) for found in tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def _known(
        self,
        kind: str,
        texts: Sequence[str],
        precision: DTypeLike,
        compute: Callable[[Sequence[str]], Sequence[Floats]],
        report: Report,
    ) -> dict[str, Floats]:
        keys = {text: _key(self.name, kind, text) for text in texts}
        kept = self.cache.get(list(keys.values()))
        found: dict[str, Floats] = {}
        for text, key in keys.items():
            if key in kept:
                found[text] = _rows(kept[key], precision, self.width)
        missing = [text for text in keys if text not in found]
        # Equal lengths together: the encoder sorts what it is given, and it is given a part at a time.
        missing.sort(key=lambda text: (len(text), text))
        for done, some in enumerate(_runs(missing, _AT_ONCE)):
            report("encoding", done * _AT_ONCE, len(missing))
            values = {
                text: vector.astype(precision).tobytes() for text, vector in zip(some, compute(some), strict=True)
            }
            self.cache.put({keys[text]: value for text, value in values.items()})
            found.update((text, _rows(value, precision, self.width)) for text, value in values.items())
        return found


def _key(model: str, kind: str, text: str) -> bytes:
    # Half a character is no text that the encoder takes; it says so better than a key could.
    whole = f"{_VERSION}\0{model}\0{kind}\0{text}".encode(errors="surrogatepass")
    return hashlib.sha256(whole).digest()


def _rows(value: bytes, precision: DTypeLike, width: int) -> Floats:
    return np.frombuffer(value, dtype=precision).astype(np.float32).reshape(-1, width)


@lru_cache(maxsize=2)
def _tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def cached_encoder() -> CachedEncoder:
    """The embedded encoder, with its file of vectors in the user's cache."""
    return CachedEncoder(embedded_encoder())
