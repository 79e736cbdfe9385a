"""CIDER's one-line dialogues, and triplets by character position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.dialogues import format_dialogue, format_triplet, parse_dialogue, parse_triplet
from whence.structures.dialogue import Dialogue, Span, Triplet, Utterance


def dialogue(*turns: tuple[str, str]) -> Dialogue:
    return Dialogue(tuple(Utterance(*turn) for turn in turns))


#       0123456789012345678901234567890123
TEXT = "A: It rains .    B: Take a coat ."
RAIN = dialogue(("A", "It rains ."), ("B", "Take a coat ."))


@pytest.mark.parametrize(
    "text, expected",
    [
        (TEXT, RAIN),
        ("A: hi", dialogue(("A", "hi"))),
        ("A: ", dialogue(("A", ""))),
        ("A: one    A: two    B: three", dialogue(("A", "one"), ("A", "two"), ("B", "three"))),
        ("A: one     B: two", dialogue(("A", "one "), ("B", "two"))),  # the fifth blank belongs to the turn
        ("A: one   B: two", dialogue(("A", "one   B: two"))),  # three blanks do not part turns
        ("A: one    and two", dialogue(("A", "one    and two"))),
        ("A: one    b: two", dialogue(("A", "one    b: two"))),
        ("A:  x  ", dialogue(("A", " x  "))),
        ("A: one    B: two    ", dialogue(("A", "one"), ("B", "two    "))),
        ("A: x\u2028y", dialogue(("A", "x\u2028y"))),
    ],
)
def test_parse_dialogue(text, expected):
    assert parse_dialogue(text) == expected
    assert format_dialogue(expected) == text


@pytest.mark.parametrize("text", ["", "hi", "a: hi", "A:hi", " A: hi", "AB: hi", "É: hi", "    A: hi"])
def test_no_dialogue(text):
    with pytest.raises(DataError, match="turns like"):
        parse_dialogue(text)


@pytest.mark.parametrize(
    "found",
    [
        dialogue(),
        dialogue(("a", "hi")),
        dialogue(("", "hi")),
        dialogue(("Ann", "hi")),
        dialogue(("A", "hi    B: ho")),  # would read back as two turns
    ],
)
def test_dialogues_that_cannot_be_written(found):
    with pytest.raises(DataError):
        format_dialogue(found)


turns = st.builds(
    Utterance, st.sampled_from("AB"), st.text("ab A:.", max_size=12).filter(lambda text: "    " not in text)
)


@settings(deadline=None)
@given(st.lists(turns, min_size=1, max_size=4).map(lambda found: Dialogue(tuple(found))))
def test_a_dialogue_reads_back(found):
    assert parse_dialogue(format_dialogue(found)) == found


# Triplets


def published(head: str, tail: str, headpos: Any, tailpos: Any, **more: Any) -> dict[str, Any]:
    return {"head": head, "relation": "Causes", "tail": tail, **more, "headpos": headpos, "tailpos": tailpos}


@pytest.mark.parametrize(
    "record, triplet",
    [
        (
            published("rains", "a coat", [6, 11], [25, 31]),  # counted on TEXT
            Triplet(Span("rains", 0, 3), "Causes", Span("a coat", 1, 5)),
        ),
        (
            published("It", "coat .", [3, 5], [27, 33]),  # the first and the last characters
            Triplet(Span("It", 0, 0), "Causes", Span("coat .", 1, 7)),
        ),
        (
            published("wet", "coat", [-1, -1], [27, 31], latent=True),
            Triplet(Span("wet"), "Causes", Span("coat", 1, 7)),
        ),
        (
            published("wet", "cold", [-1, -1], [-1, -1], latent=True),
            Triplet(Span("wet"), "Causes", Span("cold")),
        ),
    ],
)
def test_triplets_both_ways(record, triplet):
    assert parse_triplet(record, RAIN) == triplet
    assert format_triplet(triplet, RAIN) == record


@pytest.mark.parametrize("position", [None, (-1, -1), [-1, -1]])
def test_no_position_is_latent(position):
    assert parse_triplet(published("wet", "cold", position, None), RAIN).head == Span("wet")


def test_positions_and_other_fields_may_be_missing_or_more():
    record = {"head": "wet", "relation": "Causes", "tail": "cold", "explicit": True}
    assert parse_triplet(record, RAIN) == Triplet(Span("wet"), "Causes", Span("cold"))


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"head": "a", "relation": "r"},
        {"head": 1, "relation": "r", "tail": "b"},
        {"head": "a", "relation": None, "tail": "b"},
    ],
)
def test_a_triplet_has_three_texts(record):
    with pytest.raises(DataError, match="a triplet with the text"):
        parse_triplet(record, RAIN)


@pytest.mark.parametrize(
    "position, message",
    [
        ([6], "a position like"),
        ([6, 11, 12], "a position like"),
        ([], "a position like"),
        (["6", "11"], "a position like"),
        ([6.0, 11.0], "a position like"),
        ([6, None], "a position like"),
        ([None, 11], "a position like"),
        ("6-11", "a position like"),
        ({"start": 6}, "a position like"),
        ([5, 10], "another text"),
        ([6, 12], "another text"),
        ([0, 5], "another text"),  # on the speaker's letter
        ([10, 22], "another text"),  # over two turns
        ([600, 605], "another text"),
        ([-6, -1], "another text"),
        ([11, 6], "another text"),
    ],
)
def test_a_position_that_is_wrong(position, message):
    with pytest.raises(DataError, match=message):
        parse_triplet(published("rains", "coat", position, None), RAIN)


@pytest.mark.parametrize("position", [6, 6.5, True])
def test_a_position_that_is_one_number(position):
    with pytest.raises(DataError, match="a position like"):
        parse_triplet(published("rains", "coat", position, None), RAIN)


def test_an_empty_span_far_behind_the_end_is_refused():
    with pytest.raises(DataError):
        parse_triplet(published("", "coat", [900, 5], None), RAIN)


@pytest.mark.parametrize(
    "span",
    [
        Span("rains", 0),  # where in the turn is unknown: written as latent
        Span("rains", None, 3),  # in which turn is unknown: written as latent
        Span("rains", 0, 4),  # it stands at 3: refused when read
        Span("rains", 7, 3),  # no such turn
        Span("rains", -1, 3),  # counted from the end
        Span("coat", 1, -3),
    ],
)
def test_spans_that_cannot_be_written(span):
    with pytest.raises(DataError):
        format_triplet(Triplet(span, "Causes", Span("x")), RAIN)


@st.composite
def dialogues_with_triplets(draw: st.DrawFn) -> tuple[Dialogue, Triplet]:
    found = Dialogue(tuple(draw(st.lists(turns, min_size=1, max_size=4))))

    def span() -> Span:
        turn = draw(st.integers(0, len(found.utterances) - 1))
        text = found.utterances[turn].text
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        return draw(st.just(Span(text[start:end], turn, start)) | st.builds(Span, st.text()))

    return found, Triplet(span(), draw(st.text()), span())


@settings(deadline=None)
@given(dialogues_with_triplets())
def test_a_triplet_reads_back_and_stands_where_it_says(pair):
    found, triplet = pair
    record = format_triplet(triplet, found)
    assert parse_triplet(record, found) == triplet
    assert ("latent" in record) is (triplet.head.is_latent or triplet.tail.is_latent)
    for text, (start, end) in ((record["head"], record["headpos"]), (record["tail"], record["tailpos"])):
        assert (start, end) == (-1, -1) or format_dialogue(found)[start:end] == text
