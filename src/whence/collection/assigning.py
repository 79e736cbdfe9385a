"""Slots are given to people and taken back; drafts are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import merge

from sqlalchemy import Select, exists, func, insert, select, update

from whence.collection import tables
from whence.collection.answers import Answer, require_storable
from whence.collection.configuration import Stage
from whence.collection.eligibility import Eligibility, Offer, Person, eligible
from whence.collection.refusals import NotFoundError, StaleDraftError
from whence.collection.transaction import (
    ENGINE,
    LEASED,
    OPEN,
    AnyRow,
    Transaction,
    artifact_row,
    draft_row,
    is_open,
    job_row,
    offer,
    open_stages,
    past,
    person,
    slot_row,
    stage_of,
    token,
    worker_row,
)

NOTHING = Eligibility(False, "there is nothing to do")
"""Where a stage has no slot that could be had."""
_CHUNK = 50  # candidates that are looked at together


def lease_next(tx: Transaction, worker: str, stage: str | None = None) -> str | None:
    """A slot for a worker, by token: the one that is held already, or else the first that may be had."""
    row = worker_row(tx, worker, lock=True)
    wanted = [tx.configuration.stage(stage)] if stage else list(tx.configuration.stages)
    held = _held(tx, row.id, wanted)
    if held is not None:
        return str(held.token)
    who, opened = person(tx, row), open_stages(tx)
    for one in wanted:
        # Reasons that are the same for every slot of a stage need no look at its slots.
        if one.machine or not eligible(who, Offer(one, opened[one.name], purpose="other")).may:
            continue
        candidates = _test_slots(tx, one, who) if one.is_test else _candidates(tx, one, row.id)
        for slot, history in candidates:
            if eligible(who, offer(tx, slot, history, True)).may and _leased(tx, slot, row.id, one):
                return str(slot.token)
    return None


def _held(tx: Transaction, worker: int, stages: Sequence[Stage]) -> AnyRow | None:
    slots = tables.slots.c
    query = select(tables.slots).where(
        slots.worker_id == worker,
        slots.state == LEASED,
        slots.expires_at > tx.now,
        slots.stage.in_([stage.name for stage in stages]),
    )
    return tx.first(query.order_by(slots.leased_at).limit(1))


def _candidates(tx: Transaction, stage: Stage, worker: int) -> Iterator[tuple[AnyRow, object]]:
    """Free slots of a stage, with the histories of their artifacts, of jobs that the worker has not done.

    Reserved ones first; then those of the item that the worker saw last, who need not read another; then old ones.
    Each in the order of an index, so that the first is found without a look at all the others.
    """
    slots, jobs, artifacts = tables.slots.c, tables.jobs.c, tables.artifacts.c
    mine = tables.slots.alias("mine")
    # "+ 0": by the job, which has few slots, and not by the index of workers, who may have done thousands.
    taken = exists().where(mine.c.job_id == slots.job_id, mine.c.worker_id + 0 == worker, mine.c.id != slots.id)
    near = _jobs_of(tx, _last_root(tx, worker))
    query = (
        select(tables.slots, artifacts.history)
        .join(tables.jobs, jobs.id == slots.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .where(slots.stage == stage.name, ~taken)
    )

    def first(row: AnyRow) -> tuple[bool, int, int]:
        return row.job_id not in near, row.job_id, row.number

    unreserved = query.where(slots.reserved_id.is_(None))
    for wanted in (
        query.where(slots.reserved_id == worker).order_by(slots.job_id.not_in(near)),
        unreserved.where(slots.job_id.in_(near)),
        unreserved.where(slots.job_id.not_in(near)),
    ):
        # Few are leased, so that it costs little to look at all of them for those that ran out.
        opened, expired = slots.state == OPEN, (slots.state == LEASED) & (slots.expires_at <= tx.now)
        found = merge(*(_in_order(tx, wanted.where(free)) for free in (opened, expired)), key=first)
        yield from ((row, row.history) for row in found)


def _in_order(tx: Transaction, query: Select[tuple[object, ...]]) -> Iterator[AnyRow]:
    """The slots of a query, the oldest first."""
    ordered = query.order_by(tables.slots.c.job_id, tables.slots.c.number)
    for start in range(0, 10**9, _CHUNK):
        rows = tx.all(ordered.limit(_CHUNK).offset(start))
        yield from rows
        if len(rows) < _CHUNK:
            return


def _jobs_of(tx: Transaction, root: str) -> list[int]:
    jobs, artifacts = tables.jobs.c, tables.artifacts.c
    query = select(jobs.id).join(tables.artifacts, artifacts.id == jobs.artifact_id).where(artifacts.root == root)
    return [row.id for row in tx.all(query)]


def _last_root(tx: Transaction, worker: int) -> str:
    submissions, jobs, artifacts = tables.submissions.c, tables.jobs.c, tables.artifacts.c
    row = tx.first(
        select(artifacts.root)
        .join(tables.jobs, jobs.artifact_id == artifacts.id)
        .join(tables.submissions, submissions.job_id == jobs.id)
        .where(submissions.worker_id == worker)
        .order_by(submissions.id.desc())
        .limit(1)
    )
    return str(row.root) if row is not None else ""


def _test_slots(tx: Transaction, stage: Stage, who: Person) -> Iterator[tuple[AnyRow, object]]:
    """A test is for everyone: a slot is opened when somebody comes who may take it."""
    slots, jobs = tables.slots.c, tables.jobs.c
    for job in tx.all(select(tables.jobs).where(jobs.stage == stage.name).order_by(jobs.id)):
        history = artifact_row(tx, job.artifact_id).history
        left = tx.first(
            select(tables.slots).where(slots.job_id == job.id, slots.worker_id == who.id, slots.state == LEASED)
        )
        if left is not None:
            yield left, history
            continue
        done = tx.all(select(slots.worker_id).where(slots.job_id == job.id, slots.worker_id == who.id))
        asked = Offer(stage, purpose="test", history=past(history), done_by=tuple(row.worker_id for row in done))
        if eligible(who, asked).may:
            last = tx.value(select(func.coalesce(func.max(slots.number), 0)).where(slots.job_id == job.id))
            opened = token()
            tx.add(
                tables.slots,
                token=opened,
                job_id=job.id,
                stage=stage.name,
                number=int(last) + 1,
                purpose="test",
                state=OPEN,
                reserved_id=who.id,
            )
            yield slot_row(tx, opened), history


def _leased(tx: Transaction, slot: AnyRow, worker: int, stage: Stage) -> bool:
    """Takes the slot unless somebody else was faster."""
    slots = tables.slots.c
    free = (slots.state == OPEN) | ((slots.state == LEASED) & (slots.expires_at <= tx.now))
    taken = tx.connection.execute(
        update(tables.slots)
        .where(slots.id == slot.id, free)
        .values(state=LEASED, worker_id=worker, leased_at=tx.now, expires_at=tx.now + stage.lease * 1000)
    )
    if not taken.rowcount:
        return False
    if slot.state == LEASED:
        tx.log("lease ran out", ENGINE, worker_id=slot.worker_id, job_id=slot.job_id, slot_id=slot.id)
    tx.log("leased", "worker", worker_id=worker, job_id=slot.job_id, slot_id=slot.id)
    if draft_row(tx, slot.id, worker) is None:
        begun = {"slot_id": slot.id, "worker_id": worker, "revision": 0, "payload": {}, "at": tx.now}
        tx.connection.execute(insert(tables.drafts).values(**begun))
    return True


def renew(tx: Transaction, slot: AnyRow, stage: Stage) -> None:
    """Whoever is at work keeps the slot."""
    until = tx.now + stage.lease * 1000
    tx.connection.execute(update(tables.slots).where(tables.slots.c.id == slot.id).values(expires_at=until))


def holding(tx: Transaction, worker: str, slot: str, *, lock: bool = False) -> tuple[AnyRow, AnyRow, bool]:
    """A worker, a slot that the worker holds or once held, and whether it is held still.

    A lease that ran out holds on as long as nobody else took the slot. With `lock`, worker and job are locked.
    """
    who = worker_row(tx, worker, lock=lock)
    found = slot_row(tx, slot)
    if draft_row(tx, found.id, who.id) is None:
        raise NotFoundError("there is no such slot")  # of this worker: the answer is the same as for none at all
    if lock:
        job_row(tx, found.job_id, lock=True)
        found = slot_row(tx, slot)
    return who, found, found.state == LEASED and found.worker_id == who.id


def write_draft(tx: Transaction, worker: str, slot: str, payload: Answer, revision: int) -> int:
    """Keeps a draft written over that revision, and returns its own. Whoever saves keeps the slot."""
    require_storable(payload)
    who, found, held = holding(tx, worker, slot, lock=True)
    draft = draft_row(tx, found.id, who.id)
    if draft is None or draft.revision != revision:
        raise StaleDraftError(draft.revision if draft else 0, draft.payload if draft else {})
    keep_draft(tx, found.id, who.id, payload, revision + 1)
    if held:
        renew(tx, found, stage_of(tx, found))
    return revision + 1


def keep_draft(tx: Transaction, slot: int, worker: int, payload: Answer, revision: int) -> None:
    """The draft as it is now."""
    drafts = tables.drafts.c
    tx.connection.execute(
        update(tables.drafts)
        .where(drafts.slot_id == slot, drafts.worker_id == worker)
        .values(payload=dict(payload), revision=revision, at=tx.now)
    )


def give_back(tx: Transaction, worker: str, slot: str) -> None:
    """The slot is free for others; the draft is kept for this worker."""
    who, found, held = holding(tx, worker, slot, lock=True)
    if not held:
        return
    freed = {"state": OPEN, "worker_id": None, "leased_at": None, "expires_at": None}
    tx.connection.execute(update(tables.slots).where(tables.slots.c.id == found.id).values(**freed))
    tx.log("returned by worker", "worker", worker_id=who.id, job_id=found.job_id, slot_id=found.id)


def release(tx: Transaction, slot: str, by: str) -> None:
    """Lets others have a slot that was reserved for somebody who does not come."""
    found = slot_row(tx, slot)
    freed = {"reserved_id": None, "purpose": "other"}
    tx.connection.execute(update(tables.slots).where(tables.slots.c.id == found.id).values(**freed))
    tx.log("reservation lifted", by, {"for": found.reserved_id}, job_id=found.job_id, slot_id=found.id)


def why(tx: Transaction, worker: str, slot: str) -> Eligibility:
    """Whether a worker may take a slot, and why not."""
    who, found = person(tx, worker_row(tx, worker)), slot_row(tx, slot)
    history = artifact_row(tx, job_row(tx, found.job_id).artifact_id).history
    slots = tables.slots.c
    mine = select(slots.worker_id).where(
        slots.job_id == found.job_id, slots.id != found.id, slots.worker_id == who.id
    )
    done_by = tuple(row.worker_id for row in tx.all(mine))
    return eligible(who, offer(tx, found, history, is_open(tx, stage_of(tx, found)), done_by))


def why_stage(tx: Transaction, worker: str, stage: str) -> Eligibility:
    """Whether there is something that a worker may do at a stage, and if not, why not the first slot."""
    row = worker_row(tx, worker)
    who, one = person(tx, row), tx.configuration.stage(stage)
    slots, jobs = tables.slots.c, tables.jobs.c
    done = (
        tx.all(select(slots.worker_id).where(slots.stage == stage, slots.worker_id == who.id))
        if one.is_test
        else ()
    )
    # Reasons that are the same for every slot need no slot; whoever holds one may go on with it.
    begun = replace(who, held={})
    anywhere = Offer(one, is_open(tx, one), purpose="other", done_by=tuple(found.worker_id for found in done))
    general = eligible(begun, anywhere)
    if not general.may or (one.is_test and tx.first(select(jobs.id).where(jobs.stage == stage)) is not None):
        return general
    first = NOTHING
    for slot, history in _candidates(tx, one, row.id):
        found = eligible(begun, offer(tx, slot, history, True))
        if found.may:
            return found
        first = found if first is NOTHING else first
    return first
