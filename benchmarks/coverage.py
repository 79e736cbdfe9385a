"""How often 95% intervals hold the truth, and how often paired tests see a difference where there is none.

    .venv/bin/python benchmarks/coverage.py [--write]

For each family of metrics a population of items is made, so that the truth is known; data sets are drawn from it,
and each gets its interval. Two systems of the paired tests are one system that answered twice. With `--write` the
tables go to docs/lab/coverage.md. Ends with an error if a share is not what it should be.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from whence.metrics import span
from whence.metrics.agreement import Votes, cohen_kappa, fleiss_kappa, human_ceiling, krippendorff_alpha
from whence.metrics.classification import (
    F1,
    MACRO_F1,
    MACRO_PRECISION,
    MACRO_RECALL,
    WEIGHTED_F1,
    accuracy,
    by_class,
    by_set,
    likelihood,
)
from whence.metrics.correction import prediction_powered
from whence.metrics.graph import GRAPH_EDIT_DISTANCE
from whence.metrics.metric import Array, Metric, Scores, scores
from whence.metrics.ranking import F1 as F1_OF_MEANS
from whence.metrics.ranking import MAP, NDCG, average_precision, ndcg, ranks
from whence.metrics.significance import bootstrap_weights, interval, paired, resampled_all
from whence.metrics.text import bleu, cider, rouge_l
from whence.metrics.text_meteor import meteor
from whence.metrics.tree import LEAVES_F1, STEPS_ALL, micro_f1
from whence.structures.results import Judgement, Measurement

PAGE = Path(__file__).parents[1] / "docs/lab/coverage.md"
REPEATS, FEW_REPEATS = 1000, 200
"""Data sets drawn: of most metrics, and of those that are slow."""
RESAMPLES = 500
POPULATION = 20_000
COVERED, REJECTED = (0.92, 0.98), (0.03, 0.07)

Draw = np.random.Generator
Pair = tuple[Scores, Scores]
"""The same items, answered twice by one system."""


@dataclass(frozen=True)
class Row:
    """What came of one family: shares of intervals that hold the truth, and of tests that see a difference."""

    name: str
    n: int
    repeats: int
    truth: float
    covered: float
    before: float
    """Of the percentile bootstrap."""
    rejected: float | None
    required: bool = True

    @property
    def fits(self) -> bool:
        """Whether it is as it should be."""
        tests = self.rejected is None or REJECTED[0] <= self.rejected <= REJECTED[1]
        return not self.required or (COVERED[0] <= self.covered <= COVERED[1] and tests)


# Populations: a row of statistics an item, twice.


def _twice(make: Callable[[Draw], Scores], seed: int) -> Pair:
    return make(np.random.default_rng(seed)), make(np.random.default_rng(seed + 1))


def right_or_wrong(share: float) -> Pair:
    """Items differ in how hard they are, so that both answers are often right together."""
    spread = 4.0
    hard = np.random.default_rng(1).beta(share * spread, (1 - share) * spread, POPULATION)
    gold = ["yes"] * POPULATION
    return _twice(
        lambda draw: accuracy(gold, ["yes" if one else "no" for one in draw.random(POPULATION) < hard]), 2
    )


def values(metric: Metric, make: Callable[[Draw, Array], Array]) -> Pair:
    """A mean: the item and chance have a part in each value."""
    items = np.random.default_rng(1).random(POPULATION)
    return _twice(lambda draw: scores(metric, [(float(one),) for one in make(draw, items)]), 2)


def often_perfect(draw: Draw, items: Array) -> Array:
    """Nine of ten values are 1, as of trees or spans of a good system."""
    found: Array = np.where(0.5 * items + 0.5 * draw.random(len(items)) < 0.66, 1.0, draw.random(len(items)))
    return found


def mostly_low(draw: Draw, items: Array) -> Array:
    """Small and skewed, as of CIDEr or of edit distances of a good system."""
    found: Array = draw.beta(0.2 + 0.3 * items, 3.0)
    return found


def labels(metric: Metric, shares: Array, right: Array) -> Pair:
    """Labels that are right as often as their class is, else drawn as classes are."""
    names = [f"c{number}" for number in range(len(shares))]
    gold = np.random.default_rng(1).choice(len(shares), POPULATION, p=shares / shares.sum())

    def answer(draw: Draw) -> Scores:
        guess = draw.choice(len(shares), POPULATION, p=shares / shares.sum())
        label = np.where(draw.random(POPULATION) < right[gold], gold, guess)
        return by_class([metric], [names[one] for one in gold], [names[one] for one in label], names)[0]

    return _twice(answer, 2)


BALANCED = np.ones(4), np.array([0.9, 0.7, 0.6, 0.4])
RARE = np.array([40.0, 25, 15, 10, 5, 3, 2]), np.array([0.8, 0.7, 0.4, 0.6, 0.3, 0.8, 0.5])
LONG_TAIL = 1 / np.arange(1, 25) ** 1.5, np.clip(0.95 - 0.12 * np.arange(24), 0, 1)
"""A few classes that are learnt, and many rare ones that are not: CIDER's relations."""


