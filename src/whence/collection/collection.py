"""A collection at work: the verbs that pages and commands use. Each is one transaction, or a read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, select

from whence.collection import assigning, earning, submitting, tables
from whence.collection.answers import Answer, Found, problems, require_storable, shown
from whence.collection.configuration import Configuration, Stage
from whence.collection.configuration_files import fingerprint, parse_configuration
from whence.collection.eligibility import Eligibility
from whence.collection.importing import add_configured_items
from whence.collection.models_in_loop import Consult, consult_trained, opinion_of
from whence.collection.refusals import NotFoundError
from whence.collection.store import Store, open_store
from whence.collection.submitting import Opinion, Outcome
from whence.collection.templates import required
from whence.collection.transaction import (
    AnyRow,
    Transaction,
    artifact_row,
    draft_row,
    is_open,
    job_row,
    person,
    stage_of,
    token,
    worker_row,
)
from whence.errors import UsageError
from whence.files import Json

Result = TypeVar("Result")
_LONGEST_KEY = 64


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person sees of a slot. There is nothing of the artifact here that the stage does not show."""

    slot: str
    stage: Stage
    item: Mapping[str, Json]
    draft: Answer
    revision: int
    """Of the draft: the next one is saved over it."""
    held: bool
    """Whether an answer would be in time."""
    expires_at: int | None
    tries_left: int = 0
    """Where a model is to be fooled."""
    feedback: tuple[str, ...] = ()
    """Why an earlier answer came back, and what else was said of it."""
    opinion: Mapping[str, Json] | None = None
    """What the model said of the last try."""


@dataclass(frozen=True, slots=True)
class StageOffer:
    """A stage as a worker finds it."""

    stage: Stage
    may: bool
    reason: str
    held: bool
    """Whether there is a slot of it that was begun."""
    opened: bool = True
    passed: bool = False
    """Whether it is a test that the worker has passed."""
    missing: tuple[str, ...] = ()
    """Qualifications that it needs and the worker lacks."""


def milliseconds() -> int:
    """The time, as it is kept."""
    return time.time_ns() // 1_000_000


