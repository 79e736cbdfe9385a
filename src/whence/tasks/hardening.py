"""What adversarial filtering chooses from, and what a task says of it: its candidates, its rule, its schedule."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.files import Json
from whence.models.items import Pair
from whence.models.learners import Judge
from whence.structures.results import Example
from whence.tasks.dataset import Note


@dataclass(frozen=True, slots=True)
class Pool:
    """A question with all its candidates, right and wrong ones."""

    id: str
    context: tuple[str, ...]
    """Whatever the task asks about."""
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    group: str = ""
    """Pools of one group (a dialogue) are all learnt from or all held out. Empty: its own."""
    origins: tuple[str, ...] = ()
    """Where each wrong candidate comes from, where they come from several places."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The candidates of a pool that are the options now, by their places there."""

    right: int
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """How well a model likes each candidate of a pool, as the logarithm of a probability."""

    right: tuple[float, ...]
    wrong: tuple[float, ...]

    def options(self, chosen: Chosen) -> tuple[float, tuple[float, ...]]:
        """The same of the options: of the right one, and of the wrong ones."""
        return self.right[chosen.right], tuple(self.wrong[place] for place in chosen.wrong)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The pools that a user asks for."""

    where: str
    """A file, or the name of a published part."""
    folder: Callable[[], Path]
    """The data folder, asked for where it is needed."""
    seed: int = 0
    spans: Judge | None = None
    """A model that finds spans, for candidates, where the task has a use for it."""
    elsewhere: int = 0
    """At most so many candidates a question from other contexts, where the task has a use for them."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Pools in the order of their file, and what there is to know about them."""

    pools: tuple[Pool, ...]
    notes: tuple[Note, ...] = ()


Form = Callable[[Pool, str], tuple[Pair, ...]]
"""How a candidate is read with its question."""


@dataclass(frozen=True, slots=True)
class CollectedPools:
    """How what people wrote becomes pools, and a hardened question an item for people again."""

    right: str
    wrong: str
    """The kinds of what is collected that are right and wrong candidates of an item."""
    write: Callable[[Iterable[tuple[Sequence[Mapping[str, Json]], Sequence[Mapping[str, Json]]]]], Iterable[str]]
    """The lines of a file of pools, from the right and the wrong candidates of each item. The pool of the Nth
    line of `NAME.jsonl` has the id `NAME-N`."""
    answer: Callable[[Example[Any, Any]], dict[str, Json]]
    """What is shown of a hardened question."""


@dataclass(frozen=True, slots=True)
class Filtering:
    """How a task's questions are hardened."""

    task: str
    paper: str
    """Which of its sections this follows."""
    wrong: int
    """Options beside the right one."""
    pools: Callable[[Wanted], Pools]
    forms: Mapping[str, Form]
    """Ways to read a candidate; the adversary reads the first one unless told otherwise."""
    asked: str
    """The form in which the task asks: what other models read that are tried on the result."""
    example: Callable[[Pool, Chosen, random.Random], Example[Any, Any]]
    """The question with its options in an order by chance."""
    replace: Callable[[Pool, Chosen, Weighed, random.Random], Chosen]
    """Other options for a question of the held part, after the adversary weighed all candidates."""
    temperature: Callable[[int, int], float]
    """The probability that a question of the held part is changed, in one iteration of so many."""
    iterations: int
    learnt: float
    """The share of the questions that the adversary learns from; the others are held."""
    patience: int
    """Iterations without a fall of the adversary's accuracy after which there is no more; 0: it goes on."""
    suffix: str
    """Of the published form of the result."""
    span_task: str = ""
    """The task whose models may find candidates that are spans, where the task has a use for them."""
    collected: CollectedPools | None = None
    """How pools are made of what people wrote in a collection."""