def sets() -> Pair:
    golds = [frozenset(range(size)) for size in 1 + np.random.default_rng(1).poisson(3, POPULATION)]

    def answer(draw: Draw) -> Scores:
        wrong = draw.poisson(1.5, POPULATION)
        found = [
            frozenset(member for member in gold if draw.random() < 0.6) | frozenset(range(-more, 0))
            for gold, more in zip(golds, wrong, strict=True)
        ]
        return by_set([F1], golds, found)[0]

    return _twice(answer, 2)


def micro() -> Pair:
    """Leaves of trees, counted over all trees."""
    gold = 1 + np.random.default_rng(1).poisson(3, POPULATION)

    def answer(draw: Draw) -> Scores:
        right = draw.binomial(gold, 0.7)
        predicted = right + draw.poisson(1, POPULATION)
        rows = np.column_stack((right, predicted, right, gold)).astype(np.float64)
        return Scores(replace(LEAVES_F1, finish=micro_f1), rows, np.ones(POPULATION, dtype=np.bool_))

    return _twice(answer, 2)


def two_means() -> Pair:
    items = np.random.default_rng(1).random(POPULATION)

    def answer(draw: Draw) -> Scores:
        rows = np.column_stack((draw.beta(1 + 3 * items, 2), draw.beta(2, 1 + 3 * items)))
        return Scores(F1_OF_MEANS, rows, np.ones(POPULATION, dtype=np.bool_))

    return _twice(answer, 2)


def probabilities() -> Pair:
    items = np.random.default_rng(1).random(POPULATION)
    return _twice(lambda draw: likelihood(draw.beta(1 + 2 * items, 0.7).tolist()), 2)


_RANKED, _FACTS = 2000, 60


def rankings(of: Callable[[Sequence[str], dict[str, float]], float | None], metric: Metric) -> Pair:
    """Sixty facts in an order that says something of which matter."""
    first = np.random.default_rng(1)
    rated = [dict(zip(map(str, range(9)), first.integers(0, 4, 9).tolist(), strict=True)) for _ in range(_RANKED)]
    hard = first.random(_RANKED)

    def answer(draw: Draw) -> Scores:
        rows = []
        for ratings, noise in zip(rated, hard, strict=True):
            worth = np.array([float(ratings.get(str(fact), 0)) for fact in range(_FACTS)])
            order = np.argsort(-(worth + 4 * noise * draw.normal(size=_FACTS)))
            value = of([str(fact) for fact in order], ratings)
            rows.append(None if value is None else (value,))
        return scores(metric, rows)

    return _twice(answer, 2)


def _map(ranking: Sequence[str], ratings: dict[str, float]) -> float | None:
    return average_precision(ranks(ranking), [name for name, rating in ratings.items() if rating])


# Texts: words by their frequency, and candidates that keep a part of a reference.

_TEXTS = 2000
_WORDS = [f"w{number}" for number in range(400)]
_FREQUENCY = 1 / np.arange(1, 401)


def _text(draw: Draw, length: int) -> list[str]:
    return [_WORDS[one] for one in draw.choice(400, length, p=_FREQUENCY / _FREQUENCY.sum())]


def _references(draw: Draw) -> list[list[str]]:
    return [[" ".join(_text(draw, int(draw.integers(6, 16)))) for _ in range(2)] for _ in range(_TEXTS)]


def _candidates(draw: Draw, references: Sequence[Sequence[str]]) -> list[str]:
    found = []
    for texts in references:
        kept = draw.beta(3, 1)
        words = [word if draw.random() < kept else _text(draw, 1)[0] for word in texts[0].split()]
        found.append(" ".join(words[: int(draw.integers(4, 16))]))
    return found


