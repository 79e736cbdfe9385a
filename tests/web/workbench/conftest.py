from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.workbench.runs import write_run

from whence.web.application import create_app
from whence.web.security.guard import Security
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that are good, worse, equal and broken."""
    root = tmp_path_factory.mktemp("runs")
    write_run(root / "graphs" / "careful", "explagraphs", 0.0)
    write_run(root / "graphs" / "hasty", "explagraphs", 0.7)
    write_run(root / "graphs" / "hasty again", "explagraphs", 0.7)
    write_run(root / "trees", "entailmentbank-2", 0.4, verdicts=True)
    broken = root / "broken"
    broken.mkdir()
    (broken / "run.json").write_text('{"task": "explagraphs", "split": "samples"}')
    (broken / "scores.json").write_text('{"SA": {"worth": 1}}')
    return root


@pytest.fixture(scope="session")
def no_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def bench(runs: Path, no_data: Path) -> Iterator[TestClient]:
    """The workbench without published data."""
    library = Library(lambda: no_data, runs)
    app = create_app(workbench_sections(library), Security(candid=True))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def token(client: TestClient, path: str = "/explain/explagraphs") -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get(path).text)
    assert found
    return found[1]


def words(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
