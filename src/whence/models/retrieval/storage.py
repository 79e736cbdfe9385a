"""An index in a folder: plain arrays that are opened memory-mapped, and a head that names them.

Segments never change and are named after what they hold, so saving an index that grew writes only what is new. The
head is written last: whoever opens the folder meanwhile sees the old index or the new one. One process writes at a
time.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from whence.errors import DataError, MissingDataError, WhenceError, quoted
from whence.files import Json, dump_json, read_json, write_text
from whence.models.retrieval.index import Index, build_index, with_texts, without_texts
from whence.models.retrieval.segment import Flags, Numbers, Segment, Strings, digest_of
from whence.models.retrieval.words import word_form
from whence.progress import Report, unreported

HEAD = "index.json"
FORMAT, VERSION = "whence index of texts", 1
_AGAIN = "Build the index again."
_ARRAYS: Mapping[str, str] = {
    "id_bytes": "uint8", "id_ends": "int64", "word_bytes": "uint8", "word_ends": "int64", "starts": "int64",
    "places": "int32", "counts": "int32", "lengths": "int32", "digests": "uint64",
}  # fmt: skip
_LIVE = "live"


def save_index(index: Index, folder: Path) -> None:
    """Writes an index, over the one that the folder may have; what both share is left as it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / HEAD).exists() and any(folder.iterdir()):
            raise DataError(folder, expected="an index or an empty folder", found="other files")
        names = [_write_segment(folder, segment) for segment in index.segments]
        masks = [_write_mask(folder, name, kept) for name, kept in zip(names, index.live, strict=True)]
        parts = [
            {"name": name, "texts": len(segment)} for name, segment in zip(names, index.segments, strict=True)
        ]
        head = {
            "format": FORMAT, "version": VERSION, "words": word_form(), "texts": len(index),
            "fingerprint": index.fingerprint,
            "segments": [part | {_LIVE: mask} for part, mask in zip(parts, masks, strict=True)],
        }  # fmt: skip
        write_text(folder / HEAD, dump_json(head) + "\n")
        _clear(folder, {*names, *filter(None, masks)})
    except OSError as error:
        raise WhenceError(f"{folder}: cannot be written: {error.strerror or error}") from None


def open_index(folder: Path) -> Index:
    """The index in a folder. Its arrays stay on disk until they are asked for."""
    head = _head(folder)
    segments, live = [], []
    for part in head["segments"]:
        segment = _open_segment(folder / str(part.get("name", "")), part.get("texts"))
        segments.append(segment)
        live.append(_open_mask(folder, part.get(_LIVE), len(segment)))
    index = Index(tuple(segments), tuple(live))
    if index.fingerprint != head["fingerprint"] or len(index) != head["texts"]:
        raise DataError(folder / HEAD, expected="texts with the fingerprint in it", found="others", advice=_AGAIN)
    return index


def indexed(folder: Path, texts: Mapping[str, str], report: Report = unreported) -> Index:
    """The index of exactly these texts in a folder: built, opened, or brought up to date there, as needed."""
    if not (folder / HEAD).exists():
        index = build_index(texts, report)
        save_index(index, folder)
        return open_index(folder)
    index = open_index(folder)
    known = {
        name: tuple(digest)
        for segment, kept in zip(index.segments, index.live, strict=True)
        for name, digest, alive in zip(segment.ids, segment.digests.tolist(), kept.tolist(), strict=True)
        if alive
    }
    changed = {name: text for name, text in texts.items() if known.get(name) != digest_of(name, text)}
    gone = [name for name in known if name not in texts]
    if not changed and not gone:
        return index
    save_index(with_texts(without_texts(index, gone), changed, report), folder)
    return open_index(folder)


