"""Answers in files of any simple form: JSONL, JSON, CSV, TSV, lines of text, a folder of texts.

Which columns hold ids and answers is found out by their names and by the ids that are known. A row that cannot be
read is a row with a failure: it never ends the reading of the others.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.errors import DataError, quoted
from whence.files import Json, read_lines, read_text
from whence.formats.eval_logs import Logged

TEXT_FIELDS = (
    *(
        "response",
        "model_response",
        "llm_response",
        "output",
        "model_output",
        "completion",
        "generation",
        "generated_text",
    ),
    *(
        "generated",
        "model_answer",
        "reply",
        "prediction",
        "predicted",
        "pred",
        "predictions",
        "raw",
        "text",
        "answer",
    ),
    *("content", "message", "result", "final_answer", "resps", "outputs", "responses", "explanation"),
    *("choices", "messages", "conversations"),
)
"""Names of columns that hold answers, the likeliest first."""

ID_FIELDS = (
    *(
        "id",
        "example_id",
        "item_id",
        "question_id",
        "questionid",
        "qid",
        "uid",
        "custom_id",
        "sample_id",
        "doc_id",
    ),
    *("video-id", "story_id", "dialogue_id", "name", "key", "idx", "index"),
)

_ID_MEMBER = re.compile(rf'"({"|".join(ID_FIELDS)})"\s*:\s*"([^"\\]+)"')
"""The id in a line that is no JSON, such as one that was cut off."""
_WEAK = frozenset({"answer", "text", "content", "result", "explanation", "prediction", "predicted"})
"""Names of parts of an answer as well as of whole answers."""
_SPEAKER = {"role", "from"}
_MODEL = frozenset({"assistant", "gpt", "model", "bot"})
_TEXT_FILES = frozenset({"", ".txt", ".md", ".json", ".out", ".text", ".response"})


@dataclass(frozen=True, slots=True)
class AnswerFields:
    """The columns that a user names; empty where they are to be found out."""

    id: str = ""
    text: str = ""
    """May be a path, such as `response.body.choices.0.message.content`."""


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    value: Json
    failure: str = ""


def read_rows(path: Path, fields: AnswerFields, known: Collection[str]) -> tuple[Logged, ...]:
    """The answers of a file or folder; `known` are the ids that answers may have."""
    if path.is_dir():
        return _folder(path)
    rows = _rows(path)
    objects = [row.value for row in rows if isinstance(row.value, dict)]
    if fields.id and objects and not any(_at(value, fields.id) is not None for value in objects):
        raise DataError(path, expected=f"the column '{fields.id}'", found=quoted(", ".join(objects[0])))
    if fields.text and objects and not any(_at(value, fields.text) is not None for value in objects):
        raise DataError(path, expected=f"the column '{fields.text}'", found=quoted(", ".join(objects[0])))
    id_field = fields.id or _id_field(objects, known)
    text_field = fields.text or _text_field(objects, id_field)
    if id_field or any(isinstance(row.value, dict) for row in rows):
        rows = [row for row in rows if row.failure or row.value != ""]  # empty lines between rows
    places = _places(path, objects, len(known)) if not id_field and len(objects) == len(rows) else None
    return tuple(
        _logged(row, places[index] if places else index, id_field, text_field) for index, row in enumerate(rows)
    )


def _places(path: Path, rows: Sequence[Mapping[str, Json]], examples: int) -> list[int] | None:
    """Which example each row answers, by a column of numbers such as `doc_id`, from 0 or 1; None without one."""
    names = {name.casefold(): name for row in rows for name in row}
    for field in (names[name] for name in ID_FIELDS if name in names):
        numbers = [int(str(row.get(field))) for row in rows if str(row.get(field)).isdecimal()]
        if len(numbers) < len(rows) or len(set(numbers)) < len(numbers):
            continue
        if 0 in numbers and max(numbers) < examples:
            return numbers
        if 0 not in numbers and max(numbers) == examples:
            return [number - 1 for number in numbers]
        if numbers != sorted(numbers):
            raise DataError(
                path,
                expected=f"numbers of {examples} examples in the column '{field}', from 0 or from 1",
                found=f"{min(numbers)} to {max(numbers)}",
            )
    return None


def _logged(row: _Row, place: int, id_field: str, text_field: str) -> Logged:
    name = _at(row.value, id_field) if id_field else None
    names = (str(name),) if isinstance(name, str | int) and not isinstance(name, bool) else ()
    if row.failure:
        return Logged(row.line, names, place, "", "", failure=row.failure)
    value = row.value
    if isinstance(value, dict):
        if text_field:
            value = _at(value, text_field)
        else:
            value = {key: inner for key, inner in value.items() if key != id_field}
    text = _text(value)
    failure = "" if text is not None else "there is no answer in its row"
    return Logged(row.line, names, place, "", text or "", failure=failure)


def _rows(path: Path) -> list[_Row]:
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return [_json_row(number, line) for number, line in read_lines(path)]
    if suffix == ".json":
        return _document(path)
    if suffix in (".csv", ".tsv"):
        return _table(path, "\t" if suffix == ".tsv" else ",")
    rows = [_Row(number, line) for number, line in read_lines(path)]
    if rows and str(rows[0].value).lstrip().startswith("{"):
        return [_json_row(row.line, row.value) for row in rows]
    while rows and not rows[-1].value.strip():
        rows.pop()
    return rows


def _json_row(number: int, line: str) -> _Row:
    if not line.strip():
        return _Row(number, "")
    try:
        return _Row(number, json.loads(line))
    except (ValueError, RecursionError):
        ids = {match[1]: match[2] for match in _ID_MEMBER.finditer(line[:1000])}
        return _Row(number, ids or None, f"the line is no JSON: {quoted(line, 40)}")


def _document(path: Path) -> list[_Row]:
    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DataError(path, expected="JSON", found=str(error)) from None
    if isinstance(document, dict):
        inner = next(
            (document[key] for key in ("predictions", "answers", "results", "samples", "data") if key in document),
            document,
        )
        document = inner
    if isinstance(document, dict):
        return [
            _Row(number, {"id": name, "response": value})
            for number, (name, value) in enumerate(document.items(), 1)
        ]
    if not isinstance(document, list):
        raise DataError(path, expected="a list of answers, or answers by id", found=quoted(str(document)))
    return [_Row(number, value) for number, value in enumerate(document, 1)]


def _table(path: Path, delimiter: str) -> list[_Row]:
    csv.field_size_limit(10_000_000)
    text = read_text(path)
    first = text.partition("\n")[0].strip("\ufeff\r")
    named = (one for one in (delimiter, ";", "\t", "|") if _names_columns(first.split(one)))
    delimiter = next(named, delimiter)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, cells) for cells in reader if any(cells)]
    except csv.Error as error:
        raise DataError(path, reader.line_num, expected="a table", found=str(error)) from None
    if not rows:
        return []
    header = [name.strip().lstrip("\ufeff") for name in rows[0][1]]
    if not _names_columns(header):
        return [_Row(number, delimiter.join(cells)) for number, cells in rows]
    return [_table_row(number, header, cells) for number, cells in rows[1:]]


def _names_columns(header: Sequence[str]) -> bool:
    return not {name.strip(' "').casefold() for name in header}.isdisjoint({*TEXT_FIELDS, *ID_FIELDS})


def _table_row(number: int, header: Sequence[str], cells: Sequence[str]) -> _Row:
    value = dict(zip(header, cells, strict=False))
    extra = f"the row has {len(cells)} cells, the header {len(header)}" if len(cells) > len(header) else ""
    return _Row(number, value, extra)


def _folder(path: Path) -> tuple[Logged, ...]:
    files = sorted(
        one for one in path.iterdir() if one.is_file() and one.suffix in _TEXT_FILES and one.name[0] != "."
    )
    if not files:
        raise DataError(path, expected="a folder of answers, ID.txt each", found="no text file")
    logged = []
    for number, file in enumerate(files, 1):
        try:
            text, failure = read_text(file), ""
        except DataError as error:
            text, failure = "", str(error)
        logged.append(Logged(number, (file.stem, file.name), None, "", text, failure=failure))
    return tuple(logged)


def _id_field(rows: Sequence[Mapping[str, Json]], known: Collection[str]) -> str:
    """The column with the most known ids; of equal ones, that with the likelier name."""
    names = dict.fromkeys(name for row in rows[:200] for name in row)
    ordered = sorted(
        names, key=lambda name: ID_FIELDS.index(name.casefold()) if name.casefold() in ID_FIELDS else 99
    )
    hits = {name: sum(str(row.get(name)) in known for row in rows) for name in ordered}
    best = max(hits, key=lambda name: hits[name], default="")
    return best if best and hits[best] else ""


def _text_field(rows: Sequence[Mapping[str, Json]], id_field: str) -> str:
    """The column that holds answers; empty if a row as a whole is one."""
    names = {name.casefold(): name for row in rows[:200] for name in row if name != id_field}
    for wanted in TEXT_FIELDS:
        if wanted in names:
            others = {name for name in names.values() if name != names[wanted]}
            parted = any(isinstance(row.get(name), list | dict) for row in rows[:200] for name in others)
            return "" if wanted in _WEAK and parted else names[wanted]
    values = {name: [row[name] for row in rows[:200] if row.get(name) is not None] for name in names.values()}
    if any(isinstance(value, list | dict) for column in values.values() for value in column):
        return ""
    texts = [name for name, column in values.items() if any(isinstance(value, str) for value in column)]
    return texts[0] if len(texts) == 1 else next(iter(values)) if len(values) == 1 else ""


def _at(value: Json, field: str) -> Json:
    """The member that a path of names and numbers leads to; None if there is none."""
    if isinstance(value, Mapping) and field in value:
        return value[field]
    for part in field.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def _text(value: Json, depth: int = 0) -> str | None:
    """An answer as text: itself, the message of a chat completion, else as JSON; None if there is none."""
    if value is None or isinstance(value, str):
        return value
    if depth < 8:
        if isinstance(value, dict):
            for name in ("body", "choices", "message", "content"):
                if value.get(name) and not {"stance", "steps", "graph", "triplets", "facts"} & value.keys():
                    return _text(value[name], depth + 1)
        if isinstance(value, list) and all(isinstance(one, dict) and _SPEAKER & one.keys() for one in value):
            said = [one for one in value if str(one.get("role", one.get("from"))).casefold() in _MODEL]
            return _text(said[-1].get("content", said[-1].get("value")), depth + 1) if said else None
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str | dict | list):
            inner = value[0]
            if not isinstance(inner, dict) or {"message", "text", "content", "generated_text"} & inner.keys():
                return _text(
                    inner.get("text", inner.get("generated_text", inner)) if isinstance(inner, dict) else inner,
                    depth + 1,
                )
        if isinstance(value, list) and value and all(isinstance(one, dict) and "type" in one for one in value):
            return "\n".join(str(one.get("text", "")) for one in value if one["type"] in ("text", "output_text"))
    return json.dumps(value, ensure_ascii=False)
