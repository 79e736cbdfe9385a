"""Pieces of the texts as concepts: where they stand, which are taken, which never can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.models.items import Verdict
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.concepts import candidates, choose_concepts, is_writable, word_offsets
from whence.tasks.argument_graphs.heads.concept_roles import place_pairs, role
from whence.tasks.argument_graphs.heads.concept_tags import treebank_words, words_to_tag

INPUTS = Argument("Zoos shouldn't close.", "Zoos save (rare) animals; people  like zoos.")


def tagged(*tags: int) -> Verdict:
    return Verdict("1", tags=tags)


@pytest.mark.parametrize(
    ("concept", "writable"),
    [
        ("zoos", True),
        ("save rare animals", True),
        ("zoos save rare animals", False),  # four words
        ("animals; people", False),  # divides parts of an edge
        ("people  like", False),  # the evaluator counts an empty word between two blanks
        ("(rare)", False),
        ("-", False),
        ("", False),
        (" zoos", False),
    ],
)
def test_what_can_stand_in_a_graph(concept, writable):
    assert is_writable(concept) is writable


@given(st.text(alphabet="ab'n.t,;:()İß 0-\t", max_size=30))
def test_words_are_found_where_they_stand(text):
    lowered = text.lower()
    assert tuple(lowered[start:end] for start, end in word_offsets(lowered)) == treebank_words(lowered)


def test_candidates_are_pieces_of_the_texts_with_their_probabilities():
    assert words_to_tag(INPUTS)[:5] == ("zoos", "should", "n't", "close", ".")
    begins, continues, outside = 0, 1, 2
    tags = [begins, begins, continues, begins, outside, begins, begins, *[outside] * 9]
    found = candidates(INPUTS, tagged(*tags[: len(words_to_tag(INPUTS))]))
    sure = {one.text for one in found if one.probability == 1}
    assert sure == {"zoos", "shouldn't", "close", "save"}  # in one piece, as it stands in the text
    assert all(one.text in INPUTS.belief.lower() or one.text in INPUTS.argument.lower() for one in found)
    assert all(is_writable(one.text) for one in found)
    assert [one.probability for one in found] == sorted((one.probability for one in found), reverse=True)


def test_every_text_has_two_concepts_or_there_are_none():
    inputs = Argument("Ban guns", "Guns kill")
    found = candidates(inputs, tagged(2, 2, 2, 2))
    taken = choose_concepts(found, inputs, most=4)
    assert taken is not None
    for text in ("ban guns", "guns kill"):
        assert sum(one.text in text for one in taken) >= 2
    short = Argument("Ban", "Guns kill")
    assert choose_concepts(candidates(short, tagged(0, 0, 0)), short, most=4) is None


def test_where_concepts_stand_in_words():
    found = place_pairs(INPUTS, ("zoos", "close", "animals", "peace"), "support")
    assert found["zoos", "close"] == ("both belief next", "support")
    assert found["zoos", "animals"] == ("both argument next", "support")
    assert found["animals", "zoos"] == ("argument both last", "support")
    assert found["close", "peace"] == ("belief added", "support")
    assert len(found) == 12
    assert role(INPUTS, "Save (Rare)") == "argument"
