"""Rankings by line, and WorldTree's explanation column."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.rankings import (
    format_fact_uses,
    format_rankings,
    group_rankings,
    parse_fact_uses,
    parse_ranking_line,
)
from whence.structures.facts import FactUse, Ranking


@pytest.mark.parametrize(
    "line, expected",
    [
        ("Q1\tf-1", ("Q1", "f-1")),
        (" Q1 \t f-1 ", ("Q1", "f-1")),
        ("Q1\tF-1", ("Q1", "F-1")),  # case is for the scorer to forget
        ("Q 1\tf 1", ("Q 1", "f 1")),
    ],
)
def test_parse_ranking_line(line, expected):
    assert parse_ranking_line(line) == expected


@pytest.mark.parametrize("line", ["", "Q1", "Q1 f-1", "\t", "Q1\t", "\tf-1", " \tf-1", "Q1\t ", "Q1\tf-1\t0.9"])
def test_no_ranking_line(line):
    with pytest.raises(DataError, match="two fields"):
        parse_ranking_line(line)


def test_rankings_are_grouped_in_order_and_keep_repeats():
    pairs = [("Q2", "b"), ("Q1", "a"), ("Q2", "a"), ("Q2", "b")]
    grouped = group_rankings(pairs)
    assert list(grouped.items()) == [("Q2", Ranking(("b", "a", "b"))), ("Q1", Ranking(("a",)))]
    assert list(format_rankings(grouped)) == ["Q2\tb", "Q2\ta", "Q2\tb", "Q1\ta"]
    assert group_rankings([]) == {}


ids = st.text("abc-123é|", min_size=1, max_size=5)
rankings = st.dictionaries(
    ids, st.lists(ids, min_size=1, max_size=4).map(lambda found: Ranking(tuple(found))), max_size=4
)


@settings(deadline=None)
@given(rankings)
def test_rankings_read_back(found):
    assert group_rankings(map(parse_ranking_line, format_rankings(found))) == found


@pytest.mark.parametrize(
    "question, ids",
    [
        ("Q1", ("a\tb",)),
        ("Q1", ("a\nQ2\tb",)),  # reads back as a fact of another question
        ("Q1", (" a",)),
        ("Q1", ("",)),
        ("", ("a",)),
        ("Q\t1", ("a",)),
        ("Q1", ()),  # vanishes without a word
    ],
)
def test_rankings_that_cannot_be_written(question, ids):
    with pytest.raises(DataError):
        list(format_rankings({question: Ranking(ids)}))


# The explanation column


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", ()),
        ("  ", ()),
        ("u-1|CENTRAL", (FactUse("u-1", "CENTRAL"),)),
        ("u-1|CENTRAL  u-2|LEXGLUE ", (FactUse("u-1", "CENTRAL"), FactUse("u-2", "LEXGLUE"))),
        ("u-1|", (FactUse("u-1"),)),
        ("u-1|CENTRAL u-1|CENTRAL", (FactUse("u-1", "CENTRAL"),) * 2),  # `fact-once` reports it
    ],
)
def test_parse_fact_uses(text, expected):
    assert parse_fact_uses(text) == expected
    assert format_fact_uses(expected) == " ".join(text.split())


@pytest.mark.parametrize("text", ["u-1", "|CENTRAL", "u-1|A|B", "u-1|A u-2", "u-1 | A", "|"])
def test_no_fact_uses(text):
    with pytest.raises(DataError, match="facts like"):
        parse_fact_uses(text)


def test_facts_that_are_not_gold_are_not_in_the_column():
    assert format_fact_uses([FactUse("a", "CENTRAL"), FactUse("b", "", (2,), gold=False)]) == "a|CENTRAL"


words = st.text("abc-123é", min_size=1, max_size=5)


@settings(deadline=None)
@given(st.lists(st.builds(FactUse, words, st.just("") | words), max_size=5).map(tuple))
def test_fact_uses_read_back(uses):
    assert parse_fact_uses(format_fact_uses(uses)) == uses


@pytest.mark.parametrize(
    "use",
    [
        FactUse("a b", "CENTRAL"),
        FactUse("a", "TWO WORDS"),  # reads back as another role and one fact more
        FactUse("", "CENTRAL"),
        FactUse("a|b", "CENTRAL"),
        FactUse("a", "A|B"),
    ],
)
def test_fact_uses_that_cannot_be_written(use):
    with pytest.raises(DataError):
        format_fact_uses([use])