def _head(folder: Path) -> dict[str, Any]:
    path = folder / HEAD
    if not path.is_file():
        raise MissingDataError(f"{folder}: no index there ({HEAD})")
    head = read_json(path)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise DataError(path, expected=f"the head of a {FORMAT}", found=quoted(str(head)))
    if head.get("version") != VERSION:
        found = quoted(str(head.get("version")))
        raise DataError(path, expected=f"version {VERSION}", found=found, advice=_AGAIN)
    if head.get("words") != word_form():
        raise DataError(path, expected=quoted(word_form()), found=quoted(str(head.get("words"))), advice=_AGAIN)
    parts = head.get("segments")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise DataError(path, expected="a list of segments", found=quoted(str(parts)), advice=_AGAIN)
    return {"texts": None, "fingerprint": None} | head


def _arrays(segment: Segment) -> dict[str, Numbers]:
    own = {name: getattr(segment, name) for name in ("starts", "places", "counts", "lengths", "digests")}
    return {
        "id_bytes": segment.ids.text, "id_ends": segment.ids.ends,
        "word_bytes": segment.words.text, "word_ends": segment.words.ends, **own,
    }  # fmt: skip


def _write_segment(folder: Path, segment: Segment) -> str:
    name = f"segment-{hashlib.sha256(segment.digests.tobytes()).hexdigest()[:16]}"
    if (folder / name).is_dir():
        return name
    part = folder / f"{name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    for array, values in _arrays(segment).items():
        np.save(part / f"{array}.npy", values, allow_pickle=False)
    part.replace(folder / name)
    return name


def _write_mask(folder: Path, segment: str, kept: Flags) -> str | None:
    if kept.all():
        return None
    name = f"{segment}.live-{hashlib.sha256(kept.tobytes()).hexdigest()[:16]}.npy"
    if not (folder / name).exists():
        part = folder / f"{name}.part"
        with part.open("wb") as stream:
            np.save(stream, kept, allow_pickle=False)
        part.replace(folder / name)
    return name


def _clear(folder: Path, used: set[str]) -> None:
    """Takes away what no head names any more; what another process still reads may stay until the next time."""
    for path in folder.glob("segment-*"):
        if path.name not in used:
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _open_segment(folder: Path, texts: Json) -> Segment:
    found = {name: _open_array(folder / f"{name}.npy", kind) for name, kind in _ARRAYS.items()}
    ids = Strings(found["id_bytes"], found["id_ends"])
    words = Strings(found["word_bytes"], found["word_ends"])
    sizes = {
        "id_ends": texts, "lengths": texts, "digests": texts, "starts": len(words) + 1,
        "id_bytes": _last(ids.ends), "word_bytes": _last(words.ends),
        "places": _last(found["starts"]), "counts": _last(found["starts"]),
    }  # fmt: skip
    for name, size in sizes.items():
        if len(found[name]) != size:
            path = folder / f"{name}.npy"
            raise DataError(path, expected=f"{size} entries", found=str(len(found[name])), advice=_AGAIN)
    return Segment(ids, words, *(found[name] for name in ("starts", "places", "counts", "lengths", "digests")))


def _last(ends: Numbers) -> int:
    return int(ends[-1]) if len(ends) else 0


def _open_mask(folder: Path, name: Json, texts: int) -> Flags:
    if name is None:
        return np.ones(texts, dtype=np.bool_)
    found = _open_array(folder / str(name), "bool")
    if len(found) != texts:
        raise DataError(folder / str(name), expected=f"{texts} entries", found=str(len(found)), advice=_AGAIN)
    return np.array(found)


def _open_array(path: Path, kind: str) -> Numbers:
    """An array on disk; an empty one in memory, as there is nothing to map."""
    try:
        found: Numbers = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise DataError(path, expected="an array of the index", found="no such file", advice=_AGAIN) from None
    except (ValueError, OSError, EOFError) as error:
        raise DataError(path, expected="an array", found=str(error), advice=_AGAIN) from None
    if str(found.dtype) != kind or found.ndim != 1 + (path.stem == "digests"):
        shape = f"{found.dtype} in {found.ndim} dimensions"
        raise DataError(path, expected=f"an array of {kind}", found=shape, advice=_AGAIN)
    return found
