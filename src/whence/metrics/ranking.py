"""How good a ranking of facts is, and how good a set of facts is as an explanation (expert-ratings paper).

Ids are compared without case, and of an id that is given twice the first counts, as in the shared task.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from whence.metrics.metric import Array, Metric

Missing = Literal["far", "never"]
"""Where a rated fact stands that a ranking lacks: after a million other facts, or nowhere."""

FAR = 10**6
RELEVANT, IMPORTANT = 1, 2
"""Ratings: 0 irrelevant, 1 extra detail, 2 important, 3 core."""


class Ranks(dict[str, int]):
    """A ranking as the rank of each fact, from 1: made once where several metrics measure the same ranking."""


def ranks(ranking: Iterable[str]) -> Ranks:
    """The rank of each fact; repeats take no rank."""
    if isinstance(ranking, Ranks):
        return ranking
    different = dict.fromkeys(map(str.lower, ranking))
    return Ranks(zip(different, range(1, len(different) + 1), strict=True))


def average_precision(ranking: Iterable[str], relevant: Collection[str]) -> float | None:
    """Precision at the rank of each relevant fact, averaged over all of them; None if there is none.

    A relevant fact that the ranking lacks counts with a precision of 0.
    """
    if not relevant:
        return None
    places = ranks(ranking)
    found = sorted(places[name] for name in _ids(relevant) if name in places)
    return sum(count / rank for count, rank in enumerate(found, 1)) / len(relevant)


def recall_at(ranking: Iterable[str], relevant: Collection[str], most: int) -> float | None:
    """The share of the relevant texts among the first so many of a ranking; None if there is none."""
    needed, places = _ids(relevant), ranks(ranking)
    return sum(places.get(name, most + 1) <= most for name in needed) / len(needed) if needed else None


def ndcg(ranking: Iterable[str], relevance: Mapping[str, float], missing: Missing = "far") -> float:
    """Normalised discounted cumulative gain: gain 2^rating - 1, discount log2(rank + 1), unrated facts 0.

    With `missing="far"` it equals the evaluator of the 2021 shared task: rated facts that the ranking lacks stand
    at the end of a million further ranks, the first of them last. Without rated facts it is 1; if all are rated
    0, it is 0.
    """
    if not relevance:
        return 1.0
    rated = {name.lower(): rating for name, rating in relevance.items()}
    ideal = _gain(sorted(rated.values(), reverse=True), range(1, len(rated) + 1))
    if not ideal:
        return 0.0
    places = ranks(ranking)
    found = {name: places[name] for name in rated if name in places}
    if missing == "far":
        absent = (name for name in rated if name not in places)
        found.update((name, len(places) + FAR - order) for order, name in enumerate(absent))
    return _gain([rated[name] for name in found], list(found.values())) / ideal


def _gain(ratings: Sequence[float], ranks: Sequence[int]) -> float:
    return math.fsum(
        (2.0**rating - 1.0) / math.log2(rank + 1) for rating, rank in zip(ratings, ranks, strict=True) if rating
    )


def _ids(facts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(str.lower, facts))


def relevance(explanation: Collection[str], relevant: Iterable[str]) -> float:
    """The share of an explanation's facts that are relevant (sec. 6.2); 0 if it has no facts."""
    given = _ids(explanation)
    return len(given & _ids(relevant)) / len(given) if given else 0.0


def completeness(explanation: Iterable[str], gold: Iterable[str]) -> float | None:
    """The share of the gold facts that an explanation has; None without gold facts.

    Equation 4 prints the length of the explanation below the line; the text and the tables mean that of the gold.
    """
    needed = _ids(gold)
    return len(_ids(explanation) & needed) / len(needed) if needed else None


def comp_b(explanation: Iterable[str], gold: Iterable[str], ratings: Mapping[str, float]) -> float | None:
    """1 if an explanation has all gold facts that are rated important or higher (sec. 6.2), else 0.

    Unrated facts are not important. None without gold facts; an explanation without facts is not complete.
    """
    rated = {name.lower(): rating for name, rating in ratings.items()}
    needed, given = _ids(gold), _ids(explanation)
    important = {name for name in needed if rated.get(name, 0) >= IMPORTANT}
    return float(bool(given) and important <= given) if needed else None


def comp_b_appendix(explanation: Iterable[str], gold: Iterable[str]) -> float | None:
    """1 if completeness is 1 (app. A.3.2), else 0; None without gold facts."""
    complete = completeness(explanation, gold)
    return None if complete is None else float(complete == 1.0)


def f1_of_means(sums: Array, counts: Array) -> Array:
    """The harmonic mean of the means of two statistics, as in Tables 5 and 6; NaN of no item.

    Equation 1 of the paper lacks the factor 2. 0 if both are 0.
    """
    first, second = sums[:, 0], sums[:, -1]  # a metric that was measured on no item has one column
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = np.where(first + second > 0, 2 * first * second / (first + second), 0.0) / counts
    return found


def _metric(name: str, meaning: str, source: str = "jansen2021") -> Metric:
    return Metric(name, "higher", (0.0, 1.0), source, meaning)


MAP = _metric("MAP", "mean average precision against the gold explanation")
MAP_RATING1 = _metric("MAP_rating1", "mean average precision against facts rated extra detail or higher")
MAP_RATING2 = _metric("MAP_rating2", "mean average precision against facts rated important or higher")
RECALL_25 = _metric("recall25", "share of the gold sentences among the first 25 of a ranking", "dalvi2021")
NDCG = _metric("NDCG", "normalised discounted cumulative gain of the ratings", "thayaparan2021")
RELEVANCE = _metric("relevance", "share of the explanation's facts that are relevant")
COMPLETENESS = _metric("completeness", "share of the gold facts that the explanation has")
COMP_B = _metric("comp_b", "has all gold facts that are rated important (sec. 6.2)")
COMP_B_APPENDIX = _metric("comp_b_appendix", "has all gold facts (app. A.3.2)")
F1 = Metric(
    "f1", "higher", (0.0, 1.0), "jansen2021", "harmonic mean of mean relevance and mean completeness", f1_of_means
)
F1_B = Metric(
    "f1_b", "higher", (0.0, 1.0), "jansen2021", "harmonic mean of mean relevance and mean comp_b", f1_of_means
)
