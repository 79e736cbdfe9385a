"""The five collections from empty to export, by people who use the pages: forms, links and buttons, no script."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.collection.crowd import Clock, rows
from tests.collection.scenes import SCENES, Scene, begin, smallest
from tests.web.collect.people import Visitor, administrator, fields_of, parsed, worker

from whence.collection.collection import Collection, new_collection
from whence.collection.exporting import Wanted, export
from whence.collection.machines import Settings, run_machine
from whence.tasks import task_named
from whence.tasks.loading import read_dataset, require_read

STAGE = re.compile(r'name="stage" value="([^"]+)"')


def _works(visitor: Visitor, collection: Collection, scene: Scene) -> bool:
    """Does one thing that is offered; whether there was one."""
    for stage in dict.fromkeys(STAGE.findall(visitor.page("/collect"))):
        page = visitor.begin(stage)
        if not page:
            continue
        slot, hidden = visitor.slot, parsed(page).hidden
        shown = collection.open_slot(visitor.worker, slot)
        fields = fields_of(shown, scene.behave(visitor.worker, shown))
        assert {name for name in fields if name.startswith(("answer:", "remark:"))} <= parsed(page).names
        form = {**{name: hidden[name] for name in ("key", "revision")}, **fields, "do": "submit"}
        said = visitor.send(f"/collect/work/{slot}", form, page=page)
        assert "Thank you" in said or "left" in said
        return True
    return False


def _work(people: list[Visitor], boss: Visitor, collection: Collection, scene: Scene) -> None:
    for _ in range(400):
        busy = [_works(one, collection, scene) for one in people]
        page = boss.page("/admin/look")
        for submission in re.findall(r'action="(/admin/look/\d+)"', page):
            boss.send(submission, {"do": "accept"}, page=page)
            busy.append(True)
        if not any(busy):
            return
    raise AssertionError("the work does not end")


LONG = ("explagraphs", "art")
"""Many people are in these: they are played in a browser, and here by the engine alone."""


@pytest.mark.parametrize("name", [name for name in SCENES if name not in LONG])
def test_from_empty_to_export(name: str, tmp_path: Path) -> None:
    scene = smallest(SCENES[name]())
    collection = new_collection(str(tmp_path / "store.db"), scene.text, clock=Clock(), consult=scene.consult)
    begin(scene, collection)
    boss = administrator(collection)
    crowd = [worker(collection) for _ in range(scene.people)]
    for qualification in scene.given:
        for one in crowd:
            page = boss.page(f"/admin/workers/{one.worker}")
            give = {"do": "give", "qualification": qualification, "reason": "known"}
            boss.send(f"/admin/workers/{one.worker}", give, page=page)
    _work(crowd, boss, collection, scene)
    if scene.machine:
        run_machine(collection, scene.machine, Settings(iterations=2))
        _work([worker(collection) for _ in range(scene.newcomers)], boss, collection, scene)
    fates = Counter(row.fate for row in rows(collection, "fates"))
    assert fates["done"] > 0
    with collection.reading() as tx:
        export(tx, tmp_path / "collected", collection.version, collection.text, Wanted())
    path = tmp_path / "collected" / f"{scene.file}.jsonl"
    assert require_read(read_dataset(task_named(scene.task), path), path).examples
    for address in ("/admin", "/admin/agreement", "/admin/workers", "/admin/pay", "/admin/log"):
        boss.page(address)
