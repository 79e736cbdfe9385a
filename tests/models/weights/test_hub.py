"""Files from a hub, which is a server on this machine: continued, refused, given up."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.models.weights import hub as library
from whence.models.weights.hub import HubFolder, fetch_file
from whence.models.weights.packages import SourceError

from .conftest import CONTENT, Hub

MODEL = CONTENT["model.safetensors"]
SOURCE = HubFolder("someone/small", "main")


def fetch(path: Path, name: str = "model.safetensors", size: int = len(MODEL)) -> list[int]:
    told: list[int] = []
    fetch_file(SOURCE.url_of(name), path, size, told.append)
    return told


def test_a_file_that_breaks_off_is_continued(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_after = [3000, 2000]
    told = fetch(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == MODEL
    assert [wanted for _, wanted in hub.asked] == ["", "bytes=3000-", "bytes=5000-"]
    assert told == sorted(told) and told[-1] == len(MODEL)


def test_what_arrived_earlier_is_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(MODEL[:7000])
    fetch(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == MODEL
    fetch(tmp_path / "file")
    assert hub.asked == [("model.safetensors", "bytes=7000-")]


def test_a_hub_without_ranges_sends_all_again(hub: Hub, tmp_path: Path) -> None:
    hub.has_ranges = False
    (tmp_path / "file").write_bytes(b"?" * 100)
    fetch(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == MODEL


def test_a_hub_that_brings_nothing_is_given_up(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_PAUSE", 0.0)
    hub.breaks_after = [3000, 0, 0, 0]
    with pytest.raises(SourceError, match=r"the connection was closed early|IncompleteRead"):
        fetch(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == MODEL[:3000]  # for the next time


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("gone.bin", 10, r"gone\.bin: HTTP 404"),
        ("config.json", 10, r"config\.json: expected 10 bytes, found 2"),
    ],
)
def test_other_files(hub: Hub, tmp_path: Path, name: str, size: int, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        fetch(tmp_path / "file", name, size)


def test_nobody_listens(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(SourceError, match="Connection refused") as error:
        fetch(tmp_path / "file")
    assert "\n" not in str(error.value)


def test_users_who_work_offline_are_not_kept_waiting(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(SourceError, match="HF_HUB_OFFLINE is set"):
        fetch(tmp_path / "file")
    assert hub.asked == []


def test_the_hub_is_the_users_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    assert SOURCE.url_of("a.json") == "https://mirror.example/someone/small/resolve/main/a.json"
    monkeypatch.delenv("HF_ENDPOINT")
    assert SOURCE.url_of("a.json").startswith("https://huggingface.co/someone/small/")
