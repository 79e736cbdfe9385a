"""`written`: a trained language model writes the graph as text, held within the rules character by character.

belief, argument
  -> stance                                            stance_and_graph.py (head `stance`)
  -> a prompt                                          writer.py
  -> text of a graph, by beam search in which only
     what can still become a well-formed graph counts  graph_automaton.py, graph_state.py
  -> the best graph                                    writer.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from whence.errors import UsageError
from whence.models.trained import load_model
from whence.tasks.argument_graphs.methods.stance_and_graph import TASK, GraphExplainer, StanceSettings, stances_for
from whence.tasks.argument_graphs.methods.written.writer import Writer, WrittenMaker, tells_stance
from whence.tasks.method import Explainer, Method, Setup


@dataclass(frozen=True, slots=True)
class WrittenSettings(StanceSettings):
    """What a user may set."""

    model: str = ""
    """The folder of a model that learnt the head `graph`, as `whence train explagraphs small.graph` makes one."""
    beams: int = 1
    """How many graphs it writes side by side; the best is taken."""


def written(settings: WrittenSettings, _: Setup) -> Explainer:
    """Put the method together from a model folder."""
    if not settings.model:
        raise UsageError(
            "written graphs need a model: whence train explagraphs small.graph -o MODEL, then --set model=MODEL"
        )
    model = load_model(Path(settings.model))
    lesson = model.lesson(TASK, "graph")
    form = model.card["lessons"][lesson]["form"]
    if tells_stance(form) != (settings.order == "rationalising"):
        raise UsageError(f"{settings.model} learnt the form {form}: set order to match it")
    writer = cast(Writer, model.judge(lesson)).with_beams(settings.beams)
    return GraphExplainer(WrittenMaker(writer, form), stances_for(settings), settings.order)


METHOD = Method("written", "the graph that a model writes, kept within the rules", WrittenSettings, written)
