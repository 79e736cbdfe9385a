"""`whence models` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from whence.commands.models import application
from whence.errors import MissingDataError, UsageError
from whence.models import weights
from whence.models.weights import WEIGHTS, Weights

from .conftest import CONTENT

runner = CliRunner()


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def test_list_names_all_and_says_what_is_here(folder: Path) -> None:
    listed = json.loads(runner.invoke(application, ["list", "--json"]).stdout)
    assert set(listed["models"]) == set(WEIGHTS)
    assert not any(model["here"] for model in listed["models"].values())
    shown = runner.invoke(application, ["list"]).stdout
    assert all(name in shown for name in WEIGHTS)
    assert "Apache-2.0" in shown and "1117.3 MB" in shown and "missing" in shown


def test_get_shows_licence_and_size_before_it_downloads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(weights, "get", lambda wanted, place, report: asked.append(wanted.name))
    refused = runner.invoke(application, ["get", "reader"])
    assert isinstance(refused.exception, UsageError) and "--yes" in str(refused.exception)
    assert "Licence: Apache-2.0, https://www.apache.org/licenses/LICENSE-2.0" in refused.stdout
    assert "438.7 MB" in refused.stdout and "part-001==0.0.1 to all-mpnet-base" in refused.stdout
    assert asked == []
    done = runner.invoke(application, ["get", "reader", "--yes"])
    assert done.exit_code == 0 and asked == ["reader"]
    assert "all-mpnet-base-v2 is now in" in done.stdout


def test_get_for_machines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "get", lambda wanted, place, report: None)
    done = runner.invoke(application, ["get", "writer", "--yes", "--json"])
    assert json.loads(done.stdout)["fetched"] is True
    assert "Licence: Apache-2.0" in done.stderr


def test_weights_are_got_from_a_file_listed_found_and_removed(
    small: Weights, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WEIGHTS, "small", small)
    (tmp_path / "mine").mkdir()
    for name, data in CONTENT.items():
        (tmp_path / "mine" / name).write_bytes(data)
    done = runner.invoke(application, ["get", "small", "--yes", "--from", str(tmp_path / "mine")])
    assert f"Source: {tmp_path / 'mine'}" in done.stdout and "small-model is now in" in done.stdout
    assert "is here already" in runner.invoke(application, ["get", "small"]).stdout
    listed = json.loads(runner.invoke(application, ["list", "--check", "--json"]).stdout)
    assert listed["models"]["small"]["state"] == "verified"
    own = runner.invoke(application, ["path", "small"]).stdout.strip()
    assert own == str(folder / small.folder_name) and Path(own).is_dir()
    refused = runner.invoke(application, ["remove", "small"])
    assert isinstance(refused.exception, UsageError) and Path(own).is_dir()
    assert "0.0 MB freed" in runner.invoke(application, ["remove", "small", "--yes"]).stdout
    assert not Path(own).exists()
    assert "is not here" in runner.invoke(application, ["remove", "small"]).stdout
    assert isinstance(runner.invoke(application, ["path", "small"]).exception, MissingDataError)


def test_unknown_names(folder: Path) -> None:
    for verb in ("get", "path", "remove"):
        assert isinstance(runner.invoke(application, [verb, "nothing"]).exception, UsageError)
