"""What is special about dialogue triplets where people write them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from whence.drawing import Diagram
from whence.files import Json, objects, string
from whence.structures.dialogue import Dialogue, Triplets, Utterance
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.diagram import triplets_diagram
from whence.tasks.task import Collecting, Relation


def _draw_triplet(value: Json, item: Mapping[str, Json]) -> Diagram | None:
    if not isinstance(value, Mapping) or not {"head", "relation", "tail"} <= value.keys():
        return None
    try:
        triplets = TypeAdapter(Triplets).validate_python({"triplets": [value]})
    except ValidationError:  # a draft: there is nothing to draw yet
        return None
    turns = objects(item.get("utterances"))
    utterances = tuple(Utterance(string(turn.get("speaker")), string(turn.get("text"))) for turn in turns)
    return triplets_diagram(Dialogue(utterances), triplets, {})


COLLECTING = Collecting(
    draw_part=_draw_triplet,
    relations=tuple(Relation(relation.name, relation.category) for relation in RELATIONS.values()),
)
