"""Commonsense that graphs may add."""

from __future__ import annotations

import pytest

from whence.models.vector_cache import cached_encoder
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.concepts import is_writable
from whence.tasks.argument_graphs.methods.structured.external_concepts import (
    SimilarConcepts,
    added_concepts,
    general_concepts,
)
from whence.tasks.argument_graphs.task import EXPLAGRAPHS
from whence.tasks.loading import samples

needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)


def test_our_own_list_is_in_order():
    listed = list(general_concepts())
    assert len(listed) > 200
    assert listed == sorted(set(listed))
    assert all(is_writable(concept) and concept == concept.lower() for concept in listed)


def test_concepts_of_one_graph_alone_are_left_out():
    examples = samples(EXPLAGRAPHS).examples
    assert added_concepts(examples[:1]) == {}
    twice = added_concepts((examples[0], examples[0]))
    assert twice
    assert set(twice.values()) == {2}


@needs_encoder
def test_what_is_like_the_texts_is_proposed_but_not_what_they_say():
    inputs = Argument("Free hospitals are a right.", "Every patient deserves medicine.")
    concepts = {"medicine": 5, "health": 1, "free time": 1, "war": 1, "weapon": 1}
    found = SimilarConcepts(concepts, cached_encoder()).propose([inputs])[0]
    assert found[0].text == "health"
    assert {one.text for one in found} == {
        "health",
        "war",
        "weapon",
    }  # one is in a text, one shares a word with it
    assert all(0 < one.probability < 1 and not one.words for one in found)
