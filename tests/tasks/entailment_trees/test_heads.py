from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from whence.errors import DataError, MissingDataError
from whence.formats.proofs import parse_context, parse_proof
from whence.models.items import Item
from whence.structures.tree import Claim
from whence.tasks import TASKS
from whence.tasks.entailment_trees.data.chains import verdict_of
from whence.tasks.entailment_trees.heads.heads import HEADS, step_pair, tree_items
from whence.tasks.entailment_trees.heads.wrong_steps import (
    KINDS,
    WordedStep,
    is_true,
    stock_of,
    worded_steps,
    wrong_step,
)
from whence.tasks.head import Head, Source

STEP, CHAIN = HEADS["entailmentbank-1"][:2]
TASK = TASKS["entailmentbank-1"]

CLAIM = Claim(
    "leo appears in different places in different months",
    parse_context(
        "sent1: leo is a kind of constellation sent2: a constellation contains stars "
        "sent3: the earth moves around the sun sent4: moving around the sun makes stars appear in other places"
    ),
)
TREE = parse_proof(
    "sent1 & sent2 -> int1: leo contains stars; "
    "sent3 & sent4 -> int2: stars appear in different places; "
    "int1 & int2 -> hypothesis; "
)


def _source(where: str | Path, seed: int = 0, folder: Path = Path("nowhere")) -> Source:
    return Source(TASK, str(where), lambda: folder, "", seed)


def _items(head: Head, source: Source) -> list[Item]:
    return [item for item in head.items(source) if isinstance(item, Item)]


def _kinds(items: list[Item]) -> Counter[str]:
    return Counter(item.id.rsplit("/", 1)[1] for item in items)


@pytest.mark.parametrize(
    ("premises", "joined"),
    [
        (("a star is hot", "the sun is a star"), "a star is hot. the sun is a star."),
        (
            ("A star is hot.", "the sun is a star ."),
            "A star is hot. the sun is a star.",
        ),  # eQASC's and its variants
    ],
)
def test_premises_are_read_as_sentences(premises: tuple[str, ...], joined: str) -> None:
    assert step_pair(premises, "the sun is hot") == (joined, "the sun is hot")


def test_every_step_of_a_tree_is_asked_with_the_words_of_its_conclusions() -> None:
    items = tree_items("e1", TREE, CLAIM)
    assert [item.id for item in items] == ["e1/1", "e1/2", "e1/3"]
    assert items[2].options[0][0] == ("leo contains stars. stars appear in different places.", CLAIM.hypothesis)
    assert {item.gold for item in items} == {None}


def test_a_proof_that_names_what_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="a text for every id of the proof, found none for 'sent9'"):
        worded_steps(parse_proof("sent1 & sent9 -> hypothesis; "), CLAIM)


def test_what_a_step_may_be_exchanged_with() -> None:
    first, _, last = worded_steps(TREE, CLAIM)
    assert first.sentences == (CLAIM.context[2].text, CLAIM.context[3].text)
    # int1's premises may not be given the hypothesis' own parts; the hypothesis stands above them.
    assert first.elsewhere == ("stars appear in different places", CLAIM.hypothesis)
    # Below the last step lies everything: its premises are int1 and int2 themselves.
    assert last.elsewhere == ()
    assert last.inner == (True, True)


def test_kinds_of_wrong_steps() -> None:
    """By hand: what can become of `sent1 & sent2 -> int1` in a file that has this tree alone."""
    steps = worded_steps(TREE, CLAIM)
    stock, drawn = stock_of(steps), random.Random(0)
    leo, contains = steps[0].premises
    found = {kind: list(change(steps[0], stock, drawn)) for kind, change in KINDS.items()}
    assert {step.premises for step in found["premise-missing"]} == {(leo,), (contains,)}
    assert len(found["sentence-of-the-tree"]) == 4  # either premise for sent3 or sent4
    assert {step.conclusion for step in found["conclusion-of-the-tree"]} == set(steps[0].elsewhere)
    assert {step.premises for step in found["sentence-alike"]} == {
        (contains, contains), (leo, leo), (leo, CLAIM.context[3].text)
    }  # fmt: skip
    assert {step.conclusion for step in found["conclusion-alike"]} == set(steps[0].elsewhere)


def test_a_step_with_premises_added_or_one_that_repeats_a_premise_is_not_wrong() -> None:
    step = WordedStep(("a star is hot", "the sun is a star"), "the sun is hot", (False, False))
    stock = stock_of([step])
    more = WordedStep(("The sun is a star.", "fish swim", "a star is hot"), "the sun is hot.")
    assert is_true(more, stock)
    assert is_true(WordedStep(("The sun is hot", "fish swim"), "the sun is hot"), stock)
    assert not is_true(WordedStep(("a star is hot", "fish swim"), "the sun is hot"), stock)


