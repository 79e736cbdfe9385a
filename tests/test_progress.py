"""How long work tells how far it is."""

from __future__ import annotations

from whence.progress import within_chunk


def test_a_chunk_that_counts_otherwise_never_goes_beyond_the_whole() -> None:
    told: list[tuple[str, int, int]] = []
    done: list[int] = []
    report = within_chunk(lambda *words: told.append(words), lambda: len(done), 4, 6)
    report("reading", 5, 10)
    report("reading", 10, 10)
    done += range(4)
    report("reading", 1, 1)
    report("reading", 0, 0)
    assert told == [("reading", 2, 6), ("reading", 4, 6), ("reading", 6, 6), ("reading", 4, 6)]
