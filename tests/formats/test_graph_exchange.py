"""Argument graphs as GraphML and JSON-LD: both ways, and as the usual tools see them."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.graphml import format_graphml, parse_graphml
from whence.formats.jsonld import format_jsonld, parse_jsonld
from whence.structures.graph import Edge, Graph, StanceGraph

GRAPH = StanceGraph(
    "counter",
    Graph(
        (Edge("a & b", "is a", "<c>"), Edge("<c>", "not causes", 'ünïcode "d"'), Edge("a & b", "causes", "<c>"))
    ),
)
words = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_characters="\x7f"), max_size=8)
graphs = st.builds(StanceGraph, words, st.builds(Graph, st.lists(st.builds(Edge, words, words, words)).map(tuple)))


@given(graphs)
@settings(deadline=None, max_examples=25)
def test_graphs_read_back(graph: StanceGraph) -> None:
    assert parse_jsonld(format_jsonld(graph)) == graph
    assert parse_graphml(format_graphml(graph)) == graph


def test_what_xml_has_not_is_refused() -> None:
    with pytest.raises(DataError, match="characters that XML has"):
        format_graphml(StanceGraph("support", Graph((Edge("a\x00", "is a", "b"),))))


def test_graphml_is_what_networkx_reads() -> None:
    networkx = pytest.importorskip("networkx")
    found = networkx.read_graphml(io.BytesIO(format_graphml(GRAPH).encode()))
    assert found.is_directed() and found.is_multigraph()  # two edges join the same concepts
    assert found.graph == {"stance": "counter"} or found.graph["stance"] == "counter"
    labels = dict(found.nodes(data="label"))
    edges = [(labels[head], data["relation"], labels[tail]) for head, tail, data in found.edges(data=True)]
    assert sorted(edges) == sorted((edge.head, edge.relation, edge.tail) for edge in GRAPH.graph.edges)


def test_jsonld_states_rdf() -> None:
    document = json.loads(format_jsonld(GRAPH))
    assert document["@context"]["head"] == {"@id": "rdf:subject"}
    assert document["edges"][0]["relation"] == {"@id": "urn:whence:relation:is%20a", "label": "is a"}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("no xml", "expected GraphML"),
        ("<graphml/>", "the element graph"),
        ("<!DOCTYPE x><graphml/>", "a document type"),
        (format_graphml(GRAPH).replace('target="n1"', 'target="n9"', 1), "edges between nodes"),
        (format_graphml(GRAPH).replace('<data key="relation">is a</data>', "", 1), "'relation' of every edge"),
    ],
)
def test_what_is_no_graphml_is_refused(text: str, part: str) -> None:
    with pytest.raises(DataError, match=part):
        parse_graphml(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[]", "a JSON object"),
        ("{}", "'stance'"),
        ('{"stance": "s", "edges": [{"head": 1}]}', "'head' with an address"),
    ],
)
def test_what_is_no_graph_in_jsonld_is_refused(text: str, part: str) -> None:
    with pytest.raises(DataError, match=part):
        parse_jsonld(text)
