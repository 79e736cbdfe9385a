from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from whence.errors import MissingDataError, UsageError
from whence.models.items import Item
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.structures.facts import Fact, Question
from whence.tasks import TASKS
from whence.tasks.head import Head, Source, lesson
from whence.tasks.loading import samples
from whence.tasks.ranked_facts.heads.heads import FORMS, HEADS, fact_items, left_out

RELEVANCE, RATING = (head for head in HEADS if head.name in ("relevance", "rating"))
TASK = TASKS["worldtree"]


def _source(where: str | Path, form: str = "", seed: int = 0, folder: Path = Path("nowhere")) -> Source:
    return Source(TASK, str(where), lambda: folder, form, seed)


def _items(head: Head, source: Source) -> list[Item]:
    return [item for item in head.items(source) if isinstance(item, Item)]


def _pair(item: Item) -> tuple[str, str]:
    return item.options[0][0]


def test_a_fact_is_read_with_the_question_and_its_answer_but_not_with_the_options() -> None:
    question = Question("What melts?", "ice", (("A", "ice"), ("B", "sand")))
    (item,) = fact_items("q1", question, [Fact("f1", "ice is a kind of solid")])
    assert item == Item("q1/f1", ((("What melts? ice", "ice is a kind of solid"),),), None, "q1")


def test_gold_facts_of_a_sample_are_relevant_and_five_random_and_five_alike_are_not() -> None:
    items = [item for item in _items(RELEVANCE, _source("samples")) if item.group == "sample-q01"]
    # By hand: the sample has six gold facts.
    assert [item.gold for item in items] == [1] * 6 + [0] * 10
    assert items[0].id == "sample-q01/bde5-d625-842a-2a78"


def test_no_fact_is_asked_twice_and_none_that_anyone_found_relevant_is_a_wrong_one() -> None:
    dataset = samples(TASK)
    for form in FORMS:
        items = _items(RELEVANCE, _source("samples", form))
        assert len({item.id for item in items}) == len(items)
        wrong = {item.id for item in items if item.gold == 0}
        relevant = {
            f"{example.id}/{use.id}"
            for example in dataset.examples
            for use in example.golds[0].facts
            if use.gold or use.rating
        }
        assert wrong and not wrong & relevant


def test_the_paper_s_form_draws_two_hundred_facts_or_all_there_are() -> None:
    # 214 facts are bundled; the first sample's raters found 10 of its facts relevant (6 gold, 4 more).
    counts = Counter(item.gold for item in _items(RELEVANCE, _source("samples", "paper")) if "q01/" in item.id)
    assert counts == {1: 6, 0: 200}


def test_an_identical_sentence_under_another_id_is_no_wrong_fact(tmp_path: Path) -> None:
    _table_store(tmp_path, {"f1": "ice melts", "f2": "ice melts", "f3": "sand is dry", "f4": "ice is cold"})
    (tmp_path / "questions.tsv").write_text(
        "QuestionID\tAnswerKey\tquestion\texplanation\nq1\tA\tWhat melts? (A) ice (B) sand\tf1|CENTRAL\n"
    )
    items = _items(RELEVANCE, _source(tmp_path / "questions.tsv"))
    assert sorted((item.id, item.gold) for item in items) == [("q1/f1", 1), ("q1/f3", 0), ("q1/f4", 0)]


