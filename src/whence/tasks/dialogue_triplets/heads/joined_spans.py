"""Which spans of a dialogue a triplet joins, whatever its relation."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from whence.models.items import Item, Pair
from whence.structures.dialogue import Dialogue, Triplets
from whence.structures.results import Example
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.proposals import Proposed, clauses, joinable
from whence.tasks.head import Source
from whence.tasks.wording import plain

JOINED = ("apart", "joined")
NEGATIVES = 6
"""Pairs that no triplet joins, for each that one does."""

Annotated = Example[Dialogue, Triplets]


def joined_items(source: Source) -> Sequence[Item]:
    """The spans of each triplet in their order, and pairs of spans and clauses that no triplet joins so."""
    return [item for example in source.dataset().examples for item in pair_items(example, source.seed)]


def pair_items(example: Annotated, seed: int) -> Iterator[Item]:
    """The pairs of a dialogue."""
    triplets = [triplet for gold in example.golds[:1] for triplet in gold.triplets]
    joined = dict.fromkeys((t.head.text, t.tail.text) for t in triplets)
    known = {(plain(head), plain(tail)) for head, tail in joined}
    known |= {
        (plain(t.tail.text), plain(t.head.text))
        for t in triplets
        if t.relation in RELATIONS and RELATIONS[t.relation].symmetric
    }
    spans = {span.text: span for t in triplets for span in (t.head, t.tail) if not span.is_latent}
    spans |= {span.text: span for span in clauses(example.inputs)}
    apart = [
        (head.span.text, tail.span.text)
        for head, tail in joinable([Proposed(span, False) for span in spans.values()])
        if (plain(head.span.text), plain(tail.span.text)) not in known
    ]
    chance = random.Random(f"{seed}:{example.id}")
    drawn = chance.sample(apart, min(len(apart), NEGATIVES * len(joined)))
    for number, pair in enumerate([*joined, *drawn]):
        yield Item(f"{example.id}-pair-{number}", ((pair,),), int(number < len(joined)), example.id)


def asked_pairs(pairs: Sequence[Pair]) -> list[Item]:
    """Pairs to be judged."""
    return [Item(str(number), ((pair,),)) for number, pair in enumerate(pairs)]
