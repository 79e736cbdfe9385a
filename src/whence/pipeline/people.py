"""What people say, measured: how good they are where their votes are known, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.metrics.agreement import (
    cohen_kappa,
    fleiss_kappa,
    human_ceiling,
    is_number,
    krippendorff_alpha,
    pairs,
    percent_agreement,
    votes,
)
from whence.structures.results import Judgement, Label, Measurement
from whence.tasks.dataset import AnyDataset
from whence.tasks.task import AnyTask

VOTERS = (3, 5, 7)


def people_of(
    task: AnyTask, dataset: AnyDataset, judgements: Sequence[Judgement] = ()
) -> dict[str, tuple[Measurement, ...]]:
    """Ceiling and agreement from whatever people said: votes and ratings in the data, judgements of a run."""
    found: dict[str, tuple[Measurement, ...]] = {}
    cast = _votes(dataset)
    if cast:
        found["human ceiling"] = tuple(human_ceiling(cast, _labels(dataset), VOTERS))
        found["agreement of voters"] = agreement(cast)
    ratings = list(task.data.judgements(dataset))
    if len({rating.judge for rating in ratings}) > 1:
        found["agreement of raters"] = agreement(ratings)
    for question in dict.fromkeys(judgement.question for judgement in judgements):
        asked = [judgement for judgement in judgements if judgement.question == question]
        if len({judgement.judge for judgement in asked}) > 1:
            found[f"agreement on {question}"] = agreement(asked)
    return found


def one_voter(dataset: AnyDataset) -> float | None:
    """How often one of the voters chooses the gold label; None where nobody voted."""
    cast = _votes(dataset)
    return human_ceiling(cast, _labels(dataset))[0].value if cast else None


def agreement(judgements: Sequence[Judgement]) -> tuple[Measurement, ...]:
    """Every coefficient that these judgements of one question allow."""
    cast = votes(judgements)
    ordered = all(is_number(category) for category in cast.categories)
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


def _labels(dataset: AnyDataset) -> dict[str, str]:
    return {e.id: e.golds[0].name for e in dataset.examples if e.golds and isinstance(e.golds[0], Label)}


def _votes(dataset: AnyDataset) -> list[Judgement]:
    """Votes that came with the examples, as counts by answer."""
    return [
        Judgement(example.id, "choice", answer, count=count)
        for example in dataset.examples
        for answer, count in _counts(example.meta.get("votes")).items()
    ]


def _counts(value: object) -> Mapping[str, int]:
    return value if isinstance(value, dict) else {}
