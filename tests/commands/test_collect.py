"""`whence collect` as a user calls it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'collect' is not installed")

from tests.commands.conftest import Run, assert_one_clear_line


def test_begin_add_and_look(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")  # wide enough for names to be shown whole
    store = tmp_path / "mine.db"
    begun = run("collect", "new", "art", store, "--items", "stories=samples")
    assert begun.code == 0
    assert "5 stages in" in begun.out and "20 items of stories added" in begun.out
    again = run("collect", "add", store, "stories=samples")
    assert "0 items of stories added, 20 were there already" in again.out
    status = json.loads(run("collect", "status", store, "--json").out)
    assert status["collection"] == "art"
    assert {stage["stage"]: stage["slots"] for stage in status["stages"]}["plausible"] == {"open": 100}
    assert "plausible" in run("collect", "status", store).out
    assert run("collect", "open", store, "plausible", "--close").out == "plausible is closed\n"
    assert not json.loads(run("collect", "status", store, "--json").out)["stages"][0]["opened"]
    assert_one_clear_line(run("collect", "open", store, "nothing"), "no stage 'nothing'")
    assert "No two people" in run("collect", "agreement", store).out
    assert json.loads(run("collect", "pay", store, "--json").out) == {"currency": "USD", "workers": {}, "lines": 0}
    marked = run("collect", "pay", store, "--mark-paid", "--json")
    assert json.loads(marked.out)["lines"] == 0 and "marked as paid" in marked.err


def test_collected_work_is_exported_and_paid(run: Run, tmp_path: Path) -> None:
    from whence.collection.collection import open_collection

    store, items = tmp_path / "mine.db", tmp_path / "generated.jsonl"
    items.write_text('{"id": "g1", "obs1": "It rained.", "obs2": "All was wet.", "hypothesis": "So it goes."}\n')
    assert run("collect", "new", "art", store, "--items", f"generations={items}").code == 0
    collection = open_collection(str(store))
    for name in ("=1+1", "b", "c"):
        worker = collection.join(name, platform="p", platform_id=name)
        slot = collection.next_slot(worker)
        assert slot is not None
        assert collection.submit(worker, slot, {"answers": {"": "yes"}}, slot).state == "accepted"
    collection.store.close()
    figures = json.loads(run("collect", "agreement", store, "--json").out)
    assert figures["explains"][0]["value"] == 1.0
    exported = run("collect", "export", store, "-o", tmp_path / "out")
    assert exported.code == 0
    row = json.loads((tmp_path / "out" / "generations.jsonl").read_text())
    assert (row["explains"], row["votes"]) == ("yes", {"yes": 3})
    assert_one_clear_line(run("collect", "export", store, "-o", tmp_path / "out"), "not empty")
    paid = run("collect", "pay", store, "--csv", tmp_path / "ledger.csv", "--mark-paid")
    assert "0.15 USD marked as paid" in paid.out
    with (tmp_path / "ledger.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["worker"] for line in lines] == ["'=1+1", "b", "c"]
    assert {line["state"] for line in lines} == {"paid"}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("new", "arts", "STORE"), ("neither a file nor a bundled", "art, cider")),
        (("new", "art", "STORE", "--items", "stories"), ("SOURCE=FILE",)),
        (("new", "art", "STORE", "--items", "tales=samples"), ("no source 'tales'", "stories")),
        (("status", "STORE"), ("no collection there", "whence collect new")),
        (("run", "STORE", "hardening"), ("no collection there",)),
        (("new", "art", "mysql://x/y"), ("SQLite or PostgreSQL",)),
    ],
)
def test_wrong_use_is_one_clear_line(
    words: tuple[str, ...], parts: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    store = str(tmp_path / "mine.db")
    assert_one_clear_line(run("collect", *(store if word == "STORE" else word for word in words)), *parts)


def test_wrong_items_are_one_clear_line(run: Run, tmp_path: Path) -> None:
    store, items = tmp_path / "mine.db", tmp_path / "items.jsonl"
    assert run("collect", "new", "explagraphs", store).code == 0
    good = '{"id": "p1", "prompt": "Trees.", "topic": "t", "split": "train"}\n'
    items.write_text(good + '{"id": "p2", "prompt": "x"}\n')
    assert_one_clear_line(run("collect", "add", store, f"prompts={items}"), "items.jsonl, line 2", "'topic' of p2")
    items.write_text(good)
    assert run("collect", "add", store, f"prompts={items}").code == 0
    items.write_text(good.replace("Trees", "Bushes"))
    assert_one_clear_line(run("collect", "add", store, f"prompts={items}"), "'p1' is there already, and differs")
    assert_one_clear_line(run("collect", "run", store, "graph-creation"), "is done by people")
    assert_one_clear_line(run("collect", "add", store, "prompts=samples"), "takes a JSONL file")


def test_wrong_items_leave_no_store_behind(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "mine.db"
    assert_one_clear_line(run("collect", "new", "art", store, "--items", f"stories={tmp_path / 'no.jsonl'}"))
    assert not store.exists()


def test_questions_come_with_a_shortlist(run: Run, tmp_path: Path) -> None:
    from whence.collection.collection import open_collection

    store = tmp_path / "mine.db"
    assert run("collect", "new", "worldtree", store, "--items", "questions=samples").code == 0
    collection = open_collection(str(store))
    worker = collection.join("rater")
    collection.qualify(worker, "calibrated", "boss")
    slot = collection.next_slot(worker, "rating")
    assert slot is not None
    facts = collection.open_slot(worker, slot).item["facts"]
    assert len(facts) >= 20  # the first of the ranker, and gold ones that it missed
    assert all(fact.keys() == {"id", "text"} for fact in facts)
    collection.store.close()
