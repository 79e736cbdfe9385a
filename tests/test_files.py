"""Files as people have them: truncated, binary, from another editor; and writing that is all or nothing."""

from __future__ import annotations

import gzip
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence import files
from whence.errors import DataError, MissingDataError, WhenceError
from whence.files import (
    dump_json,
    parse_json_object,
    read_json,
    read_jsonl,
    read_lines,
    read_text,
    write_lines,
    write_text,
)

BOM = b"\xef\xbb\xbf"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.txt"


@contextmanager
def refused(line: int | None, expected: str, found: str) -> Iterator[None]:
    with pytest.raises(DataError) as caught:
        yield
    assert caught.value.line == line
    assert expected in caught.value.expected
    assert found in caught.value.found
    assert "\n" not in str(caught.value)


# Reading lines


@pytest.mark.parametrize(
    "raw, expected",
    [
        (b"", []),
        (b"a", ["a"]),  # no final newline, as in ExplaGraphs' dev.tsv
        (b"a\n", ["a"]),
        (b"a\nb", ["a", "b"]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b"a\n\n", ["a", ""]),
        (b"\n", [""]),
        (b"a\r\nb\r\n", ["a", "b"]),  # Windows
        (b"a\r\nb\r", ["a", "b"]),
        (b"a\r\r\n", ["a\r"]),  # only one carriage return belongs to the line end
        (b"a\rb\n", ["a\rb"]),  # one inside does not end a line
        (BOM + b"a\nb\n", ["a", "b"]),
        (b"a\n" + BOM + b"b\n", ["a", "\ufeffb"]),  # a mark elsewhere is text
        (BOM + BOM + b"a\n", ["\ufeffa"]),
        ("a\u2028b\u2029c\nd".encode(), ["a\u2028b\u2029c", "d"]),
        (b"a\x0bb\x0cc\x1cd\x1de\x1ef\n", ["a\x0bb\x0cc\x1cd\x1de\x1ef"]),  # what str.splitlines would split at
        ("a\x85b\n".encode(), ["a\x85b"]),
        ("Zoë 猫 🐈\n".encode(), ["Zoë 猫 🐈"]),
        (b"  a\t \n", ["  a\t "]),  # blanks are kept
    ],
)
def test_lines(path, raw, expected):
    path.write_bytes(raw)
    assert list(read_lines(path)) == list(enumerate(expected, 1))


def test_a_lone_byte_order_mark_is_no_line(path):
    path.write_bytes(BOM)
    assert list(read_lines(path)) == []


@pytest.mark.parametrize(
    "raw, line, expected, found",
    [
        ("café\n".encode("latin-1"), 1, "UTF-8", "0xe9"),
        (b"ok\nok\nsmart \x93quotes\x94\n", 3, "UTF-8", "0x93"),  # Windows-1252
        ("ok\n猫".encode()[:-1], 2, "UTF-8", "0xe7"),  # truncated inside a character
        (b"ok\n\xed\xa0\x80\n", 2, "UTF-8", "0xed"),  # a surrogate is not UTF-8
        ("ab".encode("utf-16"), 1, "text", "binary"),
        ("a\nb".encode("utf-16-be"), 1, "text", "binary"),
        (b"ok\na\0b\n", 2, "text", "binary"),
        (b"\x7fELF\x02\x01\x01\0\0\n\xff", 1, "text", "binary"),
        (gzip.compress(b"text", mtime=0), 1, "text", "binary"),
    ],
)
def test_what_is_not_text_is_refused_with_its_line(path, raw, line, expected, found):
    path.write_bytes(raw)
    with refused(line, expected, found):
        list(read_lines(path))
    with refused(line, expected, found):
        read_text(path)


def test_lines_before_the_fault_are_given_first(path):
    path.write_bytes(b"good\n\xff\n")
    lines = read_lines(path)
    assert next(lines) == (1, "good")
    with refused(2, "UTF-8", "0xff"):
        next(lines)


@pytest.mark.parametrize(
    "raw, line",
    [
        (b"x" * 11, 1),
        (b"x" * 1_000, 1),
        (b"ok\n" + b"x" * 11 + b"\nok\n", 2),
        ("é".encode() * 6, 1),  # bytes count, not characters; cut inside one
    ],
)
def test_an_overlong_line_is_refused(path, monkeypatch, raw, line):
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 10)
    path.write_bytes(raw)
    with refused(line, "lines of at most", "a longer one"):
        list(read_lines(path))


