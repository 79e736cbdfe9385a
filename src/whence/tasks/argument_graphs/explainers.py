"""Ways to explain how an argument bears on a belief."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from whence.errors import UsageError
from whence.models.learners import Judge
from whence.models.trained import Model, bundled, load_model
from whence.tasks.argument_graphs.commonsense import SimilarConcepts, added_concepts, general_concepts
from whence.tasks.argument_graphs.data import SPLITS, STANCES, read
from whence.tasks.argument_graphs.decoded import Shape, StructuredMaker
from whence.tasks.argument_graphs.making import GOLD, GraphExplainer, JudgedStances, KnownStances, Order, Stances
from whence.tasks.argument_graphs.structured import Parts, Weights
from whence.tasks.argument_graphs.writing import Writer, WrittenMaker, tells_stance
from whence.tasks.explainers import EMBEDDED, Explainer, Method, Setup

_TASK = "explagraphs"


@dataclass(frozen=True, slots=True)
class StanceSettings:
    """How the stance is told."""

    order: Order = "rationalising"
    """`rationalising`: the stance, then its graph; `reasoning`: the graph, then the stance that it says."""
    stance: str = EMBEDDED
    """A model folder of the head `stance`, or of `stance-with-graph` for reasoning; or a stance that is known:
    `support`, `counter`, or `gold`, that of the examples."""


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


def _structured(settings: StructuredSettings, setup: Setup) -> Explainer:
    edges = _model(settings.edges, "edges")
    path = SPLITS["train"].file(setup.data())
    known = added_concepts(read(path).examples) if path.is_file() else {}
    parts = Parts(
        concepts=_judge(_model(settings.concepts, "concepts"), "concepts"),
        edges=_judge(edges, "edges"),
        edge_form=edges.card["lessons"][edges.lesson(_TASK, "edges")]["form"],
        places=_judge(_model(settings.places, "places"), "places"),
        proposer=SimilarConcepts({**general_concepts(), **known}),
    )
    weights = Weights(concept=settings.concept_weight, added=settings.added_weight, size=settings.size_weight)
    maker = StructuredMaker(parts, weights, settings.shape, settings.most, settings.added)
    return GraphExplainer(maker, _stances(settings), settings.order)


@dataclass(frozen=True, slots=True)
class WrittenSettings(StanceSettings):
    """What a user may set."""

    model: str = ""
    """The folder of a model that learnt the head `graph`, as `whence train explagraphs small.graph` makes one."""
    beams: int = 1
    """How many graphs it writes side by side; the best is taken."""


def _written(settings: WrittenSettings, _: Setup) -> Explainer:
    if not settings.model:
        raise UsageError(
            "written graphs need a model: whence train explagraphs small.graph -o MODEL, then --set model=MODEL"
        )
    model = load_model(Path(settings.model))
    lesson = model.lesson(_TASK, "graph")
    form = model.card["lessons"][lesson]["form"]
    if tells_stance(form) != (settings.order == "rationalising"):
        raise UsageError(f"{settings.model} learnt the form {form}: set order to match it")
    writer = cast(Writer, model.judge(lesson)).with_beams(settings.beams)
    return GraphExplainer(WrittenMaker(writer, form), _stances(settings), settings.order)


def _stances(settings: StanceSettings) -> Stances:
    if settings.stance in (GOLD, *STANCES):
        return KnownStances(settings.stance)
    with_graph = settings.order == "reasoning"
    head = "stance-with-graph" if with_graph else "stance"
    return JudgedStances(_judge(_model(settings.stance, head), head), with_graph=with_graph)


def _model(named: str, head: str) -> Model:
    return bundled(f"{_TASK}/{head}") if named == EMBEDDED else load_model(Path(named))


def _judge(model: Model, head: str) -> Judge:
    return model.judge(model.lesson(_TASK, head))


METHODS: dict[str, tuple[Method, ...]] = {
    _TASK: (
        Method(
            "structured",
            "the best graph of concepts and edges that models judged",
            StructuredSettings,
            _structured,
        ),
        Method("written", "the graph that a model writes, kept within the rules", WrittenSettings, _written),
    )
}
