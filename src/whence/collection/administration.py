"""What administrators see: how far the work is, who does it, where people differ, what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Select, func, select

from whence.collection import tables
from whence.collection.agreeing import agreement_by_question, counted_judgements, judgements
from whence.collection.earning import APPROVED, PAID, PENDING, REJECTED, ledger_lines
from whence.collection.transaction import (
    ACCEPTED,
    DECIDED,
    EXCLUDED,
    LEASED,
    OPEN,
    SUBMITTED,
    AnyRow,
    Transaction,
    open_stages,
    worker_row,
)
from whence.files import Json
from whence.structures.results import Measurement

_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. Slots by state, jobs by what they came to."""

    stage: str
    title: str
    opened: bool
    jobs: int
    decided: int
    slots: Mapping[str, int]
    outcomes: Mapping[str, int]
    late: int
    last_hour: int
    """Submissions."""
    median_seconds: float | None


def progress(tx: Transaction) -> tuple[Progress, ...]:
    """Every stage."""
    jobs, slots, submissions, decisions = (
        tables.jobs.c,
        tables.slots.c,
        tables.submissions.c,
        tables.decisions.c,
    )
    opened = open_stages(tx)
    of_jobs = _counts(tx, select(jobs.stage, jobs.state, func.count()).group_by(jobs.stage, jobs.state))
    expired = (slots.state == LEASED) & (slots.expires_at <= tx.now)
    of_slots = _counts(
        tx, select(slots.stage, slots.state, func.count()).where(~expired).group_by(slots.stage, slots.state)
    )
    for row in tx.all(select(slots.stage, func.count().label("many")).where(expired).group_by(slots.stage)):
        of_slots.setdefault(row.stage, {})[OPEN] = of_slots.get(row.stage, {}).get(OPEN, 0) + row.many
    joined = select(jobs.stage, decisions.outcome, func.count()).join(tables.jobs, jobs.id == decisions.job_id)
    outcomes = _counts(tx, joined.group_by(jobs.stage, decisions.outcome))
    sent: dict[str, list[AnyRow]] = {}
    for row in tx.all(select(submissions.stage, submissions.at, submissions.late, submissions.milliseconds)):
        sent.setdefault(row.stage, []).append(row)
    return tuple(
        Progress(
            stage.name,
            stage.title,
            opened[stage.name],
            sum(of_jobs.get(stage.name, {}).values()),
            of_jobs.get(stage.name, {}).get(DECIDED, 0),
            of_slots.get(stage.name, {}),
            outcomes.get(stage.name, {}),
            sum(bool(row.late) for row in sent.get(stage.name, ())),
            sum(row.at > tx.now - _HOUR for row in sent.get(stage.name, ())),
            _median_seconds(sent.get(stage.name, ())),
        )
        for stage in tx.configuration.stages
    )


def _median_seconds(sent: Sequence[AnyRow]) -> float | None:
    seconds = [row.milliseconds / 1000 for row in sent if not row.late]
    return median(seconds) if seconds else None


def _counts(tx: Transaction, query: Select[Any]) -> dict[str, dict[str, int]]:
    """Numbers by stage and something else."""
    found: dict[str, dict[str, int]] = {}
    for row in tx.all(query):
        stage, name, number = tuple(row)
        found.setdefault(stage, {})[name] = int(number)
    return found


def throughput(tx: Transaction) -> dict[str, dict[int, int]]:
    """How many submissions there were at each stage in each hour, which is told by its first millisecond."""
    found: dict[str, dict[int, int]] = {}
    for row in tx.all(select(tables.submissions.c.stage, tables.submissions.c.at)):
        hours = found.setdefault(row.stage, {})
        hour = int(row.at) // _HOUR * _HOUR
        hours[hour] = hours.get(hour, 0) + 1
    return found


