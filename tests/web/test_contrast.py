"""Claims judged on pages: by people who are asked, and by the verifier in the workbench."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.commands.conftest import Run, run
from tests.web.collect.people import parsed, worker

import whence
from whence.collection.collection import open_collection
from whence.models.verifier.entailment import Entailment, Inference
from whence.tasks.method import Setup
from whence.web.application import create_app
from whence.web.security.guard import Security
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library

__all__ = ["run"]  # a fixture of other tests


def test_people_judge_claims_and_their_labels_are_exported(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "claims.db"
    assert "12 items of claims added" in run("collect", "new", "contrast", store, "--items", "claims=samples").out
    collection = open_collection(str(store))
    person = worker(collection)
    page = person.begin("judge")
    slot = person.slot
    item = collection.open_slot(person.worker, slot).item
    assert item["conclusion"] in page and all(text in page for text in item["premises"])
    hidden = {name: value for name, value in parsed(page).hidden.items() if name != "token"}
    person.send(f"/collect/work/{slot}", {**hidden, "answer:whole": "unknown", "do": "submit"}, page=page)
    assert run("collect", "export", store, "-o", tmp_path / "export").code == 0
    (exported,) = whence.load("contrast", tmp_path / "export" / "contrast.jsonl").examples
    assert exported.inputs == Inference(tuple(item["premises"]), item["conclusion"])
    assert [gold.name for gold in exported.golds] == ["unknown"]


class _Denier:
    name = "denier"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        return [Entailment(0.1, 0.7, 0.2) for _ in inferences]


def test_the_workbench_asks_the_verifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.web.workbench.library.Setup", partial(Setup, verifier=_Denier))
    library = Library(lambda: tmp_path, tmp_path)
    bench = TestClient(create_app(workbench_sections(library), Security(candid=True)))
    form = bench.get("/explain/contrast").text
    token = form.split('name="token" value="')[1].split('"')[0]
    fields = {
        "token": token,
        "in.premises": "Owls are birds.\nBirds lay eggs.",
        "in.conclusion": "Owls lay no eggs.",
        "method": "verifier",
        "do": "explain",
    }
    page = bench.post("/explain/contrast", data=fields)
    assert "Not verified" not in page.text
    assert page.status_code == 200
    assert "0.700" in page.text and "contradicts" in page.text
