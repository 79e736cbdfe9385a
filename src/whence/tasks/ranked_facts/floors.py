"""WorldTree's floors: the facts that explain most other answers, and those with words of the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from statistics import median_low

from whence.metrics.ranking import RELEVANT
from whence.structures.facts import FactSet, FactUse, Question, Ranking
from whence.structures.results import Example, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import GOLD, Ceiling, Floor, WordOverlap

_RANKED = 100
"""Facts in a ranking: those below hardly count."""
FactExample = Example[Question, FactSet | Ranking]
Order = Callable[[AnyDataset], Callable[[FactExample, int], list[str]]]
"""From a data set to the best facts for an example, so many."""


def most_used(dataset: AnyDataset) -> Callable[[FactExample, int], list[str]]:
    """The facts that the gold explanations of the other questions use most often."""
    uses = Counter(name for example in dataset.examples for name in _used(example))
    usual = sorted(uses, key=lambda name: (-uses[name], name))

    def best(example: FactExample, most: int) -> list[str]:
        own = set(_used(example))
        near = usual[: most + len(own)]
        return sorted(near, key=lambda name: (-(uses[name] - (name in own)), name))[:most]

    return best


def common_words(dataset: AnyDataset) -> Callable[[FactExample, int], list[str]]:
    """The facts that share most words with the question and its answer."""
    facts = WordOverlap({name: fact.text for name, fact in dataset.facts.items()})
    return lambda example, most: facts.nearest(f"{example.inputs.question} {example.inputs.answer}", most)


def _used(example: FactExample) -> list[str]:
    """The facts of the gold explanation; where facts are only rated, those that are rated relevant."""
    gold = example.golds[0]
    if isinstance(gold, Ranking):
        return list(gold.ids)
    needed = [use.id for use in gold.facts if use.gold]
    return needed or [use.id for use in gold.facts if (use.rating or 0) >= RELEVANT]


def as_ranking(order: Order, dataset: AnyDataset, _: int) -> list[Prediction[Ranking]]:
    """The best facts as a ranking."""
    best = order(dataset)
    return [Prediction(example.id, Ranking(tuple(best(example, _RANKED)))) for example in dataset.examples]


def as_set(order: Order, dataset: AnyDataset, _: int) -> list[Prediction[FactSet]]:
    """The best facts as a set: as many as gold explanations have in the middle."""
    best, size = order(dataset), median_low(len(_used(example)) for example in dataset.examples)
    return [
        Prediction(example.id, FactSet(tuple(FactUse(name) for name in best(example, size))))
        for example in dataset.examples
    ]


_USED = "the facts that gold explanations of the other questions use most often"
_WORDS = "the facts that share most words with question and answer"

FLOORS = tuple(
    Floor(f"{name}, {kind}", f"{text}, {kind}", partial(make, order))
    for make, kind in ((as_ranking, "ranked"), (as_set, "as a set"))
    for name, text, order in (("most used facts", _USED, most_used), ("common words", _WORDS, common_words))
)


def gold_first(dataset: AnyDataset) -> tuple[AnyDataset, list[Prediction[Ranking]]]:
    """Gold facts, then other facts by their rating."""
    return dataset, [_ranking(example, by_rating=False) for example in dataset.examples]


def best_rated_first(dataset: AnyDataset) -> tuple[AnyDataset, list[Prediction[Ranking]]]:
    """All facts by their rating."""
    return dataset, [_ranking(example, by_rating=True) for example in dataset.examples]


def _ranking(example: FactExample, *, by_rating: bool) -> Prediction[Ranking]:
    gold = example.golds[0]
    if isinstance(gold, Ranking):
        return Prediction(example.id, gold)
    uses = sorted(gold.facts, key=lambda use: (not (by_rating or use.gold), -(use.rating or 0)))
    return Prediction(example.id, Ranking(tuple(use.id for use in uses)))


CEILINGS = (
    GOLD,
    Ceiling("gold first", "gold facts first, then others by their rating", gold_first),
    Ceiling("ratings", "facts in the order of their ratings", best_rated_first),
)
