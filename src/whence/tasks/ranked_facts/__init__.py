"""WorldTree: which facts of a table store explain why an answer is right?"""

from pathlib import Path

from whence.structures.facts import FactSet, Question, Ranking
from whence.tasks.ranked_facts import data, drawn, rules
from whence.tasks.task import Task

TASKS = (
    Task(
        name="worldtree",
        title="question, answer, fact base -> a ranking or set of facts",
        paper="Xie et al. 2020, WorldTree V2; Jansen et al. 2021, expert ratings",
        source="worldtree",
        folder=Path(__file__).parent,
        inputs=Question,
        explanation=FactSet | Ranking,
        rules=rules.rules,
        read=data.read,
        write=data.write,
        read_predictions=data.read_predictions,
        diagram=drawn.diagram,
        splits=data.SPLITS,
        facts=data.facts_of,
    ),
)