def agreement(tx: Transaction) -> dict[str, tuple[Measurement, ...]]:
    """How far people agree on each question, from what counts now."""
    return agreement_by_question(judgements(tx))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item, or a part of one, of which people said different things."""

    stage: str
    question: str
    item: str
    part: str
    answers: tuple[tuple[str, str, str], ...]
    """Worker, answer, remark."""


def disagreements(tx: Transaction) -> tuple[Disagreement, ...]:
    """All of them, those with the most people first."""
    names = {row.id: row.name or row.token for row in tx.all(select(tables.workers))}
    found: dict[tuple[str, str, str, str], list[tuple[str, str, str]]] = {}
    for row in counted_judgements(tx):
        key = (row.stage, row.question, row.item, row.part)
        found.setdefault(key, []).append((names[row.worker_id], row.answer, row.remark))
    differing = [
        Disagreement(*key, tuple(said))
        for key, said in found.items()
        if len({answer for _, answer, _ in said}) > 1
    ]
    return tuple(sorted(differing, key=lambda one: -len(one.answers)))


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """One worker."""

    token: str
    name: str
    platform: str
    platform_id: str
    active: bool
    qualifications: Mapping[str, bool]
    submitted: Mapping[str, int]
    """By stage."""
    waiting: int
    late: int
    excluded: int
    with_majority: float | None
    """How often the worker says what most say, of items that were decided by a majority."""
    pay: Mapping[str, int]
    """By state, in minor units."""


def workers(tx: Transaction) -> tuple[WorkerReport, ...]:
    """Everybody, in the order in which they came."""
    slots, submissions, held = tables.slots.c, tables.submissions.c, tables.qualifications.c
    states: dict[int, Counter[str]] = {}
    for row in tx.all(select(slots.worker_id, slots.state).where(slots.worker_id.is_not(None))):
        states.setdefault(row.worker_id, Counter())[row.state] += 1
    done: dict[int, Counter[str]] = {}
    late: Counter[int] = Counter()
    for row in tx.all(select(submissions.worker_id, submissions.stage, submissions.late)):
        done.setdefault(row.worker_id, Counter())[row.stage] += 1
        late[row.worker_id] += bool(row.late)
    names: dict[int, dict[str, bool]] = {}
    for row in tx.all(select(held.worker_id, held.name, held.held)):
        names.setdefault(row.worker_id, {})[row.name] = bool(row.held)
    paid: dict[int, Counter[str]] = {}
    for row in ledger_lines(tx):
        paid.setdefault(row.worker_id, Counter())[row.state] += int(row.amount)
    shares = _with_majority(tx)
    return tuple(
        WorkerReport(
            row.token,
            row.name,
            row.platform,
            row.platform_id,
            bool(row.active),
            names.get(row.id, {}),
            dict(done.get(row.id, {})),
            states.get(row.id, Counter())[SUBMITTED],
            late[row.id],
            states.get(row.id, Counter())[EXCLUDED],
            shares.get(row.id),
            {state: paid.get(row.id, Counter())[state] for state in (PENDING, APPROVED, PAID, REJECTED)},
        )
        for row in tx.all(select(tables.workers).order_by(tables.workers.c.id))
    )


def _with_majority(tx: Transaction) -> dict[int, float]:
    """For each worker, the share of answers that more than half of all answers to the same thing agree with."""
    said: dict[tuple[str, str, str], list[AnyRow]] = {}
    for row in counted_judgements(tx):
        said.setdefault((row.question, row.item, row.part), []).append(row)
    right: Counter[int] = Counter()
    total: Counter[int] = Counter()
    for together in said.values():
        label, number = Counter(row.answer for row in together).most_common(1)[0]
        if len(together) > 1 and 2 * number > len(together):
            for row in together:
                right[row.worker_id] += row.answer == label
                total[row.worker_id] += 1
    return {worker: right[worker] / number for worker, number in total.items()}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A submission that somebody must look at."""

    submission: int
    stage: str
    item: str
    worker: str
    answer: Mapping[str, Json]
    payload: Mapping[str, Json]
    """All of what the worker worked on, hidden parts too."""
    flags: tuple[str, ...]
    at: int


