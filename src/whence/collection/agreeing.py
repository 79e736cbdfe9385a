"""Judgements as all statistics take them, and how far people agree: live and from an export, by one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import select

from whence.collection import tables
from whence.collection.transaction import AnyRow, Transaction, counted_submissions
from whence.metrics.agreement import cohen_kappa
from whence.pipeline.people import agreement
from whence.structures.results import Judgement, Measurement

Named = Callable[[int], str]
"""What a worker is called."""


def counted_judgements(tx: Transaction) -> list[AnyRow]:
    """What was said in submissions that count, in the order in which it was said."""
    counted = {row.id for row in counted_submissions(tx)}
    query = select(tables.judgements).order_by(tables.judgements.c.id)
    return [row for row in tx.all(query) if row.submission_id in counted]


def judgements(tx: Transaction, named: Named = str) -> list[Judgement]:
    """The same as values."""
    return [
        Judgement(row.item, row.question, row.answer, named(row.worker_id), row.part)
        for row in counted_judgements(tx)
    ]


def agreement_by_question(said: Iterable[Judgement]) -> dict[str, tuple[Measurement, ...]]:
    """Every coefficient that the judgements of each question allow; none where no two people judged an item."""
    asked: dict[str, list[Judgement]] = {}
    for one in said:
        asked.setdefault(one.question, []).append(one)
    return {question: found for question, of_question in asked.items() if (found := _agreement(of_question))}


def _agreement(said: Sequence[Judgement]) -> tuple[Measurement, ...]:
    by_item: dict[str, dict[str, str]] = {}
    for one in said:
        by_item.setdefault(one.item + one.part, {})[one.judge] = one.answer
    pairs = [tuple(answers.values())[:2] for answers in by_item.values() if len(answers) > 1]
    if not pairs:
        return ()
    found = list(agreement(said))
    if len({one.judge for one in said}) > 2:
        # Papers tell of Cohen's kappa where any two of several people judge an item: of the first and the second.
        kappa = cohen_kappa([(first, second) for first, second in pairs])
        named = Measurement(
            "Cohen's kappa, first two judges", kappa.value, kappa.n, kappa.missing, kappa.low, kappa.high
        )
        found.append(named)
    return tuple(found)
