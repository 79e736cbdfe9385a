"""How far people agree: percent, Cohen's, weighted and Fleiss' kappa, Krippendorff's alpha; and the human ceiling.

Each coefficient is a function of sums over items, so that its interval is made like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Literal

import numpy as np

from whence.errors import UsageError
from whence.metrics.metric import Array, Metric, Scores, ratio
from whence.metrics.significance import LEVEL, SAMPLES, interval
from whence.structures.results import Judgement, Measurement

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]
Ties = Literal["first", "shared"]
Finish = Callable[[Array, Array], Array]


@dataclass(frozen=True, slots=True)
class Resampling:
    """How the interval of a coefficient is made."""

    samples: int = SAMPLES
    seed: int = 0
    level: float = LEVEL


USUAL = Resampling()
_SHARE = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Votes:
    """How many judges put each item into each category."""

    items: tuple[str, ...]
    categories: tuple[str, ...]
    """In their order, which ordinal and weighted coefficients use."""
    counts: Array
    """A row an item, a column a category."""


def votes(judgements: Iterable[Judgement], categories: Sequence[str] | None = None) -> Votes:
    """The votes on each item, or part of one, from judgements of one question.

    A named judge who answers again means the later answer. Without `categories` these are the answers in order of
    number if all are numbers, else of the alphabet.
    """
    said = _said(judgements)
    return _counted(tuple(said), list(said.values()), categories)


def _said(judgements: Iterable[Judgement]) -> dict[str, list[tuple[str, int]]]:
    """Answers to one question with how many gave them, by item, in the order in which they were given."""
    found: dict[str, dict[tuple[str, int], tuple[str, int]]] = {}
    for number, judgement in enumerate(_of_one_question(judgements)):
        judge = (judgement.judge, 0 if judgement.judge else number)  # judges without a name are all different
        found.setdefault(judgement.item + judgement.part, {})[judge] = (judgement.answer, judgement.count)
    return {item: list(answers.values()) for item, answers in found.items()}


def votes_of_table(
    rows: Sequence[Sequence[str | int | float | None]], categories: Sequence[str] | None = None
) -> Votes:
    """The votes of a table with a row an item and a column a judge; None where a judge did not answer."""
    given = [[(str(answer), 1) for answer in row if answer is not None] for row in rows]
    return _counted(tuple(str(number) for number in range(1, len(rows) + 1)), given, categories)


def _counted(
    items: tuple[str, ...], rows: Sequence[Sequence[tuple[str, int]]], categories: Sequence[str] | None
) -> Votes:
    names = _ordered({answer for row in rows for answer, _ in row}, categories)
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(items), len(names)))
    for number, row in enumerate(rows):
        for answer, count in row:
            counts[number, places[answer]] += count
    return Votes(items, names, counts)


def _ordered(answers: set[str], categories: Sequence[str] | None) -> tuple[str, ...]:
    if categories is None:
        return tuple(sorted(answers, key=float) if all(map(is_number, answers)) else sorted(answers))
    strange = sorted(answers - set(categories))
    if strange:
        raise UsageError(f"the answer '{strange[0]}' is none of the categories {', '.join(categories)}")
    return tuple(categories)


def is_number(text: str) -> bool:
    """Whether an answer can be placed on a scale."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of_one_question(judgements: Iterable[Judgement]) -> list[Judgement]:
    found = list(judgements)
    questions = dict.fromkeys(judgement.question for judgement in found)
    if len(questions) > 1:
        raise UsageError(f"agreement is on one question; these judgements are on {', '.join(questions)}")
    return found


def pairs(
    judgements: Iterable[Judgement], first: str | None = None, second: str | None = None
) -> list[tuple[str, str]]:
    """What two judges said of each item that both judged. Their names may be left out if there are only two."""
    said: dict[str, dict[str, str]] = {}
    for judgement in _of_one_question(judgements):
        said.setdefault(judgement.judge, {})[judgement.item + judgement.part] = judgement.answer
    if first is None or second is None:
        if len(said) != 2:
            raise UsageError(f"name two of the {len(said)} judges: {', '.join(said)}")
        first, second = said
    one, two = said.get(first, {}), said.get(second, {})
    return [(answer, two[item]) for item, answer in one.items() if item in two]


