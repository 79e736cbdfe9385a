"""The floors: the most frequent label, and how many of the conclusion's words the premises have."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from whence.structures.results import Label, Prediction
from whence.structures.verdict import FOLLOWS, UNKNOWN, Verdict
from whence.tasks.contrast.mixing import family_set
from whence.tasks.contrast.steps import overlap
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import MAJORITY, Floor

FITTED, FITTED_SEED = 600, 7
"""How many contrasts of the families the bound is fitted on, and their seed: another than any set's."""


@cache
def bound() -> float:
    """The share of words from which on most labels are right if a conclusion is said to follow, else unknown."""
    shares = [(overlap(one.premises, one.conclusion), one.label) for one in family_set(FITTED, FITTED_SEED)]
    return max(
        sorted({share for share, _ in shares}),
        key=lambda least: sum(label == _label(share, least) for share, label in shares),
    )


def _label(share: float, least: float) -> str:
    return FOLLOWS if share >= least else UNKNOWN


def word_overlap(dataset: AnyDataset, _: int) -> list[Prediction[Label]]:
    """A conclusion follows where the premises have enough of its words; how sure that is, is their share."""
    predictions = []
    for example in dataset.examples:
        share = overlap(example.inputs.premises, example.inputs.conclusion)
        label = _label(share, bound())
        verdict = Verdict(label, share if label == FOLLOWS else 1 - share, "word overlap")
        predictions.append(Prediction(example.id, Label(label), verdict=verdict))
    return predictions


FLOORS = (
    replace(MAJORITY, metrics=("accuracy", "macro_f1")),
    Floor(
        "word overlap",
        "it follows if the premises have enough of the conclusion's content words, else it is unknown; how many "
        "are enough is fitted on contrasts made by template",
        word_overlap,
    ),
)
