"""What holds for every parser: any text is read or refused with a DataError. Nothing else comes out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.files import parse_json_object
from whence.formats.dialogues import parse_dialogue, parse_triplet
from whence.formats.graphs import parse_graph
from whence.formats.proofs import parse_context, parse_proof, parse_slots
from whence.formats.rankings import parse_fact_uses, parse_ranking_line
from whence.formats.records import RecordForm, is_record, parse_example, parse_prediction
from whence.formats.tables import parse_table
from whence.structures.dialogue import Dialogue, Triplets, Utterance
from whence.structures.facts import FactSet, Question, Ranking
from whence.structures.tree import Claim, Tree

FACTS = RecordForm("worldtree", Question, FactSet | Ranking)
TREES = RecordForm("entailmentbank-1", Claim, Tree)
TRIPLETS = RecordForm("cider", Dialogue, Triplets)

TREE = {
    "steps": [{"premises": ["sent1"], "conclusion": "hypothesis", "text": ""}],
    "sentences": [{"id": "a", "text": "b"}],
}
SET = {"facts": [{"id": "u", "role": "CENTRAL", "ratings": [1, 2], "gold": True}]}
SPAN = {"text": "a", "turn": 0, "start": 3}
TREE_EXAMPLE = {
    "whence": 1,
    "task": "entailmentbank-1",
    "id": "x",
    "inputs": {"hypothesis": "h", "context": [{"id": "sent1", "text": "s"}], "question": "q", "answer": "a"},
    "golds": [TREE],
    "meta": {"a": [1, {"b": None}]},
}
FACT_EXAMPLE = {
    "whence": 1,
    "task": "worldtree",
    "id": "x",
    "inputs": {"question": "q", "answer": "a", "options": [["A", "a"], ["B", "b"]]},
    "golds": [SET, {"ids": ["u"]}],
}
FACT_PREDICTION = {"whence": 1, "task": "worldtree", "id": "x", "explanation": SET, "raw": "r"}
TRIPLET_PREDICTION = {
    "whence": 1,
    "task": "cider",
    "id": "x",
    "explanation": {"triplets": [{"head": SPAN, "relation": "r", "tail": SPAN}]},
    "problems": [{"rule": "format", "where": "", "message": "m"}],
}
RECORDS: list[tuple[dict[str, Any], Callable[[str], Any]]] = [
    (TREE_EXAMPLE, lambda text: parse_example(text, TREES)),
    (FACT_EXAMPLE, lambda text: parse_example(text, FACTS)),
    (FACT_PREDICTION, lambda text: parse_prediction(text, FACTS)),
    (TRIPLET_PREDICTION, lambda text: parse_prediction(text, TRIPLETS)),
]

PARSERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "graph": (parse_graph, "(rain; causes; wet mud)(wet mud; is a; dirt)"),
    "proof": (parse_proof, "sent2 & sent5 -> int1: ice floats on water; int1 & sent4 -> hypothesis; "),
    # Blank contexts are in test_proofs.
    "context": (
        lambda text: parse_context(text) if text.strip() else (),
        "sent1: ice melts sent2: heat melts ice",
    ),
    "slots": (parse_slots, "$proof$ ; $question$ = Why? ; $hypothesis$ = ice melts"),
    "ranking line": (parse_ranking_line, "Mercury_7\t0a1b-22cc"),
    "fact uses": (parse_fact_uses, "0a1b-22cc|CENTRAL 1a1b-22cc|LEXGLUE"),
    "dialogue": (parse_dialogue, "A: It rains .    B: Take a coat .    A: Thanks ."),
    "table": (lambda text: parse_table("T", text.split("\n")), "A\t[SKIP] UID\nice\tu-1\n"),
    "JSON object": (parse_json_object, '{"a": [1, null, "b", {"c": -1.5e3}], "d": true}'),
    "is record": (is_record, '{"whence": 1}'),
    **{f"record {number}": (parse, json.dumps(record)) for number, (record, parse) in enumerate(RECORDS)},
}
every_parser = pytest.mark.parametrize("parse, valid", PARSERS.values(), ids=PARSERS)


def only_data_errors(parse: Callable[[Any], Any], value: Any) -> None:
    try:
        parse(value)
    except DataError as error:
        assert "\n" not in str(error)  # one clear line


@st.composite
def mutated(draw: st.DrawFn, valid: str) -> str:
    """The text with a few pieces cut out, doubled, moved or overwritten."""
    found = valid
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted((draw(st.integers(0, len(found))), draw(st.integers(0, len(found)))))
        piece = found[start:end]
        new = draw(
            st.sampled_from(("", piece * 2, piece[::-1])) | st.text(max_size=3) | st.sampled_from(list(valid))
        )
        at = draw(st.sampled_from((start, 0, len(found))))
        found = found[:start] + new + found[end:] if at == start else found[:at] + piece + found[at:]
    return found


@every_parser
def test_the_valid_text_is_valid(parse, valid):
    parse(valid)


@every_parser
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_any_text(parse, valid, data):
    only_data_errors(parse, data.draw(st.text()))


@every_parser
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_a_valid_text_that_was_damaged(parse, valid, data):
    only_data_errors(parse, data.draw(mutated(valid)))


@every_parser
def test_a_valid_text_that_breaks_off(parse, valid):
    for end in range(len(valid)):
        only_data_errors(parse, valid[:end])


# JSON with anything in it

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def with_anything_inside(draw: st.DrawFn, value: Any) -> Any:
    """The JSON value with any value at one of its places, or one more key."""
    if draw(st.integers(0, 3)) == 0 or not isinstance(value, dict | list) or not value:
        return draw(json_values)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if isinstance(value, dict) and draw(st.integers(0, 5)) == 0:
        return {**value, draw(st.text(max_size=3)): draw(json_values)}
    key = draw(st.sampled_from(keys))
    inside = draw(with_anything_inside(value[key]))
    if isinstance(value, dict):
        return {**value, key: inside}
    return [*value[:key], inside, *value[key + 1 :]]


@pytest.mark.parametrize(
    "record, parse", RECORDS, ids=lambda part: part.get("task", "") if isinstance(part, dict) else ""
)
@settings(deadline=None)
@given(data=st.data())
def test_records_with_anything_inside(record, parse, data):
    only_data_errors(parse, json.dumps(data.draw(with_anything_inside(record))))


RAIN = Dialogue((Utterance("A", "It rains ."), Utterance("B", "Take a coat .")))
positions = st.none() | st.lists(st.integers(-2, 40) | st.none(), max_size=3) | st.text(max_size=2) | st.just({})
texts = st.sampled_from(("", "rains", "coat", "It rains ."))
triplets = st.fixed_dictionaries(
    {}, optional={"head": texts, "relation": texts, "tail": texts, "headpos": positions, "tailpos": positions}
)
any_triplets = st.fixed_dictionaries(
    {"head": texts, "relation": texts, "tail": texts | json_values},
    optional={"headpos": json_values, "latent": json_values},
)


@settings(deadline=None)
@given(triplets)
def test_triplets(record):
    only_data_errors(lambda found: parse_triplet(found, RAIN), record)


@settings(deadline=None, derandomize=True, phases=[Phase.generate])
@given(any_triplets)
def test_triplets_with_anything_inside(record):
    only_data_errors(lambda found: parse_triplet(found, RAIN), record)


# Nesting

NESTS = {"list": ("[", "]"), "object": ('{"a": ', "}")}


def nested(depth: int, kind: str) -> str:
    opening, closing = NESTS[kind]
    return f"{opening * depth}1{closing * depth}"


@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize(
    "place",
    [{"meta": {"a": "DEEP"}}, {"id": "DEEP"}, {"whence": "DEEP"}, {"golds": ["DEEP"]}, {"another": "DEEP"}],
    ids=str,
)
def test_deep_nesting_in_a_record(kind, place):
    """Around every limit there is: of the JSON reader behind pydantic (200), of Python's stack (1,000)."""
    record = json.dumps(TREE_EXAMPLE | place)
    for depth in (190, *range(195, 205), 500, *range(880, 1_000, 3), 5_000, 100_000):
        only_data_errors(lambda text: parse_example(text, TREES), record.replace('"DEEP"', nested(depth, kind)))


@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize("depth", [100_000, 1_000_000])  # far beyond any Python's limit
def test_deep_nesting_is_no_json_object(kind, depth):
    with pytest.raises(DataError, match="nested too deeply"):
        parse_json_object(nested(depth, kind))


@pytest.mark.parametrize(
    "parse, text",
    [
        (parse_graph, "(" * 100_000),
        (parse_graph, "(a; r; b)" * 20_000),
        (parse_proof, "a -> b; " * 20_000),
        (parse_proof, "a -> b: c" + "; d" * 2_000),
        (parse_context, "sent1: a " * 20_000),
        (parse_slots, "$" * 100_000),
        (parse_slots, "$a" * 50_000),
        (parse_dialogue, "A: a    " * 20_000),
        (parse_dialogue, "A: " + " " * 100_000),
        (parse_fact_uses, "a|b " * 20_000),
    ],
    ids=lambda part: part.__name__ if callable(part) else part[:12],
)
def test_long_texts_take_no_time(parse, text):
    only_data_errors(parse, text)
