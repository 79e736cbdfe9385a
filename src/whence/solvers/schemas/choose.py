"""Which solutions explain best, by scores of their facts (expert-ratings paper, A.4.3).

A solution is worth the sum of its facts' scores, each raised to a floor "so as not to heavily penalize a given
solution for a small number of irrelevant rows". The facts of the best one, two or three schemas together are the
explanation, without those that score below a threshold. The paper sets floor and threshold to zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whence.solvers.schemas.solutions import SolutionTable

Scores = Mapping[str, float]
"""Fact id -> how relevant it is. A fact without a score is worth the floor, and is not kept."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A solution that was chosen: its schema, its facts in the order of the slots, and what it is worth."""

    pattern: str
    facts: tuple[str, ...]
    score: float


def best_solutions(table: SolutionTable, scores: Scores, count: int = 3, floor: float = 0.0) -> list[Chosen]:
    """The best solution of each of the `count` best schemas, best first; of equals the one that comes first.

    A fact that stands in two slots of a solution counts once.
    """
    worth = np.array([*(max(scores.get(name, floor), floor) for name in table.ids), 0.0])
    best = []
    for number, pattern in enumerate(table.patterns):
        if len(pattern):
            sums = worth[pattern.distinct].sum(axis=1)
            place = int(sums.argmax())
            best.append((-float(sums[place]), number, place))
    found = []
    for negative, number, place in sorted(best)[:count]:
        pattern = table.patterns[number]
        facts = tuple(table.ids[fact] for fact in pattern.facts[place].tolist() if fact >= 0)
        found.append(Chosen(pattern.pattern, tuple(dict.fromkeys(facts)), -negative))
    return found


def explaining_facts(chosen: Sequence[Chosen], scores: Scores, threshold: float = 0.0) -> list[str]:
    """The facts of chosen solutions that do not score below the threshold, each once, in order."""
    facts = dict.fromkeys(name for solution in chosen for name in solution.facts)
    return [name for name in facts if name in scores and scores[name] >= threshold]
