"""Graphs in what language models write."""

from __future__ import annotations

from whence.formats.llm_text import Unread
from whence.formats.llm_text.graph import GraphReader
from whence.formats.llm_text.relation_names import RelationNames
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.tasks.argument_graphs.data.files import RELATIONS, STANCES
from whence.tasks.dataset import Dataset

_READER = GraphReader(RelationNames(RELATIONS), STANCES)


def read_text(text: str, _: Argument, __: Dataset[Argument, StanceGraph]) -> StanceGraph | Unread:
    """The stance and graph of an answer. Concepts are in lower case, as in the data."""
    answer = _READER.read(text)
    if isinstance(answer, Unread):
        return answer
    edges = (Edge(edge.head.lower(), edge.relation, edge.tail.lower()) for edge in answer.graph.edges)
    return StanceGraph(answer.stance, Graph(tuple(dict.fromkeys(edges))))
