"""What a task is: one value that names all its parts.

Parts that need models, or that only some users want, are functions without arguments: they import what they give
when they are called, so that loading a data set imports its reader and nothing else. What a task does not have is
absent; nothing is looked up by the name of a folder, a module or an attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from whence.checks.rule import Rule
from whence.drawing import Diagram
from whence.files import Json
from whence.formats.llm_text import Unread
from whence.formats.records import RecordForm
from whence.structures.facts import Fact
from whence.structures.results import Judgement
from whence.tasks.dataset import AnyDataset, Dataset, Predictions, Split

if TYPE_CHECKING:
    from whence.tasks.controls import Controls
    from whence.tasks.floors import Ceiling, Floor
    from whence.tasks.form_inputs import FormInputs
    from whence.tasks.hardening import Filtering
    from whence.tasks.head import Head
    from whence.tasks.method import Method
    from whence.tasks.prompting import Prompt
    from whence.tasks.scoring import Scoring
    from whence.tasks.shortlists import Shortlists
    from whence.tasks.statistics import StatisticsTable
    from whence.tasks.verification import Verification

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")

PROTOCOLS = ("official", "paper")
"""`official` is what the released evaluator does, `paper` what the paper says. They differ here and there."""


def no_facts(_: Path) -> Mapping[str, Fact]:
    """Give none: for tasks whose explanations refer to no facts."""
    return {}


def gold_alone() -> tuple[Ceiling, ...]:
    """Give the gold answers themselves."""
    from whence.tasks.floors import GOLD

    return (GOLD,)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFiles(Generic[Inputs, Explanation]):
    """The files of a task: how they are read and written, and which are published."""

    samples: Path
    """Examples that ship with the task, in our own form."""
    read: Callable[[Path], Dataset[Inputs, Explanation]]
    """Reads any published file of the task."""
    write: Callable[[Dataset[Inputs, Explanation]], Iterable[str]]
    """The lines of the published form of examples."""
    read_predictions: Callable[[Path, Dataset[Inputs, Explanation]], Predictions[Explanation]]
    """Reads a system's answers in the form in which they are published, for these examples."""
    splits: Mapping[str, Split] = field(default_factory=dict)
    """Published parts by name."""
    suffix: str = ".jsonl"
    """Of a file in the published form."""
    facts: Callable[[Path], Mapping[str, Fact]] = no_facts
    """Finds the facts that the explanations of a file refer to."""
    judgements: Callable[[AnyDataset], Iterable[Judgement]] = lambda _: ()
    """What several people said of the same parts of examples, where the data has it."""

    @property
    def has_facts(self) -> bool:
        """Whether explanations refer to facts by id."""
        return self.facts is not no_facts


def dev_and_test(_: str) -> tuple[str, ...]:
    """The splits that models are evaluated on, whatever they learn from."""
    return "dev", "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions(Generic[Inputs]):
    """What a task asks about, so that the same question is recognised in another data set."""

    origin: str
    """Where the questions were taken from, such as `ARC`: tasks of one origin may have some in common."""
    text: Callable[[Inputs], str]
    """The question of an example."""
    evaluation: Callable[[str], tuple[str, ...]] = dev_and_test
    """The splits that a model is evaluated on which learns from the split that is named."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as people choose it in an editor."""

    name: str
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting:
    """What is special about a task where people write its explanations."""

    finish: Callable[[Mapping[str, Json]], dict[str, Json]] = dict
    """An example as an export makes it -> as the data set has it."""
    draw_part: Callable[[Json, Mapping[str, Json]], Diagram | None] = lambda _value, _item: None
    """A part of an item as a picture, where it is (a piece of) such an explanation; given all that is shown."""
    relations: tuple[Relation, ...] = ()
    """What an editor of edges or triplets offers."""
    configuration: Path | None = None
    """The collection that ships with the task, a TOML file: `whence collect new` knows it by the file's name."""


