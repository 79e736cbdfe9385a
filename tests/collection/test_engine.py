"""The life of slots, drafts, submissions and decisions, on both stores."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError
from tests.collection.crowd import Clock, always, rows
from tests.collection.tiny import begun, tiny, yes

from whence.collection.administration import (
    audit,
    disagreements,
    pay,
    progress,
    slots_of,
    throughput,
    waiting,
    workers,
)
from whence.collection.collection import Collection, change_configuration, new_collection
from whence.collection.refusals import KeyReusedError, NotFoundError, StaleDraftError
from whence.collection.submitting import Opinion
from whence.errors import UsageError, WhenceError

TEXT = {"text": "a sentence"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def collection(where: str, clock: Clock) -> Collection:
    return begun(where, clock=clock)


def done(collection: Collection, worker: str, answer: Any, stage: str | None = None) -> Any:
    slot = collection.next_slot(worker, stage)
    assert slot is not None
    return collection.submit(worker, slot, answer, f"{slot}-{worker}")


def states(collection: Collection, stage: str) -> list[str]:
    return [row.state for row in rows(collection, "slots") if row.stage == stage]


def test_slot_goes_its_way(collection: Collection) -> None:
    author = collection.join("author")
    slot = collection.next_slot(author)
    assert slot is not None
    assert collection.next_slot(author) == slot  # what was begun is gone on with
    shown = collection.open_slot(author, slot)
    assert shown.item == {"topic": "topic 0"}  # and no secret
    assert states(collection, "write") == ["leased"]
    outcome = collection.submit(author, slot, TEXT, "k")
    assert outcome.state == "accepted"
    assert states(collection, "write") == ["accepted"]
    assert states(collection, "verify") == ["open", "open"]


def test_expired_lease_frees_the_slot_and_keeps_the_draft(collection: Collection, clock: Clock) -> None:
    first, second = collection.join("first"), collection.join("second")
    slot = collection.next_slot(first)
    assert slot is not None
    assert collection.save_draft(first, slot, {"text": "half"}, 0) == 1
    assert collection.next_slot(second) is None
    clock.wait(61)
    assert collection.next_slot(second) == slot
    assert collection.open_slot(second, slot).draft == {}  # nobody sees the draft of somebody else
    assert collection.open_slot(first, slot).draft == {"text": "half"}
    assert not collection.open_slot(first, slot).held
    late = collection.submit(first, slot, TEXT, "late")
    assert late.state == "late"
    assert collection.submit(second, slot, TEXT, "in time").state == "accepted"
    kept = rows(collection, "submissions")
    assert [row.late for row in kept] == [True, False]
    assert states(collection, "write") == ["accepted"]
    assert [(row.amount, row.reason) for row in rows(collection, "pay") if row.state == "pending"] == [
        (10, "late"),
        (10, "write"),
    ]


def test_lease_that_nobody_took_holds_on(collection: Collection, clock: Clock) -> None:
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    clock.wait(600)
    assert collection.submit(worker, slot, TEXT, "k").state == "accepted"


def test_saving_renews_the_lease(collection: Collection, clock: Clock) -> None:
    first, second = collection.join("first"), collection.join("second")
    slot = collection.next_slot(first)
    assert slot is not None
    clock.wait(50)
    collection.save_draft(first, slot, {"text": "still here"}, 0)
    clock.wait(50)
    assert collection.next_slot(second) is None


def test_returned_slot_is_open_and_its_draft_kept(collection: Collection) -> None:
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    collection.save_draft(worker, slot, {"text": "half"}, 0)
    collection.return_slot(worker, slot)
    assert states(collection, "write") == ["open"]
    assert collection.next_slot(worker) == slot
    assert collection.open_slot(worker, slot).draft == {"text": "half"}


def test_stale_draft_is_refused_with_the_other_one(collection: Collection) -> None:
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    collection.save_draft(worker, slot, {"text": "one tab"}, 0)
    with pytest.raises(StaleDraftError) as refused:
        collection.save_draft(worker, slot, {"text": "another tab"}, 0)
    assert (refused.value.revision, refused.value.payload) == (1, {"text": "one tab"})
    assert collection.open_slot(worker, slot).draft == {"text": "one tab"}


def test_same_key_same_outcome(collection: Collection) -> None:
    worker, other = collection.join("worker"), collection.join("other")
    slot = collection.next_slot(worker)
    assert slot is not None
    outcome = collection.submit(worker, slot, TEXT, "key")
    assert collection.submit(worker, slot, {"text": "something else"}, "key") == outcome
    assert len(rows(collection, "submissions")) == 1
    verify = collection.next_slot(other)
    assert verify is not None
    with pytest.raises(KeyReusedError):
        collection.submit(other, verify, yes(), "key")
    again = collection.submit(worker, slot, TEXT, "another key")  # a second tab
    assert again.state == "late"
    amounts = [row.amount for row in rows(collection, "pay") if row.state == "pending"]
    assert amounts == [10, 0]


def test_refused_answer_is_kept_as_draft(collection: Collection) -> None:
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    refused = collection.submit(worker, slot, {"text": " ", "more": 1}, "k")
    assert refused.state == "refused"
    assert {found.problem.where for found in refused.problems} == {"/text", ""}
    assert collection.open_slot(worker, slot).draft == {"text": " ", "more": 1}
    assert refused.revision == collection.open_slot(worker, slot).revision == 1
    assert collection.submit(worker, slot, TEXT, "k").state == "accepted"  # nothing was kept under the key


@pytest.mark.parametrize("answer", [[], {"text": "a\x00b"}, {"text": float("nan")}, {"text": "x" * 200_001}])
def test_unstorable_answer_is_one_clear_line(collection: Collection, answer: Any) -> None:
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    with pytest.raises(UsageError):
        collection.submit(worker, slot, answer, "k")
    with pytest.raises(UsageError):
        collection.save_draft(worker, slot, answer, 0)


def test_slot_of_another_worker_is_not_there(collection: Collection) -> None:
    holder, stranger = collection.join("holder"), collection.join("stranger")
    slot = collection.next_slot(holder)
    assert slot is not None
    for act in (
        lambda: collection.open_slot(stranger, slot),
        lambda: collection.problems_of(stranger, slot, TEXT),
        lambda: collection.save_draft(stranger, slot, TEXT, 0),
        lambda: collection.submit(stranger, slot, TEXT, "k"),
        lambda: collection.return_slot(stranger, slot),
        lambda: collection.open_slot(holder, "nothing"),
        lambda: collection.next_slot("nobody"),
    ):
        with pytest.raises(NotFoundError):
            act()


def test_tie_is_broken_by_a_third_and_decided_once(collection: Collection) -> None:
    author, *judges = (collection.join(name) for name in ("author", "a", "b", "c"))
    done(collection, author, TEXT)
    assert collection.next_slot(author) is None  # nobody verifies own work
    assert done(collection, judges[0], yes()).state == "accepted"
    assert collection.next_slot(judges[0]) is None  # nor twice
    done(collection, judges[1], yes("no"))
    assert states(collection, "verify") == ["accepted", "accepted", "open"]
    assert not [row for row in rows(collection, "decisions") if row.rule == "majority"]
    done(collection, judges[2], yes("no"))
    (decision,) = [row for row in rows(collection, "decisions") if row.rule == "majority"]
    assert (decision.outcome, decision.tie, decision.votes, decision.route) == (
        "no",
        False,
        {"": {"yes": 1, "no": 2}},
        "dropped",
    )
    (fate,) = rows(collection, "fates")
    assert fate.fate == "dropped"
    with collection.reading() as tx:
        (differing,) = disagreements(tx)
        assert [answer for _, answer, _ in differing.answers] == ["yes", "no", "no"]
        assert {one.name: one.with_majority for one in workers(tx)} == {
            "author": None,
            "a": 0.0,
            "b": 1.0,
            "c": 1.0,
        }


def test_margin_asks_on_until_one_answer_leads(where: str) -> None:
    overlap = '{ kind = "margin", count = 2, margin = 2, most = 5 }'
    collection = begun(where, tiny(overlap=overlap), clock=Clock())
    judges = [collection.join(f"w{number}") for number in range(7)]
    done(collection, judges[6], TEXT)
    for judge, label in zip(judges, ("yes", "no", "yes", "yes"), strict=False):
        done(collection, judge, yes(label))
    assert collection.next_slot(judges[4]) is None
    assert [row.outcome for row in rows(collection, "decisions")][-1] == "yes"


def test_excluded_data_are_asked_for_again_and_still_paid(collection: Collection) -> None:
    author, *judges = (collection.join(name) for name in ("author", "a", "b", "c"))
    done(collection, author, TEXT)
    first = done(collection, judges[0], yes())
    collection.exclude(first.submission, "boss", "did not read")
    done(collection, judges[1], yes("no"))
    done(collection, judges[2], yes("no"))
    decision = rows(collection, "decisions")[-1]
    assert decision.votes == {"": {"no": 2}}
    assert len(rows(collection, "submissions")) == 4
    with collection.reading() as tx:
        states_of_pay = {line.line: line.state for line in pay(tx)}
    assert states_of_pay[f"submission-{first.submission}"] == "approved"
    collection.settle_pay(first.submission, "rejected", "boss", "did not read")
    with pytest.raises(UsageError, match="rejected cannot become paid"):
        collection.settle_pay(first.submission, "paid", "boss", "")
    assert collection.pay_out("boss") == 10 + 5 + 5
    assert collection.pay_out("boss") == 0


def test_work_by_hand_is_accepted_or_sent_back(where: str) -> None:
    collection = begun(where, tiny(write='accept = "by hand"'), clock=Clock())
    author = collection.join("author")
    outcome = done(collection, author, TEXT)
    assert outcome.state == "submitted"
    assert states(collection, "verify") == []
    with collection.reading() as tx:
        (found,) = waiting(tx)
    assert (found.submission, found.answer) == (outcome.submission, TEXT)
    collection.send_back(outcome.submission, "boss", "too short")
    slot = collection.next_slot(author)
    assert slot is not None
    shown = collection.open_slot(author, slot)
    assert (shown.draft, shown.feedback) == (TEXT, ("too short",))
    second = collection.submit(author, slot, {"text": "a longer sentence"}, "again")
    collection.accept(second.submission, "boss")
    with pytest.raises(UsageError):
        collection.accept(second.submission, "boss")
    with pytest.raises(UsageError):
        collection.send_back(second.submission, "boss", "")
    (artifact,) = [row for row in rows(collection, "artifacts") if row.kind == "sentence"]
    assert artifact.payload["text"] == "a longer sentence"
    assert [row.amount for row in rows(collection, "pay") if row.state == "pending"] == [10, 0]


def test_probation_and_cap(where: str) -> None:
    text = tiny(write="workers = { probation = 1, cap = 2 }")
    collection = begun(where, text, topics=4, clock=Clock())
    author = collection.join("author")
    first = done(collection, author, TEXT)
    assert first.state == "submitted"
    assert collection.next_slot(author) is None
    offers = {offer.stage.name: offer for offer in collection.stages_for(author)}
    assert offers["write"].reason == "on probation: the first 1 are being looked at"
    collection.accept(first.submission, "boss")
    assert done(collection, author, TEXT).state == "accepted"
    assert collection.next_slot(author) is None
    offers = {offer.stage.name: offer for offer in collection.stages_for(author)}
    assert offers["write"].reason == "has reached the cap of 2"
    assert offers["verify"].reason == "made this, or what it came from, at write"


def test_same_people_come_again_and_can_be_released(where: str) -> None:
    text = (
        tiny()
        .replace('when = "yes"\nto = "done"', 'when = "yes"\nto = "again"')
        .replace(
            "[[sources]]\nname",
            """[[stages]]