class Collection:
    """One collection: its store, its configuration, the clock, and the model in the loop."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], int] = milliseconds,
        consult: Consult = consult_trained,
    ) -> None:
        self.store = store
        self._clock = clock
        self._consult = consult
        with store.reading() as connection:
            query = select(tables.configurations).order_by(tables.configurations.c.id.desc()).limit(1)
            row = connection.execute(query).first()
        if row is None:
            raise NotFoundError("the store has no configuration")
        self._configuration_id = int(row.id)
        self.version, self.text = str(row.hash), str(row.text)
        self.configuration: Configuration = parse_configuration(row.text)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """One consistent view of everything."""
        with self.store.reading() as connection:
            yield self._transaction(connection)

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """All of the work, or nothing."""
        return self.store.write(lambda connection: work(self._transaction(connection)))

    def _transaction(self, connection: Connection) -> Transaction:
        return Transaction(connection, self.configuration, self._configuration_id, self._clock())

    # What workers do

    def join(self, name: str = "", *, platform: str = "", platform_id: str = "") -> str:
        """Lets a person in and returns a token that stands for them: the same one for the same platform id."""

        return self.write(lambda tx: enter(tx, name, platform=platform, platform_id=platform_id))

    def stages_for(self, worker: str) -> tuple[StageOffer, ...]:
        """Every stage that people work at, and whether there is something for this one."""
        with self.reading() as tx:
            who = worker_row(tx, worker)
            slots = tables.slots.c
            begun = select(slots.stage).where(slots.worker_id == who.id, slots.state == "leased")
            held = {row.stage for row in tx.all(begun.where(slots.expires_at > tx.now))}
            has = person(tx, who).qualifications
            found = []
            for stage in self.configuration.stages:
                if not stage.machine:
                    may, reason = assigning.why_stage(tx, worker, stage.name)
                    if stage.name in held:
                        may, reason = True, "has begun one"
                    passed = stage.test is not None and stage.test.earns in has
                    missing = tuple(name for name in stage.workers.requires if name not in has)
                    opened = is_open(tx, stage)
                    found.append(StageOffer(stage, may, reason, stage.name in held, opened, passed, missing))
            return tuple(found)

    def earned(self, worker: str) -> earning.Earned:
        """What the worker has earned so far."""
        with self.reading() as tx:
            return earning.earned(tx, worker_row(tx, worker))

    def next_slot(self, worker: str, stage: str | None = None) -> str | None:
        """A slot for the worker: the one begun already, or the first that may be had; None if there is nothing."""
        return self.write(lambda tx: assigning.lease_next(tx, worker, stage))

    def open_slot(self, worker: str, slot: str) -> Shown:
        """What the worker sees of a slot that the worker holds or held."""
        with self.reading() as tx:
            who, found, held = assigning.holding(tx, worker, slot)
            stage, artifact = stage_of(tx, found), artifact_row(tx, job_row(tx, found.job_id).artifact_id)
            draft = draft_row(tx, found.id, who.id)
            left = stage.model.tries - submitting.tries_used(tx, found.id, who.id) if stage.model else 0
            return Shown(
                slot,
                stage,
                shown(stage, artifact.payload),
                draft.payload if draft else {},
                draft.revision if draft else 0,
                held,
                found.expires_at,
                left,
                _feedback(tx, found.id, who.id),
                _last_opinion(tx, found.id, who.id),
            )

    def problems_of(self, worker: str, slot: str, answer: Answer) -> tuple[Found, ...]:
        """What is wrong with an answer so far, what blocks first. Nothing is kept."""
        require_storable(answer)
        with self.reading() as tx:
            _, found, _ = assigning.holding(tx, worker, slot)
            return problems(stage_of(tx, found), _item(tx, found), answer)

    def save_draft(self, worker: str, slot: str, answer: Answer, revision: int) -> int:
        """Keeps a draft that was written over that revision; returns its own. Raises `StaleDraftError`."""
        return self.write(lambda tx: assigning.write_draft(tx, worker, slot, answer, revision))

    def submit(self, worker: str, slot: str, answer: Answer, key: str) -> Outcome:
        """Takes an answer. The same key gives the same outcome, however often it is sent."""
        require_storable(answer)
        if not 0 < len(key) <= _LONGEST_KEY:
            raise UsageError(f"a submission needs a key of 1 to {_LONGEST_KEY} characters")
        with self.reading() as tx:
            before = submitting.told_before(tx, key, worker, slot)
            if before is not None:
                return before
            _, found, held = assigning.holding(tx, worker, slot)
            stage, item = stage_of(tx, found), _item(tx, found)
        trouble = problems(stage, item, answer)
        if any(one.blocks for one in trouble):
            return self.write(lambda tx: submitting.refuse(tx, worker, slot, answer, trouble))
        # A model may take its time: no transaction waits for it.
        opinion = self._opinion(stage, item, answer) if held else None
        return self.write(lambda tx: submitting.store(tx, worker, slot, answer, key, opinion, trouble))

    def _opinion(self, stage: Stage, item: Json, answer: Answer) -> Opinion | None:
        if stage.model is None:
            return None
        scope = {"item": item, "answer": answer}
        first, second = (str(required(scope, pointer, stage.name)) for pointer in stage.model.texts)
        return opinion_of(self._consult, stage.model, first, second)

    def return_slot(self, worker: str, slot: str) -> None:
        """Gives a slot back for others; the draft is kept."""
        self.write(lambda tx: assigning.give_back(tx, worker, slot))

    # What administrators do

    def accept(self, submission: int, by: str, reason: str = "") -> None:
        """Accepts what waits to be looked at."""
        self.write(lambda tx: submitting.accept(tx, submission, reason, by))

    def send_back(self, submission: int, by: str, feedback: str) -> None:
        """Gives what waits to be looked at back to its worker, with the reason."""
        self.write(lambda tx: submitting.send_back(tx, submission, feedback, by))

    def give_feedback(self, submission: int, by: str, text: str) -> None:
        """Tells a worker something about a submission."""
        self.write(lambda tx: submitting.give_feedback(tx, submission, text, by))

    def exclude(self, submission: int, by: str, reason: str) -> None:
        """Does not use the data of a submission. Its pay is another question."""
        self.write(lambda tx: submitting.exclude(tx, submission, reason, by))

    def settle_pay(self, submission: int, state: str, by: str, reason: str) -> None:
        """Moves the pay of a submission to `approved`, `rejected` or `paid`."""
        self.write(lambda tx: earning.settle(tx, submission, state, reason, by))

    def pay_out(self, by: str, reason: str = "") -> int:
        """Marks all that is approved as paid, and returns how much that is."""

        def settle_all(tx: Transaction) -> int:
            due = [row for row in earning.ledger_lines(tx) if row.state == earning.APPROVED]
            for row in due:
                earning.move_line(tx, row.line, earning.PAID, reason, by)
            return earning.total(due)

        return self.write(settle_all)

    def add_bonus(self, worker: str, amount: int, by: str, reason: str) -> None:
        """Owes a worker something more."""
        self.write(lambda tx: earning.add_bonus(tx, worker_row(tx, worker).id, amount, reason, by))

    def qualify(self, worker: str, name: str, by: str, *, held: bool = True, reason: str = "") -> None:
        """Gives a qualification, or takes it away."""
        if name not in {known.name for known in self.configuration.qualifications}:
            raise UsageError(f"there is no qualification {name}")
        self.write(
            lambda tx: earning.qualify(tx, worker_row(tx, worker).id, name, held=held, reason=reason, by=by)
        )

    def set_active(self, worker: str, active: bool, by: str, reason: str) -> None:
        """Lets a worker take part, or not."""
        self.write(lambda tx: earning.set_active(tx, worker_row(tx, worker), active, reason, by))

    def set_open(self, stage: str, opened: bool, by: str) -> None:
        """Lets people begin work at a stage, or not."""

        def turn(tx: Transaction) -> None:
            name = self.configuration.stage(stage).name
            if is_open(tx, self.configuration.stage(name)) != opened:
                tx.connection.execute(tables.stages.delete().where(tables.stages.c.name == name))
                tx.connection.execute(tables.stages.insert().values(name=name, open=opened))
                tx.log("stage opened" if opened else "stage closed", by, {"stage": name})

        self.write(turn)

    def release(self, slot: str, by: str) -> None:
        """Lets others have a slot that was reserved for somebody who does not come."""
        self.write(lambda tx: assigning.release(tx, slot, by))

    def eligible(self, worker: str, slot: str) -> Eligibility:
        """Whether a worker may take a slot, and why not."""
        with self.reading() as tx:
            return assigning.why(tx, worker, slot)


def enter(tx: Transaction, name: str = "", *, platform: str = "", platform_id: str = "") -> str:
    """Lets a person in and returns a token that stands for them: the same one for the same platform id."""
    known = tables.workers.c
    if platform_id:
        query = select(known.token).where(known.platform == platform, known.platform_id == platform_id)
        row = tx.first(query)
        if row is not None:
            return str(row.token)
    opened = token()
    values = {"name": name, "platform": platform, "platform_id": platform_id, "active": True, "at": tx.now}
    tx.log("joined", "worker", worker_id=tx.add(tables.workers, token=opened, **values))
    return opened


def _item(tx: Transaction, slot: AnyRow) -> Json:
    return artifact_row(tx, job_row(tx, slot.job_id).artifact_id).payload


def _feedback(tx: Transaction, slot: int, worker: int) -> tuple[str, ...]:
    rulings, submissions = tables.rulings.c, tables.submissions.c
    query = (
        select(rulings.reason)
        .join(tables.submissions, submissions.id == rulings.submission_id)
        .where(submissions.slot_id == slot, submissions.worker_id == worker)
        .where(rulings.ruling.in_(("returned", "feedback")))
        .order_by(rulings.id)
    )
    return tuple(row.reason for row in tx.all(query))


def _last_opinion(tx: Transaction, slot: int, worker: int) -> Mapping[str, Json] | None:
    attempts = tables.attempts.c
    query = select(attempts.verdict).where(attempts.slot_id == slot, attempts.worker_id == worker)
    row = tx.first(query.order_by(attempts.id.desc()).limit(1))
    return row.verdict if row is not None else None


def open_collection(where: str) -> Collection:
    """The collection in a store."""
    return Collection(open_store(where))


def new_collection(
    where: str, text: str, *, clock: Callable[[], int] = milliseconds, consult: Consult = consult_trained
) -> Collection:
    """A new collection by a configuration, with the items that stand in it."""
    parse_configuration(text)
    store = open_store(where, new=True)
    keep_configuration(store, text, clock())
    collection = Collection(store, clock=clock, consult=consult)
    collection.write(add_configured_items)
    return collection


def keep_configuration(store: Store, text: str, now: int) -> str:
    """Keeps a version of the configuration; the last one kept is the one that counts. Returns its hash."""
    version = fingerprint(text)

    def keep(connection: Connection) -> None:
        last = select(tables.configurations.c.hash).order_by(tables.configurations.c.id.desc()).limit(1)
        if connection.execute(last).scalar() != version:
            connection.execute(tables.configurations.insert().values(hash=version, text=text, at=now))

    store.write(keep)
    return version


def change_configuration(collection: Collection, text: str) -> str:
    """Goes on by another version of the configuration, which keeps the stages that have work; returns its hash."""
    changed = parse_configuration(text)
    known = {stage.name for stage in changed.stages}
    with collection.reading() as tx:
        busy = {row.stage for row in tx.all(select(tables.jobs.c.stage).distinct())}
    gone = sorted(busy - known)
    if gone:
        raise UsageError(f"there is work at {', '.join(gone)}; a changed configuration must have these stages")
    keep_configuration(collection.store, text, milliseconds())
    again = Collection(collection.store)
    again.write(add_configured_items)
    return again.version
