"""EntailmentBank: which sentences, step by step, entail that an answer is right?"""

from functools import partial
from pathlib import Path

from whence.structures.tree import Claim, Tree
from whence.tasks.entailment_trees import chains, data, drawn, rules
from whence.tasks.task import Task, no_facts

_task = partial(
    Task,
    paper="Dalvi et al. 2021, EntailmentBank",
    source="entailmentbank",
    folder=Path(__file__).parent,
    inputs=Claim,
    explanation=Tree,
    rules=rules.rules,
    read=chains.read,
    write=data.write,
    read_predictions=data.read_predictions,
    diagram=drawn.diagram,
)

TASKS = (
    _task(
        name="entailmentbank-1",
        title="hypothesis, its leaf sentences -> a tree of entailment steps",
        splits=data.splits(1) | chains.QUESTIONS[1],
        facts=no_facts,
    ),
    _task(
        name="entailmentbank-2",
        title="hypothesis, its leaf sentences among distractors -> a tree of entailment steps",
        splits=data.splits(2) | chains.QUESTIONS[2],
        facts=no_facts,
    ),
    _task(
        name="entailmentbank-3",
        title="hypothesis, a corpus -> a tree of entailment steps",
        splits=data.splits(3),
        facts=data.corpus_of,
    ),
)
