from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from whence.models.encoder import EncodedText, Encoder, Floats
from whence.models.vector_cache import CachedEncoder, VectorCache, vectors_folder

TEXTS = ["a dog barks", "the cat sleeps on the mat", "", "a dog barks"]


class Counting(Encoder):
    """Counts the texts that it is really asked for."""

    asked = 0

    def sentences(self, texts: Sequence[str]) -> Floats:
        self.asked += len(texts)
        return super().sentences(texts)

    def tokens(self, texts: Sequence[str]) -> list[EncodedText]:
        self.asked += len(texts)
        return super().tokens(texts)


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "new" / "vectors.sqlite")


def test_a_text_is_encoded_once(tiny_folder: Path, cache: VectorCache) -> None:
    encoder = Counting(tiny_folder)
    cold = CachedEncoder(encoder, cache).sentences(TEXTS)
    assert encoder.asked == 3  # one of the four is there twice
    warm = CachedEncoder(encoder, cache).sentences(list(reversed(TEXTS)))
    assert encoder.asked == 3
    assert np.array_equal(cold, warm[::-1])
    assert np.allclose(cold, Encoder(tiny_folder).sentences(TEXTS), atol=1e-6)


def test_tokens_are_the_same_cold_and_warm_and_no_sentence_vectors(tiny_folder: Path, cache: VectorCache) -> None:
    encoder = Counting(tiny_folder)
    cached = CachedEncoder(encoder, cache)
    cached.sentences(TEXTS)
    cold, warm = cached.tokens(TEXTS), cached.tokens(TEXTS)
    assert encoder.asked == 6
    assert all(np.array_equal(one, other) for one, other in zip(cold, warm, strict=True))
    assert [len(matrix) for matrix in cold] == [5, 9, 2, 5]  # [CLS] ... [SEP]; "sleeps" is sleep ##s
    for matrix, exact in zip(cold, Encoder(tiny_folder).tokens(TEXTS), strict=True):
        assert np.allclose(matrix, exact.vectors, rtol=1e-3, atol=1e-3)  # two bytes a number


def test_offsets_are_those_of_the_tokens(tiny_folder: Path, cache: VectorCache) -> None:
    text = "The cat  sleeps."
    (offsets,) = CachedEncoder(Encoder(tiny_folder), cache).offsets([text])
    assert [text[start:end] for start, end in offsets] == ["The", "cat", "sleep", "s", "."]


def test_no_texts(tiny_folder: Path, cache: VectorCache) -> None:
    cached = CachedEncoder(Encoder(tiny_folder), cache)
    assert cached.sentences([]).shape == (0, 16)
    assert cached.tokens([]) == []


def test_another_model_knows_nothing(tiny_folder: Path, cache: VectorCache) -> None:
    encoder = Counting(tiny_folder)
    CachedEncoder(encoder, cache).sentences(TEXTS)
    encoder.__dict__["name"] = "tiny-bert@00000000"
    CachedEncoder(encoder, cache).sentences(TEXTS)
    assert encoder.asked == 6


@pytest.mark.parametrize("content", [b"this is not SQLite, " * 1000, b"SQLite format 3\0" + b"\xff" * 5000, b""])
def test_a_damaged_file_is_made_anew(cache: VectorCache, content: bytes) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    assert cache.get([key(1)]) == {}
    cache.put({key(1): b"one"})
    assert cache.get([key(1)]) == {key(1): b"one"}
    assert cache.fault is None


def test_a_damaged_value_is_not_known(cache: VectorCache) -> None:
    cache.put({key(1): b"one", key(2): b"two"})
    connection = sqlite3.connect(cache.path)
    with connection:
        connection.execute("UPDATE vectors SET value = ? WHERE key = ?", (b"\0\0\0\0one", key(1)))
    connection.close()
    assert cache.get([key(1), key(2)]) == {key(2): b"two"}


def test_where_nothing_can_be_kept_everything_is_computed(tiny_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder")
    cached = CachedEncoder(Counting(tiny_folder), VectorCache(tmp_path / "file" / "vectors.sqlite"))
    assert np.array_equal(cached.sentences(TEXTS), cached.sentences(TEXTS))
    assert cached.cache.fault is not None
    assert str(tmp_path) in cached.cache.fault


def test_many_keys_at_once(cache: VectorCache) -> None:
    values = {key(number): str(number).encode() for number in range(3000)}
    cache.put(values)
    assert cache.get([*values, key(9999)]) == values


def test_beyond_the_limit_the_oldest_go(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "small.sqlite", limit=200_000)
    for start in range(0, 1000, 100):  # a million bytes
        cache.put({key(number): bytes(1000) for number in range(start, start + 100)})
    known = cache.get([key(number) for number in range(1000)])
    numbers = sorted(int.from_bytes(found, "big") for found in known)
    assert numbers == list(range(1000 - len(numbers), 1000))
    assert 50 < len(numbers) < 200
    assert cache.path.stat().st_size < 500_000


WRITER = """
import sys
from pathlib import Path
from whence.models.vector_cache import VectorCache
cache = VectorCache(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    cache.put({number.to_bytes(32, "big"): bytes(500)})
    if cache.fault:
        sys.exit(cache.fault)
"""


def writer(path: Path, first: int, last: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(first), str(last)])


def test_several_processes_write_at_once(cache: VectorCache) -> None:
    running = [writer(cache.path, first, first + 40) for first in (0, 20, 100)]  # the first two share half
    assert [process.wait(60) for process in running] == [0, 0, 0]
    expected = {key(number) for number in (*range(60), *range(100, 140))}
    assert set(cache.get([key(number) for number in range(200)])) == expected


def test_a_killed_process_harms_nothing(cache: VectorCache) -> None:
    process = writer(cache.path, 0, 1_000_000)
    deadline = time.monotonic() + 60
    while not cache.get([key(3)]) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    assert len(cache.get([key(number) for number in range(4)])) == 4
    cache.put({key(5_000_000): b"goes on"})
    assert cache.get([key(5_000_000)]) == {key(5_000_000): b"goes on"}
    assert cache.fault is None


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WHENCE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert vectors_folder() == tmp_path / "whence" / "vectors"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # invalid by the XDG specification
    assert vectors_folder() == Path.home() / ".cache" / "whence" / "vectors"
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "mine"))
    assert vectors_folder() == tmp_path / "mine" / "vectors"
