"""Indexes in folders: what is saved is what is opened, and what cannot be opened says so in a line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from whence.errors import DataError, MissingDataError
from whence.models.retrieval.index import Index, build_index, with_texts, without_texts
from whence.models.retrieval.search import Searcher
from whence.models.retrieval.storage import HEAD, indexed, open_index, save_index
from whence.models.retrieval.weighting import BM25_COSINE

TEXTS = {f"fact-{n:02}": f"a fact about word{n % 7} and ice number {n}" for n in range(40)} | {
    "é/ß": "naïve snow",
    "": "",
}


def _answers(index: Index) -> list[object]:
    asked = {"ice": 1.0, "word3": 2.0, "snow": 1.0}
    return [index.fingerprint, len(index), Searcher(index, BM25_COSINE).search(asked, 9), index.ids]


def test_saved_index_opens_as_it_was_without_being_read(tmp_path: Path) -> None:
    index = build_index(TEXTS)
    save_index(index, tmp_path / "index")
    opened = open_index(tmp_path / "index")
    assert _answers(opened) == _answers(index)
    assert isinstance(opened.segments[0].places, np.memmap)
    assert isinstance(opened.segments[0].ids.text, np.memmap)


def test_adding_writes_a_segment_and_leaves_the_others(tmp_path: Path) -> None:
    save_index(build_index(TEXTS), tmp_path)
    written = {path: path.stat().st_mtime_ns for path in tmp_path.glob("segment-*/*")}
    grown = with_texts(open_index(tmp_path), {"new": "new snow", "fact-03": "replaced by water"})
    save_index(grown, tmp_path)
    assert all(path.stat().st_mtime_ns == time for path, time in written.items())
    opened = open_index(tmp_path)
    assert _answers(opened) == _answers(grown)
    assert [hit.id for hit in Searcher(opened).search({"water": 1.0}, 5)] == ["fact-03"]
    fewer = without_texts(opened, ["new"])
    save_index(fewer, tmp_path)
    assert _answers(open_index(tmp_path))[:2] == _answers(fewer)[:2]
    assert not list(tmp_path.glob("*.part"))
    head = (tmp_path / HEAD).read_text()
    assert all(path.name in head for path in tmp_path.glob("segment-*"))  # what is not used is gone


def test_empty_index(tmp_path: Path) -> None:
    for index in (Index(), build_index({"": ""}), without_texts(build_index({"a": "ice"}), ["a"])):
        save_index(index, tmp_path)
        assert _answers(open_index(tmp_path)) == _answers(index)


def test_indexed_builds_opens_and_updates(tmp_path: Path) -> None:
    asked: list[str] = []
    first = indexed(tmp_path, TEXTS, lambda what, _done, _total: asked.append(what))
    assert asked
    asked.clear()
    assert _answers(indexed(tmp_path, TEXTS, lambda what, _d, _t: asked.append(what))) == _answers(first)
    assert not asked  # nothing was read again
    changed = {name: text for name, text in TEXTS.items() if name != "fact-00"} | {"fact-01": "water"}
    assert indexed(tmp_path, changed).fingerprint == build_index(changed).fingerprint


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4])


def _change_head(folder: Path, **fields: object) -> None:
    head = json.loads((folder / HEAD).read_text())
    (folder / HEAD).write_text(json.dumps(head | fields))


@pytest.mark.parametrize("array", ["places", "counts", "id_bytes", "word_ends", "starts", "digests", "lengths"])
def test_damaged_array_is_one_line(tmp_path: Path, array: str) -> None:
    save_index(build_index(TEXTS), tmp_path)
    (path,) = tmp_path.glob(f"segment-*/{array}.npy")
    whole = path.read_bytes()
    _cut(path)
    with pytest.raises(DataError, match=f"{array}.npy: expected") as caught:
        open_index(tmp_path)
    assert "\n" not in str(caught.value)
    path.write_bytes(whole)
    np.save(path, np.load(path)[:-1])
    with pytest.raises(DataError, match=r"entries|fingerprint"):
        open_index(tmp_path)
    np.save(path, np.zeros(3, dtype=np.float32))
    with pytest.raises(DataError, match="expected an array of"):
        open_index(tmp_path)
    path.write_bytes(b"")
    with pytest.raises(DataError, match=f"{array}.npy: expected an array"):
        open_index(tmp_path)
    path.unlink()
    with pytest.raises(DataError, match=r"no such file\. Build the index again"):
        open_index(tmp_path)


def test_foreign_folder_and_foreign_head(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no index there"):
        open_index(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="expected an index or an empty folder, found other files"):
        save_index(build_index(TEXTS), tmp_path)
    folder = tmp_path / "index"
    save_index(build_index(TEXTS), folder)
    for fields, message in (
        ({"segments": 3}, "a list of segments"),
        ({"segments": [{"name": "../..", "texts": 3}]}, "no such file"),
        ({"fingerprint": "0"}, "fingerprint"),
        ({"words": "stems of lemmas, simplemma 0"}, "expected 'stems of lemmas"),
        ({"version": 99}, "expected version 1, found '99'"),
        ({"format": "another"}, "expected the head of"),
    ):
        _change_head(folder, **fields)
        with pytest.raises(DataError, match=message):
            open_index(folder)
        save_index(build_index(TEXTS), folder)
    (folder / HEAD).write_text("{")
    with pytest.raises(DataError, match="expected JSON"):
        open_index(folder)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(DataError, match="half a character"):
        build_index({"\ud800": "ice"})
