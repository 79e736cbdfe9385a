"""Ranking facts: how fast questions are ranked, and how an index of a million texts behaves.

The million texts are made of chance words whose frequencies fall as those of English do (Zipf), 12 words a text; a
query has 10 of them. Times are of the processor, as a busy machine would lengthen others; memory is what the
process that opened the index grew by.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

from whence.models.retrieval.index import build_index, with_texts
from whence.models.retrieval.search import Searcher
from whence.models.retrieval.storage import open_index, save_index
from whence.models.trained import load_model
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.tasks import head_named, task_named
from whence.tasks.head import Source
from whence.tasks.sources import data_folder

TEXTS, WORDS, LENGTH, ASKED, QUERIES = 1_000_000, 50_000, 12, 10, 20


def run() -> list[tuple[str, ...]]:
    return [_questions(), *_million()]


def _questions() -> tuple[str, ...]:
    """All facts of WorldTree for each question of dev: all questions at once, and one at a time."""
    task, head = task_named("worldtree"), head_named("worldtree", "facts")
    with tempfile.TemporaryDirectory() as place:
        train([recipe_named(task, "small.facts")], Path(place) / "model", data_folder)
        judge = load_model(Path(place) / "model").judge("worldtree/facts")
        items = head.items(Source(task, "dev", data_folder))
        judge.judge(items[:1])  # matrices are made at the first question
        alone = _least(lambda: [judge.judge([item]) for item in items[:100]]) / 100
        together = _least(lambda: judge.judge(items)) / len(items)
    what = f"9,720 facts ranked by `small.facts`, a question ({len(items)} of WorldTree dev)"
    return (
        what,
        f"{alone * 1e3:.1f} ms, one at a time",
        f"{together * 1e3:.1f} ms, all at once",
        _ratio(alone, together),
    )


def _million() -> list[tuple[str, ...]]:
    chance = random.Random(0)
    names = [f"w{number}x" for number in range(WORDS)]
    weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def text(words: int) -> str:
        return " ".join(chance.choices(names, cum_weights=weights, k=words))

    texts = {f"fact-{number:07}": text(LENGTH) for number in range(TEXTS)}
    queries = [text(ASKED) for _ in range(QUERIES)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "index"
        built = _taken(lambda: save_index(build_index(texts), folder))
        index = open_index(folder)
        more = {f"new-{number}": text(LENGTH) for number in range(1000)}
        added = _taken(lambda: save_index(with_texts(index, more), folder))
        size = sum(path.stat().st_size for path in folder.rglob("*.npy")) / 1e6
        told = subprocess.run(
            [sys.executable, __file__, str(folder), *queries], capture_output=True, text=True, check=True
        ).stdout.split()
    opened, first, each, slowest, grown = map(float, told)
    return [
        (
            f"index of a million texts, {size:.0f} MB on disk: 1,000 texts added",
            f"{built:.0f} s, built anew",
            f"{added:.1f} s",
            _ratio(built, added),
        ),
        (
            f"the ten best of a million texts: a query of {ASKED} words, {grown:.0f} MB of memory in all",
            f"{first * 1e3:.0f} ms, the first; opening takes {opened * 1e3:.0f} ms",
            f"{each * 1e3:.0f} ms, the mean of {QUERIES}; the slowest {slowest * 1e3:.0f} ms",
            _ratio(first, each),
        ),
    ]


def _ask(folder: Path, queries: list[str]) -> None:
    """In a process of its own, so that memory is that of asking alone."""
    from whence.models.retrieval.words import query_words

    query_words("lemmas are read at the first word")
    before = _memory()
    start = time.process_time()
    searcher = Searcher(open_index(folder))
    opened = time.process_time() - start
    taken = [_taken(lambda query=query: searcher.search(query_words(query), 10)) for query in queries]
    grown = _memory() - before
    print(opened, taken[0], sum(taken[1:]) / len(taken[1:]), max(taken[1:]), grown)


def _memory() -> float:
    """The most that this process had, in megabytes; what a parent process had is not counted."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _taken(work) -> float:  # type: ignore[no-untyped-def]
    start = time.process_time()
    work()
    return time.process_time() - start


def _least(work, times: int = 3) -> float:  # type: ignore[no-untyped-def]
    return min(_taken(work) for _ in range(times))


def _ratio(slow: float, fast: float) -> str:
    return f"{slow / fast:.0f}×"


if __name__ == "__main__":
    _ask(Path(sys.argv[1]), sys.argv[2:])
