"""Where weights are kept, and the catalogue of what there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whence.errors import MissingDataError, UsageError
from whence.models.weights import (
    CARD,
    WEIGHTS,
    Weights,
    arrived_size,
    encoder_folder,
    located,
    models_folder,
    path_of,
    reader_folder,
    remove,
    size_on_disk,
    state_of,
    verify,
    weights_named,
    writer_folder,
)
from whence.models.weights.catalogue import SplitPackages, WholePackage
from whence.models.weights.hub import HubFolder

from .conftest import CONTENT, files_of


def write(weights: Weights, folder: Path) -> Path:
    own = folder / weights.folder_name
    own.mkdir(parents=True)
    for name, data in CONTENT.items():
        (own / name).write_bytes(data)
    return own


def test_missing_weights_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    for name, folder in (("encoder", encoder_folder), ("reader", reader_folder), ("writer", writer_folder)):
        with pytest.raises(MissingDataError, match=f"whence models get {name}"):
            folder()
    with pytest.raises(MissingDataError, match="whence models get large"):
        path_of(WEIGHTS["large"])


def test_where_weights_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "named"))
    assert models_folder() == tmp_path / "named"
    monkeypatch.delenv("WHENCE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert models_folder() == tmp_path / "whence/models"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert models_folder() == Path.home() / ".cache/whence/models"


def test_files_are_verified_once_until_they_change(small: Weights, tmp_path: Path) -> None:
    assert state_of(small, tmp_path) == "missing" and not verify(small, tmp_path)
    own = write(small, tmp_path)
    assert state_of(small, tmp_path) == "unverified"
    assert verify(small, tmp_path) and state_of(small, tmp_path) == "verified"
    (own / "config.json").write_bytes(b"[]")
    assert state_of(small, tmp_path) == "unverified" and not verify(small, tmp_path)
    (own / "config.json").unlink()
    assert state_of(small, tmp_path) == "incomplete"


def test_weights_are_removed_with_what_arrived_of_them(small: Weights, tmp_path: Path) -> None:
    own = write(small, tmp_path)
    partial = tmp_path / ".partial" / small.folder_name
    (partial / "hub").mkdir(parents=True)
    (partial / "archive").write_bytes(b"1234")
    (partial / "hub/model.safetensors").write_bytes(b"56")
    assert arrived_size(small, tmp_path) == 6
    assert size_on_disk(small, tmp_path) == small.size + 6
    assert remove(small, tmp_path) == small.size + 6
    assert not own.exists() and not partial.exists() and remove(small, tmp_path) == 0


def test_weights_by_name_or_path(small: Weights, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    own = write(small, tmp_path)
    monkeypatch.setitem(WEIGHTS, "small", small)
    assert located("small") == own == located(str(own))
    gguf = replace(small, files=files_of({"model.gguf": b"numbers"}))
    monkeypatch.setitem(WEIGHTS, "small", gguf)
    (tmp_path / gguf.folder_name).mkdir()
    (tmp_path / gguf.folder_name / "model.gguf").write_bytes(b"numbers")
    assert located("small") == tmp_path / gguf.folder_name / "model.gguf"
    with pytest.raises(
        MissingDataError, match="nowhere: no such file or folder, and none of the weights encoder, "
    ):
        located("nowhere")


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=list(WEIGHTS))
def test_the_catalogue_is_sound(weights: Weights) -> None:
    assert all(len(file.sha256) == 64 and set(file.sha256) <= set("0123456789abcdef") for file in weights.files)
    names = [file.name for file in weights.files]
    assert len(set(names)) == len(names) and not {CARD, "LICENSE"} & set(names)
    assert weights_named(weights.name) is weights
    assert weights.licence.name.startswith(("Apache-2.0", "PDDL-1.0"))
    assert weights.licence.text.startswith("https://")
    assert any(not isinstance(source, HubFolder) for source in weights.sources)  # no hub is needed for any
    for source in weights.sources:
        if isinstance(source, SplitPackages) and not source.folder:
            assert sum(piece.size for piece in source.pieces) == weights.size and len(names) == 1
        if isinstance(source, WholePackage):
            assert bool(source.folder) != bool(source.conversion)


def test_unknown_weights() -> None:
    with pytest.raises(UsageError, match="there are encoder, reader, large, writer, vectors"):
        weights_named("nothing")
