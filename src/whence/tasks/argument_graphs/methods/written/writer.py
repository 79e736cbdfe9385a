"""Graphs that a model writes as text: how it is asked, how it learns, and how it is kept within the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from whence.errors import UsageError, quoted
from whence.formats.graphs import EDGE_ORDERS, format_graph
from whence.models.items import TextItem, Verdict
from whence.progress import Report, unreported
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.graph_state import sources
from whence.tasks.argument_graphs.heads.texts import ArgumentExample, gold_graph
from whence.tasks.argument_graphs.methods.stance_and_graph import MadeGraph
from whence.tasks.argument_graphs.methods.written.graph_automaton import GraphText
from whence.tasks.method import Reason

_USUAL = "dfs"
"""The edge order that the paper found best (appendix E.1)."""


def _reasoning(inputs: Argument, _stance: str) -> str:
    return f"belief: {inputs.belief}\nargument: {inputs.argument}\ngraph:"


def _rationalising(inputs: Argument, stance: str) -> str:
    return f"belief: {inputs.belief}\nargument: {inputs.argument}\nstance: {stance}\ngraph:"


_PROMPTS: Mapping[str, Callable[[Argument, str], str]] = {
    "rationalising": _rationalising,
    "reasoning": _reasoning,
}
WRITING_FORMS = (
    *_PROMPTS,
    *(f"{name}-{order}" for name in _PROMPTS for order in EDGE_ORDERS if order != _USUAL),
)
"""Whether the stance is told before the graph, and the order of edges: depth first unless another one is named."""


def prompt_of(inputs: Argument, stance: str, form: str) -> str:
    """What a model goes on from."""
    return _PROMPTS[_read_form(form)[0]](inputs, stance)


def written_item(example: ArgumentExample, form: str, seed: int) -> TextItem:
    """What a model learns to write for an example."""
    graph, order = gold_graph(example), _read_form(form)[1]
    gold = format_graph(graph, order, seed) if graph.edges else None
    stance = example.golds[0].stance if example.golds else ""
    return TextItem(example.id, prompt_of(example.inputs, stance, form), gold, group=example.inputs.belief.lower())


def tells_stance(form: str) -> bool:
    """Whether the stance is told before the graph is written."""
    return _read_form(form)[0] == "rationalising"


def _read_form(form: str) -> tuple[str, str]:
    if form and form not in WRITING_FORMS:
        raise UsageError(
            f"graphs are not written in the form {quoted(form)}; there are {', '.join(WRITING_FORMS)}"
        )
    name, _, order = form.partition("-")
    return name or next(iter(_PROMPTS)), order or _USUAL


class Writer(Protocol):
    """A model that writes within constraints."""

    @property
    def name(self) -> str:
        """What it is."""

    def write(
        self, items: Sequence[TextItem], constraint: Callable[[TextItem], GraphText], report: Report = unreported
    ) -> list[Verdict]:
        """What it writes after each prompt, the best text first."""

    def with_beams(self, count: int) -> Writer:
        """The same model, writing so many texts after each prompt."""


@dataclass(frozen=True, slots=True)
class WrittenMaker:
    """Makes the graphs that a model writes, kept within the rules letter by letter."""

    writer: Writer
    form: str

    @property
    def name(self) -> str:
        """The model, and how it is asked."""
        return f"written by {self.writer.name} ({self.form})"

    def make(
        self, inputs: Sequence[Argument], stances: Sequence[str], report: Report = unreported
    ) -> list[MadeGraph]:
        """The graph of each belief and argument; one that was too long to be written out is brought to its end."""
        found = [sources(one) for one in inputs]
        constraints = {str(place): GraphText(one) for place, one in enumerate(found) if one is not None}
        items = [
            TextItem(name, prompt_of(inputs[int(name)], stances[int(name)], self.form)) for name in constraints
        ]
        verdicts = self.writer.write(items, lambda item: constraints[item.id], report)
        made = {verdict.id: _made(constraints[verdict.id], verdict) for verdict in verdicts}
        return [made.get(str(place), MadeGraph(None)) for place in range(len(inputs))]


def _made(constraint: GraphText, verdict: Verdict) -> MadeGraph:
    text = verdict.texts[0]
    graph = constraint.graph(text.text)
    wrote = f"the model wrote it, with a mean log-probability of {text.score:.2f} a token"
    cut = "the model was cut off: it brings the graph to its end"
    because = [wrote if number < text.text.count(")") else cut for number in range(len(graph.edges))]
    reasons = tuple(
        Reason(f"({edge.head}; {edge.relation}; {edge.tail})", None, (why,))
        for edge, why in zip(graph.edges, because, strict=True)
    )
    others = tuple(Reason(one.text, one.score, ("another beam wrote it",)) for one in verdict.texts[1:])
    return MadeGraph(graph, reasons, others)
