"""Argument graphs as GraphML, which networkx, Gephi, yEd and Cytoscape read. It reads back as the same graph."""

from __future__ import annotations

import xml.etree.ElementTree as Xml

from whence.errors import DataError, quoted
from whence.formats.lossless import reads_back
from whence.structures.graph import Edge, Graph, StanceGraph

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_KEYS = {"stance": "graph", "label": "node", "relation": "edge"}
"""What is said of what."""


def format_graphml(explanation: StanceGraph) -> str:
    """The document: concepts are labels of nodes, relations those of edges, the stance that of the graph."""
    root = Xml.Element("graphml", xmlns=_NAMESPACE)
    for name, domain in _KEYS.items():
        key = {"id": name, "for": domain, "attr.name": name, "attr.type": "string"}
        Xml.SubElement(root, "key", key)
    graph = Xml.SubElement(root, "graph", id="explanation", edgedefault="directed")
    _add_data(graph, "stance", explanation.stance)
    numbers = {node: f"n{number}" for number, node in enumerate(explanation.graph.nodes)}
    for node, number in numbers.items():
        _add_data(Xml.SubElement(graph, "node", id=number), "label", node)
    for place, edge in enumerate(explanation.graph.edges):
        ends = {"id": f"e{place}", "source": numbers[edge.head], "target": numbers[edge.tail]}
        _add_data(Xml.SubElement(graph, "edge", ends), "relation", edge.relation)
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode", xml_declaration=False)
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
    return reads_back(document, parse_graphml, explanation, "texts of characters that XML has")


def parse_graphml(text: str) -> StanceGraph:
    """The graph of a document that says `label`, `relation` and `stance` as ours does."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DataError(expected="GraphML without entities of its own", found="a document type")
    try:
        root = Xml.fromstring(text.encode())
    except (Xml.ParseError, UnicodeEncodeError) as error:
        raise DataError(expected="GraphML", found=str(error)) from None
    graph = root.find(_tag("graph"))
    if graph is None:
        raise DataError(expected="the element graph of GraphML", found=quoted(root.tag))
    keys = {(key.get("for"), key.get("attr.name")): key.get("id", "") for key in root.iter(_tag("key"))}
    labels = {node.get("id", ""): _data(node, keys, "label") for node in graph.iter(_tag("node"))}
    edges = []
    for edge in graph.iter(_tag("edge")):
        ends = [edge.get(end, "") for end in ("source", "target")]
        if not all(end in labels for end in ends):
            raise DataError(expected="edges between nodes of the graph", found=quoted(" ".join(ends)))
        edges.append(Edge(labels[ends[0]], _data(edge, keys, "relation"), labels[ends[1]]))
    return StanceGraph(_data(graph, keys, "stance"), Graph(tuple(edges)))


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _add_data(parent: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(parent, "data", key=name).text = text


def _data(element: Xml.Element, keys: dict[tuple[str | None, str | None], str], name: str) -> str:
    wanted = keys.get((_KEYS[name], name)) or keys.get(("all", name))
    found = next((data for data in element.findall(_tag("data")) if wanted and data.get("key") == wanted), None)
    if found is None:
        raise DataError(expected=f"'{name}' of every {_KEYS[name]}", found="one without")
    return found.text or ""
