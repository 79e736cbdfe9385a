"""What is special about argument graphs where people write them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from whence.drawing import Diagram
from whence.files import Json, string
from whence.formats.graphs import format_graph
from whence.structures.graph import Argument, Graph, StanceGraph
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.diagram import diagram
from whence.tasks.task import Collecting, Relation


def _earlier_graphs_as_text(value: Mapping[str, Json]) -> dict[str, Json]:
    """The graphs of earlier refinement rounds as the published file has them."""
    meta = dict(value["meta"])
    graphs = [TypeAdapter(Graph).validate_python(graph) for graph in meta.pop("earlier_graphs", [])]
    earlier = {"earlier_graphs": [format_graph(graph) for graph in graphs]} if graphs else {}
    return {**value, "meta": {**meta, **earlier}}


def _draw_graph(value: Json, item: Mapping[str, Json]) -> Diagram | None:
    if not isinstance(value, Mapping) or "edges" not in value:
        return None
    try:
        graph = TypeAdapter(Graph).validate_python(value)
    except ValidationError:  # a draft: there is nothing to draw yet
        return None
    inputs = Argument(string(item.get("belief")), string(item.get("argument")))
    return diagram(inputs, StanceGraph("", graph), {})


COLLECTING = Collecting(
    finish=_earlier_graphs_as_text,
    draw_part=_draw_graph,
    relations=tuple(Relation(name) for name in RELATIONS),
)