def test_the_seed_decides_what_is_drawn() -> None:
    first, again, other = (_items(RELEVANCE, _source("samples", seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert [item for item in first if item.gold] == [item for item in other if item.gold]


def test_hard_facts_share_words_with_the_question() -> None:
    """Each question's drawn facts are five random ones, then five that share a word."""
    by_question: dict[str, list[Item]] = {}
    for item in _items(RELEVANCE, _source("samples")):
        if item.gold == 0:
            by_question.setdefault(item.group, []).append(item)
    for items in by_question.values():
        assert len(items) == 10
        for asked, fact in map(_pair, items[5:]):
            assert _letters(asked) & _letters(fact)


def _letters(text: str) -> set[str]:
    """The first four letters of words: endings differ."""
    return {word.strip(".,;?").lower()[:4] for word in text.split()}


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="'many'; there are mixed, paper"):
        RELEVANCE.items(_source("samples", "many"))


def _table_store(folder: Path, facts: dict[str, str]) -> None:
    (folder / "tables").mkdir(parents=True)
    rows = "".join(f"{text}\t{name}\n" for name, text in facts.items())
    (folder / "tables" / "ALL.tsv").write_text(f"TEXT\t[SKIP] UID\n{rows}")
    (folder / "tableindex.txt").write_text("ALL.tsv\n")


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """A hand-made file in the published form, in a folder of its own, beside a data folder with a table store."""
    _table_store(tmp_path / "data" / "worldtree", {"f1": "ice is a kind of solid", "f2": "fish swim", "f3": "sun"})
    documents: list[dict[str, Any]] = [
        {"uuid": "F1", "relevance": 3, "isGoldWT21": True},
        {"uuid": "f2", "relevance": 0, "isGoldWT21": False},
        {"uuid": "gone", "relevance": 1, "isGoldWT21": False},
    ]
    problem = {"qid": "q1", "questionText": "What melts?", "answerText": "ice", "documents": documents}
    path = tmp_path / "mine" / "rated.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"rankingProblems": [problem]}))
    return path


def test_rated_facts_of_a_file_are_asked_with_their_ratings(ratings: Path) -> None:
    items = _items(RATING, _source(ratings, folder=ratings.parents[1] / "data"))
    # The id of the first differs in case from the table's; the third fact is in no table.
    assert [(item.id, item.gold and RATING.labels[item.gold]) for item in items] == [("q1/f1", "3"), ("q1/f2", 0)]
    assert _pair(items[0]) == ("What melts? ice", "ice is a kind of solid")


def test_facts_that_no_table_has_are_counted(ratings: Path) -> None:
    notes = left_out(_source(ratings, folder=ratings.parents[1] / "data"))
    assert [(note.name, note.count) for note in notes] == [("unknown fact", 1)]


def test_a_lesson_of_ratings_has_every_label_of_the_samples() -> None:
    built = lesson("worldtree/rating", RATING, RATING.items(_source("samples")), held_out=0.25, seed=0)
    assert {item.gold for item in built.train} == {0, 1, 2, 3}
    # A question is learnt from or held out whole: 3 of 12.
    assert len({item.group for item in built.dev}) == 3
    assert not {item.group for item in built.dev} & {item.group for item in built.train}


def test_ratings_that_are_not_here_are_named_with_the_way_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"wt-expert-ratings\.train\.json.*whence data get worldtree"):
        RATING.items(_source(RATING.train, folder=tmp_path))


def test_questions_without_a_table_store_are_refused(ratings: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"rated\.json.*whence data get worldtree"):
        RATING.items(_source(ratings, folder=tmp_path / "empty"))


def test_a_file_without_ratings_is_refused(tmp_path: Path) -> None:
    _table_store(tmp_path, {"f1": "ice melts"})
    (tmp_path / "questions.tsv").write_text(
        "QuestionID\tAnswerKey\tquestion\texplanation\nq1\tA\tWhat melts? (A) ice\tf1|CENTRAL\n"
    )
    with pytest.raises(UsageError, match="no rated facts; the expert ratings are ratings-train, ratings-dev"):
        RATING.items(_source(tmp_path / "questions.tsv"))


@pytest.mark.real_data
def test_dev_has_its_gold_facts_and_ten_others_a_question(real_data: Path) -> None:
    source = _source("dev", folder=real_data)
    items = _items(RELEVANCE, source)
    # 496 questions; whence data stats worldtree: 2,801 uses of facts, all known, none twice in a question.
    assert Counter(item.gold for item in items) == {1: 2801, 0: 4960}
    assert left_out(source) == ()
    assert not any("(A)" in _pair(item)[0] for item in items)


@pytest.mark.real_data
def test_what_a_training_leaves_out_stands_in_the_card(real_data: Path, tmp_path: Path) -> None:
    model = train([recipe_named(TASK, "small.facts-bm25")], tmp_path / "model", lambda: real_data)
    assert model.card["lessons"]["worldtree/facts"]["left_out"] == {
        "questions without explanation": 1,
        "facts that the table store does not have": 1,
        "examples whose question is in worldtree dev": 1,
        "examples whose question is in worldtree test": 10,
        "examples whose question is in entailmentbank-1 dev": 187,
        "examples whose question is in entailmentbank-1 test": 1,
    }


@pytest.mark.real_data
def test_of_the_training_questions_one_has_no_explanation_and_one_fact_is_in_no_table(real_data: Path) -> None:
    notes = left_out(_source("train", folder=real_data))
    assert {note.name: note.count for note in notes} == {"no explanation": 1, "unknown fact": 1}
