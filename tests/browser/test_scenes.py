"""The five collections from empty to export in a real browser: people and an administrator, with script."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("sqlalchemy", reason="needs the extra collect")

from tests.browser.conftest import serving
from tests.browser.people import Administrator, Worker, administrator, worker
from tests.collection.scenes import SCENES, Scene, begin, smallest

from whence.collection.agreeing import agreement_by_question
from whence.collection.collection import Collection, new_collection
from whence.collection.machines import Settings, run_machine
from whence.pipeline.correct import read_judgements
from whence.pipeline.report.markup import number
from whence.tasks import task_named
from whence.tasks.loading import read_dataset, require_read
from whence.web.collect.application import collection_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FEWEST = {"explagraphs": 6, "worldtree": 2, "cider": 4, "art": 8, "entailmentbank": 2}
"""How many people it takes to do one item of each kind."""


def _work(people: Sequence[Worker], boss: Administrator, collection: Collection, scene: Scene) -> None:
    """Everybody does what is offered until there is nothing left, and what waits is accepted."""
    while any([*(one.works(collection, scene) for one in people), boss.accepts()]):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCENES))
def test_from_empty_to_export(name: str, browser: Browser, tmp_path: Path) -> None:
    scene = smallest(SCENES[name]())
    collection = new_collection(str(tmp_path / "store.db"), scene.text, consult=scene.consult)
    with serving(collection_app(collection)) as address:
        boss = administrator(browser, address, collection)
        begin(scene, collection, opened=boss.opens)
        people = [worker(browser, address, collection) for _ in range(FEWEST[name])]
        for qualification in scene.given:
            boss.gives(people[-1].name, qualification)
        _work(people, boss, collection, scene)
        if scene.machine:
            run_machine(collection, scene.machine, Settings(iterations=2))
            newcomers = [worker(browser, address, collection) for _ in range(scene.newcomers)]
            _work(newcomers, boss, collection, scene)
            people += newcomers
        live = boss.agreement()
        boss.exports(tmp_path / "collected.zip")
        for page in ("", "/workers", "/pay", "/log"):
            boss.visit.go(f"/admin{page}")
        for visit in (boss.visit, *(one.visit for one in people)):
            assert visit.elsewhere() == []
            assert visit.complaints == []
            visit.page.context.close()
    with zipfile.ZipFile(tmp_path / "collected.zip") as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / "collected"
    path = folder / f"{scene.file}.jsonl"
    assert require_read(read_dataset(task_named(scene.task), path), path).examples
    judged = [
        one for file in sorted(folder.glob("judgements-*.jsonl")) for one in read_judgements(file, measured=False)
    ]
    exported = agreement_by_question(judged)
    assert live == {question: {one.name: number(one.value) for one in of} for question, of in exported.items()}
    assert bool(live) == (name != "entailmentbank")  # there a step has one reviewer
