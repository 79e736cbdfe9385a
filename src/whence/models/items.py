"""What judging models read and what they say.

There are six shapes of question. A *label* is asked of texts; a *choice* among options, each of them texts; *tags*
of words; a *span* of a context; a *ranking* of documents for a query; a *text* is to be written. Whatever a task
wants of a model is put into one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Shape = Literal["label", "choice", "tags", "span", "ranking", "text"]
Pair = tuple[str, str]
"""Two texts that are read together, one after the other; the second may be empty."""


@dataclass(frozen=True, slots=True)
class Item:
    """Texts to be labelled, or options to choose from."""

    id: str
    options: tuple[tuple[Pair, ...], ...]
    """Each option as the pairs it is read in; their scores are added. What is to be labelled is one option."""
    gold: int | None = None
    """The place of the right label, or of the right option."""
    group: str = ""
    """Items of one group (a dialogue, a question) are all learnt from or all held out. Empty: its own."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Sentences to be combined, and the hypothesis that they are to entail."""

    sentences: tuple[str, ...]
    hypothesis: str

    @property
    def everything(self) -> int:
        """The set of all sentences."""
        return (1 << len(self.sentences)) - 1


Group = tuple[int, ...]
"""The premises of a step in ascending order, each a set of a problem's sentences, as the bits of a number."""


@dataclass(frozen=True, slots=True)
class StepItem(Item):
    """Trees over the same sentences to choose from, each given by its steps; or a sentence to be labelled.

    The options hold the same as texts, for models that read pairs.
    """

    problem: Problem = field(kw_only=True)
    trees: tuple[tuple[Group, ...], ...] = field(kw_only=True)


def step_item(
    id_: str, problem: Problem, trees: Sequence[tuple[Group, ...]], gold: int | None = None, group: str = ""
) -> StepItem:
    """Returns the item for trees over a problem's sentences, which it holds sorted: their order says nothing."""
    texts = {step: step_text(problem, step) for tree in trees for step in tree}
    options = tuple(tuple(texts[step] for step in tree) for tree in trees)
    sentences = [_one_line(text) for text in problem.sentences]
    order = sorted(range(len(sentences)), key=sentences.__getitem__)

    def sorted_step(step: Group) -> Group:
        return tuple(sorted(sum((premise >> old & 1) << new for new, old in enumerate(order)) for premise in step))

    steps = {step: sorted_step(step) for step in texts}
    held = Problem(tuple(sentences[old] for old in order), _one_line(problem.hypothesis))
    return StepItem(
        id_,
        options,
        gold,
        group,
        problem=held,
        trees=tuple(tuple(steps[step] for step in tree) for tree in trees),
    )


def step_text(problem: Problem, group: Group) -> Pair:
    """A step among all sentences: its premises, a line each, with tabs between the sentences that one rests on;
    and the hypothesis, and the sentences that are left, a line each."""
    premises = "\n".join("\t".join(_members(problem, premise)) for premise in group)
    left = _members(problem, problem.everything & ~sum(group))
    return premises, "\n".join((_one_line(problem.hypothesis), *left))


def _members(problem: Problem, members: int) -> list[str]:
    return [_one_line(text) for index, text in enumerate(problem.sentences) if members >> index & 1]


def _one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class WordItem:
    """Words to be tagged."""

    id: str
    words: tuple[str, ...]
    gold: tuple[int, ...] | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class SpanItem:
    """A question whose answer is a piece of the context."""

    id: str
    question: str
    context: str
    gold: tuple[int, int] | None = None
    """The characters where the answer starts and ends; the latter is the first one behind it."""
    group: str = ""


@dataclass(frozen=True, slots=True)
class RankItem:
    """A query; which of the lesson's documents are relevant to it?"""

    id: str
    query: str
    gold: tuple[str, ...] | None = None
    """The ids of the documents that are; and the words of what is needed and in none of them."""
    group: str = ""
    focus: str = ""
    """The part of the query that matters most, such as the answer to its question."""

    @property
    def text(self) -> str:
        """All of the query."""
        return f"{self.query} {self.focus}".strip()


@dataclass(frozen=True, slots=True)
class TextItem:
    """A text to go on from."""

    id: str
    prompt: str
    gold: str | None = None
    """What should be written."""
    group: str = ""
    known: tuple[str, ...] = ()
    """Texts that stand before the prompt as one vector each, for models that were taught so."""


AnyItem = Item | WordItem | SpanItem | RankItem | TextItem


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A piece of a context that may be the answer, and how probable that is."""

    start: int
    end: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a model wrote, and the mean logarithm of its tokens' probabilities."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says of an item: one of these, as its shape demands."""

    id: str
    probabilities: tuple[float, ...] = ()
    """Of each label or option."""
    tags: tuple[int, ...] = ()
    """Of each word."""
    chances: tuple[tuple[float, ...], ...] = ()
    """Of each word the probability of each tag, where the model tells."""
    spans: tuple[FoundSpan, ...] = ()
    """The most probable first."""
    ranking: tuple[str, ...] = ()
    """The ids of documents, the most relevant first."""
    scores: tuple[float, ...] = ()
    """Of the documents of the ranking."""
    texts: tuple[Written, ...] = ()
    """The best first."""

    @property
    def best(self) -> int:
        """The most probable label or option; of equal ones the first."""
        return max(range(len(self.probabilities)), key=self.probabilities.__getitem__)


MOST_RANKED = 1000
"""A verdict ranks no more documents than these: what comes later counts for next to nothing, and fills disks."""


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """What is to be learnt: questions of one shape with their answers."""

    name: str
    """Such as `explagraphs/stance`."""
    shape: Shape
    labels: tuple[str, ...]
    """Of a label or of tags."""
    train: Sequence[AnyItem]
    dev: Sequence[AnyItem]
    """Held out, to tell when to stop."""
    measure: str = "accuracy"
    """What is watched on `dev`: accuracy, macro_f1, f1, MAP, recall25 or likelihood."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """Of a ranking: the texts that are ranked, by id."""