def test_the_kind_made_least_so_far_is_made_next_where_it_can_be() -> None:
    steps = worded_steps(TREE, CLAIM)
    stock, made = stock_of(steps), dict.fromkeys(KINDS, 1) | {"conclusion-of-the-tree": 0}
    first = wrong_step(steps[0], stock, made, random.Random(0))
    last = wrong_step(steps[2], stock, made, random.Random(0))
    assert first is not None and first.kind == "conclusion-of-the-tree"
    assert last is not None and last.kind == "sentence-alike"  # no other conclusion, no leaf among the premises


def test_nothing_wrong_can_be_made_of_a_step_that_stands_alone() -> None:
    step = WordedStep(("fish swim",), "trout swim", (False,))
    assert wrong_step(step, stock_of([step]), {}, random.Random(0)) is None


def test_each_true_step_of_the_samples_has_a_wrong_one_and_kinds_are_even() -> None:
    items = _items(STEP, _source("samples"))
    kinds = _kinds(items)
    assert kinds.pop("true") == 34 == kinds.total()  # 34 steps in ten trees
    assert set(kinds) == set(KINDS)
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert all((item.gold == 1) == item.id.endswith("/true") for item in items)
    true = {
        (frozenset(said.split(". ")), said_then) for said, said_then in (i.options[0][0] for i in items if i.gold)
    }
    wrong = {(frozenset(said.split(". ")), then) for said, then in (i.options[0][0] for i in items if not i.gold)}
    assert not true & wrong


def test_the_seed_decides_what_is_wrong() -> None:
    first, again, other = (_items(STEP, _source("samples", seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        (("yes", "fact1", "yes"), 1),  # it follows, whether from both or from one
        (("fact1", "no", "fact1"), 1),
        (("no", "no", "yes"), 0),
        (("not-quite", "bad-answer", "yes"), 0),  # something is missing; the answer is wrong
        (("yes", "no"), None),  # divided
        (("yes", "unsure"), 1),
        (("unsure",), None),
    ],
)
def test_votes(votes: tuple[str, ...], label: int | None) -> None:
    assert verdict_of(votes) == label


def test_chains_with_votes_are_asked_as_people_judged_them(tmp_path: Path) -> None:
    path = tmp_path / "chains.tsv"
    path.write_text(
        "QID\tChain#\tFact1\tFact2\tTurks\tDF\n"
        "7\t1\tStars are hot.\tThe sun is a star.\tyes yes no\tthe sun is hot\n"
        "7\t2\tStars are hot.\tFish swim.\tno yes\tthe sun is hot\n"
    )
    first, second = _items(CHAIN, _source(path))
    assert first == Item("7-1", ((("Stars are hot. The sun is a star.", "the sun is hot"),),), 1, "the sun is hot")
    assert second.gold is None
    assert second.group == first.group


def test_an_unknown_vote_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chains.tsv"
    path.write_text("QID\tFact1\tFact2\tTurks\tDF\n7\ta\tb\tmaybe\tc\n")
    with pytest.raises(DataError, match=r"chains\.tsv, line 2: expected votes like yes, .*found maybe"):
        CHAIN.items(_source(path))


def test_chains_that_are_not_here_are_named_with_the_way_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"obqa_chains.*whence data get eqasc"):
        CHAIN.items(_source(CHAIN.test, folder=tmp_path))


@pytest.mark.real_data
def test_dev_has_597_steps_and_as_many_wrong_ones(real_data: Path) -> None:
    items = _items(STEP, _source("dev", folder=real_data))
    # 597 steps in 187 gold trees: 541 have two premises (counted from the proofs).
    assert Counter(item.gold for item in items) == {1: 597, 0: 597}
    assert set(_kinds(items).values()) == {597, 120, 119}
    assert len({item.id for item in items}) == len(items)
    assert len({item.group for item in items}) == 187


@pytest.mark.real_data
def test_examples_with_the_same_id_have_steps_of_their_own(real_data: Path) -> None:
    items = _items(STEP, _source("test", folder=real_data))
    # Rows 297 and 298 of test share an id.
    assert len({item.id for item in items}) == len(items) == 2 * 1109
    assert any(item.id.startswith("Mercury_SC_405304 (2)/") for item in items)


@pytest.mark.real_data
def test_chains(real_data: Path) -> None:
    voted = _items(CHAIN, _source("eobqa", folder=real_data))
    # 998 chains to 499 conclusions; 73 of them divide the voters.
    assert Counter(item.gold for item in voted) == {0: 691, 1: 234, None: 73}
    assert len({item.group for item in voted}) == 499
    perturbed = _items(CHAIN, _source("eqasc-perturbed", folder=real_data))
    # Their trees have one step, so nothing of the same tree can be exchanged.
    assert _kinds(perturbed) == {
        "true": 855,
        "sentence-alike": 285,
        "premise-missing": 285,
        "conclusion-alike": 285,
    }
