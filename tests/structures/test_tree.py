"""Entailment trees: small trees by hand, plain recursion as reference, and hostile depth."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.structures.tree import (
    Claim,
    Sentence,
    Step,
    Tree,
    conclusions,
    leaf_sets,
    leaves,
    node_count,
    shred,
    texts,
    tree_depth,
)


def tree(text: str) -> Tree:
    """`s1+s2>i1 i1>h`: steps without texts."""
    pairs = (step.split(">") for step in text.split())
    return Tree(tuple(Step(tuple(left.split("+")) if left else (), right) for left, right in pairs))


@pytest.mark.parametrize(
    "steps, depth, used, count",
    [
        ("", 0, "", 0),
        ("s1+s2>h", 1, "s1 s2", 3),
        ("s2+s1>h", 1, "s2 s1", 3),  # in order of first use
        ("s1+s2>i1 i1+s3>h", 2, "s1 s2 s3", 5),
        ("s1+s2>i1 s3+s4>i2 i1+i2>h", 2, "s1 s2 s3 s4", 7),  # two arms of the same height
        ("s1+s2>i1 i1+s1>h", 2, "s1 s2", 4),  # a DAG: s1 is used twice and counted once
        ("s1+s1>h", 1, "s1", 2),
        ("i1+s1>h s2>i1", 2, "s1 s2", 4),  # concluded after use: the same tree
        ("s1>i1 s2>i2 i2>i1 i1>h", 3, "s1 s2", 5),  # concluded twice: the longer way counts
        ("s1>i1 s2>h", 1, "s1 s2", 4),  # in two pieces
        (">h", 1, "", 1),  # from nothing
        ("i1>i1", None, "", 1),
        ("i1>i2 i2>i1", None, "", 2),
        ("s1>h i1>i2 i2>i1", None, "s1", 4),  # the cycle need not be under the hypothesis
        ("s1+h>i1 i1>h", None, "s1", 3),
    ],
)
def test_shape(steps, depth, used, count):
    found = tree(steps)
    assert tree_depth(found) == depth
    assert leaves(found) == tuple(used.split())
    assert node_count(found) == count


def test_conclusions_come_in_order_and_repeat():
    assert conclusions(tree("s1>i2 s2>i1 s3>i2")) == ("i2", "i1", "i2")


@pytest.mark.parametrize(
    "steps, expected",
    [
        ("", {}),
        ("s1+s2>h", {"h": "s1 s2"}),
        ("s1+s2>i1 i1+s3>h", {"i1": "s1 s2", "h": "s1 s2 s3"}),
        ("i1+s1>h s2>i1", {"h": "s1", "i1": "s2"}),  # a forward reference brings none (spec, official 3.)
        ("s1>i1 s2>i1 i1>h", {"i1": "s1 s2", "h": "s1 s2"}),
        ("i1>i1", {"i1": ""}),
        (">h", {"h": ""}),
    ],
)
def test_leaf_sets(steps, expected):
    assert leaf_sets(tree(steps)) == {name: frozenset(ids.split()) for name, ids in expected.items()}


def test_shred_gives_one_tree_a_step_with_all_sentences():
    first, second = Step(("s1", "s2"), "i1", "one"), Step(("i1", "s3"), "hypothesis")
    sentences = (Sentence("s1", "a"),)
    assert shred(Tree((first, second), sentences)) == (Tree((first,), sentences), Tree((second,), sentences))
    assert shred(Tree(())) == ()


CLAIM = Claim("ice melts", (Sentence("sent1", "ice is solid"), Sentence("sent2", "heat melts solids")))


@pytest.mark.parametrize(
    "found, expected",
    [
        (Tree(()), {}),
        (Tree((Step(("sent1",), "int1", "so"), Step(("int1",), "hypothesis"))), {"int1": "so"}),
        (Tree((Step(("sent1",), "int1"),)), {}),  # without a text nothing is known of int1
        (Tree((), (Sentence("sent1", "own"),)), {"sent1": "own"}),  # the tree's own sentence stands for the given
        (Tree((Step((), "hypothesis", "other"),)), {}),  # the hypothesis is what the claim says
        (Tree((Step((), "int1", "first"), Step((), "int1", "last"))), {"int1": "last"}),
    ],
)
def test_texts(found, expected):
    given_texts = {"sent1": "ice is solid", "sent2": "heat melts solids", "hypothesis": "ice melts"}
    assert texts(found, CLAIM) == given_texts | expected


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Breaks off what takes too long, so that a slow function fails and does not hold everything up."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


STEPS = 5_000
CHAIN = tuple(Step((f"i{number}", f"s{number}"), f"i{number + 1}") for number in range(STEPS))


def test_a_deep_chain_is_measured_without_recursion_and_at_once():
    with at_most(2):
        assert tree_depth(Tree(CHAIN)) == STEPS
        assert len(leaves(Tree(CHAIN))) == STEPS + 1
        assert node_count(Tree(CHAIN)) == 2 * STEPS + 1
        assert len(shred(Tree(CHAIN))) == STEPS


def test_a_deep_chain_written_backwards_is_measured_at_once_too():
    with at_most(2):
        assert tree_depth(Tree(tuple(reversed(CHAIN)))) == STEPS


def test_a_long_cycle_is_seen_at_once():
    with at_most(2):
        assert tree_depth(Tree((*CHAIN, Step((f"i{STEPS}",), "i0")))) is None


ids = st.sampled_from(("i1", "i2", "i3", "s1", "s2", "h"))
small_trees = st.lists(st.builds(Step, st.lists(ids, max_size=3).map(tuple), ids), max_size=6).map(
    lambda steps: Tree(tuple(steps))
)


def depth_of(found: Tree, name: str, above: frozenset[str] = frozenset()) -> int | None:
    """The definition, by recursion: 0 for a leaf, else one more than the deepest premise."""
    if name in above:
        return None
    steps = [step for step in found.steps if step.conclusion == name]
    below = [depth_of(found, premise, above | {name}) for step in steps for premise in step.premises]
    if None in below:
        return None
    return 1 + max(below, default=0) if steps else 0


@settings(deadline=None)
@given(small_trees)
def test_depth_against_plain_recursion(found):
    depths = [depth_of(found, name) for name in conclusions(found)]
    assert tree_depth(found) == (None if None in depths else max(depths, default=0))


@settings(deadline=None)
@given(small_trees)
def test_every_id_is_a_leaf_or_a_conclusion_and_not_both(found):
    mentioned = {name for step in found.steps for name in (*step.premises, step.conclusion)}
    assert set(leaves(found)) | set(conclusions(found)) == mentioned
    assert not set(leaves(found)) & set(conclusions(found))
    assert node_count(found) == len(mentioned)
    assert leaf_sets(found).keys() == set(conclusions(found))
    assert all(rests_on <= set(leaves(found)) for rests_on in leaf_sets(found).values())
