from __future__ import annotations

import pytest

from whence.errors import DataError
from whence.formats.lemmas import lemma, listed_lemma, parse_word_list, schema_lemma


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("plants", "plant"),
        ("Molecules", "molecule"),
        ("were", "be"),
        ("children", "child"),
        ("qwxz", "qwxz"),
        ("", ""),
    ],
)
def test_lemma(word: str, expected: str) -> None:
    assert lemma(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("evaporation", "evaporate"),  # an addition
        ("Living", "live"),  # through `lived`
        ("building", "build"),  # through `builds`
        ("growing", "grow"),
        ("cutting", "cut"),  # through `cuts`
        ("thing", "thing"),
        ("matter", "matt"),  # as published patterns have it
        ("plants", "plant"),
    ],
)
def test_lemma_for_schemas(word: str, expected: str) -> None:
    assert schema_lemma(word) == expected


def test_lemmas_of_a_list() -> None:
    """The last line for a word stands; additions come after the list; words of neither lose regular endings,
    but a capital is all that a word loses."""
    pairs = parse_word_list(enumerate(["mat\tmatter", "Matt\tMatter", "", "product\tproduces"], start=1))
    find = listed_lemma(pairs)
    words = ("matter", "Matter", "produces", "erosion", "Moons", "moons", "species", "upwelling")
    assert [find(word) for word in words] == [
        "matt", "matt", "product", "erode", "moons", "moon", "species", "upwelling"
    ]  # fmt: skip


def test_a_line_of_a_list_without_tab_is_named() -> None:
    with pytest.raises(DataError) as caught:
        parse_word_list([(1, "be\tis"), (2, "be am")])
    assert str(caught.value) == "line 2: expected lemma<TAB>word, found 'be am'"
