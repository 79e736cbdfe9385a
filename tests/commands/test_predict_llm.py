"""`whence predict TASK llm`: every item is accounted for, whatever an endpoint does; nothing is asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.commands.conftest import Run
from tests.models.generators.chat_server import chat_server

from whence.tasks import TASKS
from whence.tasks.loading import samples

ITEMS = len(samples(TASKS["anli"]).examples)


def _first(_body: dict[str, Any]) -> str:
    return '{"hypothesis": "1"}'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))


def _words(url: str, folder: Path, *more: str, split: str = "samples") -> list[str]:
    settings = (f"endpoint={url}", "model=small", "pause=0.01", "timeout=2", *more)
    return [
        "predict",
        "anli",
        "llm",
        split,
        "-o",
        str(folder),
        *(word for one in settings for word in ("--set", one)),
    ]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_with_its_tokens_and_cost(run: Run, tmp_path: Path) -> None:
    with chat_server(_first) as chat:
        told = run(*_words(chat.url, tmp_path / "run", "price_read=1", "price_written=10"))
    assert told.code == 0
    assert "accuracy" in told.out
    # by hand: 100 tokens read and 10 written an item; 1 and 10 a million
    cost = ITEMS * (100 * 1 + 10 * 10) / 1e6
    expected = f"{ITEMS} requests (0 answered by the cache), {ITEMS * 100:,} tokens read, {ITEMS * 10} written"
    assert f"{expected}, cost {cost:.4f}" in told.out
    assert [one["explanation"] for one in _lines(tmp_path / "run" / "predictions.jsonl")] == [
        {"name": "1"}
    ] * ITEMS


@pytest.mark.parametrize(
    "fault", ["status 500", "status 429", "garbage", "half", "other", "cut", "close", "slow 3", "status 400"]
)
def test_every_item_is_accounted_for_and_a_later_run_asks_for_the_rest(
    fault: str, run: Run, tmp_path: Path
) -> None:
    """Some requests meet the fault: they end as stated failures, and only they are asked again."""
    words = ("attempts=1", "concurrency=1", "timeout=0.5")
    with chat_server(_first, n2=fault, n5=fault) as chat:
        told = run(*_words(chat.url, tmp_path / "run", *words))
        assert told.code == 1
        assert f"2 of {ITEMS} have no explanation:" in told.out
        assert "2 were not answered: give the same command again" in told.out
        before = _lines(tmp_path / "run" / "predictions.jsonl")
        assert [place for place, one in enumerate(before) if one["explanation"] is None] == [1, 4]
        assert before[1]["problems"][0]["rule"] == "unanswered"
        assert len(chat.seen) == ITEMS
        told = run(*_words(chat.url, tmp_path / "run", *words))
        assert told.code == 0
        assert len(chat.seen) == ITEMS + 2
    after = _lines(tmp_path / "run" / "predictions.jsonl")
    assert [one["id"] for one in after] == [one["id"] for one in before]
    assert all(one["explanation"] for one in after)
    assert [one["id"] for one in _lines(tmp_path / "run" / "reasons.jsonl")] == [one["id"] for one in after]


def test_an_endpoint_that_is_down_and_comes_back(run: Run, tmp_path: Path) -> None:
    with chat_server(_first) as chat:
        pass
    told = run(*_words(chat.url, tmp_path / "run", "attempts=2"), "--json")
    assert told.code == 1
    found = json.loads(told.out)
    assert len(found["failures"]) == ITEMS
    assert "nothing listens there" in found["failures"][0]["problems"][0]["message"]


def test_a_refusing_model_fails_and_is_not_asked_again(run: Run, tmp_path: Path) -> None:
    with chat_server(_first, all="refusing") as chat:
        told = run(*_words(chat.url, tmp_path / "run"))
        again = run(*_words(chat.url, tmp_path / "run"))
    assert (told.code, again.code) == (0, 0)  # it did answer
    assert f"{ITEMS} of {ITEMS} have no explanation:" in told.out
    assert "the model refused to answer" in again.out
    assert len(chat.seen) == ITEMS


def test_a_process_that_is_killed_loses_only_what_was_under_way(tmp_path: Path) -> None:
    """kill -9 while two requests are under way; the second process asks for these and for what was never asked."""
    source = _many(tmp_path / "many.jsonl", 4)
    total, before = 4 * ITEMS, 20
    with chat_server(_first, **{f"n{number}": "hold" for number in range(before + 1, total + 1)}) as chat:
        words = [
            sys.executable,
            "-m",
            "whence",
            *_words(chat.url, tmp_path / "run", "concurrency=2", "timeout=60", split=str(source)),
        ]
        process = subprocess.Popen(words, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            _wait_for(lambda: chat.held == 2, process)
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert len(chat.answered) == before
        chat.hold.set()
        done = subprocess.run(
            words, env=dict(os.environ), capture_output=True, text=True, timeout=120, check=False
        )
    assert done.returncode == 0, done.stderr
    assert Counter(chat.answered).most_common(1)[0][1] == 1  # nothing was answered twice
    assert len(chat.answered) == total
    assert len(chat.seen) == total + 2  # nothing was asked twice but the two that were never answered
    found = _lines(tmp_path / "run" / "predictions.jsonl")
    assert [one["id"] for one in found] == [one["id"] for one in _lines(source)]
    assert all(one["explanation"] == {"name": "1"} for one in found)
    # What the process that was killed had paid for is in the count of the run.
    assert f"{total} requests" in done.stdout
    assert f"{total * 100:,} tokens read" in done.stdout


def _many(path: Path, times: int) -> Path:
    """The samples several times over, each a little different: equal requests would be sent once."""
    rows = []
    for number in range(times):
        for row in _lines(TASKS["anli"].data.samples):
            row["id"] = f"{row['id']}-{number}"
            row["inputs"]["obs2"] += f" It was {number} o'clock."
            rows.append(json.dumps(row))
    path.write_text("\n".join(rows) + "\n")
    return path


def _wait_for(condition: Any, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if condition():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


def test_thoughts_of_a_model_become_trees(run: Run, tmp_path: Path) -> None:
    """The model says the given sentences, one after the other; what is not answered is asked for again."""

    def think(body: dict[str, Any]) -> str:
        lines = body["messages"][-1]["content"].splitlines()
        given = [line.partition(": ")[2] for line in lines if line.startswith("sent")]
        hypothesis = lines[0].partition(": ")[2]
        return "\n".join([f"{number}. {text}." for number, text in enumerate(given, 1)] + [f"Thus {hypothesis}."])

    words = [
        "predict",
        "entailmentbank-1",
        "thoughts",
        "samples",
        "-o",
        str(tmp_path / "run"),
        "--set",
        "links=words",
    ]
    with chat_server(think, n2="status 400") as chat:
        words += ["--set", f"endpoint={chat.url}", "--set", "model=small", "--set", "concurrency=1"]
        first = run(*words)
        second = run(*words)
    count = len(samples(TASKS["entailmentbank-1"]).examples)
    assert (first.code, second.code) == (1, 0)
    assert "1 were not answered" in first.out
    assert len(chat.seen) == count + 1
    assert "response_format" not in chat.seen[0]
    trees = [one["explanation"] for one in _lines(tmp_path / "run" / "predictions.jsonl")]
    assert all(len(tree["steps"]) == 1 for tree in trees)
    assert json.loads((tmp_path / "run" / "scores.json").read_text())["leaves.f1"]["value"] == pytest.approx(100.0)
    assert f"{count * 10} written" in second.out


def test_the_real_server_explains(run: Run, tmp_path: Path, llama_url: str) -> None:
    """llama.cpp's own server with the embedded model: whatever it answers, every item is accounted for."""
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(TASKS["anli"].data.samples.read_text().splitlines()[:2]) + "\n")
    words = _words(llama_url, tmp_path / "run", "shots=0", "timeout=100", split=str(few))
    told = run(*words)
    assert told.code == 0
    assert "2 requests (0 answered by the cache)" in told.out
    assert [
        one["explanation"]["name"] in ("1", "2") for one in _lines(tmp_path / "run" / "predictions.jsonl")
    ] == [
        True,
        True,
    ]
