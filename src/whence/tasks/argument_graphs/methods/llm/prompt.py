"""Argument graphs by a language model: how it is asked, how its answer is read and mended."""

from __future__ import annotations

from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.tasks.argument_graphs.concepts import LONGEST
from whence.tasks.argument_graphs.data.files import RELATIONS, STANCES
from whence.tasks.argument_graphs.graph_state import LEAST_EDGES, MOST_EDGES
from whence.tasks.argument_graphs.methods.llm.repair import mend
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.argument_graphs.task import EXPLAGRAPHS
from whence.tasks.dataset import Dataset
from whence.tasks.prompting import Prompt, choice_of, list_of, prompted_method, record, some, text_of, words

INSTRUCTION = f"""You explain how an argument bears on a belief. Say whether the argument supports or counters \
the belief, and give a graph of commonsense facts that leads from one to the other. A fact joins a head concept \
to a tail concept by a relation.
Rules:
- {LEAST_EDGES} to {MOST_EDGES} facts.
- A concept is one to {LONGEST} words, in lower case.
- At least two concepts are words of the belief, exactly as they stand there, and at least two of the argument.
- All facts hang together: the graph is in one piece. No way along the facts leads back to where it began.
- Two concepts are joined at most once.
- Relations: {", ".join(RELATIONS)}.
Answer with JSON only: {{"stance": "support" or "counter", \
"graph": [{{"head": ..., "relation": ..., "tail": ...}}]}}"""


_WORD = r"[^ ;()\"\\A-Z]{1,24}"
CONCEPT = {**words(40), "pattern": f"^{_WORD}( {_WORD}){{0,{LONGEST - 1}}}$"}
"""As far as a schema goes: where patterns are not known, the length alone holds."""


def ask(inputs: Argument) -> str:
    """The two texts."""
    return f"Belief: {inputs.belief}\nArgument: {inputs.argument}"


def schema(_: Argument) -> dict[str, Any]:
    """A stance and edges."""
    edge = record(head=CONCEPT, relation=choice_of(RELATIONS), tail=CONCEPT)
    return record(stance=choice_of(STANCES), graph=some(edge, LEAST_EDGES, MOST_EDGES))


def show(_: Argument, explanation: StanceGraph) -> Json:
    """A graph as an answer."""
    edges = [{"head": e.head, "relation": e.relation, "tail": e.tail} for e in explanation.graph.edges]
    return {"stance": explanation.stance, "graph": edges}


def parse(_: Argument, answer: Json) -> StanceGraph:
    """An answer as a graph. Concepts are in lower case, as in the data."""
    edges = tuple(
        Edge(*(text_of(edge, name).lower() for name in ("head", "relation", "tail")))
        for edge in list_of(answer, "graph")
    )
    if not edges:
        raise DataError(expected="facts in 'graph'", found="none")
    for edge in edges:
        for part in (edge.head, edge.tail):
            if any(mark in part for mark in ("; ", ")(")):
                raise DataError(expected="concepts of words", found=quoted(part))
    return StanceGraph(text_of(answer, "stance").lower(), Graph(edges))


def repair(inputs: Argument, explanation: StanceGraph) -> StanceGraph:
    """The nearest graph that keeps the rules; the same where there is none."""
    found = mend(inputs, explanation.graph)
    return explanation if found is None else StanceGraph(explanation.stance, found)


PROMPT = Prompt(EXPLAGRAPHS, INSTRUCTION, ask, schema, show, parse, rules("paper", Dataset((), ())), repair)
METHOD = prompted_method(PROMPT)