def test_lines_up_to_the_limit_are_read(path, monkeypatch):
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 10)
    path.write_bytes(b"123456789\n" * 3 + b"1234567890")
    assert [len(line) for _, line in read_lines(path)] == [9, 9, 9, 10]


def test_an_overlong_line_behind_a_byte_order_mark_is_refused(path, monkeypatch):
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 10)
    path.write_bytes(BOM + b"x" * 12 + b"\n")
    with refused(1, "lines of at most", "a longer one"):
        list(read_lines(path))


def test_seventeen_megabytes_without_a_line_end(path):
    path.write_bytes(b"x" * (17 * 1024**2))
    with refused(1, "16 MB", "a longer one"):
        list(read_lines(path))


# Reading whole files


@pytest.mark.parametrize(
    "raw, expected",
    [(b"", ""), (b"a\r\nb\n", "a\r\nb\n"), (BOM + b"a", "a"), ("a\u2028b".encode(), "a\u2028b")],
)
def test_text(path, raw, expected):
    path.write_bytes(raw)
    assert read_text(path) == expected


def test_an_overlong_file_is_refused(path, monkeypatch):
    monkeypatch.setattr(files, "MAX_DOCUMENT_BYTES", 3 * 1024**2)
    path.write_bytes(b"x" * 3 * 1024**2)
    assert len(read_text(path)) == 3 * 1024**2
    path.write_bytes(b"x" * (3 * 1024**2 + 1))
    with refused(None, "at most 3 MB", "a larger file"):
        read_text(path)


def test_json(path):
    path.write_bytes(BOM + b'{"a": [1, null, "\xc3\xa9"]}\r\n')
    assert read_json(path) == {"a": [1, None, "é"]}


@pytest.mark.parametrize(
    "raw, line, found",
    [
        (b"", 1, "nothing"),
        (b"[1,\n 2,\n", 3, "expecting value"),  # truncated
        (b'{"a": 1}\n{"a": 2}\n', 2, "extra data"),  # JSONL where one document is wanted
        (b'{"a": 1,}', 1, "near"),
        (b"{'a': 1}", 1, "double quotes"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b'{"a":' * 100_000, None, "nested too deeply"),
    ],
)
def test_what_is_not_json_is_refused(path, raw, line, found):
    path.write_bytes(raw)
    with refused(line, "JSON", found):
        read_json(path)


def test_a_fault_in_json_is_shown_with_its_column_and_surroundings():
    with refused(None, "a JSON object", """column 30: expecting value, near ' "0123456789", "b": }'"""):
        parse_json_object('{    "a": "0123456789", "b": }')


def test_jsonl(path):
    path.write_bytes(b'{"a": 1}\r\n\n  \n{"a": "\xe2\x80\xa8"}')
    assert list(read_jsonl(path)) == [(1, {"a": 1}), (4, {"a": "\u2028"})]


@pytest.mark.parametrize(
    "raw, line, found",
    [
        (b'{"a": 1}\n{"a": ', 2, "expecting value"),  # the last line is cut off
        (b'{"a": 1}\n\n[1]\n', 3, "[1]"),
        (b'{"a": 1} {"a": 2}\n', 1, "extra data"),
        (b'{\n"a": 1}\n', 1, "expecting property name"),  # one document over several lines
        (b'{"a": 1}\n' + b"[" * 100_000, 2, "nested too deeply"),
        (b'{"a": "b\tc"}\n', 1, "invalid control character"),
    ],
)
def test_what_is_not_jsonl_is_refused_with_its_line(path, raw, line, found):
    path.write_bytes(raw)
    with refused(line, "a JSON object", found):
        list(read_jsonl(path))


@pytest.mark.parametrize("text", ["null", "1", '"a"', "[]", "true", "NaN"])
def test_another_value_is_not_an_object(text):
    with refused(None, "a JSON object", text[:4]):
        parse_json_object(text)


@pytest.mark.parametrize("read", [lambda p: list(read_jsonl(p)), read_json])
def test_a_number_of_five_thousand_digits_is_refused(path, read):
    path.write_text(f'{{"a": {"1" * 5_000}}}\n')
    with pytest.raises(DataError):
        read(path)


# Files that are not there


