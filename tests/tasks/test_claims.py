"""Contradicting claims are what the paper says, and the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.tasks import TASKS
from whence.tasks.dialogue_triplets.data.claims import STRATEGIES, contradictions, read_claims
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.loading import load

TRUE = [("rain", "Causes", "wet street"), ("umbrella", "Used For", "rain"), ("wet", "Antonym", "dry")]


def test_none_is_true_none_is_twice() -> None:
    for triplet in TRUE:
        made = [wrong for _, wrong in contradictions(triplet, TRUE, 8, "x")]
        assert len(made) == len(set(made)) == 8
        assert not set(made) & set(TRUE)


def test_a_symmetric_relation_is_not_reversed() -> None:
    made = [wrong for _, wrong in contradictions(("wet", "Antonym", "dry"), TRUE, 20, "x")]
    assert ("dry", "Antonym", "wet") not in made
    assert all(how != "reverse" for how, _ in contradictions(("wet", "Antonym", "dry"), TRUE, 20, "x"))


def test_every_strategy_is_used() -> None:
    used = Counter(how for number in range(40) for how, _ in contradictions(TRUE[0], TRUE, 4, str(number)))
    assert set(used) == set(STRATEGIES)


def test_what_strategies_change() -> None:
    head, relation, tail = TRUE[0]
    for number in range(40):
        for how, wrong in contradictions(TRUE[0], TRUE, 4, str(number)):
            if how == "reverse":
                assert wrong == (tail, relation, head)
            elif how == "relation":
                assert wrong[0] == head and wrong[2] == tail and wrong[1] in RELATIONS
            elif how == "span":
                assert wrong[1] == relation and (wrong[0] == head) != (wrong[2] == tail)


@given(
    st.lists(st.tuples(st.text(max_size=3), st.sampled_from(sorted(RELATIONS)), st.text(max_size=3)), min_size=1)
)
def test_a_dialogue_with_few_spans_gives_fewer_and_never_hangs(true: list[tuple[str, str, str]]) -> None:
    made = list(contradictions(true[0], true, 8, "x"))
    assert len(made) <= 8
    assert all(wrong not in true for _, wrong in made)


def test_same_seed_same_claims_whatever_else_is_loaded(tmp_path: Path) -> None:
    text = "A: rain again    B: take the umbrella"
    rain, umbrella = ([text.index(span), text.index(span) + len(span)] for span in ("rain", "umbrella"))
    triplets = [
        {"head": "umbrella", "relation": "UsedFor", "tail": "rain", "headpos": umbrella, "tailpos": rain},
        {"head": "rain", "relation": "Causes", "tail": "wet", "headpos": rain, "tailpos": [-1, -1]},
    ]
    dialogues = [{"id": name, "utterances": text, "triplets": triplets} for name in ("a", "b")]
    both, one = tmp_path / "both.json", tmp_path / "one.json"
    both.write_text(json.dumps(dialogues))
    one.write_text(json.dumps(dialogues[1:]))
    alone = read_claims(one, negatives=2).examples
    assert alone == tuple(e for e in read_claims(both, negatives=2).examples if e.id.startswith("b-"))
    assert alone != read_claims(one, negatives=2, seed=1).examples
    assert Counter(e.golds[0].name for e in alone) == {"entailed": 2, "not entailed": 4}


@pytest.mark.real_data
def test_folds_have_the_size_of_table_3(real_data: Path) -> None:
    for split, paper, negatives in (("fold1-train", 3627, 2), ("fold1-test", 912, 8)):
        found = Counter(e.golds[0].name for e in load(TASKS["cider-nli"], split, lambda: real_data).examples)
        assert found["entailed"] == pytest.approx(paper, rel=0.01)
        assert found["not entailed"] == negatives * found["entailed"]
