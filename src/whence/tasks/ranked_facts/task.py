"""WorldTree: which facts of a table store explain why an answer is right?

Where things are: `data/` reads table stores, questions and ratings, `rules.py` says when a list of facts is
well-formed, `scoring.py` measures, `heads/` has what models learn, `methods/NAME/` makes explanations,
`schemas/` solves inference patterns over the tables, `shortlists.py` chooses facts for people to rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from whence.formats.llm_text import Unread
from whence.plugins import API
from whence.structures.facts import FactSet, Question, Ranking
from whence.tasks.dataset import Dataset
from whence.tasks.ranked_facts import rules
from whence.tasks.ranked_facts.collecting import COLLECTING
from whence.tasks.ranked_facts.data import files
from whence.tasks.ranked_facts.diagram import diagram
from whence.tasks.task import DataFiles, Questions, Task, TourStop

if TYPE_CHECKING:
    from whence.tasks.floors import Ceiling, Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.scoring import Scoring
    from whence.tasks.shortlists import Shortlists
    from whence.tasks.statistics import StatisticsTable

_FOLDER = Path(__file__).parent


def _scoring() -> Scoring:
    from whence.tasks.ranked_facts.scoring import SCORING

    return SCORING


def _floors() -> tuple[Floor, ...]:
    from whence.tasks.ranked_facts.floors import FLOORS

    return FLOORS


def _ceilings() -> tuple[Ceiling, ...]:
    from whence.tasks.ranked_facts.floors import CEILINGS

    return CEILINGS


def _methods() -> tuple[Method, ...]:
    from whence.tasks.ranked_facts.methods.methods import METHODS

    return METHODS


def _heads() -> tuple[Head, ...]:
    from whence.tasks.ranked_facts.heads.heads import HEADS

    return HEADS


def _read_text(
    text: str, question: Question, dataset: Dataset[Question, FactSet | Ranking]
) -> FactSet | Ranking | Unread:
    from whence.tasks.ranked_facts.llm_answers import read_text

    return read_text(text, question, dataset)


def _form_inputs() -> FormInputs:
    from whence.tasks.ranked_facts.form_inputs import FORM_INPUTS

    return FORM_INPUTS


def _shortlists() -> Shortlists:
    from whence.tasks.ranked_facts.shortlists import SHORTLISTS

    return SHORTLISTS


def _statistics() -> Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]:
    from whence.tasks.ranked_facts.data.statistics import cosata, worldtree

    return {"worldtree": worldtree, "cosata": cosata}


WORLDTREE = Task(
    api=API,
    name="worldtree",
    family="ranked_facts",
    title="question, answer, fact base -> a ranking or set of facts",
    paper="Xie et al. 2020, WorldTree V2; Jansen et al. 2021, expert ratings",
    position=20,
    source="worldtree",
    questions=Questions(origin="ARC", text=lambda asked: asked.question),
    inputs=Question,
    explanation=FactSet | Ranking,
    data=DataFiles(
        samples=_FOLDER / "samples" / "worldtree.jsonl",
        read=files.read,
        write=files.write,
        read_predictions=files.read_predictions,
        splits={**files.EVERYDAY, **files.SPLITS},
        suffix=".json",
        facts=files.facts_of,
        judgements=files.judgements,
    ),
    rules=rules.rules,
    diagram=diagram,
    scoring=_scoring,
    floors=_floors,
    ceilings=_ceilings,
    methods=_methods,
    heads=_heads,
    recipes=_FOLDER / "recipes",
    read_text=_read_text,
    form_inputs=_form_inputs,
    statistics=_statistics,
    shortlists=_shortlists,
    collecting=COLLECTING,
    tour=TourStop(3, 1, "an answer, and the facts of a table store that explain it"),
)
