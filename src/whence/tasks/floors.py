"""Floors and ceilings: what answers get that say nothing, and what gold or people get, by the same scorer.

A floor answers without reading: at random, always the same, by counting common words. A figure that is not above
its floor shows nothing about the system. Answers are the same again for the same data and seed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from whence.models.retrieval.words import STOP_WORDS
from whence.structures.results import Example, Label, Prediction
from whence.tasks.dataset import AnyDataset

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Floor:
    """Trivial answers to the examples of a data set."""

    name: str
    description: str
    """How the answers are made, in a sentence without a full stop."""
    answers: Callable[[AnyDataset, int], Sequence[Prediction[Any]]]
    """From the examples and a seed; one for each example, in order."""
    metrics: tuple[str, ...] = ()
    """It is the floor of these metrics only; empty: of all."""
    given: str = ""
    """A metric for which its answers have the right part from gold. Where the system that is scored has it wrong,
    these answers count as wrong too: they are given what the system knows, and no more."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The answers of gold or of people."""

    name: str
    description: str
    answers: Callable[[AnyDataset], tuple[AnyDataset, Sequence[Prediction[Any]]]]
    """The examples that they answer, which need not be all, and an answer for each."""


def _gold(dataset: AnyDataset) -> tuple[AnyDataset, Sequence[Prediction[Any]]]:
    return dataset, [Prediction(example.id, example.golds[0]) for example in dataset.examples]


GOLD = Ceiling("gold", "the gold answers themselves, by the same scorer", _gold)


def random_for(example: Example[Any, Any], seed: int) -> Random:
    """Chance that is the same for an example whatever stands around it."""
    return Random(f"{seed}:{example.id}")


def most_frequent(values: Iterable[str]) -> str:
    """The value that occurs most often, of several the first by name; empty if there is none."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value), default="")


def majority(dataset: AnyDataset, _: int) -> list[Prediction[Label]]:
    """The most frequent gold label of the data, for every example."""
    label = Label(most_frequent(example.golds[0].name for example in dataset.examples))
    return [Prediction(example.id, label) for example in dataset.examples]


MAJORITY = Floor("majority", "the most frequent label of the gold file, always", majority)


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case."""
    return _WORD.findall(text.lower())


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about; all of them if none does."""
    all_words = frozenset(words(text))
    return all_words - STOP_WORDS or all_words


class WordOverlap:
    """Texts by id, in the order of how many content words they share with a query."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._size: dict[str, int] = {}
        self._having: dict[str, list[str]] = {}
        for name, text in texts.items():
            own = content_words(text)
            self._size[name] = len(own)
            for word in own:
                self._having.setdefault(word, []).append(name)

    def nearest(self, query: str, most: int) -> list[str]:
        """The ids of those that share most, the shorter first of equals; none that shares nothing."""
        shared = Counter(name for word in content_words(query) for name in self._having.get(word, ()))
        return sorted(shared, key=lambda name: (-shared[name], self._size[name], name))[:most]
