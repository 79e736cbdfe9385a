"""`structured`: models judge concepts and edges, and an exact search finds the best well-formed graph.

belief, argument
  -> stance                                            stance_and_graph.py (head `stance`)
  -> candidate concepts: pieces of the texts           concepts.py (head `concepts`)
     and concepts of neither text                      external_concepts.py
  -> a score for every edge                            evidence.py (heads `edges`, `places`)
  -> the best connected acyclic graph                  decoder.py (whence.solvers.graph_decoding)
"""

from __future__ import annotations

from dataclasses import dataclass

from whence.tasks.argument_graphs.data.files import SPLITS, read
from whence.tasks.argument_graphs.methods.stance_and_graph import (
    TASK,
    GraphExplainer,
    StanceSettings,
    head_judge,
    head_model,
    stances_for,
)
from whence.tasks.argument_graphs.methods.structured.decoder import Shape, StructuredMaker
from whence.tasks.argument_graphs.methods.structured.evidence import Parts, Weights
from whence.tasks.argument_graphs.methods.structured.external_concepts import (
    SimilarConcepts,
    added_concepts,
    general_concepts,
)
from whence.tasks.method import EMBEDDED, Explainer, Method, Setup


@dataclass(frozen=True, slots=True)
class StructuredSettings(StanceSettings):
    """What a user may set."""

    concepts: str = EMBEDDED
    edges: str = EMBEDDED
    places: str = EMBEDDED
    """Model folders of the heads of that name."""
    shape: Shape = "chain"
    """`chain`, `any` well-formed graph; or `released`: connected, but it may break rules."""
    most: int = 6
    """How many pieces of the texts are considered as concepts."""
    added: int = 2
    """How many concepts of neither text are considered."""
    concept_weight: float = Weights().concept
    added_weight: float = Weights().added
    size_weight: float = Weights().size
    """What concepts, added ones and edges are worth: see `Weights`."""


def structured(settings: StructuredSettings, setup: Setup) -> Explainer:
    """Put the method together from its models."""
    edges = head_model(settings.edges, "edges")
    path = SPLITS["train"].file(setup.data())
    known = added_concepts(read(path).examples) if path.is_file() else {}
    parts = Parts(
        concepts=head_judge(head_model(settings.concepts, "concepts"), "concepts"),
        edges=head_judge(edges, "edges"),
        edge_form=edges.card["lessons"][edges.lesson(TASK, "edges")]["form"],
        places=head_judge(head_model(settings.places, "places"), "places"),
        proposer=SimilarConcepts({**general_concepts(), **known}),
    )
    weights = Weights(concept=settings.concept_weight, added=settings.added_weight, size=settings.size_weight)
    maker = StructuredMaker(parts, weights, settings.shape, settings.most, settings.added)
    return GraphExplainer(maker, stances_for(settings), settings.order)


METHOD = Method(
    "structured", "the best graph of concepts and edges that models judged", StructuredSettings, structured
)