@dataclass(frozen=True, slots=True)
class TourStop:
    """Which sample the tour shows of a task, and what one sees there."""

    position: int
    sample: int
    """Its number, counted from 1."""
    caption: str
    degraded: Callable[[int, Any], Any] | None = None
    """What an imagined system makes of the sample at an index, from its gold; the tour scores one such task."""
    asked: tuple[Mapping[str, Sequence[str]], ...] = ()
    """What the tour has explained, as a user would type it: what follows, and what does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Generic[Inputs, Explanation]):
    """One task: inputs -> explanation. `whence.tasks.TASKS` has them all, by name."""

    api: int
    """The version of this interface that the task was written for (`whence.plugins.API`)."""
    name: str
    family: str
    """Tasks of one family are about the same kind of explanation, such as `entailment_trees`."""
    title: str
    """Inputs and explanation in a few words."""
    paper: str
    position: int = 1000
    """Where it stands in lists of tasks."""
    source: str = ""
    """The data set, as `whence data list` names it; empty where it is not published."""
    inputs: Any
    explanation: Any
    """The types of the two; the second may be a union."""
    data: DataFiles[Inputs, Explanation]
    rules: Callable[[str, Dataset[Inputs, Explanation]], Sequence[Rule[Inputs, Explanation]]]
    """The rules of a protocol, for explanations over a data set."""
    diagram: Callable[[Inputs, Explanation | None, Mapping[str, Fact]], Diagram]
    """An example as a picture; without explanation, its inputs alone."""
    scoring: Callable[[], Scoring]
    """Metrics, breakdowns, causes of failure."""
    floors: Callable[[], tuple[Floor, ...]] = lambda: ()
    """Trivial answers; the floor of a metric is the best that any of them gets."""
    ceilings: Callable[[], tuple[Ceiling, ...]] = gold_alone
    """Answers of gold or of people; the ceiling of a metric is the best that any of them gets."""
    controls: Callable[[], tuple[Controls, ...]] = tuple
    """How the models that its metrics ask are calibrated; without them, such metrics have no licence."""
    methods: Callable[[], tuple[Method, ...]] = lambda: ()
    """Ways to make explanations; the first is the usual one."""
    heads: Callable[[], tuple[Head, ...]] = lambda: ()
    """What models can learn; the first is the task itself where one is."""
    recipes: Path | None = None
    """The folder of training recipes, `NAME.toml` each, and of the papers' figures, `published.toml`."""
    prompt: Callable[[], Prompt[Inputs, Explanation] | None] = lambda: None
    """How a language model is asked, where its answers can be read from the inputs alone."""
    read_text: Callable[[str, Inputs, Dataset[Inputs, Explanation]], Explanation | Unread] | None = None
    """What a language model's text says about an example of a data set. Without it, labels are read by `options`,
    and other explanations from our own JSON, from that of the prompt, and from lines as people edit them."""
    form_inputs: Callable[[], FormInputs] | None = None
    """How what a user types becomes the inputs; without it, every text of the inputs is typed under its name."""
    options: Callable[[Inputs], dict[str, str]] | None = None
    """Labels with what they stand for, where the explanation is a `Label`."""
    questions: Questions[Inputs] | None = None
    """What examples ask about, where other data sets may ask the same."""
    statistics: Callable[[], Mapping[str, Callable[[Path], Iterator[StatisticsTable]]]] = dict
    """Tables counted from the files of data sets, by the data set's name."""
    verification: Callable[[], Verification] | None = None
    """How a verifier judges its explanations; without it they are checked for form alone."""
    hardening: Callable[[], Filtering] | None = None
    """How its questions are hardened by adversarial filtering."""
    shortlists: Callable[[], Shortlists] | None = None
    """How facts are shortlisted for people to rate or to use."""
    collecting: Collecting = Collecting()
    tour: TourStop | None = None

    @property
    def form(self) -> RecordForm:
        """Our own JSONL form of the task's records."""
        return RecordForm(self.name, self.inputs, self.explanation)


AnyTask = Task[Any, Any]
