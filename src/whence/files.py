"""Reading and writing files so that bad ones get one clear line and good ones are never half written."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from whence.errors import DataError, MissingDataError, WhenceError, quoted

Json = Any
"""What `json.loads` gives: its shape is checked where it is used."""


def string(value: Json) -> str:
    """Give a text as it is, and an empty one for anything else."""
    return value if isinstance(value, str) else ""


def objects(value: Json) -> list[Mapping[str, Json]]:
    """List the objects among the elements of a list; none of anything else."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []


MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_DOCUMENT_BYTES = 512 * 1024 * 1024
_MOST_DIGITS = 4000  # Python itself refuses a little more, with an error of its own
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a UTF-8 text file, without line ends; a last empty line is no line.

    Only a line feed ends a line (published texts hold other separators); a carriage return before it is
    dropped, and so is a byte-order mark at the start.
    """
    with _opened(path) as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            long = len(raw.removesuffix(b"\n")) > MAX_LINE_BYTES
            if number == 1:
                raw = raw.removeprefix(_BYTE_ORDER_MARK)
                if not raw:
                    return
            if long:
                raise DataError(
                    path,
                    number,
                    expected=f"lines of at most {MAX_LINE_BYTES // 1024**2} MB",
                    found="a longer one",
                    advice="Is this a text file with one record a line?",
                )
            yield number, _decoded(raw.removesuffix(b"\n").removesuffix(b"\r"), path, number)


def read_text(path: Path) -> str:
    """A whole UTF-8 text file, without byte-order mark."""
    with _opened(path) as stream:
        raw = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise DataError(path, expected=f"at most {MAX_DOCUMENT_BYTES // 1024**2} MB", found="a larger file")
    return _decoded(raw.removeprefix(_BYTE_ORDER_MARK), path, None)


def read_json(path: Path) -> Json:
    """A whole JSON document."""
    try:
        return parse_json(read_text(path))
    except DataError as error:
        raise error.at(path) from None


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Json]]]:
    """The numbered JSON objects of a JSONL file. Blank lines are passed over."""
    for number, line in read_lines(path):
        if line.strip():
            try:
                yield number, parse_json_object(line)
            except DataError as error:
                raise error.at(path, number) from None


def read_csv(path: Path, needed: Iterable[str] = ()) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a comma-separated file under its header, each with the line on which it ends."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = next(reader, [])
        missing = [name for name in needed if name not in header]
        if missing:
            raise DataError(path, 1, expected=f"the columns {', '.join(missing)}", found=quoted(",".join(header)))
        for row in reader:
            if len(row) != len(header):
                raise DataError(path, reader.line_num, expected=f"{len(header)} fields", found=str(len(row)))
            yield reader.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise DataError(path, reader.line_num, expected="comma-separated values", found=str(error)) from None


def parse_json(text: str) -> Json:
    """One JSON value, by the letter: no NaN, no infinite number, no key twice in an object."""
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise DataError(line=error.lineno, expected="JSON", found=_json_fault(error)) from None
    except RecursionError:
        raise DataError(expected="JSON", found="brackets nested too deeply") from None


def parse_json_object(text: str) -> dict[str, Json]:
    """One JSON object. It is one line of a file at the most, so its errors have no line."""
    try:
        value = parse_json(text)
    except DataError as error:
        raise DataError(expected="a JSON object", found=error.found) from None
    if not isinstance(value, dict):
        raise DataError(expected="a JSON object", found=quoted(text))
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise DataError(expected="each key of an object once", found=f"{quoted(repeated)} twice")
    return found


def _refuse_constant(name: str) -> Json:
    raise DataError(expected="JSON", found=f"{name}, which JSON does not have")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise DataError(expected="a finite number", found=quoted(digits))
    return value


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise DataError(expected=f"whole numbers of at most {_MOST_DIGITS} digits", found=quoted(digits, 20))
    return int(digits)


def write_text(path: Path, text: str) -> None:
    """Writes a whole file or nothing: a reader never sees half of it."""
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        half = quoted(error.object[error.start])
        raise DataError(path, expected="text", found=f"half a character, {half}") from None
    write_bytes(path, raw)


def write_bytes(path: Path, raw: bytes) -> None:
    """The same for what is no text."""
    if path.exists() and not path.is_file():
        _write_into(path, raw)
        return
    target = path.resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(raw)
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise WhenceError(f"{path}: cannot be written: {error.strerror or error}") from None


def _write_into(path: Path, raw: bytes) -> None:
    """Writes into something that is no regular file, such as a pipe: it must not be replaced by one."""
    try:
        path.write_bytes(raw)
    except OSError as error:
        raise WhenceError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Writes lines, each ended by a line feed, all or nothing."""
    write_text(path, "".join(f"{_line(line)}\n" for line in lines))


def _line(text: str) -> str:
    if "\n" in text or text.endswith("\r"):
        raise DataError(expected="a line without line ends in it", found=quoted(text))
    return text


def dump_json(value: Json) -> str:
    """JSON on one line, as published files have it: characters as they are, `, ` and `: ` between."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, TypeError) as error:  # no finite number, half a character, or no JSON value at all
        raise DataError(expected="values that JSON has", found=str(error)) from None
    return text


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise MissingDataError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise DataError(path, expected="a file", found="a folder") from None
    except OSError as error:
        raise MissingDataError(f"{path}: cannot be read: {error.strerror or error}") from None


def _decoded(raw: bytes, path: Path, number: int | None) -> str:
    if b"\0" in raw:
        line = number if number is not None else raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise DataError(path, line, expected="text", found="binary data (a zero byte)")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = number if number is not None else raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            path,
            line,
            expected="UTF-8 text",
            found=f"the byte 0x{raw[error.start]:02x}",
            advice="Convert the file, for example with: iconv -f latin1 -t utf-8",
        ) from None


def _json_fault(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "nothing"
    near = error.doc[max(0, error.pos - 20) : error.pos + 20]
    return f"a fault at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}, near {quoted(near)}"


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def cache_folder() -> Path:
    """What can be made again lies here: `WHENCE_CACHE`, else the user's cache folder (which may not exist yet)."""
    if named := os.environ.get("WHENCE_CACHE"):
        return Path(named).expanduser().absolute()
    # The XDG specification: a relative path there is invalid and must be ignored.
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "whence"
