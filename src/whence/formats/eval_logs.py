"""Answers in logs of other harnesses: inspect_ai (`.json`, `.eval`), lm-evaluation-harness (`samples_*.jsonl`).

What stands here is what the logs say; which example an answer is for, and what explanation its text is, is found
out above (`whence.tasks.logged`).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from whence.errors import DataError, MissingDataError, UsageError, quoted
from whence.files import MAX_DOCUMENT_BYTES, Json, read_lines, read_text

_ATTACHMENT = "attachment://"
_ZSTANDARD = 93  # the number of the method in zip files


@dataclass(frozen=True, slots=True)
class Logged:
    """What one sample of a log says."""

    line: int
    """Its line, or its number in the log."""
    names: tuple[str, ...]
    """Ids that the sample has, the likeliest first."""
    place: int | None
    """Its number in the data set that was asked, from 0."""
    asked: str
    """All texts of the question."""
    text: str
    """The answer; of several, the first."""
    choices: tuple[str, ...] = ()
    """The options that the question had."""
    failure: str = ""
    """Why there is no answer."""
    again: str = ""
    """What makes it a repetition of another sample (a later epoch, another filter); empty if it is none."""


def read_log(path: Path) -> tuple[Logged, ...] | None:
    """The samples of a log; None if the file is no log of these harnesses."""
    if path.suffix == ".eval":
        samples = _inspect_samples(path)
        return _inspected(_zipped_samples(path) if samples is None else samples, path)
    if path.suffix == ".json":
        document = _parsed(read_text(path), path)
        if not isinstance(document, dict) or not {"eval", "status"} <= document.keys():
            return None
        samples = document.get("samples")
        if not isinstance(samples, list):
            advice = "Was it written without its samples (--no-log-samples)?"
            raise DataError(path, expected="the list 'samples'", found="none", advice=advice)
        return _inspected(samples, path)
    if path.suffix != ".jsonl":
        return None
    first = next((line for _, line in read_lines(path)), "")
    return _harnessed(path) if '"doc_id"' in first and '"resps"' in first else None


def _inspect_samples(path: Path) -> list[Json] | None:
    """The samples as inspect_ai itself reads them, as its format is not frozen; None where it is not installed, or
    cannot read the log: then our own reader says what is wrong with it, if anything is."""
    if find_spec("inspect_ai") is None or not path.is_file():
        return None
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), resolve_attachments=True)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return None
    return [sample.model_dump(mode="json") for sample in log.samples or ()]


def _parsed(text: str, path: Path, line: int | None = None) -> Json:
    """JSON as these harnesses write it, which may hold NaN among the scores."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(path, line, expected="JSON", found=str(error)) from None


def _zipped_samples(path: Path) -> Iterator[Json]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/")]
            # A sample is one entry; a large one is a folder of parts, whose `sample.json` has the answer.
            kept = [name for name in names if name.endswith(".json") and name.count("/") == 1]
            kept += [name for name in names if name.endswith("/sample.json") and name.count("/") == 2]
            for name in kept:
                raw = _member(archive, archive.getinfo(name), path)
                yield _parsed(raw.decode("utf-8", errors="replace"), path)
    except FileNotFoundError:
        raise MissingDataError(f"{path}: no such file") from None
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise DataError(
            path, expected="an .eval log of inspect_ai, which is a zip file", found=str(error)
        ) from None


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> bytes:
    if entry.file_size > MAX_DOCUMENT_BYTES:
        raise DataError(
            path, expected=f"samples of at most {MAX_DOCUMENT_BYTES // 1024**2} MB", found=entry.filename
        )
    if entry.compress_type != _ZSTANDARD or hasattr(zipfile, "ZIP_ZSTANDARD"):
        return archive.read(entry)
    try:
        import zstandard
    except ImportError:
        raise UsageError("this log needs zstandard: pip install 'whence[inspect]'") from None
    with path.open("rb") as stream:
        stream.seek(entry.header_offset + 26)  # the lengths of name and extra field, which stand before the data
        lengths = stream.read(4)
        stream.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), io.SEEK_CUR)
        packed = stream.read(entry.compress_size)
    try:
        frames = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        return bytes(frames.read(MAX_DOCUMENT_BYTES))
    except zstandard.ZstdError as error:
        raise DataError(path, expected=f"{entry.filename} as Zstandard data", found=str(error)) from None


def _inspected(samples: Any, path: Path) -> tuple[Logged, ...]:
    return tuple(_inspected_sample(sample, number, path) for number, sample in enumerate(samples, 1))