def percent_agreement(votes: Votes, how: Resampling = USUAL) -> Measurement:
    """The chance that two judges of an item say the same, averaged over items that two or more judged."""
    total = votes.counts.sum(axis=1)
    same = (votes.counts * (votes.counts - 1)).sum(axis=1)
    known = total >= 2
    shares = np.divide(same, total * (total - 1), out=np.zeros_like(same), where=known)
    return _measured("percent agreement", shares[:, None], known, ratio, how, _SHARE)


def cohen_kappa(
    pairs: Sequence[tuple[str, str]],
    weights: Weights = "none",
    categories: Sequence[str] | None = None,
    how: Resampling = USUAL,
) -> Measurement:
    """Cohen's kappa of two judges; weighted, disagreement counts by the distance of categories or its square."""
    names = _ordered({answer for pair in pairs for answer in pair}, categories)
    places = {name: place for place, name in enumerate(names)}
    cells = np.zeros((len(pairs), len(names), len(names)))
    for number, (one, two) in enumerate(pairs):
        cells[number, places[one], places[two]] = 1
    title = "Cohen's kappa" if weights == "none" else f"{weights} weighted kappa"
    finish = partial(_cohen, distances=_distances(len(names), weights))
    return _measured(
        title, cells.reshape(len(pairs), len(names) ** 2), np.ones(len(pairs), dtype=np.bool_), finish, how
    )


def _distances(count: int, weights: Weights) -> Array:
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
    powers: Mapping[Weights, int] = {"none": 0, "linear": 1, "quadratic": 2}
    found: Array = np.where(apart > 0, apart ** powers[weights], 0.0)
    return found


def _cohen(sums: Array, counts: Array, distances: Array) -> Array:
    """1 - observed / expected disagreement, the latter from each judge's own shares of the categories."""
    cells = sums.reshape(len(sums), *distances.shape)
    expected = cells.sum(axis=2)[:, :, None] * cells.sum(axis=1)[:, None, :]
    return _one_minus((cells * distances).sum(axis=(1, 2)) * counts, (expected * distances).sum(axis=(1, 2)))


def fleiss_kappa(votes: Votes, how: Resampling = USUAL) -> Measurement:
    """Fleiss' kappa: agreement beyond that of judges who draw categories by their overall shares.

    Fleiss has equally many judges an item; here their number may differ. Items with one judge are left out.
    """
    total = votes.counts.sum(axis=1)
    known = total >= 2
    same = (votes.counts * (votes.counts - 1)).sum(axis=1)
    shares = np.divide(same, total * (total - 1), out=np.zeros_like(same), where=known)
    return _measured("Fleiss' kappa", np.column_stack((shares, votes.counts)), known, _fleiss, how)


def _fleiss(sums: Array, counts: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = sums[:, 1:] / sums[:, 1:].sum(axis=1, keepdims=True)
        return _one_minus(1 - sums[:, 0] / counts, 1 - (shares**2).sum(axis=1))


def krippendorff_alpha(
    votes: Votes,
    level: Level = "nominal",
    how: Resampling = USUAL,
) -> Measurement:
    """Krippendorff's alpha for any number of judges and missing answers, of names, ranks or numbers."""
    if level == "interval" and not all(map(is_number, votes.categories)):
        raise UsageError(f"alpha on the interval level needs numbers, not {', '.join(votes.categories)}")
    values = np.array([float(name) if level == "interval" else 0.0 for name in votes.categories])
    total = votes.counts.sum(axis=1)
    known = total >= 2
    together = votes.counts[:, :, None] * votes.counts[:, None, :]
    together -= votes.counts[:, :, None] * np.eye(len(values))
    # The coincidences of an item: all ordered pairs of its answers, each answer counted once in all.
    coincidences = together / np.maximum(total - 1, 1)[:, None, None]
    finish = partial(_alpha, level=level, values=values)
    return _measured(
        f"Krippendorff's alpha, {level}", coincidences.reshape(len(total), values.size**2), known, finish, how
    )


def _alpha(sums: Array, _counts: Array, level: Level, values: Array) -> Array:
    """1 - observed / expected disagreement (Krippendorff 2011, with n - 1 pairs for each answer)."""
    cells = sums.reshape(len(sums), len(values), len(values))
    totals = cells.sum(axis=2)
    distances = _alpha_distances(totals, level, values)
    observed = (cells * distances).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distances).sum(axis=(1, 2))
    return _one_minus(observed * (totals.sum(axis=1) - 1), expected)


