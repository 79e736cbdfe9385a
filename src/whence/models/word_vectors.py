"""Vectors of words (GloVe): the files they are kept in, and the words of a text as rows of their table."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from whence.errors import DataError, quoted
from whence.files import read_lines, read_text, write_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VECTORS = "vectors.safetensors"
WORDS = "words.txt"
TENSOR = "vectors"

# As GloVe's own words are: lower case, contractions cut off ("did", "n't"), punctuation by itself.
_TOKEN = re.compile(r"n't|'(?:s|m|re|ve|ll|d)\b|[a-z]+(?=n't)|\w+(?:[-.]\w+)*|[^\w\s]")
# The package has no ends of contractions, and a lost "not" would turn a sentence round.
_WHOLE = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}


def glove_tokens(text: str) -> list[str]:
    """The words of a text as the table spells them."""
    return [_WHOLE.get(word, word) for word in _TOKEN.findall(text.lower().replace("’", "'"))]


@dataclass(frozen=True)
class WordVectors:
    """A table of vectors with the word of each row."""

    name: str
    words: tuple[str, ...]
    table: NDArray[np.float16]

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of each word."""
        return {word: place for place, word in enumerate(self.words)}

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.table.shape[1])

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The row of each word; of an unknown word the one behind the last."""
        return [self.places.get(word, len(self.words)) for word in words]


def read_word_vectors(folder: Path, name: str) -> WordVectors:
    """The vectors in a folder, under the name that stands for them in signatures."""
    from safetensors.numpy import load_file

    table = load_file(folder / VECTORS)[TENSOR]
    words = tuple(word for _, word in read_lines(folder / WORDS))
    if len(words) != len(table):
        raise DataError(folder / WORDS, expected=f"{len(table)} words, one a vector", found=str(len(words)))
    return WordVectors(name, words, table)


def read_glove(file: Path, name: str) -> WordVectors:
    """The vectors in a text file as GloVe's authors publish them: a word and its numbers on each line."""
    import numpy as np

    words: list[str] = []
    rows: list[NDArray[np.float16]] = []
    for number, line in read_lines(file):
        word, _, numbers = line.partition(" ")
        row = np.fromstring(numbers, dtype=np.float64, sep=" ") if word else np.zeros(0)
        if not len(row) or (rows and len(row) != len(rows[0])):
            raise DataError(file, number, expected="a word and as many numbers as before", found=quoted(line))
        words.append(word)
        rows.append(row.astype(np.float16))
    return WordVectors(name, tuple(words), np.stack(rows))


def convert(source: Path, folder: Path) -> None:
    """Makes the two files from the package's JSON document; the same bytes on every machine.

    The document is an object whose `vectors` have, by word, its numbers, its length and its place. Read in one
    piece it would take gigabytes, so it is read one word after the other.
    """
    import numpy as np

    text = read_text(source)
    decoder = json.JSONDecoder()
    try:
        size, width = _number_of(text, "size"), _number_of(text, "dimensions")
        table = np.zeros((size, width), dtype=np.float16)
        words = [""] * size
        at = text.index(_OPENING) + len(_OPENING)
        while text[at] != "}":
            word, at = decoder.raw_decode(text, at)
            (*numbers, _, place), at = decoder.raw_decode(text, at + 1)
            if len(numbers) != width:
                raise ValueError(f"{len(numbers)} numbers, a length and a place of {quoted(word)}")
            words[place], table[place] = word, numbers
            at += text[at] == ","
    except (ValueError, IndexError, TypeError) as error:
        raise DataError(source, expected="vectors by word", found=str(error)) from None
    if not all(words):
        raise DataError(source, expected=f"{size} words", found=f"{size - words.count('')}")
    write_lines(folder / WORDS, words)
    _write_table(folder / VECTORS, table)


_OPENING = '"vectors":{'


def _number_of(text: str, key: str) -> int:
    found = re.search(rf'"{key}":(\d+)', text[:1000])
    if found is None:
        raise ValueError(f"no '{key}' at its start")
    return int(found[1])


def _write_table(path: Path, table: NDArray[np.float16]) -> None:
    """As safetensors lays it out, written here so that the file's digest depends on no version of a library."""
    data = table.astype("<f2").tobytes()
    described = {TENSOR: {"dtype": "F16", "shape": list(table.shape), "data_offsets": [0, len(data)]}}
    header = json.dumps(described, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(len(header).to_bytes(8, "little") + header + data)
