"""Who may do what. One pure function, whose reasons are shown to administrators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from whence.collection.configuration import Stage

Role = Literal["author", "judge"]


class Past(NamedTuple):
    """Somebody did something on the way to an artifact: made it or one it came from, or judged one."""

    stage: str
    worker: int
    role: Role


@dataclass(frozen=True, slots=True)
class Person:
    """What counts about a worker. Counts are by stage."""

    id: int
    active: bool = True
    qualifications: frozenset[str] = frozenset()
    submitted: Mapping[str, int] = field(default_factory=dict)
    accepted: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)
    """Slots that are leased now."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What counts about a slot."""

    stage: Stage
    stage_open: bool = True
    free: bool = True
    """Neither done nor held by anybody; a lease that ran out holds nothing."""
    purpose: Literal["regular", "other", "test"] = "regular"
    reserved: int | None = None
    history: tuple[Past, ...] = ()
    """Of the artifact, along its whole lineage."""
    done_by: tuple[int, ...] = ()
    """Who holds or did another slot of the same job."""


class Eligibility(NamedTuple):
    """Whether, and why not."""

    may: bool
    reason: str


YES = Eligibility(True, "may do this")


def eligible(worker: Person, slot: Offer) -> Eligibility:
    """Whether a worker may take a slot. The first reason against it is told."""
    for reason in (
        _of_worker(worker),
        _of_slot(worker, slot),
        _of_qualifications(worker, slot.stage),
        _of_lineage(worker, slot),
        _of_amount(worker, slot.stage),
    ):
        if reason:
            return Eligibility(False, reason)
    return YES


def _of_worker(worker: Person) -> str:
    return "" if worker.active else "was excluded from this collection"


def _of_slot(worker: Person, slot: Offer) -> str:
    if not slot.stage_open:
        return f"{slot.stage.name} is not open"
    if not slot.free:
        return "somebody else holds or did this"
    if slot.reserved is not None and slot.reserved != worker.id:
        return "reserved for another person"
    test = slot.stage.test
    if test is not None and test.earns in worker.qualifications:
        return f"has passed: {test.earns}"
    if test is not None and slot.done_by.count(worker.id) >= test.tries:
        return f"no tries left ({test.tries})"
    if test is None and worker.id in slot.done_by:
        return "does or did this job already"
    return ""


def _of_qualifications(worker: Person, stage: Stage) -> str:
    missing = [name for name in stage.workers.requires if name not in worker.qualifications]
    return f"lacks the qualification {', '.join(missing)}" if missing else ""


def _of_lineage(worker: Person, slot: Offer) -> str:
    rules = slot.stage.workers
    own = [past for past in slot.history if past.worker == worker.id]
    if (
        not rules.own
        and any(past.role == "author" for past in own)
        and rules.same_as not in {p.stage for p in own}
    ):
        made = next(past.stage for past in own if past.role == "author")
        return f"made this, or what it came from, at {made}"
    excluded = [past.stage for past in own if past.stage in rules.other_than]
    if excluded:
        return f"did {excluded[0]} of this already"
    if rules.same_as:
        did = any(past.stage == rules.same_as for past in own)
        if slot.purpose == "regular" and not did:
            return f"did not do {rules.same_as} of this"
    return ""


def _of_amount(worker: Person, stage: Stage) -> str:
    rules, submitted = stage.workers, worker.submitted.get(stage.name, 0)
    accepted = worker.accepted.get(stage.name, 0)
    if rules.cap and submitted + worker.held.get(stage.name, 0) >= rules.cap:
        return f"has reached the cap of {rules.cap}"
    if worker.held.get(stage.name, 0):
        return "holds one of these already"
    if accepted < rules.probation <= submitted:
        return f"on probation: the first {rules.probation} are being looked at"
    return ""