def texts(of: Callable[[list[str], list[list[str]]], Scores]) -> Pair:
    references = _references(np.random.default_rng(1))
    return _twice(lambda draw: of(_candidates(draw, references), references), 2)


def spans(name: str) -> Pair:
    references = _references(np.random.default_rng(1))
    golds = [[pair[0]] for pair in references]

    def answer(draw: Draw) -> Scores:
        found = [
            text if draw.random() < 0.5 else " ".join(text.split()[: int(draw.integers(1, 9))])
            for text in _candidates(draw, references)
        ]
        measured = span.span_scores(span.OFFICIAL, golds, found)
        return next(one for one in measured if one.metric.name == name)

    return _twice(answer, 2)


# Drawing data sets.


def study(name: str, population: Pair, n: int, *, required: bool = True) -> Row:
    """Data sets of n items drawn from a population; the truth is the mean of the figures they give."""
    draw, weights = np.random.default_rng(7), bootstrap_weights(n, RESAMPLES, seed=7)
    one, two = population
    size = len(one.known)
    truth = float(np.mean([_items(one, draw.integers(size, size=n)).figure() for _ in range(5 * REPEATS)]))
    covered = before = rejected = 0
    for _ in range(REPEATS):
        chosen = draw.integers(size, size=n)
        first, second = _items(one, chosen), _items(two, chosen)
        covered += _holds(interval(first, weights), truth)
        before += _holds(_percentiles(first, weights), truth)
        rejected += _p(first, second, weights) < 0.05
    return Row(name, n, REPEATS, truth, covered / REPEATS, before / REPEATS, rejected / REPEATS, required)


