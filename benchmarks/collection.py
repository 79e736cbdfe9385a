"""Many people at one collection, and a server that is killed again and again: is anything lost, how fast is it?

    python benchmarks/collection.py [STORE] [--workers N]

STORE is a new SQLite file by default, or the URL of an empty PostgreSQL database. 50 people judge 300 items, two
each and a third where they differ. Some leave what they took, some send the same form twice, and the server is
killed six times. Requests go to this machine alone.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import select

from whence.collection import access, tables
from whence.collection.collection import Collection, new_collection
from whence.collection.importing import add_items

PEOPLE, ITEMS, KILLS = 50, 300, 6
PORT = 8759
MOST_SECONDS = 900
CONFIGURATION = """
name = "load"
title = "Load"

[[stages]]
name = "judging"
title = "Which is it?"
takes = "thing"
shows = ["text"]
overlap = { kind = "tie-breaker", count = 2 }
decide = { rule = "majority", records = "judged" }
pay = 5
lease = 4

[stages.ask]
question = "which"
answers = ["this", "that"]

[[stages.routes]]
when = "*"
to = "done"

[[sources]]
name = "things"
kind = "thing"
enters = ["judging"]
needs = ["text"]
"""
TOKEN = re.compile(r'name="token" value="(\w+)"')
KEY = re.compile(r'name="key" value="([\w-]+)"')
REVISION = re.compile(r'name="revision" value="(\d+)"')


class Person(threading.Thread):
    """Works until there is nothing left, whatever happens to the server."""

    def __init__(self, number: int, cookie: str, done: threading.Event) -> None:
        super().__init__(daemon=True)
        self._chance, self._cookie, self._done = random.Random(number), cookie, done
        self._visitor = f"{number:032d}"
        self.taken: set[str] = set()
        """Keys of submissions that the server said it has taken."""
        self.seconds: list[float] = []
        self.refused: Counter[int] = Counter()

    def run(self) -> None:
        while not self._done.is_set():
            with contextlib.suppress(
                OSError, http.client.HTTPException
            ):  # the server was killed: go on when it is back
                if not self._one():
                    time.sleep(0.5)
                    continue
            time.sleep(0.02)

    def _one(self) -> bool:
        _, page = self._ask("GET", "/collect")
        status, page = self._ask("POST", "/collect/next", token=_found(TOKEN, page), stage="judging")
        if "data-work" not in page:
            return False
        if self._chance.random() < 0.08:
            return True  # left alone until the lease runs out
        slot = self._slot
        form = {
            "token": _found(TOKEN, page),
            "key": _found(KEY, page),
            "revision": _found(REVISION, page),
            "answer:whole": self._chance.choice(("this", "this", "that")),
            "do": "submit",
        }
        for _ in range(2 if self._chance.random() < 0.1 else 1):
            status, page = self._ask("POST", f"/collect/work/{slot}", **form)
            if status == 200 and "Thank you" in page:
                self.taken.add(form["key"])
            elif status != 200:
                self.refused[status] += 1
        return True

    def _ask(self, method: str, path: str, **form: str) -> tuple[int, str]:
        """A request, and those that it is sent on to."""
        for _ in range(3):
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
            begun = time.perf_counter()
            body = urlencode(form) if method == "POST" else None
            headers = {
                "Cookie": f"whence-session={self._cookie}; whence-visitor={self._visitor}",
                "Origin": f"http://127.0.0.1:{PORT}",
            }
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            self.seconds.append(time.perf_counter() - begun)
            if answer.status != 303:
                self._slot = path.rpartition("/")[2]
                return answer.status, text
            method, path, form = "GET", answer.headers["location"], {}
        raise http.client.HTTPException("sent on too often")


def _found(pattern: re.Pattern[str], page: str) -> str:
    match = pattern.search(page)
    if match is None:
        raise http.client.HTTPException("not the page that was expected")
    return match[1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store", nargs="?", default="")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or str(Path(folder) / "load.db")
        collection = new_collection(store, CONFIGURATION)
        items = [{"id": f"t{number}", "text": f"thing {number}"} for number in range(ITEMS)]
        collection.write(lambda tx: add_items(tx, tx.configuration.source("things"), items))
        cookies = [access.accept_worker(collection, access.invite(collection)) for _ in range(PEOPLE)]
        _play(collection, store, cookies, given.workers)


def _play(collection: Collection, store: str, cookies: list[str], processes: int) -> None:
    done = threading.Event()
    server = _serve(store, processes)
    people = [Person(number, cookie, done) for number, cookie in enumerate(cookies)]
    begun = time.monotonic()
    for person in people:
        person.start()
    chance, kills = random.Random(0), 0
    while _left(collection) and time.monotonic() - begun < MOST_SECONDS:
        time.sleep(0.5)
        share = 1 - _left(collection) / ITEMS
        if kills < KILLS and share > (kills + 0.5) / (KILLS + 1):
            time.sleep(chance.random() / 2)
            _kill(server)
            server, kills = _serve(store, processes), kills + 1
    took = time.monotonic() - begun
    done.set()
    for person in people:
        person.join(timeout=60)
    _kill(server)
    _report(collection, people, took, kills)


def _serve(store: str, processes: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "whence",
        "collect",
        "serve",
        store,
        "--port",
        str(PORT),
        "--workers",
        str(processes),
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    for _ in range(600):
        with contextlib.suppress(OSError):
            http.client.HTTPConnection("127.0.0.1", PORT, timeout=1).connect()
            return server
        time.sleep(0.1)
    raise SystemExit("the server does not come up")


def _kill(server: subprocess.Popen[bytes]) -> None:
    """All its processes, at once, in the middle of whatever they do."""
    import os

    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def _left(collection: Collection) -> int:
    with collection.reading() as tx:
        return len(tx.all(select(tables.jobs.c.id).where(tables.jobs.c.state != "decided")))


def _report(collection: Collection, people: list[Person], took: float, kills: int) -> None:
    with collection.reading() as tx:
        submissions, slots = tx.all(select(tables.submissions)), tx.all(select(tables.slots))
        pay, jobs = tx.all(select(tables.pay)), tx.all(select(tables.jobs))
    kept = {row.key for row in submissions}
    said = set().union(*(person.taken for person in people))
    by_job = Counter(row.job_id for row in slots if row.state == "accepted")
    twice = [
        key
        for key, count in Counter((row.job_id, row.worker_id) for row in slots if row.state == "accepted").items()
        if count > 1
    ]
    seconds = sorted(second for person in people for second in person.seconds)
    lines = {row.submission_id for row in pay if row.state == "pending"}
    faults = {
        "items that were not decided": sum(job.state != "decided" for job in jobs),
        "submissions that were said to be taken and are not there": len(said - kept),
        "items with more than three answers or fewer than two": sum(not 2 <= by_job[job.id] <= 3 for job in jobs),
        "items that somebody judged twice": len(twice),
        "submissions without a line of the ledger, and the other way round": len(
            {row.id for row in submissions} ^ lines
        ),
    }
    late = sum(bool(row.late) for row in submissions)
    refused = sum((person.refused for person in people), Counter())
    print(f"{collection.store.engine.dialect.name}: {PEOPLE} people, {ITEMS} items, {kills} kills, {took:.0f} s")
    slow = 1000 * seconds[int(len(seconds) * 0.95)]
    print(f"{len(seconds):,} requests, {len(seconds) / took:.0f} a second, 95% within {slow:.0f} ms")
    print(f"{len(submissions):,} submissions, {late} of them late; refused: {dict(refused) or 'none'}")
    for what, count in faults.items():
        print(f"{count} {what}")
    sys.exit(1 if any(faults.values()) else 0)


if __name__ == "__main__":
    main()
