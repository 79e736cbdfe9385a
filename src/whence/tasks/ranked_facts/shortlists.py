"""Shortlists of facts for people to rate, and what they rated (expert-ratings paper, sec. 4 and A.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whence.metrics.agreement import cohen_kappa, pairs, percent_agreement, votes
from whence.structures.facts import Fact, FactSet, FactUse, Question, Ranking
from whence.structures.results import Example
from whence.tasks.dataset import AnyDataset
from whence.tasks.method import Setup
from whence.tasks.ranked_facts.data.files import judgements
from whence.tasks.shortlists import Ranked, Shortlists
from whence.tasks.statistics import StatisticsTable, figures, mean

MOST = 20
"""Facts of each ranker."""
EXCLUDED = frozenset({"SYNONYMY"})
"""Tables whose facts nobody need rate: rankers like them, and they say little (A.2)."""
RATINGS = (0, 1, 2, 3)
_TABLE_3 = {"gold": (315, 2846, 9063, 8579), "not gold": (24795, 36962, 36399, 7245)}


def shortlist(
    gold: FactSet | None, rankings: Sequence[Ranking], facts: Mapping[str, Fact], most: int = MOST
) -> FactSet:
    """The best facts of each ranker, then those of the gold explanation that none has; ratings are to come.

    Rankers take turns, so that whoever stops early has seen the best of all. Facts of excluded tables are left out
    before they are counted; gold facts keep their roles.
    """
    known = {name.lower(): fact for name, fact in facts.items()}
    uses = {use.id.lower(): use for use in (gold.facts if gold else ()) if use.gold}

    def is_rated(name: str) -> bool:
        return name in known and known[name].table not in EXCLUDED

    tops = [[name for one in ranking.ids if is_rated(name := one.lower())][:most] for ranking in rankings]
    turns = [top[place] for place in range(most) for top in tops if place < len(top)]
    taken = dict.fromkeys((*turns, *filter(is_rated, uses)))
    return FactSet(tuple(_use(known[name].id, uses.get(name)) for name in taken))


def _use(name: str, gold: FactUse | None) -> FactUse:
    return FactUse(name, gold.role if gold else "", (), gold is not None)


def shortlisted(
    dataset: AnyDataset, rankings: Sequence[Mapping[str, Ranking]], most: int = MOST
) -> list[Example[Question, FactSet]]:
    """Every question with its shortlist; a ranker that has no ranking of a question adds nothing."""
    return [
        Example(
            example.id,
            example.inputs,
            (
                shortlist(
                    _gold(example), [own[example.id] for own in rankings if example.id in own], dataset.facts, most
                ),
            ),
            {key: value for key, value in example.meta.items() if key == "topic"},
        )
        for example in dataset.examples
    ]


def _gold(example: Example[Question, Any]) -> FactSet | None:
    return next((gold for gold in example.golds if isinstance(gold, FactSet)), None)


def size_table(
    examples: Sequence[Example[Question, FactSet]], rankings: Sequence[Mapping[str, Ranking]]
) -> StatisticsTable:
    """How long shortlists are, and how much of the gold explanations the rankers found."""
    sizes = [len(example.golds[0].facts) for example in examples]
    golds = [sum(use.gold for use in example.golds[0].facts) for example in examples]
    return figures(
        "Shortlists",
        ("questions", "rankers", "facts", "facts a question", "gold facts a question"),
        {"all": (len(examples), len(rankings), sum(sizes), mean(sizes), mean(golds))},
        {"all": (None, 2, None, 28.9, None)},
    )


def rating_tables(dataset: AnyDataset) -> Iterator[StatisticsTable]:
    """Table 3: ratings, the raters' mean rounded up, by whether a fact is gold; and how far raters agree."""
    uses = [use for example in dataset.examples if (gold := _gold(example)) for use in gold.facts]
    counts = Counter((use.gold, use.rating) for use in uses if use.rating is not None)
    yield figures(
        "Table 3: ratings",
        ("0 irrelevant", "1 extra detail", "2 important", "3 core"),
        {
            name: [counts[is_gold, rating] for rating in RATINGS]
            for name, is_gold in (("gold", True), ("not gold", False))
        },
        _TABLE_3,
    )
    found = [one for one in judgements(dataset) if one.judge in ("rater 1", "rater 2")]
    both = pairs(found) if any(len(use.ratings) > 1 for use in uses) else []
    if not both:
        return
    answers = [str(rating) for rating in RATINGS]
    apart = [abs(int(first) - int(second)) for first, second in both if first != second]
    yield figures(
        "Two raters",
        ("facts", "percent agreement", "kappa", "% of disagreements by one"),
        {
            "all": (
                len(both),
                percent_agreement(votes(found, answers)).value,
                cohen_kappa(both, categories=answers).value,
                100 * sum(distance == 1 for distance in apart) / len(apart) if apart else None,
            )
        },
        {"all": (None, 0.61, 0.46, 88)},
    )


def _rank(
    questions: Sequence[Example[Question, Any]],
    count: int,
    facts: Mapping[str, Fact],
    folder: Callable[[], Path],
) -> tuple[Ranked, Mapping[str, Fact]]:
    """The facts that the usual method puts first."""
    from whence.tasks.ranked_facts.methods.facts.top_facts import METHOD, FactSettings

    explained = METHOD.make(FactSettings(count=count, fill=True), Setup(folder, facts)).explain(questions)
    ranked = {
        question.id: [use.id for use in one.explanation.facts]
        for question, one in zip(questions, explained, strict=True)
    }
    return ranked, {name: fact for one in explained for name, fact in one.facts.items()}


SHORTLISTS = Shortlists(Question, _rank, shortlisted, size_table)
