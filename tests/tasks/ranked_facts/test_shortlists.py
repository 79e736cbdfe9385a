"""Shortlists for raters and what raters said, by hand-made rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from whence.commands.application import application
from whence.errors import MissingDataError, UsageError
from whence.pipeline.recipes import recipe_named
from whence.pipeline.runs import predict
from whence.pipeline.shortlist import write_shortlists
from whence.pipeline.train import train
from whence.structures.facts import Fact, FactSet, FactUse, Question, Ranking
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.loading import read_dataset, samples
from whence.tasks.ranked_facts.data.files import read
from whence.tasks.ranked_facts.shortlists import rating_tables, shortlist
from whence.tasks.sources import data_folder

FACTS = {name: Fact(name, f"fact {name}", "SYNONYMY" if name == "s" else "KINDOF") for name in "abcdefs"}
GOLD = FactSet((FactUse("A", "CENTRAL"), FactUse("f", "GROUNDING"), FactUse("s"), FactUse("unknown")))


@pytest.mark.parametrize(
    ("rankings", "most", "expected"),
    [
        (["abc", "bde"], 2, "abdf"),  # in turns: a, b, (b), d; then what is gold
        (["sabc"], 2, "abf"),  # synonymy takes no place, gold or not
        ([], 20, "af"),  # gold alone
        (["abcdef", "fedcba"], 20, "afbecd"),
    ],
)
def test_the_best_of_each_ranker_and_gold(rankings: list[str], most: int, expected: str) -> None:
    found = shortlist(GOLD, [Ranking(tuple(names)) for names in rankings], FACTS, most)
    assert "".join(use.id for use in found.facts) == expected
    assert {use.id for use in found.facts if use.gold} == {"a", "f"}
    assert {use.role for use in found.facts if use.gold} == {"CENTRAL", "GROUNDING"}
    assert not any(use.ratings for use in found.facts)


def _runs(folder: Path) -> list[Path]:
    made = []
    for recipe in ("small.facts", "small.facts-tfidf"):
        model = train(
            [recipe_named(task_named("worldtree"), recipe, ["split=samples"])],
            folder / f"{recipe}-model",
            data_folder,
        )
        predict(model, "worldtree/facts", "samples", folder / recipe, data_folder)
        made.append(folder / recipe)
    return made


def test_what_the_command_writes_is_read_again(tmp_path: Path) -> None:
    runs = _runs(tmp_path)
    told = CliRunner().invoke(
        application, ["shortlist", *map(str, runs), "-o", str(tmp_path / "s.jsonl"), "--most", "3", "--json"]
    )
    assert told.exit_code == 0, told.output
    dataset = read_dataset(task_named("worldtree"), tmp_path / "s.jsonl")
    golds = {example.id: example.golds[0] for example in samples(task_named("worldtree")).examples}
    sizes = [len(example.golds[0].facts) for example in dataset.examples]
    row = json.loads(told.output)["rows"]["all"]
    assert row["facts a question"] == {"value": sum(sizes) / len(sizes), "published": 28.9}
    assert row["facts"]["value"] == sum(sizes)
    facts = samples(task_named("worldtree")).facts
    for example in dataset.examples:
        gold = {use.id for use in golds[example.id].facts if use.gold and facts[use.id].table != "SYNONYMY"}
        assert {use.id for use in example.golds[0].facts if use.gold} == gold
        assert len(gold) <= len(example.golds[0].facts) <= 6 + len(gold)


def test_wrong_runs_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no run there"):
        write_shortlists([tmp_path], tmp_path / "s.jsonl", 20, data_folder)
    with pytest.raises(UsageError, match="at least one fact"):
        write_shortlists([tmp_path], tmp_path / "s.jsonl", 0, data_folder)


def test_ratings_are_averaged_rounded_up_and_set_beside_gold() -> None:
    """By hand: 1 and 2 make 2; one rating stands for itself; raters agree on one fact of three."""
    uses = (
        FactUse("a", "", (3, 3)),
        FactUse("b", "", (1, 2), gold=False),
        FactUse("c", "", (0,), gold=False),
        FactUse("d", "", (2, 0), gold=False),
    )
    dataset = Dataset((Example("q", Question("why?", "so"), (FactSet(uses),)),), (1,))
    ratings, raters = rating_tables(dataset)
    assert {name: [cell.value for cell in cells if cell] for name, cells in ratings.rows} == {
        "gold": [0, 0, 0, 1],
        "not gold": [1, 1, 1, 0],
    }
    facts, agreement, _kappa, by_one = (cell.value for cell in raters.rows[0][1] if cell)
    assert (facts, by_one) == (3, 50) and agreement == pytest.approx(1 / 3)


def test_published_ratings_have_one_rating_a_fact(tmp_path: Path) -> None:
    documents = [{"uuid": "f-1", "relevance": 2, "isGoldWT21": True}, {"uuid": "f-2", "relevance": 0}]
    path = tmp_path / "ratings.json"
    problem = {"qid": "q", "queryText": "why? [ANSWER] so", "documents": documents}
    path.write_text(json.dumps({"rankingProblems": [problem]}), encoding="utf-8")
    (table,) = rating_tables(read(path))
    assert [cell.value for cell in table.rows[0][1] if cell] == [0, 0, 1, 0]
