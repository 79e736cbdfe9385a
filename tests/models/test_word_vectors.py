"""Word vectors: how texts are cut into words, and the files they are kept in."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from whence.errors import DataError, MissingDataError
from whence.models.weights import WEIGHTS, vectors_folder
from whence.models.word_vectors import TENSOR, VECTORS, WORDS, convert, glove_tokens, read_glove, read_word_vectors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He felt much better!", ["he", "felt", "much", "better", "!"]),
        ("Tom didn't; she’s well-known.", ["tom", "did", "not", ";", "she", "'s", "well-known", "."]),
        ("They're sure we'll go", ["they", "are", "sure", "we", "will", "go"]),
        ("the 'best' dogs' bowl", ["the", "'", "best", "'", "dogs", "'", "bowl"]),
        ("café at 3.5%", ["café", "at", "3.5", "%"]),
        ("", []),
    ],
)
def test_words_as_glove_has_them(text: str, expected: list[str]) -> None:
    assert glove_tokens(text) == expected


def package(vectors: dict[str, list[float]], **changes: object) -> str:
    document = {"precision": 8, "size": len(vectors), "dimensions": 2, "words": list(vectors), "vectors": vectors}
    return json.dumps({**document, **changes, "unkVector": [0, 0, 0, -1]}, separators=(",", ":"))


def test_the_document_becomes_a_table_and_its_words(tmp_path: Path) -> None:
    # Numbers, length, place: places need not be in the order of the document, words may be brackets.
    vectors = {"the": [0.5, -0.25, 0.559, 1], "}": [1, 2, 2.236, 0], 'a"b': [0.1, 1e-3, 0.1, 2]}
    (tmp_path / "in.json").write_text(package(vectors))
    convert(tmp_path / "in.json", tmp_path)
    assert (tmp_path / WORDS).read_text() == '}\nthe\na"b\n'
    table = load_file(tmp_path / VECTORS)[TENSOR]
    assert table.dtype == np.float16
    assert table.tolist() == [[1, 2], [0.5, -0.25], [float(np.float16(0.1)), float(np.float16(1e-3))]]
    read = read_word_vectors(tmp_path, "small")
    assert read.numbers(["the", "unknown", "}"]) == [1, 3, 0] and read.width == 2
    # The digest of a converted file is pinned, so its bytes may not depend on a library's version.
    digest = hashlib.sha256((tmp_path / VECTORS).read_bytes()).hexdigest()
    assert digest == "67fb748db7ed172de50994dcd34d6786b166f92a115b00d5cf88017406c5d180"


@pytest.mark.parametrize(
    "document",
    [
        "[]",
        package({"the": [0.5, 0.5, 1, 7]}),  # there is no eighth place
        package({"the": [0.5, 0.5, 1, 0]}, size=2),  # one word of two
        package({"the": [0.5, 0.5, 1, 0]}, dimensions=3),  # two numbers of three, and a length
        package({"the": [0.5, 0.5, 1, 0]})[:60],
    ],
)
def test_another_document_is_refused(tmp_path: Path, document: str) -> None:
    (tmp_path / "in.json").write_text(document)
    with pytest.raises(DataError, match=r"in\.json"):
        convert(tmp_path / "in.json", tmp_path)


def test_tables_that_do_not_fit_their_words(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(package({"a": [1, 2, 3, 0]}))
    convert(tmp_path / "in.json", tmp_path)
    (tmp_path / WORDS).write_text("a\nb\n")
    with pytest.raises(DataError, match="1 words, one a vector, found 2"):
        read_word_vectors(tmp_path, "small")


def test_files_of_gloves_authors(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("the 0.5 -1 2\n, 1 2 3\n")
    read = read_glove(tmp_path / "glove.txt", "glove")
    assert read.words == ("the", ",") and read.table.tolist() == [[0.5, -1, 2], [1, 2, 3]]
    (tmp_path / "glove.txt").write_text("the 0.5 -1 2\nof 1 2\n")
    with pytest.raises(DataError, match="line 2"):
        read_glove(tmp_path / "glove.txt", "glove")


def test_the_embedded_table() -> None:
    try:
        read = read_word_vectors(vectors_folder(), WEIGHTS["vectors"].model)
    except MissingDataError as error:
        pytest.skip(str(error))
    assert len(read.words) == 341_479 and read.width == 100  # what the package says of itself
    # GloVe 6B's first numbers of "the", as its authors publish them: -0.038194 -0.24487 0.72812
    assert read.table[read.places["the"]][:3] == pytest.approx([-0.038194, -0.24487, 0.72812], rel=1e-3)

    def likeness(one: str, other: str) -> float:
        a, b = (read.table[read.places[word]].astype(np.float64) for word in (one, other))
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    assert likeness("cat", "dog") > 0.8 > 0.4 > likeness("cat", "parliament")
