"""Qualifications, and the pay ledger: who may do what, and what is owed for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from whence.collection import tables
from whence.collection.configuration import Qualification, Stage
from whence.collection.transaction import ENGINE, AnyRow, Transaction, past, token
from whence.errors import UsageError

PENDING, APPROVED, PAID, REJECTED = "pending", "approved", "paid", "rejected"
_MAY_BECOME = {
    PENDING: (APPROVED, REJECTED),
    APPROVED: (PAID, REJECTED),
    PAID: (),
    REJECTED: (APPROVED,),
}


def qualify(
    tx: Transaction, worker: int, name: str, *, held: bool, reason: str, by: str, score: float | None = None
) -> None:
    """Gives a qualification, or takes it away, and says why."""
    insert = insert_postgresql if tx.connection.dialect.name == "postgresql" else insert_sqlite
    values = {"held": held, "score": score, "reason": reason, "by": by, "at": tx.now}
    statement = insert(tables.qualifications).values(worker_id=worker, name=name, **values)
    tx.connection.execute(statement.on_conflict_do_update(index_elements=["worker_id", "name"], set_=values))
    tx.log(
        "qualified" if held else "not qualified",
        by,
        {"name": name, "reason": reason, "score": score},
        worker_id=worker,
    )


def earn_by_outcomes(tx: Transaction, stage: Stage, artifact: AnyRow) -> None:
    """Looks again at the qualifications that the makers of what was just judged may have earned or lost."""
    for wanted in tx.configuration.qualifications:
        if wanted.judged_at == stage.name:
            makers = {entry.worker for entry in past(artifact.history) if entry.stage == wanted.made_at}
            # Always in the same order, so that two decisions do not wait for each other.
            for worker in sorted(makers):
                _look_again(tx, wanted, worker)


def _look_again(tx: Transaction, wanted: Qualification, worker: int) -> None:
    decisions, jobs, artifacts = tables.decisions.c, tables.jobs.c, tables.artifacts.c
    query = (
        select(decisions.outcome, func.count().label("many"))
        .join(tables.jobs, jobs.id == decisions.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .join(tables.submissions, tables.submissions.c.id == artifacts.submission_id)
        .where(jobs.stage == wanted.judged_at, artifacts.source == wanted.made_at)
        .where(tables.submissions.c.worker_id == worker)
        .group_by(decisions.outcome)
    )
    counts = {row.outcome: int(row.many) for row in tx.all(query)}
    right, total = counts.get(wanted.outcome, 0), sum(counts.values())
    held = right >= wanted.least and right >= wanted.share * total
    known = tables.qualifications.c
    before = tx.first(select(known.held, known.by).where(known.worker_id == worker, known.name == wanted.name))
    if before is not None and before.by != ENGINE:
        return  # what a person gave or took by hand stays
    if bool(before and before.held) != held:
        reason = f"{right} of {total} at {wanted.judged_at}: {wanted.outcome}"
        qualify(tx, worker, wanted.name, held=held, reason=reason, by=ENGINE, score=right / max(total, 1))


def owe(tx: Transaction, submission: int, worker: int, amount: int, reason: str) -> None:
    """Every submission is one line of the ledger, from the moment it is there."""
    _line(tx, _of_submission(submission), worker, submission, "work", PENDING, amount, reason, ENGINE)


def _of_submission(submission: int) -> str:
    return f"submission-{submission}"


def add_bonus(tx: Transaction, worker: int, amount: int, reason: str, by: str) -> None:
    """A line of its own, approved by whoever gives it."""
    if amount <= 0:
        raise UsageError("a bonus is more than nothing")
    _line(tx, f"bonus-{token()}", worker, None, "bonus", APPROVED, amount, reason, by)


def settle(tx: Transaction, submission: int, state: str, reason: str, by: str) -> None:
    """Moves the line of a submission to another state, by a row of its own: the ledger is only ever added to."""
    move_line(tx, _of_submission(submission), state, reason, by)


def move_line(tx: Transaction, line: str, state: str, reason: str, by: str) -> None:
    """Moves a line of the ledger to another state."""
    last = ledger_line(tx, line)
    if state not in _MAY_BECOME[last.state]:
        raise UsageError(f"pay that is {last.state} cannot become {state}")
    _line(tx, line, last.worker_id, last.submission_id, last.kind, state, last.amount, reason, by)


def ledger_line(tx: Transaction, line: str) -> AnyRow:
    """A line of the ledger as it stands."""
    pay = tables.pay.c
    row = tx.first(select(tables.pay).where(pay.line == line).order_by(pay.id.desc()).limit(1))
    if row is None:
        raise UsageError(f"the ledger has no line {line}")
    return row


def ledger_lines(tx: Transaction) -> list[AnyRow]:
    """Every line of the ledger as it stands, in the order in which they came."""
    rows = tx.all(select(tables.pay).order_by(tables.pay.c.id))
    return list({row.line: row for row in rows}.values())


def _line(
    tx: Transaction,
    line: str,
    worker: int,
    submission: int | None,
    kind: str,
    state: str,
    amount: int,
    reason: str,
    by: str,
) -> None:
    tx.add(
        tables.pay,
        line=line,
        worker_id=worker,
        submission_id=submission,
        kind=kind,
        state=state,
        amount=amount,
        currency=tx.configuration.currency,
        reason=reason,
        by=by,
        at=tx.now,
    )
    tx.log(f"pay {state}", by, {"line": line, "amount": amount}, worker_id=worker, submission_id=submission)


def set_active(tx: Transaction, worker: AnyRow, active: bool, reason: str, by: str) -> None:
    """Lets a worker take part, or not. What the worker did stays, and so does what is owed for it."""
    tx.connection.execute(update(tables.workers).where(tables.workers.c.id == worker.id).values(active=active))
    tx.log("let in" if active else "shut out", by, {"reason": reason}, worker_id=worker.id)


def total(rows: Iterable[AnyRow]) -> int:
    """What lines come to."""
    return sum(int(row.amount) for row in rows)


@dataclass(frozen=True, slots=True)
class Earned:
    """Amounts by the state of pay, in minor units."""

    currency: str
    lines: int
    by_state: tuple[tuple[str, int], ...]


def earned(tx: Transaction, worker: AnyRow) -> Earned:
    """What a worker has earned: the lines of the ledger that are the worker's."""
    lines = [line for line in ledger_lines(tx) if line.worker_id == worker.id]
    by_state = ((state, [line for line in lines if line.state == state]) for state in _MAY_BECOME)
    amounts = tuple((state, total(found)) for state, found in by_state if found)
    return Earned(tx.configuration.currency, len(lines), amounts)
