"""Cells to words: rows from the rules of the released solver (docs/design/012-schemas.md)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.formats.cells import alternatives
from whence.formats.cells.tags import tags
from whence.formats.cells.tokens import first_sentence, tokens


def _lemma(word: str) -> str:
    return word.lower()


def _lemmas(cell: str) -> list[str]:
    return [" ".join(word.lemma for word in found) for found in alternatives(cell, _lemma)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Earth's axis", ["the", "Earth", "'s", "axis"]),
        ("length, width (in cm)", ["length", ",", "width", "(", "in", "cm", ")"]),
        ("cannot move", ["can", "not", "move"]),
        ("50% of -2 and .036", ["50", "%", "of", "-2", "and", ".036"]),
        ("20-20000 Hz at 3 m/s or 32F", ["20-20000", "Hz", "at", "3", "m/s", "or", "32F"]),
        ("1,000 black-and-white cells", ["1,000", "black-and-white", "cells"]),
        ("animals' U.S. coast.", ["animals", "'", "U.S.", "coast", "."]),
        ("St. Helens", ["St.", "Helens"]),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_what_follows_the_first_sentence_is_lost() -> None:
    assert first_sentence(tokens("ice melts. Then it flows")) == ["ice", "melts", "."]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("pot; pan ;frying pan", ["pot", "pan", "frying pan"]),
        ("red-hot iron; coal", ["red-hot iron", "coal", "red hot iron"]),  # copies follow all originals
        ("the rotation of the Earth's axis", ["rotation of earth axis"]),
        ("if it is not able to see", ["if is not able see"]),  # prepositions, adverbs, be stay
        ("Martinique (France)", ["martinique france"]),
        ("that rock", ["that rock", "rock"]),  # a tagger would know: both are kept
        ("break down", ["break down", "break"]),
        ("rock; rock", ["rock"]),
        ("ice melts. Then it flows", ["ice melts"]),
        ("the", [""]),  # text, but no content: nothing can match it
        ("", []),
    ],
)
def test_alternatives_of_a_cell(cell: str, expected: list[str]) -> None:
    assert _lemmas(cell) == expected


@pytest.mark.parametrize(
    ("word", "tag"),
    [("through", "IN"), ("quickly", "RB"), ("electrical", "JJ"), ("third", "JJ"), ("rock", "NN"), ("100", "CD"),
     ("-2.5", "CD"), ("seven", "CD"), ("melting", "VB"), ("Melting", "NN")],
)  # fmt: skip
def test_a_word_may_have_the_tag(word: str, tag: str) -> None:
    assert tag in tags(word)


@given(st.text(alphabet="aT -;.,'%()0123", max_size=40))
def test_every_text_has_readings_and_no_word_is_blank(text: str) -> None:
    for found in alternatives(text, _lemma):
        assert all(word.written.strip() and word.tags for word in found)
