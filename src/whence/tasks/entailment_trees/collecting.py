"""What is special about entailment trees where people write them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from whence.drawing import Diagram
from whence.files import Json, objects, string
from whence.structures.tree import Claim, Sentence, Tree
from whence.tasks.entailment_trees.diagram import diagram
from whence.tasks.task import Collecting


def _draw_tree(value: Json, item: Mapping[str, Json]) -> Diagram | None:
    if not isinstance(value, Mapping) or "steps" not in value:
        return None
    try:
        tree = TypeAdapter(Tree).validate_python(value)
    except ValidationError:  # a draft: there is nothing to draw yet
        return None
    context = tuple(
        Sentence(string(one.get("id")), string(one.get("text"))) for one in objects(item.get("context"))
    )
    return diagram(Claim(string(item.get("hypothesis")), context), tree, {})


COLLECTING = Collecting(draw_part=_draw_tree)