name = "again"
title = "Again"
takes = "sentence"
shows = ["text"]
overlap = { kind = "tie-breaker" }
decide = { rule = "majority" }
workers = { same_as = "verify" }
ask = { question = "again", answers = ["yes", "no"] }
routes = [{ when = "*", to = "done" }]

[[sources]]
name""",
            1,
        )
    )
    collection = begun(where, text, clock=Clock())
    author, a, b, c = (collection.join(name) for name in ("author", "a", "b", "c"))
    done(collection, author, TEXT)
    done(collection, a, yes())
    done(collection, b, yes())
    assert collection.next_slot(c) is None
    done(collection, a, yes())
    reserved = [row for row in rows(collection, "slots") if row.stage == "again" and row.state == "open"]
    assert collection.eligible(c, reserved[0].token) == (False, "reserved for another person")
    collection.release(reserved[0].token, "boss")
    done(collection, c, yes("no"))
    # They differ: the tie is broken by somebody else, and b, who did the first stage, is one.
    assert collection.next_slot(a) is None
    done(collection, b, yes("no"))
    assert rows(collection, "decisions")[-1].votes == {"": {"yes": 1, "no": 2}}


HAMLET = 'model = { lesson = "x/y", texts = ["/item/topic", "/answer/text"], target = "yes", tries = 2 }'


def test_model_in_the_loop(where: str) -> None:
    text = tiny(write=HAMLET.replace('"yes"', '"/item/secret"'))
    collection = begun(where, text, topics=3, clock=Clock(), consult=always("gold"))
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    first = collection.submit(worker, slot, TEXT, "1")
    assert (first.state, first.tries_left) == ("try again", 1)
    assert collection.submit(worker, slot, TEXT, "1") == first
    assert collection.open_slot(worker, slot).tries_left == 1
    second = collection.submit(worker, slot, {"text": "another"}, "2")
    assert second.state == "accepted"  # the last one is taken
    assert collection.submit(worker, slot, TEXT, "2") == second
    tries = rows(collection, "attempts")
    assert [(row.number, row.fooled, row.model) for row in tries] == [
        (1, False, "simulated@1"),
        (2, False, "simulated@1"),
    ]


def test_fooled_model_and_model_that_is_down(where: str) -> None:
    text = tiny(write=HAMLET.replace('"yes"', '"/item/secret"'))

    def consult(_wanted: Any, topic: str, written: str) -> Opinion:
        if "down" in written:
            raise OSError("no model here")
        return Opinion("m@1", "silver", {"silver": 1.0})

    collection = begun(where, text, topics=2, clock=Clock(), consult=consult)
    worker = collection.join("worker")
    assert done(collection, worker, TEXT, "write").state == "accepted"
    down = done(collection, worker, {"text": "it is down"}, "write")
    assert down.state == "accepted"
    assert down.opinion is not None and down.opinion.fault == "OSError: no model here"
    assert rows(collection, "submissions")[-1].flags == ["model down"]
    assert [row.fooled for row in rows(collection, "attempts")] == [True, None]


def test_stage_is_opened_and_closed_and_workers_shut_out(collection: Collection) -> None:
    worker = collection.join("worker")
    collection.set_open("write", False, "boss")
    assert collection.next_slot(worker) is None
    assert collection.stages_for(worker)[0].reason == "write is not open"
    collection.set_open("write", True, "boss")
    collection.set_active(worker, False, "boss", "spam")
    assert collection.next_slot(worker) is None
    assert collection.stages_for(worker)[0].reason == "was excluded from this collection"
    collection.set_active(worker, True, "boss", "a mistake")
    assert collection.next_slot(worker) is not None


@pytest.mark.parametrize(
    "table", ["submissions", "judgements", "decisions", "events", "pay", "artifacts", "configurations"]
)
def test_what_was_said_stays(collection: Collection, table: str) -> None:
    done(collection, collection.join("author"), TEXT)
    for name in ("a", "b"):
        done(collection, collection.join(name), yes())
    before = rows(collection, table)
    assert before
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"):
        with pytest.raises(DBAPIError, match="only ever added"):
            collection.store.write(lambda connection, s=statement: connection.execute(sql(s)))
    assert rows(collection, table) == before


def test_administrators_see_everything(collection: Collection, clock: Clock) -> None:
    author = collection.join("author", platform="prolific", platform_id="X1")
    assert collection.join("again", platform="prolific", platform_id="X1") == author
    done(collection, author, TEXT)
    other = collection.join("other")
    collection.next_slot(other)
    collection.add_bonus(author, 100, "boss", "well done")
    collection.qualify(author, "trusted", "boss")
    with pytest.raises(UsageError):
        collection.qualify(author, "nothing", "boss")
    with collection.reading() as tx:
        write, verify = progress(tx)
        assert (write.jobs, write.decided, dict(write.slots)) == (1, 1, {"accepted": 1})
        assert (verify.jobs, verify.decided, dict(verify.slots)) == (1, 0, {"open": 1, "leased": 1})
        assert write.last_hour == 1
        assert sum(throughput(tx)["write"].values()) == 1
        first, second = workers(tx)
        assert first.platform_id == "X1"
        assert first.pay == {"pending": 0, "approved": 110, "paid": 0, "rejected": 0}
        assert first.qualifications == {"trusted": True}
        assert second.submitted == {}
        kinds = [event.kind for event in audit(tx, worker=author)]
        assert kinds[:3] == ["joined", "leased", "pay pending"]
        assert kinds[-1] == "qualified"
        assert len(audit(tx, most=2)) == 2
    clock.wait(3600)
    with collection.reading() as tx:
        assert dict(progress(tx)[1].slots) == {"open": 2}  # the lease ran out


def test_configuration_is_changed_and_both_versions_kept(collection: Collection) -> None:
    before = collection.version
    changed = change_configuration(collection, tiny(verify="instructions = 'Look twice.'"))
    assert changed != before
    assert [row.hash for row in rows(collection, "configurations")] == [before, changed]
    assert Collection(collection.store).configuration.stage("verify").instructions == "Look twice."
    with pytest.raises(WhenceError, match="there is work at write"):
        change_configuration(collection, tiny().replace('"write"', '"draft"'))


def test_qualification_is_earned_and_lost_by_outcomes(where: str) -> None:
    earned = """
