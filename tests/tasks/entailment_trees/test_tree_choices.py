"""Trees over the same sentences, to learn from."""

from __future__ import annotations

import random

import numpy as np
import pytest

from whence.formats.proofs import parse_context, parse_proof
from whence.models.items import Problem, step_text
from whence.models.overlap_features import measure_groups, read_problem
from whence.models.vector_cache import cached_encoder
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.tree import Claim
from whence.tasks.entailment_trees.heads.grouping import _groups, _moved, groups_of, problem_of

needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)
CONTEXT = parse_context(
    "sent1: leo is a kind of constellation sent2: a constellation has stars sent3: stars shine"
)
CLAIM = Claim("leo shines", CONTEXT)


@pytest.mark.parametrize(
    "proof, groups",
    [
        ("sent1 & sent2 -> int1: x; int1 & sent3 -> hypothesis; ", ((1, 2), (3, 4))),
        ("sent1 & sent2 & sent3 -> hypothesis; ", ((1, 2, 4),)),
        ("sent1 & sent2 -> int1: x; int1 & sent1 -> hypothesis; ", None),  # a sentence twice
        ("sent1 -> int1: x; int1 & sent2 -> hypothesis; ", None),  # a premise alone
        ("sent1 & int9 -> hypothesis; ", None),  # a conclusion that none made
    ],
)
def test_a_tree_as_sets(proof: str, groups: tuple[tuple[int, ...], ...] | None) -> None:
    tree = parse_proof(proof)
    assert groups_of(tree, CLAIM) == groups
    if groups is not None:
        assert problem_of(tree, CLAIM) == Problem(tuple(one.text for one in CONTEXT), "leo shines")


@pytest.mark.parametrize("seed", range(40))
def test_a_part_that_moves_leaves_a_tree(seed: int) -> None:
    drawn, things = random.Random(seed), 7
    sets = frozenset({0b11, 0b111, 0b11000, 0b1111000, 0b1111111})
    for _ in range(4):
        sets = _moved(sets, things, drawn)
        open_sets = {1 << thing for thing in range(things)}
        for group in _groups(sets):
            assert len(group) >= 2 and open_sets.issuperset(group)
            open_sets = (open_sets - set(group)) | {sum(group)}
        assert open_sets == {(1 << things) - 1}


def test_a_step_as_text() -> None:
    problem = Problem(("a b", "c", "d  e"), "h")
    assert step_text(problem, (0b011, 0b100)) == ("a b\tc\nd e", "h")
    assert step_text(problem, (0b001, 0b010)) == ("a b\nc", "h\nd e")


@needs_encoder
def test_what_bridges_two_sentences_is_measured() -> None:
    """Sentences 1 and 2 share a word that is nowhere else; 1 and 3 share none."""
    read = read_problem(problem_of(parse_proof("sent1 & sent2 & sent3 -> hypothesis; "), CLAIM), cached_encoder())
    rows = measure_groups(read, [(1, 2), (1, 4), (2, 4), (3, 4), (1, 2, 4)])
    assert rows.shape == (5, 186)
    assert np.isfinite(rows).all()
    shared, bridge, only = rows[:, 7], rows[:, 2], rows[:, 4]
    assert shared[:3].tolist() == [1, 0, 1]
    assert bridge[:3].tolist() == [1, 0, 1]
    assert only[:3].tolist() == [1, 0, 1]
