"""What holds for every writer: what it writes reads back the same, or it refuses. Over arbitrary text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.dialogues import format_dialogue, format_triplet, parse_dialogue, parse_triplet
from whence.formats.graphs import format_graph, parse_graph
from whence.formats.proofs import (
    format_context,
    format_proof,
    format_slots,
    parse_context,
    parse_proof,
    parse_slots,
)
from whence.formats.rankings import (
    format_fact_uses,
    format_rankings,
    group_rankings,
    parse_fact_uses,
    parse_ranking_line,
)
from whence.formats.records import RecordForm, format_record, parse_example, parse_prediction
from whence.formats.tables import format_table, parse_table
from whence.structures.dialogue import Dialogue, Span, Triplet, Utterance
from whence.structures.facts import FactSet, FactUse, Question, Ranking, Table
from whence.structures.graph import Edge, Graph
from whence.structures.results import Example, Prediction
from whence.structures.tree import Sentence, Step, Tree

# Every separator of every format, so that texts often hold the one that matters.
SEPARATORS = (
    "; ",
    ")(",
    "(",
    ")",
    ";",
    "->",
    "&",
    ":",
    "hypot",
    "sent2: ",
    " ",
    "    B: ",
    "\t",
    "\n",
    "\r",
    "|",
    "$b$ = ",
    " ; ",
)
text = st.lists(st.sampled_from((*SEPARATORS, "a", "é", "\u2028", "\x85")), max_size=4).map("".join)
some_text = st.sampled_from(("a", "b", "sent1", "A")) | text


def several(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(parts, max_size=3).map(tuple)


def through_a_file(lines: Iterable[str]) -> list[str]:
    """Lines as `write_lines` writes and `read_lines` reads them."""
    written = "".join(f"{line}\n" for line in lines)
    return [line.removesuffix("\r") for line in written.split("\n")[:-1]]


RAIN = Dialogue((Utterance("A", "It rains a b ."), Utterance("B", "a sent1")))
FACTS = RecordForm("worldtree", Question, FactSet | Ranking)
numbers = st.none() | st.integers(-1, 12)
spans = st.builds(Span, some_text, numbers, numbers)


def record_again(record: Example[Any, Any] | Prediction[Any]) -> Any:
    parse = parse_example if isinstance(record, Example) else parse_prediction
    (line,) = through_a_file([format_record(record, FACTS)])
    return parse(line, FACTS)


# name: values, the value after writing and reading
WRITERS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], Any]]] = {
    "graph": (
        st.builds(Graph, several(st.builds(Edge, some_text, some_text, some_text))),
        lambda graph: parse_graph(format_graph(graph)),
    ),
    "proof": (
        st.builds(Tree, several(st.builds(Step, several(some_text), some_text, text))),
        lambda tree: parse_proof(format_proof(tree)),
    ),
    "dialogue": (
        st.builds(Dialogue, several(st.builds(Utterance, some_text, text))),
        lambda dialogue: parse_dialogue(format_dialogue(dialogue)),
    ),
    "example": (
        st.builds(
            Example,
            text,
            st.builds(Question, text, text),
            st.just((Ranking(("a",)),)),
            st.dictionaries(text, text),
        ),
        record_again,
    ),
    "prediction": (
        st.builds(Prediction, text, st.builds(Ranking, several(text)) | st.none(), text),
        record_again,
    ),
    "triplet": (
        st.builds(Triplet, spans, some_text, spans),
        lambda triplet: parse_triplet(format_triplet(triplet, RAIN), RAIN),
    ),
    "context": (
        several(st.builds(Sentence, some_text, text)),
        lambda sentences: parse_context(format_context(sentences)),
    ),
    "slots": (
        st.dictionaries(some_text, text),
        lambda slots: parse_slots(format_slots(slots)),
    ),
    "rankings": (
        st.dictionaries(some_text, st.builds(Ranking, several(some_text))),
        lambda found: group_rankings(map(parse_ranking_line, through_a_file(format_rankings(found)))),
    ),
    "fact uses": (
        several(st.builds(FactUse, some_text, text)),
        lambda uses: parse_fact_uses(format_fact_uses(uses)),
    ),
    "table": (
        st.builds(Table, st.just("T"), several(text), several(several(text))),
        lambda table: parse_table(table.name, through_a_file(format_table(table))),
    ),
}


@pytest.mark.parametrize("name", WRITERS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_what_is_written_reads_back_or_is_refused(name, data):
    values, again = WRITERS[name]
    value = data.draw(values)
    try:
        found = again(value)
    except DataError:
        return
    assert found == value


@pytest.mark.parametrize("gap", ["\n", "\t"])
def test_a_graph_is_one_field_of_one_line(gap):
    with pytest.raises(DataError):
        format_graph(Graph((Edge(f"a{gap}b", "is a", "c"),)))  # stands in a tab-separated row


@pytest.mark.parametrize(
    "write",
    [
        lambda: format_proof(Tree((Step(("sent1",), "int1", "a\nb"),))),  # a prediction is a line `$proof$ = ...`
        lambda: format_context([Sentence("sent1", "a\nb")]),
        lambda: format_slots({"hypothesis": "a\nb"}),
    ],
    ids=["proof", "context", "slots"],
)
def test_one_line_is_one_line(write):
    with pytest.raises(DataError):
        write()