def _alpha_distances(totals: Array, level: Level, values: Array) -> Array:
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(len(values)), (len(totals), len(values), len(values)))
    # Ranks lie as far apart as there are answers between them, half of their own included.
    middles = np.cumsum(totals, axis=1) - totals / 2 if level == "ordinal" else np.tile(values, (len(totals), 1))
    found: Array = (middles[:, :, None] - middles[:, None, :]) ** 2
    return found


def _one_minus(observed: Array, expected: Array) -> Array:
    """1 - observed / expected; NaN where no disagreement can be expected, as all say the same."""
    found: Array = 1 - np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 1e-12)
    return found


def _measured(
    name: str,
    statistics: Array,
    known: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    finish: Finish,
    how: Resampling,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Measurement:
    metric = Metric(name, "higher", bounds, "", name, finish)
    found = Scores(metric, statistics, known)
    low, high = interval(found, samples=how.samples, seed=how.seed, level=how.level)
    count = int(known.sum())
    return Measurement(name, found.figure(), count, len(known) - count, low, high)


def human_ceiling(
    judgements: Iterable[Judgement],
    labels: Mapping[str, str],
    voters: Sequence[int] = (),
    ties: Ties = "first",
    how: Resampling = USUAL,
) -> list[Measurement]:
    """How often people choose the gold label: one voter, the majority of so many, the majority of all.

    Voters are drawn from an item's votes without replacement, and figures are exact expectations over the draws,
    in which a tie counts as the share of the tied that is right. A tie of all votes goes to the answer that is
    named first, as in ChaosNLI's own majority, or is shared too. Items without a label, or with fewer votes, are
    missing.
    """
    tallies: dict[str, Counter[str]] = {}
    for item, answers in _said(judgements).items():
        tallies[item] = Counter()
        for answer, count in answers:
            tallies[item][answer] += count

    def right(size: int | None) -> list[float | None]:
        return [
            _majority_right(tally, labels[item], size, ties) if item in labels else None
            for item, tally in tallies.items()
        ]

    named = {f"majority of {size} voters": size for size in voters}
    measurements = []
    for name, size in {"one voter": 1, **named, "majority of all voters": None}.items():
        values = right(size)
        known = np.array([value is not None for value in values], dtype=np.bool_)
        column = np.array([value or 0.0 for value in values]).reshape(-1, 1)
        measurements.append(_measured(name, column, known, ratio, how, _SHARE))
    return measurements


def _majority_right(tally: Counter[str], gold: str, size: int | None, ties: Ties) -> float | None:
    """The chance that the gold answer gets most of `size` votes drawn from all; None if there are fewer."""
    total, right = tally.total(), tally[gold]
    if not total or (size or 0) > total:
        return None
    if size is None:
        most = [answer for answer, count in tally.items() if count == max(tally.values())]
        return float(gold == most[0]) if ties == "first" else (gold in most) / len(most)
    others = [count for answer, count in tally.items() if answer != gold]
    ways = sum(comb(right, most) * _ways(others, size - most, most) for most in range(1, min(right, size) + 1))
    return float(ways / comb(total, size))


def _ways(others: Sequence[int], left: int, most: int) -> Fraction:
    """Ways to draw the votes that are left so that no other category has more; a tie counts by its share."""
    ways: dict[tuple[int, int], int] = {(left, 1): 1}
    for count in others:
        following: dict[tuple[int, int], int] = {}
        for (remaining, tied), number in ways.items():
            for taken in range(min(count, most, remaining) + 1):
                key = remaining - taken, tied + (taken == most)
                following[key] = following.get(key, 0) + number * comb(count, taken)
        ways = following
    return sum((Fraction(number, tied) for (remaining, tied), number in ways.items() if not remaining), Fraction())
