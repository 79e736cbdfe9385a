"""Triples of head, relation and tail in JSON values."""

from __future__ import annotations

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import Line, names
from whence.formats.llm_text.json_values import member, members
from whence.formats.llm_text.triples import HEAD, RELATION, TAIL, Triple, TripleReader
from whence.formats.llm_text.unread import UnreadError

LISTS = names(
    "edges triples triplets graph facts relations explanation_graph edge_list links statements knowledge_graph "
    "explanation argument_graph commonsense_graph"
)


class JsonTriples:
    """Reads the triples of JSON values, and by `reader` those of the texts in them."""

    def __init__(self, reader: TripleReader) -> None:
        self._reader = reader

    def triples(self, value: Json) -> list[Triple] | None:
        """The triples of a JSON list, of an object that has one, or of a text; None if it is none of these."""
        if isinstance(value, str):
            blocks = self._reader.triples(value)
            return [triple for block in blocks for triple in block] or None
        if isinstance(value, dict):
            inner = member(value, LISTS)
            return None if inner is None else self._numbered(inner, value)
        if not isinstance(value, list) or not value:
            return None
        if self._is_listed_triple(value):
            value = [value]
        return self._numbered(value, {})

    def _numbered(self, value: Json, whole: dict[str, Json]) -> list[Triple] | None:
        if isinstance(value, dict):
            nodes = {**_nodes(whole), **_nodes(value)}
            inner = member(value, LISTS)
            return None if inner is None else self._entries(inner, nodes)
        return self._entries(value, _nodes(whole)) if isinstance(value, list) else self.triples(value)

    def _entries(self, value: Json, nodes: dict[str, str]) -> list[Triple] | None:
        if isinstance(value, str):
            return self.triples(value)
        if not isinstance(value, list) or not value:
            return None
        triples: list[Triple] = []
        for number, entry in enumerate(value, 1):
            more = self._entry(entry, nodes)
            if more is None:
                if number == 1:
                    return None
                raise UnreadError(
                    f"entry {number} of its list is no head, relation and tail: {quoted(str(entry), 60)}"
                )
            triples += more
        return triples

    def _entry(self, entry: Json, nodes: dict[str, str]) -> list[Triple] | None:
        if isinstance(entry, str):
            return self._reader.line_triples(Line(entry, entry, "bullet")) or None
        if isinstance(entry, list):
            return [self._reader.given(*entry)] if self._is_listed_triple(entry) else None
        named = members(entry)
        ends = [_text(next((named[name] for name in named if name in names), None)) for names in (HEAD, TAIL)]
        relation = next((named[name] for name in named if name in RELATION and isinstance(named[name], str)), None)
        if relation is None or not all(ends):
            inner = next((named[name] for name in ("triple", "triplet", "edge", "fact") if name in named), None)
            return self._entry(inner, nodes) if isinstance(inner, list | str | dict) else None
        head, tail = (nodes.get(str(end), str(end)) for end in ends)
        return [self._reader.given(head, relation, tail)]

    def _is_listed_triple(self, value: Json) -> bool:
        return isinstance(value, list) and len(value) == 3 and all(isinstance(one, str) and one for one in value)


def _nodes(value: dict[str, Json]) -> dict[str, str]:
    """The nodes of a JSON graph by id, where it lists them with both."""
    listed = member(value, ("nodes", "concepts", "vertices"))
    if isinstance(listed, dict):
        return {str(name): _text(label) or str(name) for name, label in listed.items()}
    nodes = {}
    for node in listed if isinstance(listed, list) else []:
        name, label = member(node, ("id", "key")), member(node, ("label", "name", "text", "concept", "value"))
        if name is not None and isinstance(label, str):
            nodes[str(name)] = label
    return nodes


def _text(value: Json) -> str:
    """A text or a number as text; of an object, its text or name."""
    if isinstance(value, dict):
        value = member(value, ("text", "name", "label", "concept", "span", "value"))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""
