"""Whatever people do: nothing is lost, nothing over-collected, nobody judges own work, the ledger is complete."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.collection.crowd import Clock, rows
from tests.collection.tiny import begun, tiny, yes

from whence.collection.collection import Collection
from whence.collection.refusals import StaleDraftError
from whence.errors import UsageError

WORKERS = st.integers(0, 4)
LABELS = st.sampled_from(["yes", "no"])


def assert_sound(collection: Collection) -> None:
    """What holds at any moment."""
    submissions = rows(collection, "submissions")
    slots = {row.id: row for row in rows(collection, "slots")}
    counted = [row for row in submissions if not row.late]
    lines = Counter(row.submission_id for row in rows(collection, "pay") if row.state == "pending")
    assert lines == Counter(row.id for row in submissions)  # every submission is one line of the ledger
    assert _once_a_job(counted)
    for job in rows(collection, "jobs"):
        live = [
            row for row in slots.values() if row.job_id == job.id and row.state not in ("cancelled", "excluded")
        ]
        most = {"write": 1, "verify": 3}[job.stage]
        assert len(live) <= most  # nobody is asked for more than is wanted
        assert sum(row.state == "accepted" for row in live) <= most
    artifacts = {row.id: row for row in rows(collection, "artifacts")}
    makers = {row.id: row.worker_id for row in submissions}
    for judgement in rows(collection, "judgements"):
        assert makers[artifacts[judgement.artifact_id].submission_id] != judgement.worker_id
    decided = Counter(row.job_id for row in rows(collection, "decisions"))
    assert all(count == 1 for count in decided.values())


def _once_a_job(counted: list[Any]) -> bool:
    """Nobody does a job twice; only one slot may have several submissions of its worker, as it was sent back."""
    slots: dict[tuple[int, int], set[int]] = {}
    for row in counted:
        slots.setdefault((row.job_id, row.worker_id), set()).add(row.slot_id)
    return all(len(found) == 1 for found in slots.values())


class People(RuleBasedStateMachine):
    """Five people and an administrator, on two topics."""

    @initialize(by_hand=st.booleans())
    def begin(self, by_hand: bool) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        text = tiny(write='accept = "by hand"' if by_hand else "")
        self.collection = begun(str(Path(self.folder.name) / "store.db"), text, topics=2, clock=self.clock)
        self.workers = [self.collection.join(f"w{number}") for number in range(5)]
        self.seen: list[tuple[str, str]] = []
        self.sent: dict[str, tuple[str, str, Any]] = {}
        self.keys = 0

    def teardown(self) -> None:
        if hasattr(self, "collection"):
            self.collection.store.close()
            self.folder.cleanup()

    @rule(worker=WORKERS)
    def take(self, worker: int) -> None:
        slot = self.collection.next_slot(self.workers[worker])
        if slot is not None:
            self.seen.append((self.workers[worker], slot))

    @precondition(lambda self: self.seen)
    @rule(place=st.integers(0, 100), label=LABELS)
    def submit(self, place: int, label: str) -> None:
        """Also for slots that were lost, given back or done long ago."""
        worker, slot = self.seen[place % len(self.seen)]
        stage = self.collection.open_slot(worker, slot).stage.name
        self.keys += 1
        answer = yes(label) if stage == "verify" else {"text": f"sentence {self.keys}"}
        before = len(rows(self.collection, "submissions"))
        outcome = self.collection.submit(worker, slot, answer, f"k{self.keys}")
        assert outcome.state in ("accepted", "submitted", "late")
        assert len(rows(self.collection, "submissions")) == before + 1
        self.sent[f"k{self.keys}"] = (worker, slot, outcome)

    @precondition(lambda self: self.sent)
    @rule(place=st.integers(0, 100))
    def submit_again(self, place: int) -> None:
        key = list(self.sent)[place % len(self.sent)]
        worker, slot, outcome = self.sent[key]
        assert self.collection.submit(worker, slot, {"text": "whatever", "answers": {}}, key) == outcome

    @precondition(lambda self: self.seen)
    @rule(place=st.integers(0, 100), back=st.integers(0, 1))
    def save(self, place: int, back: int) -> None:
        worker, slot = self.seen[place % len(self.seen)]
        shown = self.collection.open_slot(worker, slot)
        try:
            self.collection.save_draft(worker, slot, {"text": f"draft {self.keys}"}, shown.revision - back)
            assert back == 0
        except StaleDraftError as refused:
            assert back == 1
            assert refused.payload == shown.draft

    @precondition(lambda self: self.seen)
    @rule(place=st.integers(0, 100))
    def give_back(self, place: int) -> None:
        worker, slot = self.seen[place % len(self.seen)]
        draft = self.collection.open_slot(worker, slot).draft
        self.collection.return_slot(worker, slot)
        assert self.collection.open_slot(worker, slot).draft == draft

    @rule()
    def wait(self) -> None:
        self.clock.wait(61)

    @precondition(lambda self: self.sent)
    @rule(place=st.integers(0, 100), act=st.sampled_from(["accept", "send back", "exclude"]))
    def administer(self, place: int, act: str) -> None:
        submission = list(self.sent.values())[place % len(self.sent)][2].submission
        verbs = {
            "accept": lambda: self.collection.accept(submission, "boss"),
            "send back": lambda: self.collection.send_back(submission, "boss", "why"),
            "exclude": lambda: self.collection.exclude(submission, "boss", "why"),
        }
        try:
            verbs[act]()
        except UsageError:
            assert act != "exclude"

    @invariant()
    def sound(self) -> None:
        if hasattr(self, "collection"):
            assert_sound(self.collection)


People.TestCase.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestPeople = People.TestCase
