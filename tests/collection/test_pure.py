"""The pure parts: pointers and templates, how many are wanted, what they come to, who may do what."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.collection import configuration
from whence.collection.answers import problems, require_storable, share_right
from whence.collection.configuration import Ask, Decide, Overlap, Rules, Stage, Workers, Write
from whence.collection.deciding import decide, majority, people_wanted
from whence.collection.eligibility import Offer, Past, Person, eligible
from whence.collection.ledger_file import harmless
from whence.collection.templates import MISSING, at, fill


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", {"a": [1, {"b/c": 2}]}),
        ("/a/0", 1),
        ("/a/1/b~1c", 2),  # RFC 6901
        ("/a/2", MISSING),
        ("/x", MISSING),
        ("/a/b", MISSING),
    ],
)
def test_pointers(pointer: str, expected: Any) -> None:
    assert at({"a": [1, {"b/c": 2}]}, pointer) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("plain", "plain"),
        ("/x", 1),
        ({"a": "/x", "b": "/nothing"}, {"a": 1}),  # what points nowhere is left out
        ({"each": "/list", "make": {"v": "/each", "x": "/x"}}, [{"v": 7, "x": 1}, {"v": 8, "x": 1}]),
        ({"each": "/nothing", "make": "/each"}, []),
        ({"join": ["/nothing", "/list", [9, "/x"]]}, [7, 8, 9, 1]),
    ],
)
def test_templates(template: Any, expected: Any) -> None:
    assert fill(template, {"x": 1, "list": [7, 8]}) == expected


def _answers(*labels: str) -> list[dict[str, Any]]:
    return [{"answers": {"": label}} for label in labels]


TIE = Overlap("tie-breaker", 2)
MARGIN = Overlap("margin", 2, most=5, margin=2)


@pytest.mark.parametrize(
    ("overlap", "labels", "expected"),
    [
        (Overlap(count=3), "", 3),
        (Overlap(count=3), "aab", 3),
        (Overlap(count=1, by="/split", counts={"test": 2}), "", 2),  # two graphs a test sample
        (Overlap(count=1, by="/nothing", counts={"test": 2}), "", 1),
        (TIE, "", 2),
        (TIE, "a", 2),
        (TIE, "aa", 2),
        (TIE, "ab", 3),
        (TIE, "aba", 3),
        (TIE, "abc", 3),  # no fourth
        (MARGIN, "a", 2),
        (MARGIN, "aa", 2),
        (MARGIN, "ab", 3),
        (MARGIN, "aba", 4),
        (MARGIN, "abaa", 4),
        (MARGIN, "abab", 5),
        (MARGIN, "ababa", 5),  # no more than the most
    ],
)
def test_people_wanted(overlap: Overlap, labels: str, expected: int) -> None:
    assert people_wanted(overlap, {"split": "test"}, _answers(*labels)) == expected


@given(st.lists(st.sampled_from("abc"), max_size=8), st.sampled_from([Overlap(count=3), TIE, MARGIN]))
def test_more_answers_never_want_fewer_people(labels: list[str], overlap: Overlap) -> None:
    asked = []
    for number in range(len(labels) + 1):
        if asked and number > asked[-1]:
            return  # the job is decided: nobody is asked any more
        asked.append(people_wanted(overlap, {}, _answers(*labels[:number])))
    assert asked == sorted(asked)


@pytest.mark.parametrize(
    ("labels", "expected"), [("aab", "a"), ("ab", None), ("aabbc", None), ("a", "a"), ("aaabb", "a")]
)
def test_majority(labels: str, expected: str | None) -> None:
    assert majority(list(labels)) == expected


def _stage(**given: Any) -> Stage:
    return Stage("s", "S", "x", ("x",), **given)


def test_decisions() -> None:
    ask = Ask("q", ("support", "counter", "incorrect"))
    stage = _stage(ask=ask, decide=Decide(against="/stance"))
    item = {"stance": "support"}
    assert decide(stage, item, _answers("support", "support", "counter")).outcome == "matches"
    assert decide(stage, item, _answers("counter", "counter", "support")).outcome == "differs"
    tied = decide(stage, item, _answers("support", "counter", "incorrect"))
    assert (tied.outcome, tied.tie) == ("tie", True)
    assert decide(_stage(ask=ask, decide=Decide()), item, _answers("counter")).recorded == "counter"


def test_ratings_are_averaged_and_rounded_up() -> None:
    stage = _stage(ask=Ask("r", ("0", "1", "2", "3"), parts="/facts"), decide=Decide("mean-rounded-up"))
    item = {"facts": [{"id": "a"}, {"id": "b"}]}
    said = [{"answers": {"/facts/0": "2", "/facts/1": "0"}}, {"answers": {"/facts/0": "3", "/facts/1": "0"}}]
    decided = decide(stage, item, said)
    assert decided.recorded == [
        {"id": "a", "ratings": [2, 3], "rating": 3},  # expert ratings, sec. 4: mean 2.5, rounded up
        {"id": "b", "ratings": [0, 0], "rating": 0},
    ]
    assert decided.votes == {"/facts/0": {"2": 1, "3": 1}, "/facts/1": {"0": 2}}


def test_reviews_tell_what_is_to_be_done() -> None:
    stage = _stage(ask=Ask("s", ("ok", "edit"), parts="/steps", remarks=True), decide=Decide("all", good="ok"))
    item = {"steps": [1, 2]}
    said = [{"answers": {"/steps/0": "ok", "/steps/1": "edit"}, "remarks": {"/steps/1": "shorter"}}]
    decided = decide(stage, item, said)
    assert decided.outcome == "not all"
    assert decided.recorded == [{"part": "/steps/1", "answer": "edit", "remark": "shorter"}]
    assert decide(stage, item, [{"answers": {"/steps/0": "ok", "/steps/1": "ok"}}]).outcome == "all"


ME, OTHER = 1, 2
MADE, JUDGED = (Past("write", ME, "author"),), (Past("verify", ME, "judge"),)


@pytest.mark.parametrize(
    ("person", "offer", "reason"),
    [
        (Person(ME), Offer(_stage()), ""),
        (Person(ME, active=False), Offer(_stage()), "was excluded"),
        (Person(ME), Offer(_stage(), stage_open=False), "is not open"),
        (Person(ME), Offer(_stage(), free=False), "somebody else"),
        (Person(ME), Offer(_stage(), reserved=OTHER), "reserved"),
        (Person(ME), Offer(_stage(), reserved=ME), ""),
        (Person(ME), Offer(_stage(), done_by=(ME,)), "already"),
        (Person(ME), Offer(_stage(), done_by=(OTHER,)), ""),
        (Person(ME), Offer(_stage(workers=Workers(requires=("a", "b")))), "lacks the qualification a, b"),
        (Person(ME, qualifications=frozenset("ab")), Offer(_stage(workers=Workers(requires=("a", "b")))), ""),
        (Person(ME), Offer(_stage(), history=MADE), "made this"),
        (Person(ME), Offer(_stage(), history=(*MADE, Past("refine", OTHER, "author"))), "made this"),
        (Person(ME), Offer(_stage(workers=Workers(own=True)), history=MADE), ""),
        (Person(ME), Offer(_stage(), history=JUDGED), ""),
        (Person(ME), Offer(_stage(workers=Workers(other_than=("verify",))), history=JUDGED), "did verify"),
        (Person(ME), Offer(_stage(workers=Workers(same_as="verify")), history=JUDGED), ""),
        (Person(ME), Offer(_stage(workers=Workers(same_as="verify"))), "did not do verify"),
        (Person(ME), Offer(_stage(workers=Workers(same_as="verify")), purpose="other"), ""),  # a third
        (
            Person(ME),
            Offer(_stage(workers=Workers(same_as="write")), history=MADE),
            "",
        ),  # a revision by its author
        (Person(ME, submitted={"s": 2}), Offer(_stage(workers=Workers(cap=2))), "cap"),
        (Person(ME, submitted={"s": 1}, held={"s": 1}), Offer(_stage(workers=Workers(cap=2))), "cap"),
        (Person(ME, held={"s": 1}), Offer(_stage()), "holds one"),
        (Person(ME, submitted={"s": 2}), Offer(_stage(workers=Workers(probation=2))), "probation"),
        (Person(ME, submitted={"s": 1}), Offer(_stage(workers=Workers(probation=2))), ""),
        (Person(ME, submitted={"s": 2}, accepted={"s": 2}), Offer(_stage(workers=Workers(probation=2))), ""),
        (Person(ME), Offer(_stage(test=configuration.Test("q", tries=2)), done_by=(ME,)), ""),
        (Person(ME), Offer(_stage(test=configuration.Test("q", tries=2)), done_by=(ME, ME)), "no tries left"),
        (Person(ME, qualifications=frozenset("q")), Offer(_stage(test=configuration.Test("q"))), "has passed"),
    ],
)
def test_eligibility(person: Person, offer: Offer, reason: str) -> None:
    found = eligible(person, offer)
    assert found.may == (not reason)
    assert reason in found.reason


EDIT = _stage(
    ask=Ask("p", ("plausible", "not plausible")),
    write=(Write("text", when="plausible"),),
    rules=Rules(
        "anlg",
        {"obs1": "/item/obs1", "obs2": "/item/obs2"},
        {"text": "/answer/text", "edit_of": "/item/hypothesis"},
        warn=("length",),
    ),
)
STORY = {"obs1": "It was hot.", "obs2": "The milk was sour.", "hypothesis": "Somebody left the milk in the sun."}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({}, {("form", True)}),  # no answer, and then nothing to write
        ({"answers": {"": "not plausible"}}, set()),
        ({"answers": {"": "plausible"}}, {("form", True)}),
        ({"answers": {"": "maybe"}}, {("form", True)}),
        ({"answers": {"": "plausible"}, "text": "Somebody left the milk in the fridge."}, set()),
        ({"answers": {"": "plausible"}, "text": "Somebody left the milk in the sun."}, {("edit-budget", True)}),
        (
            {"answers": {"": "plausible"}, "text": "Nobody ever took any of that milk out at all."},
            {("edit-budget", True), ("length", False)},  # 10 words: warned only
        ),
        ({"answers": {"": "plausible"}, "text": 7}, {("form", True)}),
        ({"answers": {"": "not plausible", "/x": "plausible"}}, {("form", True)}),
        ({"answers": ["plausible"]}, {("form", True)}),
        ({"answers": {"": "not plausible"}, "remarks": {"": "so"}}, {("form", True)}),
        ({"answers": {"": "not plausible"}, "else": 1}, {("form", True)}),
    ],
)
def test_problems_of_an_edit(answer: dict[str, Any], expected: set[tuple[str, bool]]) -> None:
    assert {(found.problem.rule, found.blocks) for found in problems(EDIT, STORY, answer)} == expected


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_any_answer_has_problems_or_none(value: Any) -> None:
    """Whatever a browser sends: problems or a clear refusal, never another error."""
    from whence.errors import UsageError

    for answer in (value, {"answers": value}, {"answers": {"": "plausible"}, "text": value}, {"remarks": value}):
        try:
            require_storable(answer)
        except UsageError:
            continue
        problems(EDIT, STORY, answer)


def test_share_of_right_answers() -> None:
    gold = {"/a": "3", "/b": "0"}
    assert share_right(gold, {"/a": "2", "/b": "0"}, 0) == 0.5
    assert share_right(gold, {"/a": "2", "/b": "0"}, 1) == 1.0
    assert share_right(gold, {}, 1) == 0.0


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert harmless(text).startswith("'")
    assert harmless("plain") == "plain"