def _items(found: Scores, chosen: Sequence[int] | np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Scores:
    return replace(found, statistics=found.statistics[chosen], known=found.known[chosen])


def _holds(between: tuple[float | None, float | None], truth: float) -> bool:
    low, high = between
    return low is not None and high is not None and low - 1e-9 <= truth <= high + 1e-9


def _p(first: Scores, second: Scores, weights: Array) -> float:
    p = paired(first, second, weights).p
    return 1.0 if p is None else p


def _percentiles(found: Scores, weights: Array) -> tuple[float, float]:
    """The percentile bootstrap, for comparison."""
    figures = resampled_all([found], weights)[0]
    low, high = np.quantile(figures[~np.isnan(figures)], [0.025, 0.975])
    return float(low), float(high)


def study_cider(n: int) -> Row:
    """CIDEr, whose rarities are those of the data set: texts are drawn, and all is measured anew."""
    draw, weights = np.random.default_rng(7), bootstrap_weights(n, RESAMPLES, seed=7)
    references = _references(np.random.default_rng(1))
    answers = [_candidates(np.random.default_rng(seed), references) for seed in (2, 3)]

    def measured() -> list[Scores]:
        chosen = draw.integers(_TEXTS, size=n)
        return [cider([some[at] for at in chosen], [references[at] for at in chosen]) for some in answers]

    sets_of = [measured() for _ in range(3 * FEW_REPEATS)]
    truth = float(np.mean([one.figure() for pair in sets_of for one in pair]))
    covered = np.mean([_holds(interval(one, weights), truth) for one, _ in sets_of])
    before = np.mean([_holds(_percentiles(one, weights), truth) for one, _ in sets_of])
    rejected = np.mean([_p(*pair, weights) < 0.05 for pair in sets_of])
    return Row("CIDEr-D", n, len(sets_of), truth, float(covered), float(before), float(rejected))


def study_agreement(name: str, n: int, of: Callable[[Array], Measurement]) -> Row:
    """Three judges who each say what is meant with a chance of .8, else anything."""
    draw = np.random.default_rng(7)

    def judged() -> Measurement:
        meant = draw.choice(3, (n, 1), p=[0.6, 0.3, 0.1])
        return of(np.where(draw.random((n, 3)) < 0.8, meant, draw.choice(3, (n, 3))))

    found = [judged() for _ in range(REPEATS)]
    truth = float(np.mean([one.value for one in found]))
    covered = np.mean([_holds((one.low, one.high), truth) for one in found])
    return Row(name, n, REPEATS, truth, float(covered), float("nan"), None)


def _votes(answers: Array) -> Votes:
    counts = np.stack([(answers == category).sum(axis=1) for category in range(3)], axis=1).astype(np.float64)
    return Votes(tuple(map(str, range(len(answers)))), ("0", "1", "2"), counts)


def _ceiling(answers: Array) -> Measurement:
    said = [
        Judgement(str(item), "label", str(answer), judge=str(judge))
        for item, row in enumerate(answers)
        for judge, answer in enumerate(row)
    ]
    return human_ceiling(said, {str(item): "0" for item in range(len(answers))})[0]


def study_correction(n: int, judged: int) -> Row:
    """Automatic values of all items, human ones of some."""
    draw, covered = np.random.default_rng(7), 0
    for _ in range(REPEATS):
        people = draw.beta(4, 2, n)
        machine = np.clip(people - 0.1 + draw.normal(0, 0.15, n), 0, 1)
        some = draw.choice(n, judged, replace=False)
        found = prediction_powered(machine.tolist(), {int(at): float(people[at]) for at in some})
        covered += _holds((found.low, found.high), 2 / 3)
    return Row(f"corrected by {judged} judgements", n, REPEATS, 2 / 3, covered / REPEATS, float("nan"), None)


def families() -> list[Row]:
    return [
        study("accuracy", right_or_wrong(0.7), 50),
        study("accuracy, nearly all right", right_or_wrong(0.95), 100),
        study("likelihood of the right label", probabilities(), 100),
        study("macro F1, 4 equal classes", labels(MACRO_F1, *BALANCED), 100),
        study("macro F1, 7 classes, the rarest 2%", labels(MACRO_F1, *RARE), 300),
        study("macro precision of these", labels(MACRO_PRECISION, *RARE), 300),
        study("macro recall of these", labels(MACRO_RECALL, *RARE), 300),
        study("macro F1, 24 classes with a long tail", labels(MACRO_F1, *LONG_TAIL), 1000),
        study("weighted F1 of these", labels(WEIGHTED_F1, *LONG_TAIL), 1000),
        study("F1 of sets, over all items", sets(), 100),
        study("F1 of leaves, over all trees", micro(), 100),
        study("tree F1 or equivalence: mostly perfect", values(STEPS_ALL, often_perfect), 100),
        study("graph edit distance: mostly low", values(GRAPH_EDIT_DISTANCE, mostly_low), 100),
        study("MAP", rankings(_map, MAP), 100),
        study("NDCG", rankings(ndcg, NDCG), 100),
        study("F1 of mean relevance and completeness", two_means(), 50),
        study("span F1 (SQuAD)", spans("squad_f1"), 100),
        study("span exact match", spans("em"), 100),
        study("BLEU-1", texts(lambda *given: bleu(*given)[0]), 100),
        study("BLEU-4", texts(lambda *given: bleu(*given)[3]), 100),
        study("ROUGE-L", texts(rouge_l), 100),
        study("METEOR", texts(meteor), 100),
        study_cider(100),
        study_agreement(
            "Cohen's kappa", 100, lambda said: cohen_kappa([(str(one), str(two)) for one, two, _ in said])
        ),
        study_agreement("Fleiss' kappa", 100, lambda said: fleiss_kappa(_votes(said))),
        study_agreement("Krippendorff's alpha", 100, lambda said: krippendorff_alpha(_votes(said))),
        study_agreement("human ceiling, one voter", 100, _ceiling),
        study_correction(500, 50),
    ]


def small() -> list[Row]:
    """Where there is little to go by. Nothing is required of these."""
    return [
        *(study("accuracy, 97% right", right_or_wrong(0.97), n, required=False) for n in (10, 20, 50)),
        *(
            study("mostly perfect values", values(STEPS_ALL, often_perfect), n, required=False)
            for n in (5, 10, 20, 50)
        ),
        *(
            study("mostly low values", values(GRAPH_EDIT_DISTANCE, mostly_low), n, required=False)
            for n in (5, 10, 20, 50)
        ),
        *(
            study("macro F1, 7 classes, the rarest 2%", labels(MACRO_F1, *RARE), n, required=False)
            for n in (50, 100)
        ),
        study("macro F1, 24 classes with a long tail", labels(MACRO_F1, *LONG_TAIL), 300, required=False),
    ]


# Other ways with rare classes.


def macro_ways() -> list[tuple[str, str, str, str, str]]:
    """What each way of resampling macro F1 covers."""
    rows = []
    for title, classes, n in (
        ("7 classes, the rarest 2%", RARE, 100),
        ("7 classes, the rarest 2%", RARE, 300),
        ("24 classes with a long tail", LONG_TAIL, 300),
        ("24 classes with a long tail", LONG_TAIL, 1000),
    ):
        population, _ = labels(MACRO_F1, *classes)
        draw, weights = np.random.default_rng(7), bootstrap_weights(n, RESAMPLES, seed=7)
        figures = [_items(population, draw.integers(POPULATION, size=n)).figure() for _ in range(5 * REPEATS)]
        truth, held = float(np.mean(figures)), np.zeros(3)
        for _ in range(REPEATS):
            found = _items(population, draw.integers(POPULATION, size=n))
            fixed = _fixed_classes(found, weights)
            held += (
                _holds(_percentiles(found, weights), truth),
                _holds((float(np.quantile(fixed, 0.025)), float(np.quantile(fixed, 0.975))), truth),
                _holds(interval(found, weights), truth),
            )
        rows.append((title, str(n), *(f"{100 * share:.1f}" for share in held / REPEATS)))
    return rows


def _fixed_classes(found: Scores, weights: Array) -> Array:
    """Macro F1 of resamples over the classes of the whole data set; a class that was not drawn counts as 0."""
    right, predicted, gold = np.split(weights @ found.statistics, 3, axis=1)
    total = predicted + gold
    f1 = np.divide(2 * right, total, out=np.zeros_like(total), where=total > 0)
    size = found.statistics.shape[1] // 3
    occurs = found.statistics[:, size:].reshape(-1, 2, size).sum(axis=(0, 1)) > 0
    mean: Array = f1[:, occurs].mean(axis=1)
    return mean


def _cells(row: Row) -> tuple[str, ...]:
    """Bold where a share is not what it should be."""

    def share(value: float | None, limits: tuple[float, float]) -> str:
        if value is None or np.isnan(value):
            return ""
        text = f"{100 * value:.1f}"
        return text if limits[0] <= value <= limits[1] else f"**{text}**"

    return (
        row.name,
        str(row.n),
        f"{row.truth:.3f}",
        share(row.covered, COVERED),
        share(row.before, COVERED),
        share(row.rejected, REJECTED),
        f"{row.repeats:,}",
    )


def _table(rows: Sequence[Row]) -> str:
    head = "| metric | items | truth | covered | percentile bootstrap | p < .05 | data sets |\n"
    return head + "|---|---:|---:|---:|---:|---:|---:|\n" + "".join(f"| {' | '.join(_cells(r))} |\n" for r in rows)


def page(rows: Sequence[Row], few: Sequence[Row], ways: Sequence[tuple[str, ...]]) -> str:
    return (
        "# Do intervals cover?\n\n"
        "Made by `.venv/bin/python benchmarks/coverage.py --write`. Data sets are drawn from populations whose "
        "figure is known. *Covered* is the share, in percent, of 95% intervals that hold the truth: it should be "
        "95, and must be between 92 and 98. *p < .05* is the share of paired tests that see a difference between "
        "two answers of one and the same system: it should be 5, and must be between 3 and 7. Shares outside are "
        "bold. *Percentile bootstrap* is what the most common interval would cover on the same data sets. The "
        "truth is the mean of the figure over data sets of this size. Why intervals are made as they are: "
        "[design note 021](../design/021-intervals.md).\n\n"
        f"{_table(rows)}\n"
        "## Little data\n\n"
        "What happens below some fifty items, or with classes of one or two. Nothing is required here; read such "
        "intervals as a hint.\n\n"
        f"{_table(few)}\n"
        "## Rare classes\n\n"
        "Macro F1 when resamples lack rare classes. *Percentiles*: the mean over the classes that a resample has. "
        "*Fixed classes*: over those of the whole data set, 0 for a class that was not drawn. *Ours*: the spread "
        "of the former, around the figure itself.\n\n"
        "| classes | items | percentiles | fixed classes | ours |\n|---|---:|---:|---:|---:|\n"
        + "".join(f"| {' | '.join(row)} |\n" for row in ways)
    )


def main() -> None:
    rows = families()
    text = page(rows, small(), macro_ways())
    print(text)
    if "--write" in sys.argv[1:]:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
    failed = [row.name for row in rows if not row.fits]
    if failed:
        sys.exit(f"not as they should be: {', '.join(failed)}")


if __name__ == "__main__":
    main()
