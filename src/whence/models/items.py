"""What judging models read and what they say.

There are four shapes of question. A *label* is asked of texts; a *choice* among options, each of them texts;
*tags* of words; a *span* of a context. Whatever a task wants judged is put into one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Shape = Literal["label", "choice", "tags", "span"]
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


AnyItem = Item | WordItem | SpanItem


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A piece of a context that may be the answer, and how probable that is."""

    start: int
    end: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says of an item: one of the three, as its shape demands."""

    id: str
    probabilities: tuple[float, ...] = ()
    """Of each label or option."""
    tags: tuple[int, ...] = ()
    """Of each word."""
    spans: tuple[FoundSpan, ...] = ()
    """The most probable first."""

    @property
    def best(self) -> int:
        """The most probable label or option; of equal ones the first."""
        return max(range(len(self.probabilities)), key=self.probabilities.__getitem__)


@dataclass(frozen=True, slots=True)
class Lesson:
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
    """What is watched on `dev`: accuracy, macro_f1 or f1."""