@pytest.mark.parametrize(
    "read", [read_text, read_json, lambda p: list(read_lines(p)), lambda p: list(read_jsonl(p))]
)
class TestNoFile:
    def test_missing(self, read, tmp_path):
        with pytest.raises(MissingDataError, match="no such file"):
            read(tmp_path / "no" / "file.txt")

    def test_folder(self, read, tmp_path):
        with refused(None, "a file", "a folder"):
            read(tmp_path)

    def test_forbidden(self, read, path, monkeypatch):
        def forbid(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", forbid)  # the tests may run as root, who may read everything
        with pytest.raises(MissingDataError, match="cannot be read: Permission denied"):
            read(path)


@pytest.mark.parametrize("name", ["file.txt/below", "x" * 300], ids=["below a file", "too long"])
def test_a_name_that_cannot_be(tmp_path, name):
    (tmp_path / "file.txt").write_text("a")
    with pytest.raises(WhenceError):
        read_text(tmp_path / name)


# Writing


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_text_is_written_as_it_is(path):
    write_text(path, "é\r\n\u2028\n")
    assert path.read_bytes() == "é\r\n\u2028\n".encode()
    assert names(path.parent) == ["file.txt"]


def test_folders_are_made(tmp_path):
    write_text(tmp_path / "a" / "b" / "file.txt", "x")
    assert read_text(tmp_path / "a" / "b" / "file.txt") == "x"


def test_lines_are_written_with_line_feeds(path):
    write_lines(path, (line for line in ("a", "", "b")))
    assert path.read_bytes() == b"a\n\nb\n"
    write_lines(path, [])
    assert path.read_bytes() == b""


@pytest.mark.parametrize("line", ["a\nb", "a\r", "a\n"])
def test_a_line_with_a_line_end_in_it_is_refused_or_kept(path, line):
    try:
        write_lines(path, [line])
    except WhenceError:
        return
    assert list(read_lines(path)) == [(1, line)]


@pytest.mark.parametrize("mask, mode", [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_file_gets_the_permissions_that_open_would_give_it(path, mask, mode):
    before = os.umask(mask)
    try:
        write_text(path, "x")
        assert os.umask(mask) == mask  # looking at the mask has not changed it
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_who_reads_the_old_file_reads_it_to_its_end(path):
    write_text(path, "old " * 1_000)
    with path.open() as stream:
        start = stream.read(4)
        write_text(path, "new")
        assert start + stream.read() == "old " * 1_000
    assert read_text(path) == "new"


def no_lines() -> Iterator[str]:
    yield "first"
    raise RuntimeError("while the lines were made")


def break_replace(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", fail)


def test_old_text_stays_if_the_new_cannot_be_encoded(path):
    write_text(path, "old")
    with pytest.raises(DataError, match="half a character"):
        write_text(path, "x" * 100_000 + "\ud800")
    assert (read_text(path), names(path.parent)) == ("old", ["file.txt"])


def test_old_text_stays_if_the_lines_end_in_an_error(path):
    write_text(path, "old")
    with pytest.raises(RuntimeError):
        write_lines(path, no_lines())
    assert (read_text(path), names(path.parent)) == ("old", ["file.txt"])


@pytest.mark.parametrize(
    ("error", "raised"), [(OSError("disk full"), WhenceError), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_old_text_stays_if_writing_is_broken_off(path, monkeypatch, error, raised):
    write_text(path, "old")
    break_replace(monkeypatch, error)
    with pytest.raises(raised):
        write_text(path, "new")
    assert (read_text(path), names(path.parent)) == ("old", ["file.txt"])


def test_a_folder_is_not_overwritten(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(WhenceError, match="cannot be written: Is a directory"):
        write_text(tmp_path / "folder", "x")
    assert names(tmp_path) == ["folder"]


# Both ways

lines = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])).filter(
    lambda line: not line.endswith("\r") and not line.startswith("\ufeff")
)


@settings(deadline=None)
@given(st.lists(lines))
def test_lines_written_are_lines_read(tmp_path_factory, written):
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    write_lines(path, written)
    assert [line for _, line in read_lines(path)] == written


def test_json_is_written_as_published_files_have_it():
    assert dump_json({"a": "é\u2028\n", "b": [1, None]}) == '{"a": "é\u2028\\n", "b": [1, null]}'


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(), json_values, max_size=3))
def test_json_written_is_json_read(value):
    text = dump_json(value)
    assert "\n" not in text
    assert parse_json_object(text) == value


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_lines_or_a_clear_error(tmp_path_factory, raw):
    path = tmp_path_factory.getbasetemp() / "bytes.txt"
    path.write_bytes(raw)
    for read in (read_text, read_json, lambda p: list(read_lines(p)), lambda p: list(read_jsonl(p))):
        try:
            read(path)
        except DataError as error:
            assert error.path == path


def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(5)
    assert read == ["through"]
    assert pipe.is_fifo()
