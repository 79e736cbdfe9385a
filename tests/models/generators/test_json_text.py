"""JSON of a schema, letter by letter."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.models.generators.json_text import JsonText, shortest

_LETTERS = st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="\\"), max_size=12).filter(
    str.isprintable
)


def _schemas() -> st.SearchStrategy[tuple[dict[str, Any], st.SearchStrategy[Any]]]:
    """A schema with values that keep it."""
    numbers = st.lists(st.integers(0, 120), min_size=1, max_size=5, unique=True)
    leaves = st.one_of(
        numbers.map(lambda values: ({"enum": values}, st.sampled_from(values))),
        st.just(({"type": "boolean"}, st.booleans())),
        st.just(({"type": "string", "minLength": 1, "maxLength": 12}, _LETTERS.filter(bool))),
    )
    return st.recursive(leaves, lambda inner: st.one_of(_arrays(inner), _objects(inner)), max_leaves=5)


def _arrays(inner: Any) -> Any:
    def made(pair: Any, bounds: tuple[int, int]) -> Any:
        least, most = sorted(bounds)
        schema = {"type": "array", "items": pair[0], "minItems": least, "maxItems": most}
        return schema, st.lists(pair[1], min_size=least, max_size=most)

    return st.builds(made, inner, st.tuples(st.integers(0, 3), st.integers(0, 3)))


def _objects(inner: Any) -> Any:
    def made(pairs: dict[str, Any]) -> Any:
        schema = {"type": "object", "properties": {name: pair[0] for name, pair in pairs.items()}}
        values = st.fixed_dictionaries({name: pair[1] for name, pair in pairs.items()})
        return schema, values.map(lambda value: {name: value[name] for name in pairs})

    return st.dictionaries(st.sampled_from("abcd"), inner, max_size=3).map(made)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_value_can_be_written_letter_by_letter(data: st.DataObject) -> None:
    schema, values = data.draw(_schemas())
    text = json.dumps(data.draw(values), ensure_ascii=False)
    constraint = JsonText(schema)
    assert all(constraint.may_begin(text[:end]) for end in range(len(text) + 1))
    assert constraint.may_end(text)
    assert not constraint.may_begin(f"{text} ")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_there_is_a_way_on_from_everywhere(data: st.DataObject) -> None:
    schema, values = data.draw(_schemas())
    text = json.dumps(data.draw(values), ensure_ascii=False)
    constraint = JsonText(schema)
    for end in range(len(text)):
        whole = text[:end] + constraint.way_on(text[:end])
        assert constraint.may_end(whole), whole
        json.loads(whole)
    assert constraint.may_end(shortest(schema))


@pytest.mark.parametrize(
    "text",
    [
        '{"b": 1}',  # another property
        '{"a":1',  # no space
        '{"a": 3',  # not of the enumeration
        '{"a": 1, "b": []}',  # too few
        '{"a": 1, "b": ["x", "y", "z"',  # too many
        '{"a": 1, "b": ["xyzx',  # too long
        '{"a": 1, "b": ["\\q',  # no such escape
        '{"a": 1, "b": ["\n',  # a line end
        "[",
    ],
)
def test_what_cannot_begin(text: str) -> None:
    words = {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 2}
    assert not JsonText({"type": "object", "properties": {"a": {"enum": [1, 10]}, "b": words}}).may_begin(text)
