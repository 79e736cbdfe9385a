"""Our own JSONL form: every kind of record both ways, refusals with a pointer, and the JSON schema beside it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from whence.errors import DataError
from whence.formats.records import (
    Kind,
    RecordForm,
    format_record,
    is_prediction,
    is_record,
    json_schema,
    parse_example,
    parse_prediction,
)
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    Span,
    SpanPair,
    SpanQuestion,
    Triplet,
    Triplets,
)
from whence.structures.facts import FactSet, FactUse, Question, Ranking
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Example, Label, Prediction, Problem
from whence.structures.tree import Claim, Sentence, Step, Tree

FORMS = {
    form.task: form
    for form in (
        RecordForm("explagraphs", Argument, StanceGraph),
        RecordForm("worldtree", Question, FactSet | Ranking),
        RecordForm("cider", Dialogue, Triplets),
        RecordForm("cider-nli", DialogueClaim, Label),
        RecordForm("cider-span", SpanQuestion, Answer),
        RecordForm("cider-choice", ChoiceQuestion, Label),
        RecordForm("cider-relation", SpanPair, Label),
        RecordForm("anli", HypothesisPair, Label),
        RecordForm("anlg", Observations, Hypothesis),
        RecordForm("entailmentbank-1", Claim, Tree),
    )
}
PARSERS = {"example": parse_example, "prediction": parse_prediction}
GRAPHS, FACTS = FORMS["explagraphs"], FORMS["worldtree"]
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
either_kind = pytest.mark.parametrize("kind", PARSERS)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@cache
def schema_validator(form: RecordForm, kind: Kind) -> Draft202012Validator:
    return Draft202012Validator(json_schema(form, kind))


def records(form: RecordForm, kind: Kind) -> st.SearchStrategy[Example[Any, Any] | Prediction[Any]]:
    explanations = st.from_type(form.explanation)
    if kind == "prediction":
        problems = st.lists(st.from_type(Problem), max_size=2).map(tuple)
        return st.builds(Prediction, st.text(), st.none() | explanations, st.text(), problems)
    golds = st.lists(explanations, max_size=2).map(tuple)
    return st.builds(
        Example, st.text(), st.from_type(form.inputs), golds, st.dictionaries(st.text(), json_values, max_size=3)
    )


@every_form
@either_kind
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_a_record_reads_back_is_one_line_and_fits_the_schema(form, kind, data):
    record = data.draw(records(form, kind))
    line = format_record(record, form)
    assert PARSERS[kind](line, form) == record
    assert "\n" not in line
    assert is_record(line)
    assert is_prediction(json.loads(line)) is (kind == "prediction")
    assert schema_validator(form, kind).is_valid(json.loads(line))


# By hand: the lines that the module's docstring promises.

QUESTION = Question("Why does ice melt?", "heat", (("A", "heat"), ("B", "cold")))
QUESTION_JSON = '{"question": "Why does ice melt?", "answer": "heat", "options": [["A", "heat"], ["B", "cold"]]}'


@pytest.mark.parametrize(
    "task, record, line",
    [
        (
            "explagraphs",
            Example("1", Argument("b", "a"), (StanceGraph("support", Graph((Edge("x", "is a", "y"),))),)),
            '{"whence": 1, "task": "explagraphs", "id": "1", "inputs": {"belief": "b", "argument": "a"}, '
            '"golds": [{"stance": "support", "graph": {"edges": '
            '[{"head": "x", "relation": "is a", "tail": "y"}]}}]}',
        ),
        (
            "worldtree",
            Example(
                "q", QUESTION, (FactSet((FactUse("u", "CENTRAL", (3, 2), False),)), Ranking(("u",))), {"n": [1.5]}
            ),
            f'{{"whence": 1, "task": "worldtree", "id": "q", "inputs": {QUESTION_JSON}, "golds": [{{"facts": '
            '[{"id": "u", "role": "CENTRAL", "ratings": [3, 2], "gold": false}]}, {"ids": ["u"]}], '
            '"meta": {"n": [1.5]}}',
        ),
        (
            "worldtree",  # what has its default value is left out
            Prediction("q", FactSet((FactUse("u"),))),
            '{"whence": 1, "task": "worldtree", "id": "q", "explanation": {"facts": [{"id": "u"}]}}',
        ),
        (
            "cider",
            Prediction("d", Triplets((Triplet(Span("é", 0, 3), "causes", Span("x")),)), "raw\u2028text"),
            '{"whence": 1, "task": "cider", "id": "d", "explanation": {"triplets": [{"head": {"text": "é", '
            '"turn": 0, "start": 3}, "relation": "causes", "tail": {"text": "x"}}]}, "raw": "raw\u2028text"}',
        ),
        (
            "anlg",  # an answer that could not be read
            Prediction("s", None, "?", (Problem("format", "", "no"),)),
            '{"whence": 1, "task": "anlg", "id": "s", "explanation": null, "raw": "?", '
            '"problems": [{"rule": "format", "where": "", "message": "no"}]}',
        ),
        (
            "entailmentbank-1",
            Example("m", Claim("h", (Sentence("sent1", "s"),)), (Tree((Step(("sent1",), "hypothesis"),)),)),
            '{"whence": 1, "task": "entailmentbank-1", "id": "m", "inputs": {"hypothesis": "h", "context": '
            '[{"id": "sent1", "text": "s"}]}, "golds": [{"steps": [{"premises": ["sent1"], '
            '"conclusion": "hypothesis"}]}]}',
        ),
    ],
)
def test_lines(task, record, line):
    form = FORMS[task]
    assert format_record(record, form) == line
    assert PARSERS["example" if isinstance(record, Example) else "prediction"](line, form) == record


@pytest.mark.parametrize(
    "line, expected",
    [
        ('{"whence": 1}', True),
        ('{"whence": 99, "task": "x"}', True),  # ours, if too new: it shall get the message about versions
        ('{"id": "x"}', False),
        ("whence\twhence", False),
        ('["whence"]', False),
        ("", False),
        ("[" * 100_000, False),
    ],
)
def test_is_record(line, expected):
    assert is_record(line) is expected


# Refusals

ENVELOPE = {"whence": 1, "task": "explagraphs"}
EXAMPLE = {
    **ENVELOPE,
    "id": "x",
    "inputs": {"belief": "b", "argument": "a"},
    "golds": [{"stance": "support", "graph": {"edges": [{"head": "h", "relation": "r", "tail": "t"}]}}],
    "meta": {"anything": {"goes": 1}},
}
PREDICTION = {**ENVELOPE, "id": "x", "explanation": EXAMPLE["golds"][0], "raw": "r"}
VALID = {"example": EXAMPLE, "prediction": PREDICTION}
MISSING = object()


def changed(record: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """A copy with another value, or none, at the pointer."""
    copied = json.loads(json.dumps(record))
    *way, last = (int(part) if part.isdigit() else part for part in pointer.split("/")[1:])
    place = copied
    for part in way:
        place = place[part]
    if value is MISSING:
        del place[last]
    else:
        place[last] = value
    return copied


@either_kind
def test_the_valid_records_are_valid(kind):
    PARSERS[kind](json.dumps(VALID[kind]), GRAPHS)


@pytest.mark.parametrize(
    "kind, pointer, value, expected, found",
    [
        # version
        ("example", "/whence", 2, "version 1", "'2'"),
        ("example", "/whence", MISSING, "version 1", "'null'"),
        ("example", "/whence", "1", "version 1", "'\"1\"'"),
        ("example", "/whence", True, "version 1", "'true'"),
        ("prediction", "/whence", [1], "version 1", "'[1]'"),
        # task
        ("example", "/task", "worldtree", "'explagraphs'", "worldtree"),
        ("prediction", "/task", MISSING, "'explagraphs'", "null"),
        # missing fields
        ("example", "/id", MISSING, "a record of", "/id: "),
        ("example", "/inputs", MISSING, "a record of", "/inputs: "),
        ("example", "/inputs/belief", MISSING, "a record of", "/inputs/belief: "),
        ("example", "/golds/0/graph/edges/0/tail", MISSING, "a record of", "/golds/0/graph/edges/0/tail: "),
        ("prediction", "/explanation", MISSING, "a record of", "/explanation: "),
        ("prediction", "/explanation/stance", MISSING, "a record of", "/explanation/stance: "),
        # wrong types: nothing is converted
        ("example", "/id", 7, "a record of", "/id: "),
        ("example", "/id", None, "a record of", "/id: "),
        ("example", "/inputs", "b", "a record of", "/inputs: "),
        ("example", "/golds", None, "a record of", "/golds: "),
        ("example", "/golds", {}, "a record of", "/golds: "),
        ("example", "/golds/0", None, "a record of", "/golds/0: "),
        ("example", "/golds/0/graph/edges", "none", "a record of", "/golds/0/graph/edges: "),
        ("example", "/golds/0/graph/edges/0/head", 1.5, "a record of", "/golds/0/graph/edges/0/head: "),
        ("example", "/meta", [], "a record of", "/meta: "),
        ("prediction", "/raw", None, "a record of", "/raw: "),
        ("prediction", "/explanation", [], "a record of", "/explanation: "),
        # unknown fields
        ("example", "/gold", [], "only the fields of", "/gold,"),
        ("example", "/explanation", None, "only the fields of", "/explanation,"),
        ("example", "/inputs/stance", "s", "only the fields of", "/inputs/stance,"),
        ("example", "/golds/0/graph/edges/0/weight", 1, "only the fields of", "/golds/0/graph/edges/0/weight,"),
        ("prediction", "/meta", {}, "only the fields of", "/meta,"),
        ("prediction", "/explanation/score", 0.5, "only the fields of", "/explanation/score,"),
    ],
)
def test_refused_with_a_pointer(kind, pointer, value, expected, found):
    record = changed(VALID[kind], pointer, value)
    with pytest.raises(DataError) as caught:
        PARSERS[kind](json.dumps(record), GRAPHS)
    assert expected in caught.value.expected
    assert found in caught.value.found
    assert not schema_validator(GRAPHS, kind).is_valid(record)


def fact_prediction(explanation: Any) -> str:
    return json.dumps({"whence": 1, "task": "worldtree", "id": "x", "explanation": explanation})


@pytest.mark.parametrize(
    "explanation, expected",
    [
        ({"facts": []}, FactSet(())),
        ({"ids": []}, Ranking(())),  # an empty ranking is not an empty set of facts
        ({"ids": ["a"]}, Ranking(("a",))),
        (None, None),
    ],
)
def test_which_of_two_kinds_of_explanation_it_is(explanation, expected):
    assert parse_prediction(fact_prediction(explanation), FACTS).explanation == expected


@pytest.mark.parametrize(
    "explanation, found",
    [
        ({"facts": [], "ids": []}, "/explanation/ids, which is none"),
        ({"ids": ["a"], "scores": [1]}, "/explanation/scores, which is none"),
        ({"facts": [{"id": "a", "score": 1}]}, "/explanation/facts/0/score, which is none"),
    ],
)
def test_a_union_refuses_unknown_fields(explanation, found):
    with pytest.raises(DataError) as caught:
        parse_prediction(fact_prediction(explanation), FACTS)
    assert found in caught.value.found


@pytest.mark.parametrize("explanation", [{}, [], "a", {"facts": [{}]}, {"facts": [{"id": "a", "ratings": ["3"]}]}])
def test_a_union_refuses_what_is_neither(explanation):
    with pytest.raises(DataError):
        parse_prediction(fact_prediction(explanation), FACTS)


@pytest.mark.parametrize(
    "explanation, found",
    [
        ({"ids": [1]}, "/explanation/ids/0: "),  # says: /explanation/FactSet/facts: Field required
        ({"facts": [{"id": 1}]}, "/explanation/facts/0/id: "),  # says: /explanation/FactSet/facts/0/id
    ],
)
def test_a_pointer_into_a_union_is_one_into_the_record(explanation, found):
    with pytest.raises(DataError) as caught:
        parse_prediction(fact_prediction(explanation), FACTS)
    assert found in caught.value.found


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_meta_that_cannot_be_written(number):
    with pytest.raises(DataError):
        format_record(Example("x", QUESTION, (), {"score": number}), FACTS)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e400"])
def test_numbers_that_json_has_not_are_refused(number):
    line = json.dumps(changed(EXAMPLE, "/meta", {"score": "N"})).replace('"N"', number)
    with pytest.raises(DataError):
        parse_example(line, GRAPHS)


def test_half_a_surrogate_pair_is_not_written():
    with pytest.raises(DataError):
        format_record(Prediction("x", None, "\ud800"), FACTS)


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(DataError):
        parse_example(json.dumps(changed(EXAMPLE, "/id", "\ud800")), GRAPHS)


# The schema


@every_form
@either_kind
def test_the_schema_is_one(form, kind):
    schema = json_schema(form, kind)
    Draft202012Validator.check_schema(schema)
    assert schema["title"] == f"{form.task} {kind}"
    assert json.loads(json.dumps(schema)) == schema


def pointers(value: Any, where: str = "") -> list[str]:
    """Every place in a JSON value but the root."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in inside for place in (f"{where}/{key}", *pointers(part, f"{where}/{key}"))]


# No floats: JSON schema calls 1.0 an integer, and strict reading does not.
other_values = st.sampled_from(("null", "true", "0", "1", '""', '"x"', "[]", "{}", '["x"]', '{"id": "x"}')).map(
    json.loads
)


@st.composite
def broken(draw: st.DrawFn, record: dict[str, Any]) -> dict[str, Any]:
    """The record with a field removed, replaced or added. It may still be valid."""
    place = draw(st.sampled_from(pointers(record)))
    beside, _, last = place.rpartition("/")
    if not last.isdigit() and draw(st.booleans()):
        return changed(record, f"{beside}/another", draw(other_values))
    return changed(record, place, draw(st.just(MISSING) | other_values))


@either_kind
@settings(deadline=None)
@given(data=st.data())
def test_the_schema_and_the_reader_agree_on_broken_records(kind, data):
    record = data.draw(broken(VALID[kind]))
    fits = schema_validator(GRAPHS, kind).is_valid(record)
    try:
        PARSERS[kind](json.dumps(record), GRAPHS)
    except DataError:
        assert not fits
    else:
        assert fits
