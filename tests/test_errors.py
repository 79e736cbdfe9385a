"""Errors: one clear line each, with the place once it is known."""

from __future__ import annotations

import ast
import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.errors import DataError, MissingDataError, UsageError, WhenceError, quoted


@pytest.mark.parametrize(
    "error, message",
    [
        (DataError(expected="a graph", found="'x'"), "expected a graph, found 'x'"),
        (DataError("a.tsv", expected="a graph", found="'x'"), "a.tsv: expected a graph, found 'x'"),
        (DataError("a.tsv", 12, expected="a graph", found="'x'"), "a.tsv, line 12: expected a graph, found 'x'"),
        (DataError(line=12, expected="a graph", found="'x'"), "line 12: expected a graph, found 'x'"),
        (
            DataError(Path("d") / "a.tsv", 0, expected="b", found="c"),
            f"{Path('d') / 'a.tsv'}, line 0: expected b, found c",
        ),
        (DataError(expected="a", found="b", advice="Do this."), "expected a, found b. Do this."),
    ],
)
def test_message(error, message):
    assert str(error) == message


def test_at_adds_the_place_and_keeps_the_rest():
    error = DataError(expected="a", found="b", advice="Do this.").at("x.tsv", 3)
    assert str(error) == "x.tsv, line 3: expected a, found b. Do this."
    assert (error.path, error.line, error.expected, error.found, error.advice) == (
        "x.tsv",
        3,
        "a",
        "b",
        "Do this.",
    )


@pytest.mark.parametrize(
    "error, expected",
    [
        (DataError("known.tsv", 1, expected="a", found="b"), ("known.tsv", 1)),
        (DataError("known.tsv", expected="a", found="b"), ("known.tsv", 3)),
        (DataError(line=0, expected="a", found="b"), ("x.tsv", 0)),  # 0 is a line like others
    ],
)
def test_at_keeps_a_place_that_is_known(error, expected):
    placed = error.at("x.tsv", 3)
    assert (placed.path, placed.line) == expected


def test_every_error_is_one_that_the_command_line_prints():
    assert all(issubclass(kind, WhenceError) for kind in (DataError, MissingDataError, UsageError))


@pytest.mark.parametrize("through", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_an_error_survives_the_way_from_a_worker_process(through):
    error = DataError("a.tsv", 12, expected="a graph", found="'x'", advice="Do this.")
    assert str(through(error)) == str(error)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", "''"),
        ("plain", "'plain'"),
        ("it's", '"it\'s"'),
        ("a\nb\tc", r"'a\nb\tc'"),
        ("a\u2028b\x85c\x1b[31m", r"'a\u2028b\x85c\x1b[31m'"),  # all that could break or colour a line
        ("é…", "'é…'"),
        ("x" * 80, f"'{'x' * 80}'"),
        ("x" * 81, f"'{'x' * 80}…'"),
    ],
)
def test_quoted(text, expected):
    assert quoted(text) == expected


@given(st.text())
def test_quoted_is_one_printable_line_that_says_what_it_was(text):
    shown = quoted(text, limit=len(text))
    assert shown.isprintable()
    assert ast.literal_eval(shown) == text
    assert ast.literal_eval(quoted(text, limit=3)) == (text if len(text) <= 3 else f"{text[:3]}…")
