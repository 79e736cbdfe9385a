"""Stance and graph, the one from the other: reasoning makes the graph first, rationalising the stance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from whence.errors import UsageError, quoted
from whence.models.items import Item
from whence.models.learners import Judge
from whence.models.trained import Model, bundled, load_model
from whence.progress import Report, unreported
from whence.structures.graph import Argument, Graph, StanceGraph
from whence.structures.results import Example
from whence.tasks.argument_graphs.data.files import STANCES
from whence.tasks.argument_graphs.heads.texts import lowered, stance_pair
from whence.tasks.method import EMBEDDED, Explained, Reason

Order = Literal["rationalising", "reasoning"]
"""First the stance, then a graph that explains it; or first a graph, then the stance that follows (sec. 7)."""
TASK = "explagraphs"
GOLD = "gold"
"""In the place of a model of stances: the stance is known, and only its explanation is asked for."""
TOO_SHORT = "the belief and the argument need two words each, of which concepts can be made"


@dataclass(frozen=True, slots=True)
class MadeGraph:
    """A graph, or none; why its edges are there, and what was not taken."""

    graph: Graph | None
    reasons: tuple[Reason, ...] = ()
    refused: tuple[Reason, ...] = ()


class Maker(Protocol):
    """Makes graphs that are well-formed, or none."""

    @property
    def name(self) -> str:
        """What it is, with the fingerprints of its models."""

    def make(
        self, inputs: Sequence[Argument], stances: Sequence[str], report: Report = unreported
    ) -> list[MadeGraph]:
        """A graph for each belief and argument; an empty stance is not known yet."""


class Stances(Protocol):
    """Says which stance arguments have."""

    @property
    def name(self) -> str:
        """What it is."""

    def tell(self, examples: Sequence[Example[Argument, StanceGraph]], graphs: Sequence[Graph]) -> list[str]:
        """The stance of each example, from its graph where that is not empty."""


class JudgedStances:
    """Stances that a model judges, of belief and argument alone or with a graph."""

    def __init__(self, judge: Judge, *, with_graph: bool) -> None:
        self._judge, self._with_graph = judge, with_graph
        self.name = judge.name

    def tell(self, examples: Sequence[Example[Argument, StanceGraph]], graphs: Sequence[Graph]) -> list[str]:
        """What the model finds most probable."""
        pairs = [
            stance_pair(example.inputs, lowered(graph))
            if self._with_graph
            else (example.inputs.belief, example.inputs.argument)
            for example, graph in zip(examples, graphs, strict=True)
        ]
        verdicts = self._judge.judge([Item(str(place), ((pair,),)) for place, pair in enumerate(pairs)])
        return [STANCES[verdict.best] for verdict in verdicts]


@dataclass(frozen=True, slots=True)
class KnownStances:
    """A stance that the user names, or that the examples come with."""

    name: str

    def tell(self, examples: Sequence[Example[Argument, StanceGraph]], _: Sequence[Graph]) -> list[str]:
        """The stance that is named, or each example's own."""
        if self.name in STANCES:
            return [self.name] * len(examples)
        for example in examples:
            if not example.golds:
                raise UsageError(
                    f"{quoted(example.id)} has no known stance; set stance to a model, support or counter"
                )
        return [example.golds[0].stance for example in examples]


class GraphExplainer:
    """A maker of graphs with what tells stances."""

    def __init__(self, maker: Maker, stances: Stances, order: Order) -> None:
        self._maker, self._stances, self._order = maker, stances, order
        self.name = f"{order}: {maker.name}; stance {stances.name}"

    def explain(self, examples: Sequence[Example[Any, Any]], report: Report = unreported) -> list[Explained]:
        """The stance and the graph of each example, the one from the other."""
        inputs = [example.inputs for example in examples]
        if self._order == "rationalising":
            stances = self._stances.tell(examples, [Graph(())] * len(examples))
            made = self._maker.make(inputs, stances, report)
        else:
            made = self._maker.make(inputs, [""] * len(examples), report)
            stances = self._stances.tell(examples, [one.graph or Graph(()) for one in made])
        return [_explained(stance, one) for stance, one in zip(stances, made, strict=True)]


def _explained(stance: str, made: MadeGraph) -> Explained:
    if made.graph is None:
        return Explained(None, refused=(Reason("no graph", because=(TOO_SHORT,)),))
    return Explained(StanceGraph(stance, made.graph), made.reasons, made.refused)


@dataclass(frozen=True, slots=True)
class StanceSettings:
    """How the stance is told."""

    order: Order = "rationalising"
    """`rationalising`: the stance, then its graph; `reasoning`: the graph, then the stance that it says."""
    stance: str = EMBEDDED
    """A model folder of the head `stance`, or of `stance-with-graph` for reasoning; or a stance that is known:
    `support`, `counter`, or `gold`, that of the examples."""


def stances_for(settings: StanceSettings) -> Stances:
    """Give what tells the stances: a model of the head, or what is known."""
    if settings.stance in (GOLD, *STANCES):
        return KnownStances(settings.stance)
    with_graph = settings.order == "reasoning"
    head = "stance-with-graph" if with_graph else "stance"
    return JudgedStances(head_judge(head_model(settings.stance, head), head), with_graph=with_graph)


def head_model(named: str, head: str) -> Model:
    """Load the model of a head: a folder, or the one that ships with this package."""
    return bundled(f"{TASK}/{head}") if named == EMBEDDED else load_model(Path(named))


def head_judge(model: Model, head: str) -> Judge:
    """Make a model ready to judge what a head asks."""
    return model.judge(model.lesson(TASK, head))
