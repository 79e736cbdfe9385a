"""Adversarial filtering: of the claims that one sentence decides, a true and a false one that are hard to tell."""

from __future__ import annotations

import random

from whence.models.items import Pair
from whence.structures.results import Example
from whence.tasks.hardening import Chosen, Filtering, Pool, Pools, Wanted, Weighed
from whence.tasks.loading import load
from whence_rationales.data import LABELS, Rationale, Statement
from whence_rationales.task import RATIONALES


def _pools(wanted: Wanted) -> Pools:
    """A pool a sentence: the claims that it supports, and those that it refutes."""
    claims: dict[tuple[str, str], dict[str, list[str]]] = {}
    for example in load(RATIONALES, wanted.where, wanted.folder).examples:
        for gold in example.golds:
            by_label = claims.setdefault((example.inputs.passage, gold.text), {})
            by_label.setdefault(gold.label, []).append(example.inputs.claim)
    pools = (
        Pool(f"pool-{number}", context, tuple(some.get(LABELS[0], ())), tuple(some.get(LABELS[1], ())))
        for number, (context, some) in enumerate(claims.items(), 1)
    )
    return Pools(tuple(pool for pool in pools if pool.right and pool.wrong))


def _form(pool: Pool, claim: str) -> tuple[Pair, ...]:
    return ((pool.context[0], claim),)


def _example(pool: Pool, chosen: Chosen, chance: random.Random) -> Example[Statement, Rationale]:
    """The true or the false claim, by chance."""
    passage, rationale = pool.context
    claims = dict(zip(LABELS, (pool.right[chosen.right], pool.wrong[chosen.wrong[0]]), strict=True))
    label = chance.choice(LABELS)
    return Example(pool.id, Statement(passage, claims[label]), (Rationale(label, rationale),))


def _replace(pool: Pool, chosen: Chosen, weighed: Weighed, chance: random.Random) -> Chosen:
    """The claims that the adversary finds hardest, if it is right about these."""
    right, (wrong,) = weighed.options(chosen)
    if right < wrong:
        return chosen
    least, most = min(weighed.right), max(weighed.wrong)
    return Chosen(weighed.right.index(least), (weighed.wrong.index(most),))


FILTERING = Filtering(
    task="rationales",
    paper="",
    wrong=1,
    pools=_pools,
    forms={"passage": _form},
    asked="passage",
    example=_example,
    replace=_replace,
    temperature=lambda _iteration, _iterations: 1.0,
    iterations=10,
    learnt=0.5,
    patience=3,
    suffix=".jsonl",
)
