"""The way of artifacts: jobs and slots are opened, decisions made, and what comes of them goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select, update

from whence.collection import tables
from whence.collection.answers import Answer, said
from whence.collection.configuration import DONE, DROPPED, Make, Stage
from whence.collection.deciding import Decided, decide, people_wanted
from whence.collection.earning import earn_by_outcomes
from whence.collection.eligibility import Past
from whence.collection.templates import elements, fill
from whence.collection.transaction import (
    CANCELLED,
    DECIDED,
    ENGINE,
    EXCLUDED,
    OPEN,
    AnyRow,
    Transaction,
    artifact_row,
    counted_submissions,
    past,
    stage_of,
    token,
)
from whence.files import Json


def add_artifact(
    tx: Transaction,
    *,
    kind: str,
    name: str,
    payload: Mapping[str, Json],
    origin: str,
    source: str,
    parent: AnyRow | None = None,
    part: str = "",
    history: Sequence[Past] = (),
    submission: int | None = None,
) -> int:
    """Keeps an artifact for good."""
    return tx.add(
        tables.artifacts,
        kind=kind,
        name=name,
        part=part,
        payload=dict(payload),
        parent_id=parent.id if parent is not None else None,
        root=parent.root if parent is not None else f"{source}/{name}",
        origin=origin,
        source=source,
        history=[list(entry) for entry in history],
        submission_id=submission,
        configuration_id=tx.configuration_id,
        at=tx.now,
    )


def send(tx: Transaction, artifact: int, to: str, came_from: str) -> None:
    """Lets an artifact go on: to a stage, where a job is opened, or to its end."""
    if to in (DONE, DROPPED):
        tx.add(tables.fates, artifact_id=artifact, fate=to, stage=came_from, at=tx.now)
        return
    stage, row = tx.configuration.stage(to), artifact_row(tx, artifact)
    job = tx.add(tables.jobs, stage=to, artifact_id=artifact, state=OPEN, at=tx.now)
    tx.log("job opened", ENGINE, {"stage": to, "artifact": artifact}, job_id=job)
    if not stage.is_test:
        wanted = people_wanted(stage.overlap, row.payload, ())
        _open_slots(tx, stage, job, range(1, wanted + 1), _same_people(stage, past(row.history)))


def _same_people(stage: Stage, history: Sequence[Past]) -> list[int]:
    """Those who did the stage that is to be done by the same people, in order."""
    return list(dict.fromkeys(entry.worker for entry in history if entry.stage == stage.workers.same_as))


def _open_slots(tx: Transaction, stage: Stage, job: int, numbers: range, people: Sequence[int] = ()) -> None:
    """Opens slots; those for the same people are reserved for them, the others are for other people."""
    for number in numbers:
        reserved = people[number - 1] if number <= len(people) else None
        purpose = "regular" if reserved is not None or not stage.workers.same_as else "other"
        tx.add(
            tables.slots,
            token=token(),
            job_id=job,
            stage=stage.name,
            number=number,
            purpose=purpose,
            state=OPEN,
            reserved_id=reserved,
        )


def advance(tx: Transaction, job: AnyRow) -> None:
    """Counts what is there for a job that is locked: more people are asked, or it is decided."""
    if job.state == DECIDED:
        return
    stage, artifact = stage_of(tx, job), artifact_row(tx, job.artifact_id)
    counted = counted_submissions(tx, job=job.id)
    answers = [row.payload for row in counted]
    slots = tables.slots.c
    query = select(func.count()).where(slots.job_id == job.id, slots.state.not_in((CANCELLED, EXCLUDED)))
    there, wanted = int(tx.value(query)), people_wanted(stage.overlap, artifact.payload, answers)
    if there < wanted:
        last = int(tx.value(select(func.max(slots.number)).where(slots.job_id == job.id)))
        _open_slots(tx, stage, job.id, range(last + 1, last + 1 + wanted - there))
    elif len(answers) >= wanted:
        _conclude(tx, job, stage, artifact, counted)


def _conclude(tx: Transaction, job: AnyRow, stage: Stage, artifact: AnyRow, counted: Sequence[AnyRow]) -> None:
    decided = decide(stage, artifact.payload, [row.payload for row in counted])
    to = _target(stage, decided, past(artifact.history))
    tx.connection.execute(update(tables.jobs).where(tables.jobs.c.id == job.id).values(state=DECIDED))
    open_slots = (tables.slots.c.job_id == job.id) & (tables.slots.c.state == OPEN)
    tx.connection.execute(update(tables.slots).where(open_slots).values(state=CANCELLED))
    tx.add(
        tables.decisions,
        job_id=job.id,
        rule=decided.rule,
        outcome=decided.outcome,
        votes={part: dict(votes) for part, votes in decided.votes.items()},
        tie=decided.tie,
        route=to,
        at=tx.now,
    )
    tx.log("decided", ENGINE, {"outcome": decided.outcome, "route": to}, job_id=job.id)
    if stage.decide is not None:
        judges = [Past(stage.name, row.worker_id, "judge") for row in counted]
        for row in counted:
            others = [judge for judge in judges if judge.worker != row.worker_id]
            make(tx, stage, artifact, row, row.payload, outcome=decided.outcome, others=others)
        if to:
            send(tx, _gone_on(tx, stage, artifact, decided, judges), to, stage.name)
    earn_by_outcomes(tx, stage, artifact)


def _target(stage: Stage, decided: Decided, history: Sequence[Past]) -> str:
    for route in stage.routes:
        if route.when in (decided.outcome, "*"):
            visits = sum(entry.stage == route.to and entry.role == "author" for entry in history)
            return route.then if route.at_most and visits >= route.at_most else route.to
    return ""


def _gone_on(tx: Transaction, stage: Stage, artifact: AnyRow, decided: Decided, judges: Sequence[Past]) -> int:
    """The artifact with what was decided, and with those who judged it in its history."""
    recorded = {stage.decide.records: decided.recorded} if stage.decide and stage.decide.records else {}
    return add_artifact(
        tx,
        kind=artifact.kind,
        name=artifact.name,
        part=artifact.part,
        payload={**artifact.payload, **recorded},
        origin="decision",
        source=stage.name,
        parent=artifact,
        history=[*past(artifact.history), *judges],
        submission=artifact.submission_id,
    )


def make(
    tx: Transaction,
    stage: Stage,
    artifact: AnyRow,
    submission: AnyRow,
    answer: Answer,
    *,
    outcome: str = "",
    others: Sequence[Past] = (),
) -> None:
    """The artifacts that an accepted answer makes go on their way."""
    label = said(answer).get("", "")
    history = [*past(artifact.history), *others, Past(stage.name, submission.worker_id, "author")]
    for template in stage.makes:
        if (template.when and template.when != label) or (template.if_decided and template.if_decided != outcome):
            continue
        for part, payload in _made(template, artifact, answer):
            made = add_artifact(
                tx,
                kind=template.kind,
                name=artifact.name if part else _name(artifact, stage, template, submission),
                part=part,
                payload={**artifact.payload, **payload},
                origin="submission",
                source=stage.name,
                parent=artifact,
                history=history,
                submission=submission.id,
            )
            send(tx, made, template.to, stage.name)


def _name(artifact: AnyRow, stage: Stage, template: Make, submission: AnyRow) -> str:
    """Different for each answer, and the same however often it is told."""
    suffix = f"-{template.suffix}" if template.suffix else ""
    return f"{artifact.name}/{stage.name}-{submission.id}{suffix}"


def _made(template: Make, artifact: AnyRow, answer: Answer) -> list[tuple[str, dict[str, Json]]]:
    """Payloads, each with the part of the answer that it is."""
    scope = {"item": artifact.payload, "answer": answer, "name": artifact.name}
    if not template.each:
        return [("", fill(template.payload, scope))]
    parts = elements(scope, template.each)
    return [
        (pointer.removeprefix("/answer"), fill(template.payload, {**scope, "each": element, "part": pointer}))
        for pointer, element in parts.items()
    ]
