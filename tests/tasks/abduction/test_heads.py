"""ART's question as models read it: the five models of section 3.1, in the input forms of Table 7."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.models.items import Item, Verdict
from whence.models.learners import KINDS, learner
from whence.structures.results import Label
from whence.tasks.abduction.data.files import read_unlike_pairs, words_in_both
from whence.tasks.abduction.heads.heads import FORMS, HEADS
from whence.tasks.abduction.task import TASKS
from whence.tasks.head import Source, lesson, predictions
from whence.tasks.loading import load

ANLI = TASKS[0]
(CHOICE,) = HEADS["anli"]
ROW = (
    '{"story_id": "a", "obs1": "It rained.", "obs2": "He was dry.", "hyp1": "He ran.", "hyp2": "He stayed.", '
    '"label": "2"}\n'
)


def nowhere() -> Path:
    raise AssertionError("no data folder is needed")


def items(where: str, form: str = "") -> list[Item]:
    found = CHOICE.items(Source(ANLI, where, nowhere, form))
    assert all(isinstance(item, Item) for item in found)
    return list(found)  # type: ignore[arg-type]


@pytest.fixture
def row(tmp_path: Path) -> str:
    path = tmp_path / "one.jsonl"
    path.write_text(ROW)
    return str(path)


@pytest.mark.parametrize(
    ("form", "first", "second"),
    [
        ("", (("It rained. He was dry.", "He ran."),), (("It rained. He was dry.", "He stayed."),)),
        ("fully-connected", (("It rained. He was dry.", "He ran."),), (("It rained. He was dry.", "He stayed."),)),
        (
            "linear-chain",
            (("It rained.", "He ran."), ("He ran.", "He was dry.")),
            (("It rained.", "He stayed."), ("He stayed.", "He was dry.")),
        ),
        ("hypothesis", (("He ran.", ""),), (("He stayed.", ""),)),
        ("first", (("It rained.", "He ran."),), (("It rained.", "He stayed."),)),
        ("story", (("It rained. He ran.", "He was dry."),), (("It rained. He stayed.", "He was dry."),)),
        (
            "chain-rule",
            (("It rained.", "He ran."), ("It rained. He ran.", "He was dry.")),
            (("It rained.", "He stayed."), ("It rained. He stayed.", "He was dry.")),
        ),
        ("second", (("He ran.", "He was dry."),), (("He stayed.", "He was dry."),)),
    ],
)
def test_a_form_says_what_is_read_and_in_which_order(row: str, form: str, first: object, second: object) -> None:
    (item,) = items(row, form)
    assert item.options == (first, second)
    assert (item.id, item.gold, item.group) == ("a", 1, "It rained.\nHe was dry.")


def test_every_form_is_offered_and_no_other() -> None:
    assert CHOICE.forms == tuple(FORMS) and CHOICE.forms[0] == "fully-connected"
    with pytest.raises(
        UsageError, match="fully-connected, linear-chain, hypothesis, first, second, story, chain-"
    ):
        items("samples", "backwards")


def test_samples_are_asked_one_by_one_and_answered() -> None:
    dataset = Source(ANLI, "samples", nowhere).dataset()
    asked = items("samples")
    assert [item.id for item in asked] == [example.id for example in dataset.examples]
    verdicts = [Verdict(item.id, probabilities=(0.2, 0.8) if item.gold else (0.6, 0.4)) for item in asked]
    answers = list(predictions(CHOICE, dataset, verdicts))
    assert [answer.explanation for answer in answers] == [example.golds[0] for example in dataset.examples]
    assert Label("1") in [answer.explanation for answer in answers]
    assert Label("2") in [answer.explanation for answer in answers]


def test_equal_hypotheses_go_to_the_first(row: str) -> None:
    dataset = Source(ANLI, row, nowhere).dataset()  # ties to 1, as in the released scorer
    (answer,) = predictions(CHOICE, dataset, [Verdict("a", probabilities=(0.5, 0.5))])
    assert answer.explanation == Label("1")


@pytest.mark.real_data
def test_published_pairs(real_data: Path) -> None:
    train = CHOICE.items(Source(ANLI, CHOICE.train, lambda: real_data))
    dev = CHOICE.items(Source(ANLI, CHOICE.test, lambda: real_data))
    assert len(dev) == 1532  # Table 6
    assert len({item.group for item in dev}) == 1532
    assert len({item.id for item in train}) == len(train) == 35_423
    assert len({item.group for item in train}) == 15_010  # the contexts of the pools beside it
    assert not {item.group for item in train} & {item.group for item in dev}
    learnt = lesson("anli/choice", CHOICE, train, held_out=0.1, seed=0)
    assert len({item.group for item in learnt.dev}) == 1501
    assert not {item.group for item in learnt.train} & {item.group for item in learnt.dev}
    assert len(learnt.train) + len(learnt.dev) == 35_423


def test_pairs_of_pools_are_worded_differently(tmp_path: Path) -> None:
    pools = [
        {
            "plausible": ["It rained all day.", "A pipe burst."],
            "implausible": ["It did not rain all day.", "It shone."],
        },
        {"plausible": ["Ann ran to school."], "implausible": ["Ann did not run to school."]},
        {"plausible": ["Bo slept."], "implausible": []},
    ]
    path = tmp_path / "mine.jsonl"
    rows = [{"obs1": f"One {place}.", "obs2": "Two.", **pool} for place, pool in enumerate(pools)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    found = read_unlike_pairs(path)
    (example,) = found.examples
    right, wrong = example.inputs.hyp1, example.inputs.hyp2
    if example.golds[0] == Label("2"):
        right, wrong = wrong, right
    assert (right, wrong) == ("A pipe burst.", "It did not rain all day.")  # nothing in common, and the first such
    assert (example.id, found.lines) == ("mine-1", (1,))
    assert {note.name: note.count for note in found.notes} == {"edits": 1, "no pair": 1}
    assert read_unlike_pairs(path) == found


@pytest.mark.real_data
def test_published_pools_as_pairs(real_data: Path) -> None:
    examples = load(ANLI, "pools", lambda: real_data).examples
    both = [words_in_both(example.inputs.hyp1, example.inputs.hyp2) for example in examples]
    assert max(both) <= 1 / 3
    right = [example.golds[0].name for example in examples]
    assert 0.48 < right.count("1") / len(right) < 0.52
    contexts = {(example.inputs.obs1, example.inputs.obs2) for example in examples}
    dev = load(ANLI, "dev", lambda: real_data).examples
    assert not contexts & {(example.inputs.obs1, example.inputs.obs2) for example in dev}


@pytest.mark.parametrize("name", ["small", "paper"])
def test_recipes_name_what_there_is(name: str) -> None:
    rows = tomllib.loads((ANLI.recipes / f"{name}.toml").read_text())["anli"]
    assert next(iter(rows.values()))["kind"] == "transformer"  # what is trained where no table is named
    assert {"fully-connected", "linear-chain", "hypothesis", "first", "second"} <= set(rows)
    for row in rows.values():
        assert row["head"] == CHOICE.name
        assert row["kind"] in KINDS
        assert row.get("form", "") in ("", *CHOICE.forms)


def test_recipes_set_what_a_kind_has() -> None:
    common = {"head", "kind", "form", "held_out", "examples", "start", "contaminated"}
    for name in ("small", "paper"):
        rows = tomllib.loads((ANLI.recipes / f"{name}.toml").read_text())["anli"]
        for row in rows.values():
            if row["kind"] != "transformer":
                learner(row["kind"]).Settings(**{key: row[key] for key in row.keys() - common})
