"""CIDER: which triplets of spans and relations explain what happens in a dialogue? And its four sub-tasks.

Where things are: `data/` reads dialogues, folds, claims and the relations, `rules.py` says when triplets are
well-formed, `scoring.py` measures, `heads/` has what models learn, `methods/NAME/` makes answers; `phrases.py` and
`proposals.py` find spans that triplets may join, `hardening.py` has the paper's confounding options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whence.formats.dialogues import context_of
from whence.plugins import API
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    SpanPair,
    SpanQuestion,
    Triplets,
)
from whence.structures.results import Label
from whence.tasks.dataset import AnyDataset
from whence.tasks.dialogue_triplets import diagram, rules
from whence.tasks.dialogue_triplets.collecting import COLLECTING
from whence.tasks.dialogue_triplets.data import claims, files, folds, predictions
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.task import DataFiles, Questions, Task, TourStop

if TYPE_CHECKING:
    from whence.tasks.floors import Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.hardening import Filtering
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring
    from whence.tasks.statistics import StatisticsTable

_FOLDER = Path(__file__).parent


def _scoring(name: str) -> Scoring:
    from whence.tasks.dialogue_triplets.scoring import SCORING

    return SCORING[name]


def _floors(name: str) -> tuple[Floor, ...]:
    from whence.tasks.dialogue_triplets.floors import FLOORS

    return FLOORS[name]


def _methods(name: str) -> tuple[Method, ...]:
    from whence.tasks.dialogue_triplets.methods.methods import METHODS

    return METHODS[name]


def _heads(name: str) -> tuple[Head, ...]:
    from whence.tasks.dialogue_triplets.heads.heads import HEADS

    return HEADS[name]


def _prompt(name: str) -> Prompt[Any, Any]:
    from whence.tasks.dialogue_triplets.methods.llm.prompt import PROMPTS

    return PROMPTS[name]


def _read_text(name: str, text: str, inputs: Any, dataset: AnyDataset) -> Any:
    from whence.tasks.dialogue_triplets.llm_answers import READERS

    return READERS[name](text, inputs, dataset)


def _form_inputs(name: str) -> FormInputs:
    from whence.tasks.dialogue_triplets.form_inputs import FORM_INPUTS

    return FORM_INPUTS[name]


def _hardening() -> Filtering:
    from whence.tasks.dialogue_triplets.hardening import FILTERING

    return FILTERING


def _statistics() -> Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]:
    from whence.tasks.dialogue_triplets.data.statistics import cider

    return {"cider": cider}


def _verdicts(_: DialogueClaim) -> dict[str, str]:
    return {name: name for name in (files.ENTAILED, files.NOT_ENTAILED)}


def _endings(inputs: ChoiceQuestion) -> dict[str, str]:
    return {str(number): text for number, text in enumerate(inputs.options)}


def _relations(_: SpanPair) -> dict[str, str]:
    return {name: name for name in RELATIONS}


def _dialogue(inputs: Dialogue | DialogueClaim | SpanQuestion | ChoiceQuestion | SpanPair) -> str:
    """The dialogue: all that is asked about one is learnt from, or nothing."""
    if isinstance(inputs, Dialogue):
        return context_of(inputs)
    return inputs.context


def _task(name: str, position: int, **parts: Any) -> Task[Any, Any]:
    return Task(
        api=API,
        name=name,
        family="dialogue_triplets",
        paper="Ghosal et al. 2021, CIDER",
        position=position,
        source="cider",
        questions=Questions(origin="dialogues", text=_dialogue, evaluation=folds.test_of_fold),
        scoring=partial(_scoring, name),
        floors=partial(_floors, name),
        methods=partial(_methods, name),
        heads=partial(_heads, name),
        recipes=_FOLDER / "recipes",
        prompt=partial(_prompt, name),
        read_text=partial(_read_text, name),
        form_inputs=partial(_form_inputs, name),
        **parts,
    )


CIDER: Task[Dialogue, Triplets] = _task(
    "cider",
    30,
    title="dialogue -> triplets of spans and relations",
    inputs=Dialogue,
    explanation=Triplets,
    data=DataFiles(
        samples=_FOLDER / "samples" / "cider.jsonl",
        read=files.read,
        write=files.write,
        read_predictions=predictions.read_triplets,
        splits=files.SPLITS,
        suffix=".json",
    ),
    rules=rules.triplet_rules,
    diagram=diagram.triplets_diagram,
    statistics=_statistics,
    collecting=COLLECTING,
    tour=TourStop(
        4,
        1,
        "a dialogue, and the triplets that explain what happens in it",
    ),
)
CIDER_NLI: Task[DialogueClaim, Label] = _task(
    "cider-nli",
    31,
    title="dialogue, triplet -> is it entailed?",
    inputs=DialogueClaim,
    explanation=Label,
    data=DataFiles(
        samples=_FOLDER / "samples" / "cider-nli.jsonl",
        read=claims.read_claims,
        write=files.write_nli,
        read_predictions=predictions.read_nli,
        splits=claims.claim_splits(),
    ),
    rules=rules.nli_rules,
    diagram=diagram.nli_diagram,
    options=_verdicts,
)
CIDER_SPAN: Task[SpanQuestion, Answer] = _task(
    "cider-span",
    32,
    title="dialogue, question -> the span that answers it",
    inputs=SpanQuestion,
    explanation=Answer,
    data=DataFiles(
        samples=_FOLDER / "samples" / "cider-span.jsonl",
        read=files.read_span,
        write=files.write_span,
        read_predictions=predictions.read_span,
        splits=folds.SPAN_SPLITS,
    ),
    rules=rules.span_rules,
    diagram=diagram.span_diagram,
)
CIDER_CHOICE: Task[ChoiceQuestion, Label] = _task(
    "cider-choice",
    33,
    title="dialogue, question, four options -> the right one",
    inputs=ChoiceQuestion,
    explanation=Label,
    data=DataFiles(
        samples=_FOLDER / "samples" / "cider-choice.jsonl",
        read=files.read_choice,
        write=files.write_choice,
        read_predictions=predictions.read_choice,
        splits=files.CHOICE_SPLITS,
    ),
    rules=rules.choice_rules,
    diagram=diagram.choice_diagram,
    options=_endings,
    hardening=_hardening,
)
CIDER_RELATION: Task[SpanPair, Label] = _task(
    "cider-relation",
    34,
    title="dialogue, two spans -> the relation between them",
    inputs=SpanPair,
    explanation=Label,
    data=DataFiles(
        samples=_FOLDER / "samples" / "cider-relation.jsonl",
        read=files.read_relation,
        write=files.write_relation,
        read_predictions=predictions.read_relation,
        splits=folds.RELATION_SPLITS,
    ),
    rules=rules.relation_rules,
    diagram=diagram.relation_diagram,
    options=_relations,
)
TASKS = (CIDER, CIDER_NLI, CIDER_SPAN, CIDER_CHOICE, CIDER_RELATION)
