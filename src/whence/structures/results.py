"""What goes in and comes out: examples, predictions, judgements, problems, measurements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from whence.structures.verdict import Verdict

UNREAD = "unread"
"""The rule that an answer breaks which cannot be read, and the cause of its failure."""

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")


@dataclass(frozen=True, slots=True)
class Label:
    """An answer that is one of a few names: a stance, a relation, `1` or `2`."""

    name: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One way in which an explanation breaks a rule. It is a result, not an error."""

    rule: str
    where: str
    """A pointer to the part, such as `/edges/2`; empty for the whole."""
    message: str


@dataclass(frozen=True, slots=True)
class Example(Generic[Inputs, Explanation]):
    """What is to be explained, and the explanations people gave: none where gold is hidden, or several."""

    id: str
    inputs: Inputs
    golds: tuple[Explanation, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the source says of the item, kept so that it can be written back."""


@dataclass(frozen=True, slots=True)
class Prediction(Generic[Explanation]):
    """What a system answered for an example; `explanation` is None where the answer could not be read."""

    id: str
    explanation: Explanation | None
    raw: str = ""
    """The answer as it came, where it was text."""
    problems: tuple[Problem, ...] = ()
    """Why the answer could not be read, or which rules it breaks."""
    mended: bool = False
    """Whether the explanation is not what the system answered, but was changed so that it keeps the rules."""
    before: Explanation | None = None
    """What a mended answer was before; None where that is not known, or could not be read."""
    verdict: Verdict | None = None
    """Whether the explanation follows, where somebody judged it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of an item or of a part of it."""

    item: str
    question: str
    answer: str
    judge: str = ""
    part: str = ""
    """A pointer as in `Problem.where`; empty for the whole item."""
    count: int = 1
    """How many judges said so, where a source gives only totals."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure: its value (None if unknown), from how many items, how sure, and what it is to be compared with."""

    name: str
    value: float | None
    n: int | None = None
    missing: int = 0
    low: float | None = None
    high: float | None = None
    published: float | None = None
    note: str = ""
    floor: float | None = None
    """What the best trivial answer gets, in the scale of `value`; None where it was not measured."""
    ceiling: float | None = None
    """What gold answers or people get by the same scorer, in the scale of `value`; None where unknown."""
    floor_by: str = ""
    """Whose answers the floor's are: a name among the task's floors."""
    ceiling_by: str = ""
    above_floor: bool | None = None
    """Is the figure significantly better than its floor, by a paired test on the same items?"""
