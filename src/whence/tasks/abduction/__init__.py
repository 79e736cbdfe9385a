"""ART: which hypothesis best explains how one observation led to another? `anli` is *abductive* NLI here."""

from pathlib import Path

from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Label
from whence.tasks.abduction import data, drawn, rules
from whence.tasks.task import Task, no_facts

_PAPER = "Bhagavatula et al. 2020, ART"
_FOLDER = Path(__file__).parent

TASKS = (
    Task(
        name="anli",
        title="two observations, two hypotheses -> the more plausible one (abductive NLI)",
        paper=_PAPER,
        source="art",
        folder=_FOLDER,
        inputs=HypothesisPair,
        explanation=Label,
        rules=rules.anli_rules,
        read=data.read_anli,
        write=data.write_anli,
        read_predictions=data.read_anli_predictions,
        diagram=drawn.choice_diagram,
        splits=data.ANLI_SPLITS,
        facts=no_facts,
    ),
    Task(
        name="anlg",
        title="two observations -> a hypothesis that explains them",
        paper=_PAPER,
        source="art",
        folder=_FOLDER,
        inputs=Observations,
        explanation=Hypothesis,
        rules=rules.anlg_rules,
        read=data.read_anlg,
        write=data.write_anlg,
        read_predictions=data.read_anlg_predictions,
        diagram=drawn.written_diagram,
        splits=data.ANLG_SPLITS,
        facts=no_facts,
    ),
)
