from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whence.formats.proofs import parse_proof
from whence.metrics.tree_equivalence import Equivalence, brackets, equivalence, renamed
from whence.structures.tree import HYPOTHESIS, Step, Tree, conclusions, leaves

FLAT = "sent1 & sent2 & sent3 -> hypothesis; "
CHAIN = "sent1 & sent2 -> int1: x; int1 & sent3 -> hypothesis; "


@pytest.mark.parametrize(
    ("predicted", "gold", "matched", "missed", "wrong", "neutral", "f1"),
    [
        (CHAIN, CHAIN, 2, 0, 0, 0, 1.0),
        (CHAIN, FLAT, 1, 0, 0, 1, 1.0),  # appendix D's example: a step is split
        (FLAT, CHAIN, 1, 1, 0, 0, 2 / 3),  # merged: nothing is wrong, one conclusion is not drawn
        # crossing: {sent2, sent3} joins the premises of the root in another way
        ("sent2 & sent3 -> int1: x; int1 & sent1 -> hypothesis; ", CHAIN, 0, 2, 2, 0, 0.0),
        # order and names
        ("sent3 & int9 -> hypothesis; sent2 & sent1 -> int9: x; ", CHAIN, 2, 0, 0, 0, 1.0),
        # a wrong leaf costs the step that uses it, not the one above
        ("sent1 & sent9 -> int1: x; int1 & sent3 -> hypothesis; ", CHAIN, 1, 1, 1, 0, 0.5),
        ("sent1 & sent2 & sent9 -> int1: x; int1 & sent3 -> hypothesis; ", CHAIN, 1, 1, 1, 0, 0.5),
        # a missing leaf costs the gold step that uses it
        ("sent1 & sent2 -> hypothesis; ", CHAIN, 1, 1, 0, 0, 2 / 3),
        # a conclusion from nothing that gold knows is a wrong premise
        (
            "sent8 & sent9 -> int1: x; int1 & sent1 -> int2: y; int2 & sent2 & sent3 -> hypothesis; ",
            FLAT,
            1,
            0,
            2,
            0,
            0.5,
        ),
        ("sent8 & sent9 -> hypothesis; ", CHAIN, 0, 2, 1, 0, 0.0),
        # saying the same again, or a leaf in other words, neither helps nor hurts
        ("sent1 -> int1: x; int1 & sent2 & sent3 -> int2: y; int2 -> hypothesis; ", FLAT, 1, 0, 0, 0, 1.0),
        # a premise that nothing concludes is a leaf that gold does not have
        ("int7 & sent1 & sent2 & sent3 -> hypothesis; ", FLAT, 0, 1, 1, 0, 0.0),
        ("", CHAIN, 0, 2, 0, 0, 0.0),
    ],
)
def test_by_hand(
    predicted: str, gold: str, matched: int, missed: int, wrong: int, neutral: int, f1: float
) -> None:
    found = equivalence(parse_proof(predicted), parse_proof(gold))
    assert found == Equivalence(matched, missed, wrong, neutral)
    assert found.f1 == pytest.approx(f1)


def test_a_tree_of_one_leaf() -> None:
    one = parse_proof("sent1 -> hypothesis; ")
    assert list(brackets(one)) == [frozenset(("sent1",))]
    assert equivalence(one, one).f1 == 1


def test_a_cycle_rests_on_nothing_and_ends() -> None:
    loop = parse_proof("int2 -> int1: x; int1 -> int2: y; sent1 & sent2 & sent3 -> hypothesis; ")
    assert equivalence(loop, parse_proof(FLAT)) == Equivalence(1, 0, 1, 0)


def test_a_leaf_used_twice() -> None:
    shared = "sent1 & sent2 -> int1: x; sent2 & sent3 -> int2: y; int1 & int2 -> hypothesis; "
    tree = parse_proof(shared)
    assert equivalence(tree, tree).f1 == 1
    assert equivalence(parse_proof(CHAIN), tree) == Equivalence(2, 1, 0, 0)
    assert equivalence(tree, parse_proof(CHAIN)).wrong == 2  # {sent2, sent3} crosses, and the root with it


def test_leaves_can_go_by_other_names() -> None:
    texts = {"sent1": "a", "sent2": "b", "sent3": "c"}
    other = parse_proof("sent7 & sent8 -> int1: x; int1 & sent9 -> hypothesis; ")
    named = renamed(other, {"sent7": "b", "sent8": "a", "sent9": "c"})
    assert equivalence(named, renamed(parse_proof(CHAIN), texts)).f1 == 1


@st.composite
def trees(draw: st.DrawFn, most: int = 9) -> Tree:
    """A random tree: premises are joined, two or more at a time, until one conclusion is left."""
    open_ids = [f"sent{number}" for number in range(1, draw(st.integers(2, most)) + 1)]
    steps: list[Step] = []
    while len(open_ids) > 1:
        size = draw(st.integers(2, min(4, len(open_ids))))
        chosen = draw(st.permutations(open_ids))[:size]
        rest = [name for name in open_ids if name not in chosen]
        name = f"int{len(steps) + 1}" if rest else HYPOTHESIS
        steps.append(Step(tuple(chosen), name, "x"))
        open_ids = [*rest, name]
    return Tree(tuple(steps))