[[qualifications]]
name = "good-writer"
made_at = "write"
judged_at = "verify"
outcome = "yes"
least = 1
share = 0.6
"""
    collection = begun(where, tiny() + earned, topics=2, clock=Clock())
    author, *judges = (collection.join(name) for name in ("author", "a", "b"))

    def held() -> bool | None:
        with collection.reading() as tx:
            return workers(tx)[0].qualifications.get("good-writer")

    for label, expected in (("yes", True), ("no", False)):  # 1 of 1, then 1 of 2, which is less than the share
        done(collection, author, TEXT, "write")
        for judge in judges:
            done(collection, judge, yes(label), "verify")
        assert held() is expected
    collection.qualify(author, "good-writer", "boss")
    assert held() is True


def test_test_that_was_not_passed(where: str) -> None:
    from whence.collection.configuration_files import read_configuration

    configuration, text = read_configuration("explagraphs")
    collection = new_collection(where, text, clock=Clock())
    worker = collection.join("worker")
    slot = collection.next_slot(worker)
    assert slot is not None
    shown = collection.open_slot(worker, slot)
    assert shown.item.keys() == {"pairs"}  # and not the right answers
    wrong = dict.fromkeys(configuration.source("stance-quiz").items[0]["gold"], "support")
    outcome = collection.submit(worker, slot, {"answers": wrong}, "k")
    assert (outcome.share, outcome.passed) == (0.5, False)
    assert collection.next_slot(worker) is None
    offers = {offer.stage.name: offer.reason for offer in collection.stages_for(worker)}
    assert offers["stance-quiz"] == "no tries left (1)"
    assert offers["pre-hamlet"] == "lacks the qualification stances"
    with collection.reading() as tx:
        (tried,) = slots_of(tx, "stance-quiz")
    assert (tried.name, tried.state) == ("stance-quiz", "accepted")
