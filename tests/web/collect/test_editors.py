"""Forms and answers: what stands in the fields is the answer, and what is an answer stands in the fields."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra collect")

from starlette.datastructures import FormData

from whence.collection.configuration import Stage, Write
from whence.tasks.task import Relation
from whence.web.collect.editors import graph, text, tree, triplets, worksheet
from whence.web.collect.fields import Fields
from whence.web.collect.items import blocks

TURNS = {"utterances": [{"speaker": "A", "text": "It rains, and it rains."}, {"speaker": "B", "text": "Stay in."}]}
FACTS = {
    "hypothesis": "foam keeps tea hot",
    "context": [{"id": "sent1", "text": "foam is an insulator"}, {"id": "sent2", "text": "insulators keep heat"}],
    "worksheet": {"categories": {"sent2": "core"}, "facts": ["tea is warm"]},
}
RELATIONS = (Relation("causes"), Relation("Causes", "Causal"))
FIELD = Write("f")


def _fields(**given: str | list[str]) -> Fields:
    pairs = [
        (f"field:f{name}", one)
        for name, value in given.items()
        for one in ([value] if isinstance(value, str) else value)
    ]
    return Fields(FormData([(name.replace("__", ":"), value) for name, value in pairs]), "field:f")


def test_a_text_is_one_line() -> None:
    assert text.read(_fields(**{"": "  two\n lines "}), {}, "") == "two lines"
    assert text.read(_fields(**{"": "  "}), {}, "") is None


def test_empty_rows_are_no_facts_and_a_button_removes_one() -> None:
    rows = {
        "__0__head": "trees",
        "__0__relation": "causes",
        "__0__tail": " shade ",
        "__1__head": "",
        "__2__head": "x",
    }
    fact = {"head": "trees", "relation": "causes", "tail": "shade"}
    assert graph.read(_fields(**rows), {}, "")["edges"][0] == fact
    assert graph.read(_fields(**rows), {}, "remove:2") == {"edges": [fact]}
    assert graph.read(_fields(), {}, "") is None


def test_a_graph_that_is_refined_shows_what_changed() -> None:
    before = {
        "edges": [
            {"head": "a", "relation": "causes", "tail": "b"},
            {"head": "b", "relation": "causes", "tail": "c"},
        ]
    }
    after = {"edges": [before["edges"][0], {"head": "b", "relation": "is a", "tail": "c"}]}
    begun = graph.view(FIELD, None, {"graph": before}, "", RELATIONS)
    assert [row.head for row in begun.rows[:2]] == ["a", "b"]
    changed = graph.view(FIELD, after, {"graph": before}, "", RELATIONS)
    assert [row.was for row in changed.rows] == ["", "new", "", ""]
    assert [row.relation for row in changed.removed] == ["causes"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"text": "rains", "turn": "0", "start": "17"}, ("rains", 0, 17)),  # what a script says
        ({"text": "rains", "turn": "0"}, ("rains", 0, 3)),  # the first place
        ({"text": "rains", "turn": "0", "start": "4"}, ("rains", 0, 3)),  # the text does not stand there
        ({"text": "in", "turn": ""}, ("in", 0, 5)),  # the first turn that has it
        ({"text": "Stay", "turn": ""}, ("Stay", 1, 0)),
        ({"text": "wet", "turn": "latent"}, ("wet", None, None)),
        ({"text": "Stay", "turn": "latent"}, ("Stay", None, None)),  # meant as one that is not said
        ({"text": "wet", "turn": "1"}, ("wet", 1, None)),  # the rules will say so
        ({"text": "Stay", "turn": "99"}, ("Stay", 1, 0)),
    ],
)
def test_where_a_span_stands(given: dict[str, str], expected: tuple[Any, ...]) -> None:
    found = triplets.read(_fields(**{f"__0__head__{part}": value for part, value in given.items()}), TURNS, "")
    assert tuple(found[0]["head"].values()) == expected


def test_triplets_come_back_as_they_were() -> None:
    spans = {
        "head": {"text": "rains", "turn": 0, "start": 17},
        "tail": {"text": "wet", "turn": None, "start": None},
    }
    rows = triplets.view(FIELD, [{**spans, "relation": "Causes"}], TURNS, "", RELATIONS).rows
    assert (rows[0].head.turn, rows[0].head.start, rows[0].tail.turn, rows[0].relation) == (
        "0",
        "17",
        "latent",
        "Causes",
    )
    assert rows[1].head.text == ""
    assert len(rows) == 2


def test_facts_are_sorted_and_added() -> None:
    found = worksheet.read(
        _fields(__category__sent1="core", __category__sent2="", __own__0="new", __own__1=""), {}, ""
    )
    assert found == {"categories": {"sent1": "core"}, "facts": ["new"]}
    view = worksheet.view(Write("f", options=("core",)), found, FACTS, "more", RELATIONS)
    assert view.facts == (("sent1", "foam is an insulator", "core"), ("sent2", "insulators keep heat", ""))
    assert view.own == ("new", "", "", "")


def test_a_tree_grows_step_by_step() -> None:
    picked = _fields(__pick=["sent1", "sent2"], __written="foam keeps heat")
    first = tree.read(picked, FACTS, "join")
    assert first["steps"] == [{"premises": ["sent1", "sent2"], "conclusion": "int1", "text": "foam keeps heat"}]
    assert first["sentences"] == []
    rows = {
        "__step__0__premises": "sent1 sent2",
        "__step__0__conclusion": "int1",
        "__step__0__text": "foam keeps heat",
    }
    last = tree.read(_fields(**rows, __pick=["int1", "own1"]), FACTS, "conclude")
    assert last["steps"][1] == {"premises": ["int1", "own1"], "conclusion": "hypothesis", "text": ""}
    assert last["sentences"] == [{"id": "own1", "text": "tea is warm"}]  # brought along from the worksheet
    view = tree.view(FIELD, last, FACTS, "", RELATIONS)
    assert view.done
    assert [line.id for line in view.lines] == ["sent2", "sent1", "own1", "int1"]  # what is on the worksheet first
    assert tree.read(_fields(**rows), FACTS, "undo:0") is None


def test_nothing_is_joined_where_nothing_is_ticked() -> None:
    assert tree.read(_fields(__written="so it is"), FACTS, "join") is None


def test_facts_of_ones_own_keep_their_names() -> None:
    added = tree.read(_fields(__new="cups hold tea"), FACTS, "add-own")
    assert added["sentences"] == [{"id": "own2", "text": "cups hold tea"}]  # own1 is the worksheet's
    assert tree.view(FIELD, added, FACTS, "", RELATIONS).own == ((2, "cups hold tea"),)
    again = tree.read(_fields(__own__2="cups hold tea", __new="and more"), FACTS, "add-own")
    assert [one["id"] for one in again["sentences"]] == ["own2", "own3"]
    assert tree.read(_fields(__own__2="cups hold tea"), FACTS, "remove-own:2") is None


def test_a_reviewed_tree_shows_what_was_said_of_its_steps() -> None:
    reviewed = {
        **FACTS,
        "tree": {
            "steps": [{"premises": ["sent1", "sent2"], "conclusion": "hypothesis", "text": ""}],
            "sentences": [],
        },
        "review": [{"part": "/tree/steps/0", "answer": "needs an edit", "remark": "say why"}],
    }
    assert tree.view(FIELD, None, reviewed, "", RELATIONS).steps[0].remark == "say why"


@pytest.mark.parametrize(
    ("editor", "item", "empty"),
    [
        (graph, {"graph": {"edges": [{"head": "a", "relation": "causes", "tail": "b"}]}}, {"edges": []}),
        (tree, {"tree": {"steps": [{"premises": ["sent1"]}]}}, {"steps": [], "sentences": []}),
    ],
)
def test_what_was_taken_back_altogether_does_not_return(editor: Any, item: Any, empty: Any) -> None:
    assert editor.read(_fields(), item, "") == empty
    view = editor.view(FIELD, empty, item, "", RELATIONS)
    assert not [row for row in (view.rows if editor is graph else view.steps) if editor is tree or row.head]


@pytest.mark.parametrize("editor", [text, graph, triplets, worksheet, tree])
@pytest.mark.parametrize(
    "value", [None, "", 3, [], {}, [1], {"edges": 3}, {"steps": [1]}, {"steps": [{}]}, {"facts": [3]}]
)
def test_whatever_a_draft_holds_can_be_shown(editor: Any, value: Any) -> None:
    """Drafts are kept as they come; a page must never break on one."""
    assert editor.view(FIELD, value, FACTS, "", RELATIONS) is not None
    assert (
        editor.view(FIELD, value, {"context": 3, "utterances": "no", "worksheet": [], "graph": []}, "", RELATIONS)
        is not None
    )


def test_parts_have_the_names_that_people_understand() -> None:
    stage = Stage("s", "S", shows=("obs1", "split_of"), called={"obs1": "Beginning"})
    assert [block.title for block in blocks(stage, {"obs1": "It rained.", "split_of": "x"})] == [
        "Beginning",
        "split of",
    ]
