from __future__ import annotations

import pytest

from whence.tasks.likeness import COMMON, FEW, index_words, nearest, singular_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Plants need light.", {"plant", "need", "light"}),  # case, stops and the plural ending are off
        ("glass is a gas", {"glass", "is", "a", "gas"}),  # no plurals: ss, is, short
        ("water / ice", {"water", "ice"}),  # a stroke is no word
    ],
)
def test_words(text: str, words: set[str]) -> None:
    assert singular_words(text) == words


def test_the_text_with_the_rarer_shared_word_is_nearer() -> None:
    index = index_words(["a cat sleeps", "a dog sleeps", "a dog runs", "birds fly"])
    assert nearest(index, "the cats sleep", 9) == [0, 1]  # two words are shared, then one
    assert nearest(index, "a sleeping dog that runs", 2) == [2, 1]
    assert nearest(index, "stones", 9) == []


def test_words_that_most_texts_have_do_not_make_texts_alike() -> None:
    texts = [f"thing{number} is" for number in range(10 * FEW)]
    assert COMMON * len(texts) < FEW
    assert nearest(index_words(texts), "it is thing3", 5) == [3]


def test_of_equally_near_texts_the_first_come_first() -> None:
    assert nearest(index_words(["red ball", "red door", "red roof"]), "red", 2) == [0, 1]
