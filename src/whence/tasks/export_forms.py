"""Explanations as text for other tools: the papers' own strings, Mermaid, and the forms of graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from whence.drawing import Diagram, to_mermaid
from whence.errors import UsageError
from whence.formats.graphml import format_graphml
from whence.formats.graphs import format_graph
from whence.formats.jsonld import format_jsonld
from whence.formats.proofs import format_proof
from whence.structures.graph import StanceGraph
from whence.structures.tree import Tree

ExportForm = Literal["graphml", "jsonld", "mermaid", "paper"]

_WRITERS: Mapping[str, Mapping[type, Callable[[Any], str]]] = {
    "graphml": {StanceGraph: format_graphml},
    "jsonld": {StanceGraph: format_jsonld},
    "paper": {
        StanceGraph: lambda found: f"{found.stance}\t{format_graph(found.graph)}\n",
        Tree: lambda found: f"$proof$ = {format_proof(found)}\n",
    },
}


def export_forms(explanation: type) -> tuple[ExportForm, ...]:
    """The forms that explanations of a type can be had in."""
    forms: tuple[ExportForm, ...] = get_args(ExportForm)
    return tuple(form for form in forms if form == "mermaid" or explanation in _WRITERS[form])


def exported(explanation: Any, diagram: Diagram, form: ExportForm) -> str:
    """The text. Mermaid draws every explanation; the other forms are of those that their papers give them."""
    if form == "mermaid":
        return to_mermaid(diagram)
    write = _WRITERS[form].get(type(explanation))
    if write is None:
        kinds = " and ".join(_NAMES[kind] for kind in _WRITERS[form])
        raise UsageError(f"{form} is a form of {kinds}; mermaid is one of all explanations")
    return write(explanation)


_NAMES: Mapping[type, str] = {StanceGraph: "argument graphs", Tree: "entailment trees"}
