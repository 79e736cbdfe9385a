"""How many words an edit adds and removes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.structures.hypothesis import words_added_and_removed


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ("", "", (0, 0)),
        ("she ran home", "she ran home", (0, 0)),
        ("she ran home", "she walked home", (1, 1)),
        ("she ran home", "she never ran home", (1, 0)),
        ("she never ran home", "she ran home", (0, 1)),
        ("she ran home", "home ran she", (0, 0)),  # bags: order does not matter
        ("no no no", "no", (0, 2)),  # bags: a word counts as often as it stands there
        ("she ran", "she  ran\n", (0, 0)),  # any white space separates
        ("she ran", "she ran.", (1, 1)),  # punctuation is part of the word
        ("She ran", "she ran", (1, 1)),  # and so is case
        ("", "two words", (2, 0)),
    ],
)
def test_words_added_and_removed(before, after, expected):
    assert words_added_and_removed(before, after) == expected


sentences = st.lists(st.sampled_from(("a", "b", "c")), max_size=6).map(" ".join)


@given(sentences, sentences)
def test_the_way_back_removes_what_was_added(before, after):
    added, removed = words_added_and_removed(before, after)
    assert words_added_and_removed(after, before) == (removed, added)
    assert added - removed == len(after.split()) - len(before.split())
