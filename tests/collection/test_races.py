"""Many people at the same moment, and processes that are killed, on both stores."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter

from tests.collection.crowd import rows
from tests.collection.test_properties import assert_sound
from tests.collection.tiny import begun, yes

from whence.collection.collection import Collection, open_collection


def _work(collection: Collection, worker: str, seed: int, topics: int) -> None:
    """Takes and does what there is until all is done; now and then a submission is sent twice."""
    chance = random.Random(seed)
    while len(rows(collection, "fates")) < topics:
        slot = collection.next_slot(worker)
        if slot is None:
            time.sleep(0.02)
            continue
        stage = collection.open_slot(worker, slot).stage.name
        answer = yes(chance.choice(["yes", "no"])) if stage == "verify" else {"text": "a sentence"}
        sends = [
            threading.Thread(target=collection.submit, args=(worker, slot, answer, f"{slot}-{worker}"))
            for _ in range(chance.choice([1, 1, 2]))
        ]
        for one in sends:
            one.start()
        for one in sends:
            one.join()


def _all_work(collection: Collection, workers: list[str], topics: int) -> None:
    """All at once, until all is done."""
    threads = [
        threading.Thread(target=_work, args=(collection, worker, seed, topics), daemon=True)
        for seed, worker in enumerate(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
        assert not thread.is_alive()
    assert_complete(collection, topics)


def assert_complete(collection: Collection, topics: int) -> None:
    assert_sound(collection)
    jobs = Counter(row.stage for row in rows(collection, "jobs") if row.state == "decided")
    assert jobs == {"write": topics, "verify": topics}
    slots = Counter(row.state for row in rows(collection, "slots"))
    assert set(slots) == {"accepted"}
    assert len(rows(collection, "submissions")) == slots["accepted"]  # nothing twice, nothing too many
    assert len(rows(collection, "fates")) == topics


def test_many_at_once(where: str) -> None:
    topics = 8
    collection = begun(where, topics=topics)
    workers = [collection.join(f"w{number}") for number in range(16)]
    _all_work(collection, workers, topics)


def test_two_who_want_the_last_slot(where: str) -> None:
    collection = begun(where)
    workers = [collection.join(f"w{number}") for number in range(8)]
    got: list[str | None] = []
    gate = threading.Barrier(len(workers))

    def want(worker: str) -> None:
        gate.wait()
        got.append(collection.next_slot(worker))

    threads = [threading.Thread(target=want, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([slot for slot in got if slot is not None]) == 1


def test_one_person_who_comes_in_by_many_doors(where: str) -> None:
    collection = begun(where)
    tokens: list[str] = []
    gate = threading.Barrier(8)

    def come() -> None:
        gate.wait()
        tokens.append(collection.join("me", platform="p", platform_id="ID"))

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tokens) == 8
    assert len(set(tokens)) == 1


def _process(where: str, worker: str, seed: int, topics: int) -> None:
    _work(open_collection(where), worker, seed, topics)


def test_killed_processes_lose_nothing(where: str) -> None:
    """Processes are killed at any moment. What was told as taken is there; the rest is done by others."""
    topics = 6
    collection = begun(where, topics=topics)
    workers = [collection.join(f"w{number}") for number in range(5)]
    context = multiprocessing.get_context("spawn")
    chance = random.Random(0)
    victims = [
        context.Process(target=_process, args=(where, worker, n, topics)) for n, worker in enumerate(workers[:2])
    ]
    for victim in victims:
        victim.start()
    waited = time.monotonic() + 60
    while not rows(collection, "submissions") and time.monotonic() < waited:
        time.sleep(0.02)
    for victim in victims:
        time.sleep(chance.random() / 20)
        if victim.pid is not None and victim.is_alive():
            os.kill(victim.pid, signal.SIGKILL)
        victim.join()
    assert_sound(collection)
    # Whoever was killed holds slots still; the same people go on with them.
    _all_work(collection, workers, topics)
