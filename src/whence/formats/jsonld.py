"""Argument graphs as JSON-LD: each edge an RDF statement, in order. It reads back as the same graph."""

from __future__ import annotations

import json
from urllib.parse import quote, unquote

from whence.errors import DataError, quoted
from whence.files import Json, parse_json_object
from whence.formats.lossless import reads_back
from whence.structures.graph import Edge, Graph, StanceGraph

_CONCEPT, _RELATION = "urn:whence:concept:", "urn:whence:relation:"
_CONTEXT = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "label": "rdfs:label",
    "stance": "urn:whence:stance",
    "edges": {"@id": "urn:whence:edges", "@container": "@list"},
    "head": {"@id": "rdf:subject"},
    "relation": {"@id": "rdf:predicate"},
    "tail": {"@id": "rdf:object"},
}


def format_jsonld(explanation: StanceGraph) -> str:
    """The document. Concepts and relations have addresses made of their words, so that graphs can be joined."""
    edges = [
        {
            "@type": "rdf:Statement",
            "head": _named(_CONCEPT, edge.head),
            "relation": _named(_RELATION, edge.relation),
            "tail": _named(_CONCEPT, edge.tail),
        }
        for edge in explanation.graph.edges
    ]
    document = {"@context": _CONTEXT, "@type": "urn:whence:ArgumentGraph", "stance": explanation.stance}
    try:
        text = json.dumps({**document, "edges": edges}, ensure_ascii=False, indent=2) + "\n"
        return reads_back(text, parse_jsonld, explanation, "texts of whole characters")
    except UnicodeEncodeError as error:
        raise DataError(expected="texts of whole characters", found=str(error)) from None


def parse_jsonld(text: str) -> StanceGraph:
    """The graph of a document in the form in which ours are written."""
    document = parse_json_object(text)
    edges = document.get("edges")
    if not isinstance(document.get("stance"), str) or not isinstance(edges, list):
        raise DataError(expected="'stance' and the list 'edges'", found=quoted(", ".join(document)))
    found = (Edge(_words(edge, "head"), _words(edge, "relation"), _words(edge, "tail")) for edge in edges)
    return StanceGraph(document["stance"], Graph(tuple(found)))


def _named(space: str, words: str) -> dict[str, str]:
    return {"@id": f"{space}{quote(words, safe='')}", "label": words}


def _words(edge: Json, name: str) -> str:
    node = edge.get(name) if isinstance(edge, dict) else None
    address = node.get("@id") if isinstance(node, dict) else node
    space = _RELATION if name == "relation" else _CONCEPT
    if not isinstance(address, str) or not address.startswith(space):
        raise DataError(expected=f"'{name}' with an address {space}...", found=quoted(str(node)))
    return unquote(address.removeprefix(space))
