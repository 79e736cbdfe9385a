"""Explanatory power against its definition, on a handful of texts."""

from __future__ import annotations

import numpy as np
import pytest

from whence.errors import UsageError
from whence.models.retrieval.explained import Case, ExplainedTexts, Settings
from whence.models.retrieval.index import build_index
from whence.models.retrieval.weighting import Weighting
from whence.models.retrieval.words import query_words

TEXTS = {
    "a": "ice is a solid",
    "b": "heat melts ice",
    "c": "a stone is a solid",
    "d": "the sun is a source of heat",
    "e": "melting means changing from a solid into a liquid",
}
CASES = [
    Case("one", query_words("what melts ice in the sun"), ("b", "e", "absent")),
    Case("two", query_words("which solid is a stone"), ("c",)),
    Case("three", query_words("what is melting"), ("e",)),
]
WEIGHTING = Weighting(rarity="smooth", cosine=True)  # of so few texts many have a word, which `odds` calls common
ASKED = query_words("what melts butter")


def _texts(power: float = 0.5, similar: int = 300) -> ExplainedTexts:
    return ExplainedTexts(build_index(TEXTS), CASES, Settings(WEIGHTING, power, similar, sharpness=2.0))


def test_scores_are_likeness_and_power_together() -> None:
    texts = _texts()
    expected = texts.likeness([ASKED]) + 0.5 * texts.power([ASKED])
    assert np.allclose(texts.scores([ASKED]), expected)
    ranking = next(iter(texts.rankings([ASKED])))
    assert ranking[:2] == ["e", "b"]  # both share the word; e explained two questions about it, b one


def test_a_text_without_a_common_word_is_found_by_what_it_explained() -> None:
    asked = query_words("stone")
    places = {name: place for place, name in enumerate(_texts().index.ids)}
    power = _texts().power([query_words("which stone")])[0]
    assert power[places["c"]] > 0 == power[places["e"]]
    assert _texts().likeness([asked])[0][places["a"]] == 0


def test_cases_that_are_not_asked_say_nothing() -> None:
    texts = _texts()
    only_two = np.array([False, True, False])
    assert texts.power([ASKED], asked=only_two).sum() == 0
    assert texts.uses(only_two).tolist() == [0, 0, 1, 0, 0]
    assert texts.uses().tolist() == [0, 1, 1, 0, 2]
    every = np.array([True, True, True])
    assert np.allclose(texts.power([ASKED], asked=every), texts.power([ASKED]))


def test_a_case_is_not_asked_about_itself() -> None:
    """Else a training question would be answered with its own gold explanation."""
    texts = _texts()
    itself, others = texts.power([ASKED, ASKED], ["three", "new"])
    place = texts.index.ids.index("e")
    assert 0 < itself[place] < others[place]
    assert [case.id for case in texts.reason(ASKED, "e", "three").cases] == ["one"]


def test_only_the_most_similar_cases_are_asked() -> None:
    nearest = _texts(similar=1).power([ASKED])[0]
    assert (nearest > 0).sum() == 1  # what is melting: its one fact


def test_reasons_add_up_and_unknown_texts_are_told() -> None:
    texts = _texts()
    reason = texts.reason(ASKED, "e")
    place = texts.index.ids.index("e")
    assert reason.score == pytest.approx(texts.scores([ASKED])[0][place])
    assert reason.score == pytest.approx(
        sum(match.weight for match in reason.words) + sum(case.weight for case in reason.cases)
    )
    assert [case.id for case in reason.cases] == ["three", "one"]
    assert texts.unknown == 1
    with pytest.raises(UsageError, match="no text 'absent'"):
        texts.reason(ASKED, "absent")
