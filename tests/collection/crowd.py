"""Simulated people: they take what they are given, answer it by a rule, and go on until there is nothing left."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from whence.collection import tables
from whence.collection.answers import parts_asked
from whence.collection.collection import Collection, Shown
from whence.collection.submitting import Opinion

Behaviour = Callable[[str, Shown], Mapping[str, Any]]
"""What a worker answers to what the worker sees."""


class Clock:
    """Time that passes only when somebody says so."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


def always(label: str) -> Callable[..., Opinion]:
    """A model with one opinion."""
    return lambda wanted, first, second: Opinion("simulated@1", label, {label: 1.0})


def all_parts(shown: Shown, label: Callable[[str, Any], str]) -> dict[str, Any]:
    """The same kind of answer to every part."""
    ask = shown.stage.ask
    assert ask is not None
    parts = parts_asked(ask, shown.item)
    return {"answers": {part: label(part, shown.item) for part in parts}}


def work(collection: Collection, workers: Sequence[str], behave: Behaviour, *, most: int = 5000) -> int:
    """Everybody works until there is nothing to do; what waits for an administrator is accepted."""
    done = 0
    while done < most:
        sent = work_once(collection, workers, behave)
        found = waiting(collection)
        for submission in found:
            collection.accept(submission, "boss")
        if not sent and not found:
            return done
        done += sent
    raise AssertionError("the work does not end")


def work_once(collection: Collection, workers: Sequence[str], behave: Behaviour) -> int:
    """Everybody does one thing, if there is one: how many did."""
    done, run = 0, collection.store.engine.url.database
    for worker in workers:
        slot = collection.next_slot(worker)
        if slot is not None:
            answer = behave(worker, collection.open_slot(worker, slot))
            outcome = collection.submit(worker, slot, answer, f"{slot}-{next(_KEYS)}")
            assert outcome.state in ("accepted", "submitted", "try again"), (run, outcome)
            done += 1
    return done


_KEYS = itertools.count()


def waiting(collection: Collection) -> list[int]:
    """Submissions that wait to be looked at."""
    with collection.reading() as tx:
        slots, submissions = tables.slots.c, tables.submissions.c
        query = (
            select(submissions.id, submissions.slot_id)
            .join(tables.slots, slots.id == submissions.slot_id)
            .where(slots.state == "submitted", ~submissions.late)
            .order_by(submissions.id)
        )
        return list({row.slot_id: int(row.id) for row in tx.all(query)}.values())


def rows(collection: Collection, name: str) -> list[Any]:
    """A whole table."""
    with collection.reading() as tx:
        return list(tx.all(select(tables.METADATA.tables[name])))
