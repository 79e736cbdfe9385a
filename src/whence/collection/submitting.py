"""Answers come in: kept for good, counted, accepted, or sent back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from sqlalchemy import func, select, update

from whence.collection import tables
from whence.collection.answers import Answer, Found, remarks, said, share_right
from whence.collection.assigning import holding, keep_draft, renew
from whence.collection.configuration import Stage
from whence.collection.earning import APPROVED, owe, qualify, settle
from whence.collection.refusals import KeyReusedError
from whence.collection.routing import advance, make
from whence.collection.templates import at
from whence.collection.transaction import (
    ACCEPTED,
    DECIDED,
    ENGINE,
    EXCLUDED,
    LEASED,
    SUBMITTED,
    AnyRow,
    Transaction,
    artifact_row,
    draft_row,
    job_row,
    person,
    slot_row,
    stage_of,
    submission_row,
    worker_row,
)
from whence.errors import UsageError
from whence.files import Json
from whence.structures.results import Problem

State = Literal["accepted", "submitted", "late", "try again", "refused"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model in the loop said of an answer; without a label it could not be asked."""

    model: str
    label: str
    probabilities: Mapping[str, float] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a submission.

    `accepted` and `submitted` (it waits to be looked at) are done; `late` is kept but was no longer wanted; `try
    again`: the model was not fooled; `refused`: there are problems that block, and the answer was kept as a draft.
    """

    state: State
    submission: int | None = None
    problems: tuple[Found, ...] = ()
    opinion: Opinion | None = None
    tries_left: int = 0
    share: float | None = None
    """Of a test: how much was right."""
    passed: bool | None = None
    revision: int = 0
    """Of the draft, where there is to be another try."""


def as_json(outcome: Outcome) -> dict[str, Json]:
    """As it is kept beside the submission."""
    return asdict(outcome)


def from_json(kept: Mapping[str, Json]) -> Outcome:
    """As it was told the first time."""
    found = tuple(Found(Problem(**one["problem"]), one["blocks"]) for one in kept["problems"])
    opinion = Opinion(**kept["opinion"]) if kept["opinion"] else None
    return Outcome(**{**kept, "problems": found, "opinion": opinion})


def told_before(tx: Transaction, key: str, worker: str, slot: str) -> Outcome | None:
    """The answer to a submission that came with this key before."""
    for table in (tables.submissions, tables.attempts):
        row = tx.first(select(table).where(table.c.key == key))
        if row is not None:
            if row.worker_id != worker_row(tx, worker).id or row.slot_id != slot_row(tx, slot).id:
                raise KeyReusedError("this key was used for another submission")
            return from_json(row.outcome | ({"submission": row.id} if table is tables.submissions else {}))
    return None


def tries_used(tx: Transaction, slot: int, worker: int) -> int:
    """How often a worker has tried to fool the model at a slot."""
    attempts = tables.attempts.c
    return int(tx.value(select(func.count()).where(attempts.slot_id == slot, attempts.worker_id == worker)))


def refuse(tx: Transaction, worker: str, slot: str, answer: Answer, problems: Sequence[Found]) -> Outcome:
    """Keeps as a draft what could not be taken."""
    who, found, held = holding(tx, worker, slot, lock=True)
    if held:
        renew(tx, found, stage_of(tx, found))
    return Outcome("refused", problems=tuple(problems), revision=_next_draft(tx, found.id, who.id, answer))


def _next_draft(tx: Transaction, slot: int, worker: int, answer: Answer) -> int:
    draft = draft_row(tx, slot, worker)
    revision = (draft.revision if draft else 0) + 1
    keep_draft(tx, slot, worker, answer, revision)
    return revision


def store(
    tx: Transaction,
    worker: str,
    slot: str,
    answer: Answer,
    key: str,
    opinion: Opinion | None,
    warnings: Sequence[Found],
) -> Outcome:
    """Keeps an answer without blocking problems, whatever became of the slot meanwhile."""
    who, found, held = holding(tx, worker, slot, lock=True)
    held = held and job_row(tx, found.job_id).state != DECIDED
    before = told_before(tx, key, worker, slot)  # the same submission, faster by a moment
    if before is not None:
        return before
    stage = stage_of(tx, found)
    if held and stage.model is not None and opinion is not None:
        again = _attempt(tx, stage, who, found, answer, key, opinion)
        if again is not None:
            return again
    return _kept(tx, stage, who, found, answer, key, held, opinion, warnings)


def _attempt(
    tx: Transaction, stage: Stage, who: AnyRow, slot: AnyRow, answer: Answer, key: str, opinion: Opinion
) -> Outcome | None:
    """Keeps a try with what the model said; None if the answer is taken now."""
    if stage.model is None:
        return None
    artifact = artifact_row(tx, job_row(tx, slot.job_id).artifact_id)
    target = at({"item": artifact.payload, "answer": answer}, stage.model.target)
    number = tries_used(tx, slot.id, who.id) + 1
    fooled = None if not opinion.label else opinion.label != target
    left = stage.model.tries - number
    again = fooled is False and left > 0
    revision = _next_draft(tx, slot.id, who.id, answer) if again else 0
    outcome = Outcome("try again", opinion=opinion, tries_left=left, revision=revision)
    tx.add(
        tables.attempts,
        key=key if again else f"{key}/{number}",
        slot_id=slot.id,
        worker_id=who.id,
        number=number,
        payload=dict(answer),
        model=opinion.model,
        verdict=asdict(opinion),
        fooled=fooled,
        outcome=as_json(outcome),
        at=tx.now,
    )
    if again:
        renew(tx, slot, stage)
    return outcome if again else None


def _kept(
    tx: Transaction,
    stage: Stage,
    who: AnyRow,
    slot: AnyRow,
    answer: Answer,
    key: str,
    held: bool,
    opinion: Opinion | None,
    warnings: Sequence[Found],
) -> Outcome:
    artifact = artifact_row(tx, job_row(tx, slot.job_id).artifact_id)
    share = _share(stage, artifact.payload, answer)
    by_hand = _looked_at(stage, share, person(tx, who).accepted.get(stage.name, 0))
    outcome = Outcome(
        "late" if not held else SUBMITTED if by_hand else ACCEPTED,  # type: ignore[arg-type]
        problems=tuple(warnings),
        opinion=opinion,
        share=share,
        passed=None if share is None or stage.test is None else share >= stage.test.share,
    )
    submission = _add(tx, stage, who, slot, answer, key, outcome)
    _judge(tx, stage, artifact, submission, who.id, answer)
    if held:
        done = tables.slots.c.id == slot.id
        tx.connection.execute(update(tables.slots).where(done).values(state=SUBMITTED))
        if not by_hand:
            accept(tx, submission, "", ENGINE)
    return replace(outcome, submission=submission)


def _share(stage: Stage, item: Json, answer: Answer) -> float | None:
    if stage.test is None or not stage.test.gold:
        return None
    return share_right(at(item, stage.test.gold), said(answer), stage.test.within)


def _looked_at(stage: Stage, share: float | None, accepted: int) -> bool:
    """Whether somebody looks at the answer before it counts."""
    if stage.test is not None:
        return share is None
    return stage.accept == "by hand" or accepted < stage.workers.probation


def _add(
    tx: Transaction, stage: Stage, who: AnyRow, slot: AnyRow, answer: Answer, key: str, outcome: Outcome
) -> int:
    again = bool(
        tx.value(
            select(func.count()).where(
                tables.submissions.c.slot_id == slot.id, tables.submissions.c.worker_id == who.id
            )
        )
    )
    flags = [
        *(["late"] if outcome.state == "late" else []),
        *(["again"] if again else []),
        *(["model down"] if outcome.opinion is not None and not outcome.opinion.label else []),
        *sorted({f"warned: {found.problem.rule}" for found in outcome.problems}),
    ]
    submission = tx.add(
        tables.submissions,
        key=key,
        slot_id=slot.id,
        job_id=slot.job_id,
        worker_id=who.id,
        stage=stage.name,
        payload=dict(answer),
        late=outcome.state == "late",
        flags=flags,
        outcome=as_json(outcome),
        milliseconds=max(tx.now - int(slot.leased_at or tx.now), 0) if slot.worker_id == who.id else 0,
        configuration_id=tx.configuration_id,
        at=tx.now,
    )
    reason = "once more, the slot was paid for" if again else "late" if outcome.state == "late" else stage.name
    owe(tx, submission, who.id, 0 if again else stage.pay, reason)
    tx.log("submitted", "worker", {"flags": flags}, worker_id=who.id, job_id=slot.job_id, slot_id=slot.id)
    return submission


def _judge(tx: Transaction, stage: Stage, artifact: AnyRow, submission: int, worker: int, answer: Answer) -> None:
    """What was said, in the one shape that all statistics of agreement take."""
    noted = remarks(answer)
    for part, label in said(answer).items() if stage.ask is not None else ():
        tx.add(
            tables.judgements,
            submission_id=submission,
            job_id=submission_row(tx, submission).job_id,
            artifact_id=artifact.id,
            worker_id=worker,
            stage=stage.name,
            item=artifact.name,
            part=artifact.part + part,
            question=stage.ask.question if stage.ask else "",
            answer=label,
            remark=noted.get(part, ""),
        )


def accept(tx: Transaction, submission: int, reason: str, by: str) -> None:
    """The answer counts: it is paid, what it makes goes on, and its job may be decided."""
    row = submission_row(tx, submission)
    job = job_row(tx, row.job_id, lock=True)
    slot = slot_row_of(tx, row)
    if slot.state != SUBMITTED or row.late:
        raise UsageError(f"only what waits can be accepted; this is {'late' if row.late else slot.state}")
    stage, artifact = stage_of(tx, row), artifact_row(tx, job.artifact_id)
    tx.connection.execute(update(tables.slots).where(tables.slots.c.id == row.slot_id).values(state=ACCEPTED))
    _rule(tx, row, "accepted", reason, by)
    settle(tx, submission, APPROVED, "accepted", by)
    if stage.test is not None:
        passed = row.outcome["passed"] if stage.test.gold else True
        told = f"{row.outcome['share']:.0%} right" if stage.test.gold else "looked at by hand"
        qualify(
            tx, row.worker_id, stage.test.earns, held=bool(passed), reason=told, by=by, score=row.outcome["share"]
        )
        return
    if stage.decide is None:
        make(tx, stage, artifact, row, row.payload)
    advance(tx, job)


def slot_row_of(tx: Transaction, submission: AnyRow) -> AnyRow:
    """The slot of a submission."""
    return tx.all(select(tables.slots).where(tables.slots.c.id == submission.slot_id))[0]


def send_back(tx: Transaction, submission: int, feedback: str, by: str) -> None:
    """The worker gets the slot back, with what was submitted as the draft, and is told why."""
    row = submission_row(tx, submission)
    job_row(tx, row.job_id, lock=True)
    if slot_row_of(tx, row).state != SUBMITTED or row.late:
        raise UsageError("only what waits to be looked at can be sent back")
    stage = stage_of(tx, row)
    values = {"state": LEASED, "leased_at": tx.now, "expires_at": tx.now + stage.lease * 1000}
    tx.connection.execute(update(tables.slots).where(tables.slots.c.id == row.slot_id).values(**values))
    _next_draft(tx, row.slot_id, row.worker_id, row.payload)
    _rule(tx, row, "returned", feedback, by)


def exclude(tx: Transaction, submission: int, reason: str, by: str) -> None:
    """The data are not used. What is owed for them stays owed: that is another question."""
    row = submission_row(tx, submission)
    job = job_row(tx, row.job_id, lock=True)
    _rule(tx, row, "excluded", reason, by)
    if not row.late and slot_row_of(tx, row).state in (SUBMITTED, ACCEPTED) and stage_of(tx, row).test is None:
        tx.connection.execute(update(tables.slots).where(tables.slots.c.id == row.slot_id).values(state=EXCLUDED))
        advance(tx, job)


def give_feedback(tx: Transaction, submission: int, text: str, by: str) -> None:
    """Tells the worker something about a submission."""
    _rule(tx, submission_row(tx, submission), "feedback", text, by)


def _rule(tx: Transaction, row: AnyRow, ruling: str, reason: str, by: str) -> None:
    tx.add(tables.rulings, submission_id=row.id, ruling=ruling, reason=reason, by=by, at=tx.now)
    about = {"worker_id": row.worker_id, "job_id": row.job_id, "slot_id": row.slot_id, "submission_id": row.id}
    tx.log(f"submission {ruling}", by, {"reason": reason}, **about)
