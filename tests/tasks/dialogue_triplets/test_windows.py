"""Windows hold what they are placed by, and characters find their way in and out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.tasks.dialogue_triplets.heads.windows import Window, around, whole

CONTEXT = (
    "You look soaked! Did you walk here? I had to. My bicycle got a puncture by the tunnel. In this downpour? "
    "You should have called me! My phone is at home. There are dry towels in the locker room. Thanks. get warm"
)


@pytest.mark.parametrize(
    ("spans", "words", "expected"),
    [
        (["puncture"], 9, "My bicycle got a puncture by the tunnel."),
        (["PUNCTURE"], 1, "My bicycle got a puncture by the tunnel."),  # the span's sentence is never cut
        # What follows comes before what precedes.
        (["puncture"], 12, "My bicycle got a puncture by the tunnel. In this downpour?"),
        (["puncture"], 15, "I had to. My bicycle got a puncture by the tunnel. In this downpour?"),
        (["soaked", "towels"], 12, "You look soaked! There are dry towels in the locker room."),
        (["soaked", "towels"], 15, "You look soaked! Did you walk here? There are dry towels in the locker room."),
        (["you", "walk"], 4, "Did you walk here?"),  # of three places of 'you' the one beside the other span
        (["called", "phone"], 10, "You should have called me! My phone is at home."),
        (["call I"], 5, "You should have called me!"),  # a lemma: most of its words
        (["hat"], 3, "You look soaked!"),  # 'hat' stands nowhere: the beginning; not in 'what', 'that'
        ([], 7, "You look soaked! Did you walk here?"),
    ],
)
def test_what_a_window_holds(spans: list[str], words: int, expected: str) -> None:
    assert around(CONTEXT, spans, words).text == expected


def test_what_follows_the_last_sentence_is_there_if_asked_for() -> None:
    window = around(CONTEXT, ["puncture"], 10, with_end=True)
    assert window.text == "My bicycle got a puncture by the tunnel. get warm"
    assert window.inside(CONTEXT.index("get warm"), len(CONTEXT)) == (41, 49)
    assert around("One. Two.", ["One"], 1, with_end=True).text == "One."


def test_a_span_that_nobody_said_is_looked_for_by_its_words() -> None:
    context = "We sell hats. Do you sell warm ones? Yes. sell warm hats"
    assert around(context, ["sell warm hats"], 5, with_end=True).text.startswith("We sell hats.")


def test_the_blank_between_two_pieces_is_nowhere() -> None:
    window = Window("ab. cd. ef.", ((0, 3), (8, 11)))
    assert window.text == "ab. ef."
    assert [window.outside(place) for place in range(8)] == [0, 1, 2, None, 8, 9, 10, None]
    assert window.inside(8, 10) == (4, 6)
    assert window.inside(4, 6) is None  # left out
    assert window.inside(2, 9) is None  # in two pieces


_TEXTS = st.text(alphabet="abI. ?!'\nİ", max_size=60)


@given(_TEXTS, st.lists(st.text(alphabet="ab I.İ", max_size=4), max_size=2), st.integers(0, 12), st.booleans())
def test_every_character_maps_out_and_back(context: str, spans: list[str], words: int, with_end: bool) -> None:
    for window in (around(context, spans, words, with_end=with_end), whole(context)):
        for place, character in enumerate(window.text):
            outside = window.outside(place)
            if outside is None:
                assert character == " "
            else:
                assert context[outside] == character
                assert window.inside(outside, outside + 1) == (place, place + 1)
        starts = [start for start, _ in window.pieces]
        assert starts == sorted(starts)


@given(_TEXTS, st.integers(0, 12))
def test_a_window_grows_with_its_words(context: str, words: int) -> None:
    smaller, larger = (around(context, ["a"], number).pieces for number in (words, words + 3))
    assert all(any(a <= start and end <= b for a, b in larger) for start, end in smaller)
