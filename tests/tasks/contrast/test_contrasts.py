"""Contrast sets: labels by construction, the same for the same seed, none that the trial has."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from whence.errors import DataError
from whence.structures.verdict import CONTRADICTS, FOLLOWS, LABELS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import negate, plural, say, with_article
from whence.tasks.contrast.mixing import FAMILIES, family_set, worlds
from whence.tasks.contrast.steps import GivenStep, GivenTree, Stock, overlap, step_contrasts, tree_contrasts
from whence.tasks.contrast.task import CONTRAST
from whence.tasks.contrast.written_worlds import read_worlds, world_contrasts, written_set, written_worlds
from whence.tasks.loading import load


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_makes_all_labels_and_no_claim_of_two(family: str) -> None:
    made = worlds(family, seed=7)
    contrasts = [contrast for _ in range(30) for contrast in next(made)]
    assert {contrast.label for contrast in contrasts} == set(LABELS)
    labels: dict[tuple[frozenset[str], str], str] = {}
    for contrast in contrasts:
        assert "  " not in contrast.conclusion and contrast.conclusion.strip()
        key = frozenset(contrast.premises), contrast.conclusion
        assert labels.setdefault(key, contrast.label) == contrast.label, contrast


def test_a_set_is_balanced_and_the_same_for_the_same_seed() -> None:
    contrasts = family_set(270, seed=3)
    assert contrasts == family_set(270, seed=3) != family_set(270, seed=4)
    assert len(contrasts) == 270
    assert min(Counter(contrast.label for contrast in contrasts).values()) > 70


def test_worlds_written_by_hand_lose_a_fact_and_what_follows() -> None:
    [lorries, *_] = [world for world in written_worlds() if "{p} is on a bicycle" in world.facts]
    contrasts = list(world_contrasts(lorries, random.Random(0)))
    dropped = [contrast for contrast in contrasts if contrast.kind == "written, premise dropped"]
    assert [contrast.label for contrast in dropped] == [UNKNOWN]
    assert len(dropped[0].premises) == len(lorries.facts) - 1
    assert not any("{" in text for contrast in contrasts for text in (*contrast.premises, contrast.conclusion))


def test_every_written_world_has_claims_of_all_labels() -> None:
    assert len(written_worlds()) >= 250
    for world in written_worlds():
        assert {mark for mark, _ in world.claims} & {"+", "="}, world
        assert {mark for mark, _ in world.claims} >= {"-", "?"}, world


def test_a_line_without_a_mark_is_named(tmp_path: Path) -> None:
    path = tmp_path / "worlds.txt"
    path.write_text("a fact / another\n+ a claim\n\na third fact\nno mark\n", encoding="utf-8")
    with pytest.raises(DataError, match="5"):
        list(read_worlds(path))


def test_nothing_of_the_trial_is_learnt() -> None:
    """Nor can it be: the task offers nothing to learn, and what the verifier learns is made elsewhere."""
    assert not CONTRAST.heads()
    made = [*written_set(0), *written_set(1), *written_set(2)]
    made += [contrast for seed in (1, 2, 3, 4) for contrast in family_set(8000, seed)]
    learnt = {contrast.conclusion for contrast in made}
    for name in ("trial", "development"):
        examples = load(CONTRAST, name, Path).examples
        assert len(examples) >= 60
        assert {example.golds[0].name for example in examples} == set(LABELS)
        assert not learnt & {example.inputs.conclusion for example in examples}


STEP = GivenStep(("a robin is a kind of bird", "birds lay eggs"), "a robin lays eggs")


def test_a_step_is_negated_and_loses_a_premise() -> None:
    stock = Stock([STEP, GivenStep(("an oak is a kind of tree", "trees need light"), "an oak needs light")])
    made = [contrast for seed in range(20) for contrast in step_contrasts(STEP, stock, random.Random(seed))]
    assert Contrast(STEP.premises, STEP.conclusion, FOLLOWS, "step") in made
    assert any(c.label == CONTRADICTS and c.conclusion == "a robin does not lay eggs" for c in made)
    assert any(c.label == UNKNOWN and c.conclusion == STEP.conclusion and len(c.premises) == 1 for c in made)


def test_a_tree_keeps_its_label_among_distractors() -> None:
    tree = GivenTree(
        ("a robin is a bird", "birds lay eggs"), "a robin lays eggs", ("iron is a metal", "ice is cold")
    )
    made = [c for seed in range(20) for c in tree_contrasts(tree, Stock([STEP]), random.Random(seed))]
    for kind, label in (("tree with distractors", FOLLOWS), ("tree with distractors, negated", CONTRADICTS)):
        assert {c.label for c in made if c.kind == kind} == {label}


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("a whale is a kind of mammal", {"a whale is not a kind of mammal", "a whale isn't a kind of mammal"}),
        ("birds cannot swim", {"birds can swim"}),
        ("the lake has frozen", {"the lake has not frozen"}),
        ("some birds can fly", {None}),
        ("there are birds that cannot fly", {None}),
        ("all metals are solid", {"not all metals are solid"}),
    ],
)
def test_negation(sentence: str, denied: set[str | None]) -> None:
    whole = {f"it is {words} {sentence}" for words in ("not true that", "false that", "not the case that")}
    found = {negate(sentence, random.Random(seed)) for seed in range(30)}
    assert found & denied and found <= denied | whole


def test_english() -> None:
    assert plural("garden spider") == "garden spiders" and plural("berry") == "berries"
    assert with_article("owl") == "an owl" and with_article("unicorn") == "a unicorn"
    assert say("a finch", "have feathers") == "a finch has feathers"
    assert say("finches", "be small", many=True, yes=False) == "finches are not small"


def test_overlap_is_the_share_of_the_conclusions_words() -> None:
    assert overlap(("birds lay eggs",), "a bird lays stones") == pytest.approx(2 / 3)
