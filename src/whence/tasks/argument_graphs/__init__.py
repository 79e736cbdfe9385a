"""ExplaGraphs: does an argument support or counter a belief, and which graph of commonsense says why?"""

from pathlib import Path

from whence.structures.graph import Argument, StanceGraph
from whence.tasks.argument_graphs import data, drawn, rules
from whence.tasks.task import Task, no_facts

EXPLAGRAPHS = Task(
    name="explagraphs",
    title="belief, argument -> stance and a graph of concepts",
    paper="Saha et al. 2021, ExplaGraphs",
    source="explagraphs",
    folder=Path(__file__).parent,
    inputs=Argument,
    explanation=StanceGraph,
    rules=rules.rules,
    read=data.read,
    write=data.write,
    read_predictions=data.read_predictions,
    diagram=drawn.diagram,
    splits=data.SPLITS,
    facts=no_facts,
)

TASKS = (EXPLAGRAPHS,)