def waiting(tx: Transaction) -> tuple[Waiting, ...]:
    """All of them, the oldest first."""
    slots, submissions, jobs, artifacts = tables.slots.c, tables.submissions.c, tables.jobs.c, tables.artifacts.c
    query = (
        select(tables.submissions, artifacts.name, artifacts.payload.label("item"), tables.workers.c.token)
        .join(tables.slots, slots.id == submissions.slot_id)
        .join(tables.jobs, jobs.id == submissions.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .join(tables.workers, tables.workers.c.id == submissions.worker_id)
        .where(slots.state == SUBMITTED, ~submissions.late)
        .order_by(submissions.id)
    )
    last = {row.slot_id: row for row in tx.all(query)}
    return tuple(
        Waiting(row.id, row.stage, row.name, row.token, row.payload, row.item, tuple(row.flags), row.at)
        for row in last.values()
    )


def how_many_wait(tx: Transaction) -> int:
    """How many submissions wait to be looked at."""
    slots = tables.slots.c
    in_time = select(tables.submissions.c.slot_id).where(~tables.submissions.c.late)
    found = tx.value(select(func.count()).where(slots.state == SUBMITTED, slots.id.in_(in_time)))
    return int(found or 0)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log."""

    number: int
    at: int
    kind: str
    by: str
    worker: str
    job: int | None
    slot: int | None
    submission: int | None
    details: Mapping[str, Json]


def audit(tx: Transaction, *, worker: str | None = None, after: int = 0, most: int = 200) -> tuple[Event, ...]:
    """The log, the oldest first: of everybody or of one worker."""
    events = tables.events.c
    query = (
        select(tables.events, tables.workers.c.token)
        .outerjoin(tables.workers, tables.workers.c.id == events.worker_id)
        .where(events.id > after)
        .order_by(events.id)
        .limit(most)
    )
    if worker is not None:
        query = query.where(events.worker_id == worker_row(tx, worker).id)
    return tuple(
        Event(
            row.id,
            row.at,
            row.kind,
            row.by,
            row.token or "",
            row.job_id,
            row.slot_id,
            row.submission_id,
            row.details,
        )
        for row in tx.all(query)
    )


@dataclass(frozen=True, slots=True)
class PayLine:
    """A line of the ledger as it stands."""

    line: str
    worker: str
    name: str
    stage: str
    kind: str
    state: str
    amount: int
    currency: str
    reason: str
    at: int


def pay(tx: Transaction) -> tuple[PayLine, ...]:
    """Every line."""
    who = {row.id: row for row in tx.all(select(tables.workers))}
    sent = tx.all(select(tables.submissions.c.id, tables.submissions.c.stage))
    stages = {row.id: row.stage for row in sent}
    return tuple(
        PayLine(
            row.line,
            who[row.worker_id].platform_id or who[row.worker_id].token,
            who[row.worker_id].name,
            stages.get(row.submission_id, ""),
            row.kind,
            row.state,
            int(row.amount),
            row.currency,
            row.reason,
            row.at,
        )
        for row in ledger_lines(tx)
    )


def slots_of(
    tx: Transaction, stage: str, states: Sequence[str] = (OPEN, LEASED, SUBMITTED, ACCEPTED)
) -> list[AnyRow]:
    """The slots of a stage with the names of their items, for administrators to ask who may take them."""
    slots, jobs, artifacts = tables.slots.c, tables.jobs.c, tables.artifacts.c
    query = (
        select(tables.slots, artifacts.name, artifacts.part)
        .join(tables.jobs, jobs.id == slots.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .where(slots.stage == stage, slots.state.in_(states))
        .order_by(slots.id)
    )
    return list(tx.all(query))
