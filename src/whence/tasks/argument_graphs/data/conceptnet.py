"""ConceptNet as a first lesson about relations (appendix C.3): its triples in the 28 relations of ExplaGraphs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whence.errors import MissingDataError
from whence.structures.graph import Edge
from whence.tasks.argument_graphs.data.files import read_conceptnet

FILES = {
    "train": "conceptnet/train_old.txt",
    "dev": "conceptnet/valid.txt",
    "test": "conceptnet/test_old.txt",
}
"""The file that serves for each split."""

_FORWARD = {
    "AtLocation": "at location",
    "LocationOfAction": "at location",
    "CapableOf": "capable of",
    "NotCapableOf": "not capable of",
    "Causes": "causes",
    "CreatedBy": "created by",
    "IsA": "is a",
    "InstanceOf": "is a",
    "InheritsFrom": "is a",
    "NotIsA": "is not a",
    "DefinedAs": "synonym of",
    "Desires": "desires",
    "DesireOf": "desires",
    "NotDesires": "not desires",
    "HasSubevent": "has subevent",
    "HasFirstSubevent": "has subevent",
    "HasLastSubevent": "has subevent",
    "PartOf": "part of",
    "HasProperty": "has property",
    "NotHasProperty": "not has property",
    "MadeOf": "made of",
    "NotMadeOf": "not made of",
    "ReceivesAction": "receives action",
    "UsedFor": "used for",
}
_BACKWARD = {"HasA": "part of", "NotHasA": "not part of"}
"""A cat has an eye: the eye is part of the cat."""

UNUSED = (
    "HasPrerequisite",
    "MotivatedByGoal",
    "CausesDesire",
    "SymbolOf",
    "RelatedTo",
    "LocatedNear",
    "HasPainIntensity",
    "HasPainCharacter",
)
"""Relations of ConceptNet that none of the 28 expresses; the paper too leaves out generic ones (sec. 3)."""


def translated(triple: Edge) -> Edge | None:
    """The triple in ExplaGraphs' relations; None if none of them says it."""
    if triple.relation in _BACKWARD:
        return Edge(triple.tail, _BACKWARD[triple.relation], triple.head)
    relation = _FORWARD.get(triple.relation)
    return None if relation is None else Edge(triple.head, relation, triple.tail)


def translated_triples(split: str, folder: Path) -> Iterator[tuple[str, Edge]]:
    """The triples of a split that can be said in ExplaGraphs' relations, each with the name of its line."""
    path = folder / FILES[split]
    if not path.exists():
        raise MissingDataError(f"{path} does not exist. Get it with: whence data get conceptnet")
    for number, (triple, _) in enumerate(read_conceptnet(path), 1):
        edge = translated(triple)
        if edge is not None and edge.head and edge.tail:
            yield f"{path.stem}-{number}", edge
