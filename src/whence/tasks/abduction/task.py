"""ART: which hypothesis best explains how one observation led to another? `anli` is *abductive* NLI here.

Where things are: `data/` reads pairs, pools, votes and ATOMIC's inferences, `rules.py` says when an answer is
well-formed, `scoring.py` measures, `heads/` has what models learn, `methods/NAME/` chooses or writes hypotheses,
`knowledge.py` has everyday inferences, `hardening.py` the paper's adversarial filtering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whence.formats.llm_text import Unread
from whence.plugins import API
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Label
from whence.tasks.abduction import diagram, rules
from whence.tasks.abduction.data import files
from whence.tasks.dataset import Dataset
from whence.tasks.task import DataFiles, Questions, Task, TourStop

if TYPE_CHECKING:
    from whence.tasks.controls import Controls
    from whence.tasks.floors import Ceiling, Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.hardening import Filtering
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring
    from whence.tasks.statistics import StatisticsTable

_FOLDER = Path(__file__).parent
_PAPER = "Bhagavatula et al. 2020, ART"


def _scoring(name: str) -> Scoring:
    from whence.tasks.abduction.scoring import SCORING

    return SCORING[name]


def _floors(name: str) -> tuple[Floor, ...]:
    from whence.tasks.abduction.floors import FLOORS

    return FLOORS[name]


def _people() -> tuple[Ceiling, ...]:
    from whence.tasks.abduction.floors import WRITTEN

    return WRITTEN


def _controls() -> tuple[Controls, ...]:
    from whence.tasks.abduction.controls import CONTROLS

    return CONTROLS


def _methods(name: str) -> tuple[Method, ...]:
    from whence.tasks.abduction.methods.methods import METHODS

    return METHODS[name]


def _heads(name: str) -> tuple[Head, ...]:
    from whence.tasks.abduction.heads.heads import HEADS

    return HEADS[name]


def _choose_prompt() -> Prompt[HypothesisPair, Label]:
    from whence.tasks.abduction.methods.llm.prompt import CHOOSE_PROMPT

    return CHOOSE_PROMPT


def _write_prompt() -> Prompt[Observations, Hypothesis]:
    from whence.tasks.abduction.methods.llm.prompt import WRITE_PROMPT

    return WRITE_PROMPT


def _read_choice(text: str, pair: HypothesisPair, dataset: Dataset[HypothesisPair, Label]) -> Label | Unread:
    from whence.tasks.abduction.llm_answers import read_choice_text

    return read_choice_text(text, pair, dataset)


def _read_written(
    text: str, inputs: Observations, dataset: Dataset[Observations, Hypothesis]
) -> Hypothesis | Unread:
    from whence.tasks.abduction.llm_answers import read_written_text

    return read_written_text(text, inputs, dataset)


def _form_inputs(name: str) -> FormInputs:
    from whence.tasks.abduction.form_inputs import FORM_INPUTS

    return FORM_INPUTS[name]


def _hardening() -> Filtering:
    from whence.tasks.abduction.hardening import FILTERING

    return FILTERING


def _statistics() -> Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]:
    from whence.tasks.abduction.data.statistics import art, atomic

    return {"art": art, "atomic": atomic}


def _hypotheses(inputs: HypothesisPair) -> dict[str, str]:
    return dict(zip(files.CHOICES, (inputs.hyp1, inputs.hyp2), strict=True))


def _story(inputs: HypothesisPair | Observations) -> str:
    return f"{inputs.obs1} {inputs.obs2}"


_STORIES: Questions[Any] = Questions(origin="ROCStories", text=_story)
ANLI = Task(
    api=API,
    name="anli",
    family="abduction",
    title="two observations, two hypotheses -> the more plausible one (abductive NLI)",
    paper=_PAPER,
    position=40,
    source="art",
    questions=_STORIES,
    inputs=HypothesisPair,
    explanation=Label,
    data=DataFiles(
        samples=_FOLDER / "samples" / "anli.jsonl",
        read=files.read_anli,
        write=files.write_anli,
        read_predictions=files.read_anli_predictions,
        splits=files.ANLI_SPLITS,
    ),
    rules=rules.anli_rules,
    diagram=diagram.choice_diagram,
    scoring=lambda: _scoring("anli"),
    floors=lambda: _floors("anli"),
    methods=lambda: _methods("anli"),
    heads=lambda: _heads("anli"),
    recipes=_FOLDER / "recipes",
    prompt=_choose_prompt,
    read_text=_read_choice,
    form_inputs=lambda: _form_inputs("anli"),
    options=_hypotheses,
    statistics=_statistics,
    hardening=_hardening,
    tour=TourStop(5, 1, "two observations, and the hypothesis that best explains them"),
)
ANLG = Task(
    api=API,
    name="anlg",
    family="abduction",
    title="two observations -> a hypothesis that explains them",
    paper=_PAPER,
    position=41,
    source="art",
    questions=_STORIES,
    inputs=Observations,
    explanation=Hypothesis,
    data=DataFiles(
        samples=_FOLDER / "samples" / "anlg.jsonl",
        read=files.read_anlg,
        write=files.write_anlg,
        read_predictions=files.read_anlg_predictions,
        splits=files.ANLG_SPLITS,
        suffix=".json",
    ),
    rules=rules.anlg_rules,
    diagram=diagram.written_diagram,
    scoring=lambda: _scoring("anlg"),
    floors=lambda: _floors("anlg"),
    ceilings=_people,
    controls=_controls,
    methods=lambda: _methods("anlg"),
    heads=lambda: _heads("anlg"),
    recipes=_FOLDER / "recipes",
    prompt=_write_prompt,
    read_text=_read_written,
    form_inputs=lambda: _form_inputs("anlg"),
)
TASKS = (ANLI, ANLG)
