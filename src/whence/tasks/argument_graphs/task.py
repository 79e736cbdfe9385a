"""ExplaGraphs: does an argument support or counter a belief, and which graph of commonsense says why?

Where things are: `data/` reads and counts the published files, `rules.py` says when a graph is well-formed,
`scoring.py` measures, `heads/` has what models learn, `methods/NAME/` makes graphs, `concepts.py` and
`graph_state.py` are what several methods share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from whence.formats.llm_text import Unread
from whence.plugins import API
from whence.structures.graph import Argument, Graph, StanceGraph
from whence.tasks.argument_graphs import rules
from whence.tasks.argument_graphs.collecting import COLLECTING
from whence.tasks.argument_graphs.data import files
from whence.tasks.argument_graphs.diagram import diagram
from whence.tasks.dataset import Dataset
from whence.tasks.task import DataFiles, Questions, Task, TourStop

if TYPE_CHECKING:
    from whence.tasks.controls import Controls
    from whence.tasks.floors import Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring
    from whence.tasks.statistics import StatisticsTable

_FOLDER = Path(__file__).parent


def _scoring() -> Scoring:
    from whence.tasks.argument_graphs.scoring import SCORING

    return SCORING


def _floors() -> tuple[Floor, ...]:
    from whence.tasks.argument_graphs.floors import FLOORS

    return FLOORS


def _controls() -> tuple[Controls, ...]:
    from whence.tasks.argument_graphs.controls import CONTROLS

    return CONTROLS


def _methods() -> tuple[Method, ...]:
    from whence.tasks.argument_graphs.methods.methods import METHODS

    return METHODS


def _heads() -> tuple[Head, ...]:
    from whence.tasks.argument_graphs.heads.heads import HEADS

    return HEADS


def _prompt() -> Prompt[Argument, StanceGraph]:
    from whence.tasks.argument_graphs.methods.llm.prompt import PROMPT

    return PROMPT


def _read_text(text: str, inputs: Argument, dataset: Dataset[Argument, StanceGraph]) -> StanceGraph | Unread:
    from whence.tasks.argument_graphs.llm_answers import read_text

    return read_text(text, inputs, dataset)


def _form_inputs() -> FormInputs:
    from whence.tasks.argument_graphs.form_inputs import FORM_INPUTS

    return FORM_INPUTS


def _statistics() -> Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]:
    from whence.tasks.argument_graphs.data.statistics import conceptnet, explagraphs

    return {"explagraphs": explagraphs, "conceptnet": conceptnet}


def _forgets_an_edge(index: int, gold: StanceGraph) -> StanceGraph:
    """A system that forgets the last edge of every graph and takes every fifth stance wrong."""
    other = {"support": "counter", "counter": "support"}[gold.stance]
    return replace(gold, stance=other if index % 5 == 4 else gold.stance, graph=Graph(gold.graph.edges[:-1]))


EXPLAGRAPHS = Task(
    api=API,
    name="explagraphs",
    family="argument_graphs",
    title="belief, argument -> stance and a graph of concepts",
    paper="Saha et al. 2021, ExplaGraphs",
    position=10,
    source="explagraphs",
    questions=Questions(origin="debates", text=lambda asked: f"{asked.belief} {asked.argument}"),
    inputs=Argument,
    explanation=StanceGraph,
    data=DataFiles(
        samples=_FOLDER / "samples" / "explagraphs.jsonl",
        read=files.read,
        write=files.write,
        read_predictions=files.read_predictions,
        splits=files.SPLITS,
        suffix=".tsv",
    ),
    rules=rules.rules,
    diagram=diagram,
    scoring=_scoring,
    floors=_floors,
    controls=_controls,
    methods=_methods,
    heads=_heads,
    recipes=_FOLDER / "recipes",
    prompt=_prompt,
    read_text=_read_text,
    form_inputs=_form_inputs,
    statistics=_statistics,
    collecting=COLLECTING,
    tour=TourStop(
        1,
        1,
        "an argument, and the graph that says why it bears on a belief as it does",
        degraded=_forgets_an_edge,
    ),
)
