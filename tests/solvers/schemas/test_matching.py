"""Which tilings a cell has. Words are told by their letters: `As` has the lemma `a`."""

from __future__ import annotations

import pytest
from tests.solvers.schemas.tables import lemma

from whence.formats.cells import alternatives
from whence.formats.schemas import parse_schemas
from whence.solvers.schemas.matching import Tiling, literal_words, tilings
from whence.structures.schema import Concatenation
from whence.structures.words import Alternative


def _pattern(text: str) -> Concatenation:
    (schema,) = parse_schemas(f'inferencepattern p row r = [TABLE:"T", X: {text}] endinferencepattern')
    return schema.rows[0].cells[0].alternatives[0]


def _words(text: str) -> Alternative:
    return alternatives(text, lemma)[0] if text else ()


def _spans(pattern: str, cell: str) -> list[tuple[object, ...]]:
    return [tiling.spans for tiling in tilings(_pattern(pattern), _words(cell))]


@pytest.mark.parametrize(
    ("pattern", "cell", "expected"),
    [
        ('"rock"', "Rocks", [((0, 1),)]),  # the lemma
        ('"rocks"', "rocks", [((0, 1),)]),  # as it is written
        ('"ROCKS"', "rocks", [((0, 1),)]),  # a literal is read in lower case
        ('"on"', "on axis", []),  # no word may be left over
        ('"on axis"', "on axis", [((0, 2),)]),
        ('"axis on"', "on axis", []),  # in order
        ('"on its axis"', "on its axis", []),  # `its` is no content: no cell has it
        ('"POS:IN"+"axis"', "on axis", [((0, 1), (1, 2))]),  # a tag is a form like any other
        ('"POS:CD"', "axis", []),
        ("<x>", "red hot iron", [((0, 3),)]),
        ("<x>+<y>", "red hot iron", [((0, 2), (2, 3)), ((0, 1), (1, 3))]),  # n words: n - 1 readings
        ("<x>+<y>", "iron", []),  # a variable is at least one word
        ('<x>+"iron"', "red hot iron", [((0, 2), (2, 3))]),
        ('*"red"+"iron"', "red iron", [((0, 1), (1, 2))]),
        ('*"red"+"iron"', "iron", [(None, (0, 1))]),
        ('*"red"', "blue", [(None,)]),  # all optional: nothing is asked
        ('*"red"', "red", [((0, 1),), (None,)]),
        ('*"red"', "", [(None,)]),
        ('"red"', "", []),
        ("<x>", "", []),
    ],
)
def test_terms_tile_the_whole_cell(pattern: str, cell: str, expected: list[object]) -> None:
    assert _spans(pattern, cell) == expected


@pytest.mark.parametrize(
    ("pattern", "cell", "expected"),
    [
        ('~"energy"', "energy", [Tiling(((0, 1),), 0)]),
        ('~"energy"', "energy source", [Tiling(((0, 1),), 1)]),  # what is left over is forgiven
        ('~"energy"', "solar energy", [Tiling(((0, 2),), 0), Tiling(((1, 2),), 1)]),  # from each start to the word
        ('~"iron red"', "red hot iron", [Tiling(((0, 3),), 0)]),  # any order, with gaps
        ('~"iron red"', "red hot", []),
        ('"red"+~"iron"', "red hot iron", [Tiling(((0, 1), (1, 3)), 0), Tiling(((0, 1), (2, 3)), 1)]),
        ('~"red"+"iron"', "red hot iron", [Tiling(((0, 1), (2, 3)), 1)]),  # the neighbour forgives
        ("<~x>", "red iron", [Tiling(((0, 2),), 0)]),  # a variable forgives no gaps
    ],
)
def test_relaxable_literals_forgive_gaps(pattern: str, cell: str, expected: list[Tiling]) -> None:
    assert tilings(_pattern(pattern), _words(cell)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [("Red Iron", ["red", "iron"]), ("red ", ["red"]), ("red  iron", ["red", "", "iron"]), ("", [""])],
)
def test_words_of_a_literal(text: str, words: list[str]) -> None:
    assert literal_words(text) == words
