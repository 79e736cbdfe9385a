"""EntailmentBank: which sentences, step by step, entail that an answer is right?

Where things are: `data/` reads trees, the corpus and the out-of-domain questions, `rules.py` says when a tree is
well-formed, `scoring.py` measures, `heads/` has what models learn, `methods/NAME/` makes trees; `retrieval.py` and
`proof_automaton.py` are what several methods share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from whence.formats.llm_text import Unread
from whence.plugins import API
from whence.structures.facts import Fact
from whence.structures.tree import Claim, Tree
from whence.tasks.dataset import Dataset, Split
from whence.tasks.entailment_trees import rules
from whence.tasks.entailment_trees.collecting import COLLECTING
from whence.tasks.entailment_trees.data import chains, files
from whence.tasks.entailment_trees.diagram import diagram
from whence.tasks.task import DataFiles, Questions, Task, TourStop, dev_and_test, no_facts

if TYPE_CHECKING:
    from whence.tasks.controls import Controls
    from whence.tasks.floors import Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring
    from whence.tasks.statistics import StatisticsTable
    from whence.tasks.verification import Verification

_FOLDER = Path(__file__).parent
_ROBIN = ("a robin is a kind of bird", "birds lay eggs")


def _scoring() -> Scoring:
    from whence.tasks.entailment_trees.scoring import SCORING

    return SCORING


def _scoring_by_text() -> Scoring:
    from whence.tasks.entailment_trees.scoring import SCORING_BY_TEXT

    return SCORING_BY_TEXT


def _leaves_given() -> tuple[Floor, ...]:
    from whence.tasks.entailment_trees.floors import LEAVES_GIVEN

    return LEAVES_GIVEN


def _among_distractors() -> tuple[Floor, ...]:
    from whence.tasks.entailment_trees.floors import AMONG_DISTRACTORS

    return AMONG_DISTRACTORS


def _controls() -> tuple[Controls, ...]:
    from whence.tasks.entailment_trees.controls import CONTROLS

    return CONTROLS


def _methods(name: str) -> tuple[Method, ...]:
    from whence.tasks.entailment_trees.methods.methods import METHODS

    return METHODS[name]


def _heads(name: str) -> tuple[Head, ...]:
    from whence.tasks.entailment_trees.heads.heads import HEADS

    return HEADS[name]


def _prompt(name: str) -> Prompt[Claim, Tree]:
    from whence.tasks.entailment_trees.methods.llm.prompt import PROMPTS

    return PROMPTS[name]


def _read_text(text: str, claim: Claim, dataset: Dataset[Claim, Tree]) -> Tree | Unread:
    from whence.tasks.entailment_trees.llm_answers import read_text

    return read_text(text, claim, dataset)


def _form_inputs(name: str) -> FormInputs:
    from whence.tasks.entailment_trees.form_inputs import FORM_INPUTS

    return FORM_INPUTS[name]


def _verification() -> Verification:
    from whence.tasks.entailment_trees.verification import VERIFICATION

    return VERIFICATION


def _statistics() -> Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]:
    from whence.tasks.entailment_trees.data.statistics import challenge300, entailmentbank, eqasc

    return {"entailmentbank": entailmentbank, "challenge300": challenge300, "eqasc": eqasc}


def _evaluation(_: str) -> tuple[str, ...]:
    return *dev_and_test(_), *chains.QUESTIONS[1], *chains.QUESTIONS[2]


def _task(
    number: int,
    title: str,
    splits: Mapping[str, Split],
    facts: Callable[[Path], Mapping[str, Fact]] = no_facts,
    scoring: Callable[[], Scoring] = _scoring,
    statistics: Callable[[], Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]] = dict,
    tour: TourStop | None = None,
) -> Task[Claim, Tree]:
    name = f"entailmentbank-{number}"
    return Task(
        api=API,
        name=name,
        family="entailment_trees",
        title=title,
        paper="Dalvi et al. 2021, EntailmentBank",
        position=50 + number,
        source="entailmentbank",
        inputs=Claim,
        explanation=Tree,
        data=DataFiles(
            samples=_FOLDER / "samples" / f"{name}.jsonl",
            read=chains.read,
            write=files.write,
            read_predictions=files.read_predictions,
            splits=splits,
            facts=facts,
        ),
        rules=rules.rules,
        diagram=diagram,
        scoring=scoring,
        floors=_leaves_given if number == 1 else _among_distractors,
        controls=_controls,
        methods=lambda: _methods(name),
        heads=lambda: _heads(name),
        recipes=_FOLDER / "recipes",
        prompt=lambda: _prompt(name),
        read_text=_read_text,
        form_inputs=lambda: _form_inputs(name),
        questions=Questions(origin="ARC", text=lambda claim: claim.question, evaluation=_evaluation),
        statistics=statistics,
        verification=_verification,
        collecting=COLLECTING,
        tour=tour,
    )


TASK_1 = _task(
    1,
    "hypothesis, its leaf sentences -> a tree of entailment steps",
    files.splits(1) | chains.QUESTIONS[1],
    statistics=_statistics,
    tour=TourStop(
        2,
        5,
        "a hypothesis, and the tree of steps that entails it",
        asked=(
            {"hypothesis": ("a robin lays eggs",), "fact": _ROBIN},
            {"hypothesis": ("a robin does not lay eggs",), "fact": _ROBIN},
            {"hypothesis": ("a robin is a submarine",), "fact": _ROBIN},
        ),
    ),
)
TASK_2 = _task(
    2,
    "hypothesis, its leaf sentences among distractors -> a tree of entailment steps",
    files.splits(2) | chains.QUESTIONS[2],
)
TASK_3 = _task(
    3,
    "hypothesis, a corpus -> a tree of entailment steps",
    files.splits(3),
    facts=files.corpus_of,
    scoring=_scoring_by_text,
)
TASKS = (TASK_1, TASK_2, TASK_3)
