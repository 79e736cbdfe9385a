"""One transaction's work on a store: what is read again and again, and the log of what happens."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, func, insert, select

from whence.collection import tables
from whence.collection.configuration import Configuration, Stage
from whence.collection.eligibility import Offer, Past, Person
from whence.collection.refusals import NotFoundError
from whence.files import Json

AnyRow = Row[Any]

OPEN, LEASED, SUBMITTED, ACCEPTED = "open", "leased", "submitted", "accepted"
CANCELLED, EXCLUDED = "cancelled", "excluded"
"""States of a slot. The last two are for slots that are no longer wanted, and whose data are not."""
DONE_STATES = (SUBMITTED, ACCEPTED, EXCLUDED)
DECIDED = "decided"
ADMINISTRATOR = "administrator"
ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Transaction:
    """A connection within a transaction, what the collection is, and what time it is."""

    connection: Connection
    configuration: Configuration
    configuration_id: int
    now: int

    def all(self, query: Select[Any]) -> Sequence[AnyRow]:
        """All rows."""
        return self.connection.execute(query).all()

    def first(self, query: Select[Any]) -> AnyRow | None:
        """The first row, if there is one."""
        return self.connection.execute(query).first()

    def value(self, query: Select[Any]) -> Any:
        """The only value of the only row."""
        return self.connection.execute(query).scalar_one()

    def add(self, table: Table, **values: Any) -> int:
        """Adds a row, and returns its id."""
        result = self.connection.execute(insert(table).values(**values).returning(table.c.id))
        return int(result.scalar_one())

    def log(self, kind: str, by: str, details: Mapping[str, Json] | None = None, **about: int | None) -> None:
        """One line of the log: what happened, and to what."""
        self.add(tables.events, kind=kind, by=by, details=dict(details or {}), at=self.now, **about)


def token() -> str:
    """An opaque id that cannot be guessed."""
    return secrets.token_urlsafe(12)


def one(tx: Transaction, query: Select[Any], what: str) -> AnyRow:
    """The row, which must be there."""
    row = tx.first(query)
    if row is None:
        raise NotFoundError(f"there is no such {what}")
    return row


def locked(query: Select[Any]) -> Select[Any]:
    """The same rows, which nobody else locks or changes until the transaction ends.

    Rows of other tables may go on to refer to them: with a stronger lock, whoever adds such a row would wait too.
    """
    return query.with_for_update(key_share=True)


def worker_row(tx: Transaction, worker: str, *, lock: bool = False) -> AnyRow:
    """A worker by token. Locked, two requests of one worker come one after the other."""
    query = select(tables.workers).where(tables.workers.c.token == worker)
    return one(tx, locked(query) if lock else query, "worker")


def slot_row(tx: Transaction, slot: str) -> AnyRow:
    """A slot by token."""
    return one(tx, select(tables.slots).where(tables.slots.c.token == slot), "slot")


def job_row(tx: Transaction, job: int, *, lock: bool = False) -> AnyRow:
    """A job. Locked before votes are counted: two last votes must not both think that another one is missing."""
    query = select(tables.jobs).where(tables.jobs.c.id == job)
    return one(tx, locked(query) if lock else query, "job")


def artifact_row(tx: Transaction, artifact: int) -> AnyRow:
    """An artifact."""
    return one(tx, select(tables.artifacts).where(tables.artifacts.c.id == artifact), "artifact")


def submission_row(tx: Transaction, submission: int) -> AnyRow:
    """A submission."""
    return one(tx, select(tables.submissions).where(tables.submissions.c.id == submission), "submission")


def stage_of(tx: Transaction, row: AnyRow) -> Stage:
    """The stage of a job, slot or submission."""
    return tx.configuration.stage(row.stage)


def is_open(tx: Transaction, stage: Stage) -> bool:
    """Whether people may begin work at a stage."""
    return open_stages(tx)[stage.name]


def open_stages(tx: Transaction) -> dict[str, bool]:
    """Of every stage, whether people may begin: as an administrator said last, or else as it is configured."""
    said = {row.name: bool(row.open) for row in tx.all(select(tables.stages))}
    return {stage.name: said.get(stage.name, stage.open) for stage in tx.configuration.stages}


def past(history: Json) -> tuple[Past, ...]:
    """The history of an artifact, as it is kept."""
    return tuple(Past(*entry) for entry in history)


def is_free(slot: AnyRow, now: int) -> bool:
    """Whether a slot can be taken: open, or left alone until its lease ran out."""
    return bool(slot.state == OPEN or (slot.state == LEASED and slot.expires_at <= now))


def person(tx: Transaction, worker: AnyRow) -> Person:
    """What counts about a worker now."""
    slots, held = tables.slots.c, tables.qualifications.c
    counted: dict[str, dict[str, int]] = {"submitted": {}, "accepted": {}, "held": {}}
    expired = (slots.state == LEASED) & (slots.expires_at <= tx.now)
    query = select(slots.stage, slots.state, func.count().label("many")).where(
        slots.worker_id == worker.id, ~expired
    )
    for row in tx.all(query.group_by(slots.stage, slots.state)):
        for name, states in (("submitted", DONE_STATES), ("accepted", (ACCEPTED,)), ("held", (LEASED,))):
            if row.state in states:
                counted[name][row.stage] = counted[name].get(row.stage, 0) + row.many
    names = tx.all(select(held.name).where(held.worker_id == worker.id, held.held))
    return Person(worker.id, bool(worker.active), frozenset(row.name for row in names), **counted)


def offer(tx: Transaction, slot: AnyRow, history: Json, opened: bool, done_by: tuple[int, ...] = ()) -> Offer:
    """What counts about a slot now."""
    return Offer(
        stage_of(tx, slot),
        opened,
        is_free(slot, tx.now),
        slot.purpose,
        slot.reserved_id,
        past(history),
        done_by,
    )


def draft_row(tx: Transaction, slot: int, worker: int) -> AnyRow | None:
    """The draft of a worker for a slot: there is one, maybe empty, for everybody who ever held it."""
    drafts = tables.drafts.c
    return tx.first(select(tables.drafts).where(drafts.slot_id == slot, drafts.worker_id == worker))


def excluded_submissions(tx: Transaction) -> frozenset[int]:
    """Submissions whose data are not used."""
    rulings = tables.rulings.c
    rows = tx.all(select(rulings.submission_id).where(rulings.ruling == "excluded"))
    return frozenset(row.submission_id for row in rows)


def counted_submissions(tx: Transaction, *, job: int | None = None) -> list[AnyRow]:
    """The submissions that count, in order: accepted, in time, not excluded; of a slot the last one."""
    submissions, slots = tables.submissions.c, tables.slots.c
    query = (
        select(tables.submissions)
        .join(tables.slots, slots.id == submissions.slot_id)
        .where(slots.state == ACCEPTED, ~submissions.late)
        .order_by(submissions.id)
    )
    if job is not None:
        query = query.where(submissions.job_id == job)
    last = {row.slot_id: row for row in tx.all(query)}
    excluded = excluded_submissions(tx)
    return sorted((row for row in last.values() if row.id not in excluded), key=lambda row: int(row.id))
