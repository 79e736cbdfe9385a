"""What people say, measured: how good they are where their votes are known, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from whence.metrics.agreement import (
    cohen_kappa,
    fleiss_kappa,
    human_ceiling,
    krippendorff_alpha,
    pairs,
    percent_agreement,
    votes,
)
from whence.structures.facts import FactSet
from whence.structures.results import Judgement, Label, Measurement
from whence.tasks.task import AnyDataset

VOTERS = (3, 5, 7)


def people_of(dataset: AnyDataset, judgements: Sequence[Judgement] = ()) -> dict[str, tuple[Measurement, ...]]:
    """Ceiling and agreement from whatever people said: votes and ratings in the data, judgements of a run."""
    found: dict[str, tuple[Measurement, ...]] = {}
    cast = _votes(dataset)
    if cast:
        labels = {e.id: e.golds[0].name for e in dataset.examples if e.golds and isinstance(e.golds[0], Label)}
        found["human ceiling"] = tuple(human_ceiling(cast, labels, VOTERS))
        found["agreement of voters"] = agreement(cast)
    ratings = _ratings(dataset)
    if ratings:
        found["agreement of raters"] = agreement(ratings)
    for question in dict.fromkeys(judgement.question for judgement in judgements):
        asked = [judgement for judgement in judgements if judgement.question == question]
        if len({judgement.judge for judgement in asked}) > 1:
            found[f"agreement on {question}"] = agreement(asked)
    return found


def agreement(judgements: Sequence[Judgement]) -> tuple[Measurement, ...]:
    """Every coefficient that these judgements of one question allow."""
    cast = votes(judgements)
    ordered = all(_is_number(category) for category in cast.categories)
    found = [
        percent_agreement(cast),
        fleiss_kappa(cast),
        krippendorff_alpha(cast, "ordinal" if ordered else "nominal"),
    ]
    if len({judgement.judge for judgement in judgements}) == 2:
        two = pairs(judgements)
        found.append(cohen_kappa(two))
        if ordered:
            found += [cohen_kappa(two, weights) for weights in ("linear", "quadratic")]
    return tuple(found)


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def _votes(dataset: AnyDataset) -> list[Judgement]:
    """Votes that came with the examples, as counts by answer."""
    return [
        Judgement(example.id, "choice", answer, count=count)
        for example in dataset.examples
        for answer, count in _counts(example.meta.get("votes")).items()
    ]


def _counts(value: object) -> Mapping[str, int]:
    return value if isinstance(value, dict) else {}


def _ratings(dataset: AnyDataset) -> list[Judgement]:
    """Ratings of facts by two raters or more."""
    return [
        Judgement(example.id, "relevance", str(rating), f"rater {rater}", f"/facts/{place}")
        for example in dataset.examples
        for gold in _sets(example.golds)
        for place, use in enumerate(gold.facts)
        if len(use.ratings) > 1
        for rater, rating in enumerate(use.ratings, 1)
    ]


def _sets(golds: Iterable[object]) -> Iterable[FactSet]:
    return (gold for gold in golds if isinstance(gold, FactSet))