def _inspected_sample(sample: Json, number: int, path: Path) -> Logged:
    if not isinstance(sample, dict) or "id" not in sample:
        raise DataError(path, number, expected="a sample with 'id' and 'output'", found=quoted(str(sample)))
    name, epoch, metadata = sample["id"], sample.get("epoch", 1), sample.get("metadata") or {}
    counted = str(name).isdecimal()
    text, failure = _completion(sample)
    return Logged(
        number,
        (str(name), *_ids(metadata)),
        int(name) - 1 if counted else None,
        "\n".join(texts_in([sample.get("input"), metadata])),
        text,
        tuple(map(str, sample.get("choices") or ())),
        failure,
        f"epoch {epoch}" if epoch != 1 else "",
    )


def _completion(sample: dict[str, Json]) -> tuple[str, str]:
    """What the model said last, and why it is no answer if it is none."""
    output = sample.get("output") or {}
    for error in (sample.get("error"), output.get("error")):
        if error:
            said = error.get("message", "") if isinstance(error, dict) else error
            return "", " ".join(str(said).split()) or "the sample failed"
    text = output.get("completion") or ""
    if not text and output.get("choices"):
        content = output["choices"][0].get("message", {}).get("content", "")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        text = "\n".join(part.get("text", "") for part in parts if part.get("type") == "text")
    if text.startswith(_ATTACHMENT):
        kept = (sample.get("attachments") or {}).get(text.removeprefix(_ATTACHMENT))
        return (kept, "") if isinstance(kept, str) else ("", "the answer is an attachment that the sample lacks")
    return text, ""


def _harnessed(path: Path) -> tuple[Logged, ...]:
    rows = [(number, _parsed(line, path, number)) for number, line in read_lines(path) if line.strip()]
    first = next((row.get("filter") for _, row in rows if isinstance(row, dict)), None)
    return tuple(_harnessed_row(row, number, first, path) for number, row in rows)


def _harnessed_row(row: Json, number: int, first_filter: Json, path: Path) -> Logged:
    if not isinstance(row, dict) or not {"doc_id", "doc", "filtered_resps"} <= row.keys():
        raise DataError(
            path, number, expected="'doc_id', 'doc' and 'filtered_resps' of a sample", found=quoted(str(row))
        )
    document = row["doc"]
    asked = _arguments(row.get("arguments"))
    answers = row["filtered_resps"]
    likelihoods = _likelihoods(answers)
    if likelihoods:
        choices = tuple(one[1].strip() for one in asked if len(one) > 1)
        text = choices[likelihoods.index(max(likelihoods))] if len(choices) == len(likelihoods) else ""
    else:
        choices, text = (), _first_text(answers)
    place = int(row["doc_id"]) if str(row["doc_id"]).isdecimal() else None
    again = f"filter {row.get('filter')}" if row.get("filter") != first_filter else ""
    said = "\n".join([*texts_in(document), *(one[0] for one in asked[:1] if one)])
    failure = "" if text or not likelihoods else "the likelihoods of the options, but not the options"
    return Logged(number, _ids(document), place, said, text, choices, failure, again)


def _arguments(given: Json) -> list[list[str]]:
    """What each request had: the prompt and, where likelihoods were asked, what should follow it."""
    requests = list(given.values()) if isinstance(given, dict) else given if isinstance(given, list) else []
    parts = [list(one.values()) if isinstance(one, dict) else one for one in requests]
    return [[str(part) for part in one] for one in parts if isinstance(one, list)]


def _likelihoods(answers: Json) -> list[float]:
    """The log-likelihoods, if that is what was asked for: pairs of a number and whether it is greedy."""
    if not isinstance(answers, list):
        return []
    pairs = [one for one in answers if isinstance(one, list) and len(one) == 2]
    if not answers or len(pairs) != len(answers) or any(str(one[1]) not in ("True", "False") for one in pairs):
        return []
    try:
        return [float(one[0]) for one in pairs]
    except (TypeError, ValueError):
        return []


def _first_text(answers: Json) -> str:
    while isinstance(answers, list):
        answers = answers[0] if answers else ""
    return str(answers)


def _ids(document: Json) -> tuple[str, ...]:
    """What a row calls itself: its fields whose names end in `id`."""
    if not isinstance(document, Mapping):
        return ()
    found = (value for key, value in document.items() if str(key).casefold().endswith("id"))
    return tuple(str(value) for value in found if isinstance(value, str | int) and not isinstance(value, bool))


def texts_in(value: Json) -> Iterator[str]:
    """All texts of a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from texts_in(inner)