@st.composite
def reused(draw: st.DrawFn) -> Tree:
    """A random tree in which some step uses one more leaf of the tree."""
    tree = draw(trees())
    place = draw(st.integers(0, len(tree.steps) - 1))
    leaf = draw(st.sampled_from(leaves(tree)))
    step = tree.steps[place]
    assume(leaf not in step.premises)
    changed = Step((*step.premises, leaf), step.conclusion, step.text)
    return Tree((*tree.steps[:place], changed, *tree.steps[place + 1 :]))


def split(tree: Tree, place: int, size: int) -> Tree:
    step = tree.steps[place]
    part = Step(step.premises[:size], "part", "x")
    rest = Step(("part", *step.premises[size:]), step.conclusion, step.text)
    return Tree((*tree.steps[:place], part, rest, *tree.steps[place + 1 :]))


def merge(tree: Tree, name: str) -> Tree:
    """The tree without the conclusion `name`: its premises go to the step that uses it."""
    inner = next(step for step in tree.steps if step.conclusion == name)
    outer = [
        Step(
            tuple(part for p in step.premises for part in (inner.premises if p == name else (p,))),
            step.conclusion,
            step.text,
        )
        for step in tree.steps
        if step is not inner
    ]
    return Tree(tuple(outer))


@given(st.one_of(trees(), reused()))
def test_gold_is_perfect(tree: Tree) -> None:
    assert equivalence(tree, tree).f1 == 1
    assert equivalence(tree, tree).wrong == 0


@given(trees(), trees())
def test_bounds(predicted: Tree, gold: Tree) -> None:
    found = equivalence(predicted, gold)
    assert 0 <= found.f1 <= 1
    assert found.matched + found.missed == len(brackets(gold))
    assert found.matched + found.wrong + found.neutral == len(brackets(predicted))


@given(st.one_of(trees(), reused()), st.data())
def test_splitting_steps_keeps_everything(tree: Tree, data: st.DataObject) -> None:
    wide = [place for place, step in enumerate(tree.steps) if len(step.premises) > 2]
    assume(wide)
    place = data.draw(st.sampled_from(wide))
    size = data.draw(st.integers(2, len(tree.steps[place].premises) - 1))
    assert equivalence(split(tree, place, size), tree).f1 == 1


@given(trees(), st.data())
def test_merging_costs_only_what_is_no_longer_concluded(tree: Tree, data: st.DataObject) -> None:
    inner = [name for name in conclusions(tree) if name != HYPOTHESIS]
    gone = data.draw(st.lists(st.sampled_from(inner), unique=True)) if inner else []
    merged = tree
    for name in gone:
        merged = merge(merged, name)
    found, steps = equivalence(merged, tree), len(tree.steps)
    assert found == Equivalence(steps - len(gone), len(gone), 0, 0)
    assert Fraction(found.f1).limit_denominator(100) == Fraction(2 * (steps - len(gone)), 2 * steps - len(gone))


@given(st.one_of(trees(), reused()), st.one_of(trees(), reused()), st.randoms())
def test_order_and_names_do_not_matter(predicted: Tree, gold: Tree, random: object) -> None:
    names = {name: f"x{number}" for number, name in enumerate(conclusions(predicted))}
    steps = [
        Step(tuple(sorted((names.get(p, p) for p in step.premises), reverse=True)), names[step.conclusion])
        for step in predicted.steps
    ]
    random.shuffle(steps)  # type: ignore[attr-defined]
    assert equivalence(Tree(tuple(steps)), gold) == equivalence(predicted, gold)


@given(trees(), st.data())
def test_a_wrong_leaf_costs(tree: Tree, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(tree.steps) - 1))
    step = tree.steps[place]
    spoilt = Tree(
        (*tree.steps[:place], Step((*step.premises, "sent99"), step.conclusion), *tree.steps[place + 1 :])
    )
    count = len(tree.steps)
    assert equivalence(spoilt, tree) == Equivalence(count - 1, 1, 1, 0)  # that step, and no other
    assert equivalence(tree, spoilt) == Equivalence(count - 1, 1, 0, 1)  # one leaf less than gold


@given(trees(), st.data())
def test_exchanging_leaves_of_different_steps_costs(tree: Tree, data: st.DataObject) -> None:
    first, second = data.draw(st.permutations(leaves(tree)))[:2]
    swapped = renamed(tree, {first: second, second: first})
    same = brackets(swapped).keys() == brackets(tree).keys()
    assert (equivalence(swapped, tree).f1 == 1) == same


@given(trees(), trees())
def test_perfect_means_that_every_gold_conclusion_is_drawn_and_nothing_contradicts(
    predicted: Tree, gold: Tree
) -> None:
    perfect = equivalence(predicted, gold).f1 == 1
    if set(leaves(predicted)) == set(leaves(gold)):
        assert perfect == (brackets(gold).keys() <= brackets(predicted).keys())
    else:
        assert not perfect


@given(trees(), trees(), st.data())
def test_another_wrong_step_never_helps(predicted: Tree, gold: Tree, data: st.DataObject) -> None:
    extra = Step((data.draw(st.sampled_from(leaves(gold))), "sent99"), "more")
    assert equivalence(Tree((*predicted.steps, extra)), gold).f1 <= equivalence(predicted, gold).f1
